#!/bin/sh
# Installs a release of oidc-preflight in a folder of its own; the job needs curl, tar and xz:
#   install.sh [--version V] [--sha256 HEX] [--from ADDRESS] [--to FOLDER]
# Prints the program's folder, for PATH. The archive is verified with --sha256, otherwise with the SHA256SUMS of the same source. The
# latter proves only that both come from one source. A folder that already contains that version does not change.
# Exit codes: 0, 64 (invalid arguments), 69 (not available, or the wrong checksum).
set -eu

version=
sum=
from=https://github.com/oidc-preflight/oidc-preflight/releases/download
to=
fail() {
    echo "oidc-preflight: $2" >&2
    exit "$1"
}
while [ $# -gt 0 ]; do
    case $1 in
    --version | --sha256 | --from | --to) [ $# -gt 1 ] || fail 64 "$1 needs a value" ;;
    *) fail 64 "unknown argument $1; use --version, --sha256, --from or --to" ;;
    esac
    case $1 in
    --version) version=${2#v} ;;
    --sha256) sum=$2 ;;
    --from) from=${2%/} ;;
    --to) to=$2 ;;
    esac
    shift 2
done
case $version in
'' | *[!0-9A-Za-z.+-]*) fail 64 "--version must name a release, such as 0.1.0; got '$version'" ;;
esac
case $sum in
*[!0-9a-f]*) fail 64 "--sha256 must be 64 hexadecimal digits in lower case" ;;
'') ;;
*) [ ${#sum} = 64 ] || fail 64 "--sha256 must be 64 hexadecimal digits; these are ${#sum}" ;;
esac
case $(uname -s) in
Linux) ;;
*) fail 69 "releases are for Linux; on $(uname -s) build it from source: make install" ;;
esac
name=oidc-preflight-$version-linux-$(uname -m)
[ -n "$to" ] || to=${RUNNER_TOOL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}}/oidc-preflight/$version${sum:+-$sum}
program=$to/$name/bin/oidc-preflight
if [ -x "$program" ] && [ "$("$program" --version 2>/dev/null)" = "oidc-preflight $version" ]; then
    echo "${program%/*}"
    exit 0
fi

for tool in curl tar xz sha256sum; do
    command -v "$tool" >/dev/null || fail 69 "$tool is not installed here"
done
mkdir -p "$to"
work=$(mktemp -d "$to/.download-XXXXXX")
trap 'rm -rf "$work"' EXIT
# get FILE: downloads a file of the release.
get() {
    curl --fail --silent --show-error --location --retry 3 --retry-connrefused --max-time 300 \
        --proto '=https,http,file' --proto-redir '=https' --output "$work/$1" "$from/v$version/$1" ||
        fail 69 "$from/v$version/$1 could not be fetched; is $version a release, and for $(uname -m)?"
}
get "$name.tar.xz"
if [ -z "$sum" ]; then
    get SHA256SUMS
    sum=$(awk -v name="$name.tar.xz" '{ sub(/^\*/, "", $2) } $2 == name { print $1 }' "$work/SHA256SUMS")
    [ -n "$sum" ] || fail 69 "SHA256SUMS of $version does not name $name.tar.xz"
    echo "oidc-preflight: verified with SHA256SUMS of the same source; to pin the release, set the checksum to $sum" >&2
fi
found=$(sha256sum <"$work/$name.tar.xz" | cut -d' ' -f1)
[ "$found" = "$sum" ] || fail 69 "$name.tar.xz has the SHA-256 $found, expected $sum. Nothing was installed."
tar -C "$work" -xJf "$work/$name.tar.xz"
[ -x "$work/$name/bin/oidc-preflight" ] || fail 69 "$name.tar.xz does not contain $name/bin/oidc-preflight"
rm -rf "${to:?}/$name"
mv "$work/$name" "$to/"
"$program" --version >&2 || fail 69 "$program does not run here; it needs glibc 2.36 or later"
echo "${program%/*}"

#!/usr/bin/env bash
# Builds a container image from scratch that contains only the relocatable tarball, its C library and CA certificates: no shell, no root.
# Writes .build-packages/oidc-preflight-VERSION.oci.tar and its digest, and tests the image.
# buildah builds it without a container engine. Needs `packages.sh build`, and /etc/ssl/certs/ca-certificates.crt (or OIDC_PREFLIGHT_CA_BUNDLE).
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$PWD/.build-packages
tarball=$(ls "$out"/oidc-preflight-*.tar.xz)
version=$(basename "$tarball" | sed 's/^oidc-preflight-\(.*\)-linux-.*/\1/')
authorities=${OIDC_PREFLIGHT_CA_BUNDLE:-/etc/ssl/certs/ca-certificates.crt}
command -v buildah >/dev/null || { echo "** NOT RUN: the container image, because buildah is not installed. **" >&2; exit 0; }
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

work=$(mktemp -d)
store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
container=
provider=
finish() {
    [ -z "$provider" ] || kill -TERM -- "-$provider" 2>/dev/null || true
    [ -z "$container" ] || buildah "${store[@]}" rm "$container" >/dev/null 2>&1 || true
    rm -rf --one-file-system "$work"
}
trap finish EXIT

# The context: the image's root folder.
context=$work/context
mkdir -p "$context/root"/{tmp,data,etc/ssl/certs}
tar -C "$context/root" --strip-components=1 -xf "$tarball"
rm -rf "$context/root"/share/{man,bash-completion,zsh,fish}
echo 'container image' >"$context/root/share/oidc-preflight/installation"
chmod 1777 "$context/root/tmp" "$context/root/data"
install -m 644 "$authorities" "$context/root/etc/ssl/certs/ca-certificates.crt"
echo 'oidc-preflight:x:65532:65532::/data:/' >"$context/root/etc/passwd"
# The C library's own files, at the paths that the programs and the loader use.
ldd "$context/root/bin/oidc-preflight" "$context/root/lib/oidc-preflight"/* | grep -oE '/[^ ]*/(libc|libm|libresolv|ld-linux[^ /]*)\.so\.[0-9]+' | sort -u |
    while read -r path; do install -D -m 755 "$(readlink -f "$path")" "$context/root$path"; done
cp Scripts/packages/Containerfile "$context/"
hadolint=.build-packages-python/bin/hadolint
if [ -x "$hadolint" ]; then
    "$hadolint" Scripts/packages/Containerfile
    echo "packages: hadolint reports no problem in the Containerfile"
else
    echo "** NOT RUN: hadolint on the Containerfile, because it could not be installed. **" >&2
fi

image=oidc-preflight:$version
buildah "${store[@]}" build --quiet --isolation chroot --timestamp "$SOURCE_DATE_EPOCH" --label version="$version" \
    --tag "$image" --file "$context/Containerfile" "$context" >/dev/null
file=$out/oidc-preflight-$version.oci.tar
rm -f "$file"
buildah "${store[@]}" push --quiet --digestfile "$work/digest" "$image" "oci-archive:$file:$image"
cat "$work/digest" >"$file.digest"
echo >>"$file.digest"
echo "$(stat -c %s "$file") bytes, unpacked $(du -sb "$context/root" | cut -f1): $(basename "$file") $(cat "$work/digest")"

# Test the file that was written.
buildah "${store[@]}" rmi "$image" >/dev/null
container=$(buildah "${store[@]}" from --quiet "oci-archive:$file")
mkdir -p "$work/shared"
chmod 1777 "$work/shared"
inside() { buildah "${store[@]}" run --isolation chroot --volume "$work/shared:/data" "$@"; }
program=/bin/oidc-preflight

# expect CODE WORDS…: runs the program and compares its exit code.
expect() {
    local wanted=$1 code=0
    shift
    inside "$container" -- "$program" "$@" >"$work/out" 2>&1 </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat "$work/out"; echo "** in the image: $*: exit code $code, expected $wanted" >&2; exit 1; }
}
expect 0 --version
cat "$work/out"
expect 0 doctor
sed -n '2,3p;/^trust/p' "$work/out"
expect 0 demo
tail -1 "$work/out"
sed -n "/^{/,/^}/p" Scripts/packages/bare-run.sh >"$work/shared/openid-configuration.json"
chmod 644 "$work/shared/openid-configuration.json"
expect 0 lint /data/openid-configuration.json
tail -1 "$work/out"
if inside "$container" -- /bin/sh -c true >/dev/null 2>&1; then
    echo "** the image has a shell" >&2
    exit 1
fi

# A process group of its own, so that a signal reaches the provider itself, not only its parent processes.
setsid buildah "${store[@]}" run --isolation chroot --volume "$work/shared:/data" "$container" -- \
    "$program" provider --config-out /data/preflight.yaml --ca-out /data/ca.pem >"$work/said" 2>&1 </dev/null &
provider=$!
for _ in $(seq 100); do
    if grep -q 'Press Ctrl-C to stop' "$work/said"; then break; fi
    kill -0 "$provider" 2>/dev/null || { cat "$work/said" >&2; exit 1; }
    sleep 0.1
done
secret=$(sed -n 's/^secret *//p' "$work/said" | tr -d '\r')
password=$(sed -n 's/^account .*, password //p' "$work/said" | tr -d '\r')
code=0
inside --env OIDC_CLIENT_SECRET="$secret" --env OIDC_PASSWORD="$password" "$container" -- \
    "$program" check --config /data/preflight.yaml --require full >"$work/out" 2>&1 </dev/null || code=$?
kill -TERM -- "-$provider" 2>/dev/null || true
wait "$provider" 2>/dev/null || true
[ "$code" = 0 ] || { cat "$work/out"; echo "** in the image: the full run ended with exit code $code" >&2; exit 1; }
tail -1 "$work/out"
owner=$(stat -c %u "$work/shared/preflight.yaml")
[ "$owner" = 65532 ] || { echo "** in the image, the owner of written files is $owner" >&2; exit 1; }
(cd "$out" && sha256sum -- *.deb *.tar.xz *.cdx.json *.oci.tar >SHA256SUMS)

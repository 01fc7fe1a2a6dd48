#!/usr/bin/env bash
# Installs the packages of .build-packages on minimal systems created by debootstrap, and runs them there: try.sh [SUITE…]
# (default: bookworm and trixie). Needs root. Prints a notice for a suite that the configured apt mirror does not have.
# For the Debian package, apt installs its dependencies; for the tarball, nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
out=$root/.build-packages
[ "$(id -u)" = 0 ] || { echo "** NOT RUN: the packages on minimal systems, because that needs root. **" >&2; exit 0; }
command -v debootstrap >/dev/null || { echo "** NOT RUN: the packages on minimal systems, because debootstrap is not installed. **" >&2; exit 0; }
suites=("$@")
[ $# -gt 0 ] || suites=(bookworm trixie)

work=$(mktemp -d)
system=$work/system
finish() {
    umount -l "$system/proc" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap finish EXIT
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '/debian/?$' | head -1 || true)

# fresh: a new minimal system in $system.
fresh() {
    umount -l "$system/proc" 2>/dev/null || true
    rm -rf --one-file-system "$system"
    cp -a --reflink=auto "$work/base" "$system"
    mount -t proc proc "$system/proc"
    cp Scripts/packages/bare-run.sh "$system/bare-run.sh"
}

inside() { chroot "$system" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }

now() { date +%s.%N; }

for suite in "${suites[@]}"; do
    echo "== $suite"
    rm -rf --one-file-system "$work/base"
    if ! debootstrap --variant=minbase "$suite" "$work/base" ${mirror:+"$mirror"} >"$work/debootstrap.log" 2>&1; then
        tail -3 "$work/debootstrap.log" >&2
        echo "** NOT RUN: the packages on $suite, because it could not be fetched. **" >&2
        [ "$suite" != "${suites[0]}" ] || exit 1
        continue
    fi
    # Use this machine's network and mirror configuration.
    cp /etc/resolv.conf /etc/hosts "$work/base/etc/" 2>/dev/null || true
    apt-config dump | grep -E '^Acquire::(http|https)::' >"$work/base/etc/apt/apt.conf.d/90-mirror" || true

    echo "-- the Debian package"
    fresh
    cp "$out"/*.deb "$system/package.deb"
    began=$(now)
    inside sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /package.deb' \
        >"$work/install.log" 2>&1 </dev/null || { tail -20 "$work/install.log"; exit 1; }
    installed=$(now)
    inside oidc-preflight demo >/dev/null
    awk -v a="$began" -v b="$installed" -v c="$(now)" \
        'BEGIN { printf "verdicts of demo after %.0f s, including %.0f s to fetch and install\n", c - a, b - a }'
    inside sh /bare-run.sh oidc-preflight 0 </dev/null
    inside sh -c 'test -s /usr/share/bash-completion/completions/oidc-preflight && test -s /usr/share/doc/oidc-preflight/copyright'
    inside dpkg --purge oidc-preflight >/dev/null 2>&1
    left=$(find "$system/usr" -name '*oidc-preflight*')
    [ -z "$left" ] || { echo "files left after the purge: $left"; exit 1; }

    echo "-- the tarball"
    fresh
    mkdir -p "$system/opt"
    began=$(now)
    tar -C "$system/opt" -xf "$out"/*.tar.xz
    mv "$system"/opt/oidc-preflight-* "$system/opt/elsewhere"
    inside /opt/elsewhere/bin/oidc-preflight demo >/dev/null
    awk -v a="$began" -v c="$(now)" 'BEGIN { printf "verdicts of demo after %.0f s\n", c - a }'
    # The minimal system has no CA certificates, so doctor reports a problem.
    inside sh /bare-run.sh /opt/elsewhere/bin/oidc-preflight 1 </dev/null
done

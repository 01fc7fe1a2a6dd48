#!/usr/bin/env bash
# Installs only the Debian packages that are missing for the named purposes:
#   setup.sh [build] [test] [browser] [slurm] [bench] [packages]        (default: build)
# Tests for the capability, not the package, so that other installations count. Without apt-get, or without the right to use it, the
# script lists the missing packages and continues.
set -euo pipefail

libcurl_is_openssl() {
    pkg-config --exists libcurl && { ! command -v curl-config || curl-config --ssl-backends | grep -qw OpenSSL; }
}

# PURPOSE PACKAGE PROBE: the probe succeeds if the package is not needed.
table() {
    cat <<'ROWS'
build pkg-config            command -v pkg-config
build libcurl4-openssl-dev  libcurl_is_openssl
build libssl-dev            pkg-config --atleast-version=3 openssl
build libjansson-dev        pkg-config --exists jansson
build libxml2-dev           pkg-config --exists libxml-2.0
build libyaml-dev           pkg-config --exists yaml-0.1
build libevent-dev          pkg-config --exists libevent_openssl
build libsqlite3-dev        pkg-config --exists sqlite3
test  ca-certificates       test -s /etc/ssl/certs/ca-certificates.crt
test  curl                  command -v curl
test  openssl               command -v openssl
test  sqlite3               command -v sqlite3
test  python3               command -v python3
test  python3-venv          python3 -c 'import venv, ensurepip'
test  libxml2-utils         command -v xmllint
test  zsh                   command -v zsh
test  fish                  command -v fish
test  groff-base            command -v groff
test  wrk                   command -v wrk
test  xz-utils              command -v xz
test  parallel              command -v parallel
browser chromium            command -v chromium
browser chromium-driver     command -v chromedriver
browser firefox-esr         command -v firefox-esr
browser fonts-dejavu-core   test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
slurm slurmctld             command -v slurmctld || test -x /usr/sbin/slurmctld
slurm slurmd                command -v slurmd || test -x /usr/sbin/slurmd
slurm slurm-client          command -v sbatch
slurm munge                 command -v munged || test -x /usr/sbin/munged
slurm python3               command -v python3
bench nginx-light           command -v nginx || test -x /usr/sbin/nginx
bench gcc                   command -v cc
bench curl                  command -v curl
bench openssl               command -v openssl
bench python3               command -v python3
bench hyperfine             command -v hyperfine
bench time                  test -x /usr/bin/time
bench libcjose-dev          test -e /usr/include/cjose/cjose.h
bench gcc                   command -v cc
bench valgrind              command -v valgrind
packages dpkg-dev           command -v dpkg-shlibdeps
packages lintian            command -v lintian
packages patchelf           command -v patchelf
packages gcc                command -v cc
packages python3            command -v python3
packages python3-venv       python3 -c 'import venv, ensurepip'
packages xz-utils           command -v xz
packages debootstrap        command -v debootstrap
packages buildah            command -v buildah
ROWS
}

# missing PURPOSE…: prints the packages whose probe fails.
missing() {
    local purpose package probe
    while read -r purpose package probe; do
        case " $* " in *" $purpose "*) ;; *) continue ;; esac
        eval "$probe" >/dev/null 2>&1 </dev/null || echo "$package"
    done < <(table) | sort -u
}

# apt ARGUMENT…: apt-get as root, with its output in $log; waits for another apt-get to release its locks.
apt() {
    local try
    for try in $(seq 1 40); do
        if "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=600 "$@" >"$log" 2>&1 </dev/null; then
            return 0
        fi
        grep -qE 'Could not get lock|is another process using it|Unable to lock' "$log" || return 1
        sleep 5
    done
    return 1
}

purposes=("${@:-build}")
case " ${purposes[*]} " in
*" build "*)
    if ! command -v swift >/dev/null; then
        echo "setup: no Swift toolchain in PATH; version 6.2 or later is needed: https://www.swift.org/install" >&2
        exit 1
    fi
    ;;
esac

mapfile -t packages < <(missing "${purposes[@]}")
[ ${#packages[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" != 0 ]; then
    if [ -t 0 ]; then as_root=(sudo); else as_root=(sudo -n); fi
fi
if ! command -v apt-get >/dev/null; then
    echo "setup: apt-get not found; install the contents of these Debian packages, then try again if a step fails: ${packages[*]}" >&2
    exit 0
fi
if [ ${#as_root[@]} -gt 0 ] && ! command -v sudo >/dev/null; then
    echo "setup: neither root nor sudo; have these packages installed, then try again if a step fails: ${packages[*]}" >&2
    exit 0
fi

echo "setup: installing ${packages[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Fetch the package lists only if they are missing or stale.
if ! apt install --no-install-recommends "${packages[@]}"; then
    if ! { apt update && apt install --no-install-recommends "${packages[@]}"; }; then
        cat "$log" >&2
        echo "setup: apt-get could not install: ${packages[*]}" >&2
        exit 1
    fi
fi

# Another package may have installed the GnuTLS variant of libcurl: probe again.
hash -r
mapfile -t packages < <(missing "${purposes[@]}")
if [ ${#packages[@]} -gt 0 ]; then
    apt install --no-install-recommends --reinstall "${packages[@]}" || cat "$log" >&2
    mapfile -t packages < <(missing "${purposes[@]}")
fi
if [ ${#packages[@]} -gt 0 ]; then
    echo "setup: installed but not usable: ${packages[*]} (is another version first in PATH or PKG_CONFIG_PATH?)" >&2
    exit 1
fi

#!/usr/bin/env bash
# unpack.sh FOLDER PACKAGE…: unpacks Debian packages into FOLDER/root, with those of their dependencies that the system lacks.
# No package is installed, so no service starts and no system library is replaced; root is not needed.
# Exits with 75 if the packages cannot be fetched, with 69 if this is not Debian.
set -euo pipefail
folder=$1
shift

if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "unpack: apt-get and dpkg-deb not found" >&2
    exit 69
fi

# With two callers at once, the second one waits and finds the work done.
mkdir -p "$folder"
exec 9<"$folder"
flock 9

# complete: succeeds if every program and library in FOLDER/root finds its libraries.
complete() {
    local file path
    [ "$(cat "$folder/.packages" 2>/dev/null)" = "$*" ] || return 1
    path=$(find "$folder/root" -type d -path '*/lib/*-linux-*' -prune | paste -sd:)
    while read -r file; do
        ! LD_LIBRARY_PATH=$path ldd "$file" 2>/dev/null | grep -q 'not found' || return 1
    done < <(find "$folder/root" -type f \( -path '*/bin/*' -o -name '*.so' -o -name '*.so.*' \))
}

if complete "$@"; then exit 0; fi

log=$folder/apt.log
options=(-q -y -o APT::Sandbox::User=root)

# download: fetches the packages, and those that a simulated installation would add.
download() {
    local names
    apt-get "${options[@]}" -s install --no-install-recommends "$@" >"$folder/simulated" || return 1
    mapfile -t names < <({ printf '%s\n' "$@"; awk '/^Inst /{print $2}' "$folder/simulated"; } | sort -u)
    (cd "$folder/packages" && apt-get "${options[@]}" download "${names[@]}")
}

rm -rf "$folder/root" "$folder/packages"
mkdir -p "$folder/root" "$folder/packages"
if ! download "$@" >"$log" 2>&1 </dev/null; then
    # The system's package lists may be missing or stale: leave them as they are, and fetch separate ones.
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
    options+=(-o Dir::State::Lists="$folder/lists" -o Dir::Cache="$folder/cache" -o Acquire::Retries=2)
    rm -f "$folder/packages"/*
    if ! { apt-get "${options[@]}" update && download "$@"; } >>"$log" 2>&1 </dev/null; then
        tail -5 "$log" >&2
        exit 75
    fi
fi
for package in "$folder/packages"/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
rm -rf "$folder/packages" "$folder/lists" "$folder/cache"
echo "$*" >"$folder/.packages"
if ! complete "$@"; then
    rm -f "$folder/.packages"
    echo "unpack: $*: a library is missing in $folder/root" >&2
    exit 1
fi

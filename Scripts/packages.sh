#!/usr/bin/env bash
# Packages of the release build, in .build-packages:
#   packages.sh build    a Debian package, a relocatable tarball, their SBOM (CycloneDX) and SHA256SUMS; needs `make release`
#   packages.sh try      installs and runs them on minimal systems (Scripts/packages/try.sh)
#   packages.sh image    a container image from scratch with the tarball (Scripts/packages/image.sh)
# Build on Debian or a derivative: dpkg shows which package a library comes from. The packages run on the build machine's architecture
# with a C library at least as new as the build machine's.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
out=$root/.build-packages
here=$root/Scripts/packages

build() {
    local work
    work=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$work'" EXIT
    rm -rf "$out"
    mkdir -p "$out"
    version=$(.build/release/oidc-preflight --version | cut -d' ' -f2)
    architecture=$(dpkg --print-architecture)
    # Reproducible builds: every file has the time of the commit.
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
    export SOURCE_DATE_EPOCH version architecture out work
    # The programs open some libraries with dlopen and do not list them: a dummy program that links them does.
    later=$work/later
    names=$(sed -n 's/^LATER([^,]*, \([A-Za-z0-9_]*\),.*/\1/p' Sources/CShims/libxml2.c Sources/CShims/sqlite3.c)
    for name in $names; do echo "extern void $name(void); void (*of_$name)(void) = $name;"; done >"$later.c"
    echo 'int main(void) { return 0; }' >>"$later.c"
    cc -w -fno-builtin -o "$later" "$later.c" -lxml2 -lsqlite3
    export later
    "$here/tarball.sh"
    "$here/debian.sh"
    judge
    (cd "$out" && sha256sum -- *.deb *.tar.xz *.cdx.json >SHA256SUMS && cat SHA256SUMS)
    (cd "$out" && ls -l -- *.deb *.tar.xz | awk '{ print $5, $9 }')
}

# Validates the bill of materials with the CycloneDX project's own library.
judge() {
    local code=0
    Scripts/venv.sh "$root/.build-packages-python" "$here/requirements.txt" || code=$?
    if [ "$code" = 0 ]; then
        .build-packages-python/bin/python "$here/validate-sbom.py" "$out"/*.cdx.json
        echo "packages: the bill of materials is valid CycloneDX 1.5"
    else
        echo "** NOT RUN: validation of the bill of materials, because the validator could not be installed. **" >&2
    fi
}

case ${1:-build} in
build) build ;;
try) "$here/try.sh" ;;
image) "$here/image.sh" ;;
*)
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 64
    ;;
esac

#!/usr/bin/env bash
# Builds the relocatable tarball: the programs and all their libraries except the C library's, found relative to the programs.
# Called by Scripts/packages.sh, which sets version, architecture, out, work and later.
set -euo pipefail
name=oidc-preflight-$version-linux-$(uname -m)
tree=$work/$name
make -s install-built DESTDIR="$work" PREFIX="/$name" KIND='relocatable tarball'
lib=$tree/lib/oidc-preflight
programs=("$tree/bin/oidc-preflight" "$tree/libexec/oidc-preflight/oidc-preflight-provider")
mkdir -p "$lib" "$tree/share/doc/oidc-preflight/libraries"
cp LICENSE "$tree/share/doc/oidc-preflight/LICENSE"

# package PATH: the Debian package that contains a library, according to dpkg.
package() {
    local path
    for path in "$1" "$(readlink -f "$1")"; do
        for path in "$path" "/usr$path" "${path#/usr}"; do
            if dpkg-query -S "$path" 2>/dev/null | head -1 | sed 's/: [^ ]*$//;s/, .*//' | grep .; then return; fi
        done
    done
    echo "packages: no Debian package contains $1" >&2
    return 1
}

# The system provides the C library's files; all other libraries, direct or indirect, are included.
: >"$work/packages"
while read -r soname path; do
    owner=$(package "$path")
    case $owner in libc6:* | libc6) continue ;; esac
    case $soname in
    libicudata.so.*)
        number=${soname##*.}
        cc -shared -fPIC -Os -nostdlib -DICU_VERSION="$number" -Wl,-soname,"$soname" -o "$lib/$soname" Scripts/packages/icu-stub.c
        continue
        ;;
    esac
    install -m 644 "$(readlink -f "$path")" "$lib/$soname"
    echo "$owner" >>"$work/packages"
done < <(ldd "${programs[@]}" "$later" | sed -n 's/^\t\(lib[^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | sort -u)
sort -u -o "$work/packages" "$work/packages"

# DT_RPATH, unlike DT_RUNPATH, also applies to the libraries' own dependencies.
patchelf --force-rpath --set-rpath "\$ORIGIN/../lib/oidc-preflight" "${programs[0]}"
patchelf --force-rpath --set-rpath "\$ORIGIN/../../lib/oidc-preflight" "${programs[1]}"
while read -r owner; do
    cp "/usr/share/doc/${owner%%:*}/copyright" "$tree/share/doc/oidc-preflight/libraries/${owner%%:*}"
done <"$work/packages"

# The programs may depend only on the system's C library.
foreign=$(for file in "${programs[@]}" "$lib"/*; do readelf -d "$file"; done | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u |
    while read -r soname; do
        [ -e "$lib/$soname" ] || case $soname in
        libc.so.6 | libm.so.6 | libresolv.so.2 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-*) ;;
        *) echo "$soname" ;;
        esac
    done)
[ -z "$foreign" ] || { echo "packages: not in the tarball: $foreign" >&2; exit 1; }
newest=$(for file in "${programs[@]}" "$lib"/*; do objdump -T "$file"; done | grep -o 'GLIBC_2\.[0-9.]*' | sort -uV | tail -1)
echo "packages: the tarball needs at least C library version ${newest#GLIBC_}"

python3 Scripts/packages/sbom.py "$version" "$work/packages" >"$out/$name.cdx.json"
cp "$out/$name.cdx.json" "$tree/share/doc/oidc-preflight/sbom.cdx.json"
tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$name" |
    xz -9e -T1 >"$out/$name.tar.xz"

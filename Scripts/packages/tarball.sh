#!/usr/bin/env bash
# The relocatable tarball: the programs, and every library that they need but the C library's own, found beside them wherever
# the folder lies. Called by Scripts/packages.sh, which sets version, architecture, out, work and later.
set -euo pipefail
name=oidc-preflight-$version-linux-$(uname -m)
tree=$work/$name
make -s install-built DESTDIR="$work" PREFIX="/$name" KIND='relocatable tarball'
lib=$tree/lib/oidc-preflight
programs=("$tree/bin/oidc-preflight" "$tree/libexec/oidc-preflight/oidc-preflight-provider")
mkdir -p "$lib" "$tree/share/doc/oidc-preflight/libraries"
cp LICENSE "$tree/share/doc/oidc-preflight/LICENSE"

# package PATH: the Debian package that a library is from, as dpkg knows it.
package() {
    local path
    for path in "$1" "$(readlink -f "$1")"; do
        for path in "$path" "/usr$path" "${path#/usr}"; do
            if dpkg-query -S "$path" 2>/dev/null | head -1 | sed 's/: [^ ]*$//;s/, .*//' | grep .; then return; fi
        done
    done
    echo "packages: no Debian package holds $1" >&2
    return 1
}

# The C library's own files are the system's to give; everything else that is needed, by whatever needs it, goes along.
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

# DT_RPATH, unlike DT_RUNPATH, holds for the libraries of libraries too.
patchelf --force-rpath --set-rpath "\$ORIGIN/../lib/oidc-preflight" "${programs[0]}"
patchelf --force-rpath --set-rpath "\$ORIGIN/../../lib/oidc-preflight" "${programs[1]}"
while read -r owner; do
    cp "/usr/share/doc/${owner%%:*}/copyright" "$tree/share/doc/oidc-preflight/libraries/${owner%%:*}"
done <"$work/packages"

# What is needed of the system must be of its C library alone.
foreign=$(for file in "${programs[@]}" "$lib"/*; do readelf -d "$file"; done | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u |
    while read -r soname; do
        [ -e "$lib/$soname" ] || case $soname in
        libc.so.6 | libm.so.6 | libresolv.so.2 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-*) ;;
        *) echo "$soname" ;;
        esac
    done)
[ -z "$foreign" ] || { echo "packages: not in the tarball: $foreign" >&2; exit 1; }
newest=$(for file in "${programs[@]}" "$lib"/*; do objdump -T "$file"; done | grep -o 'GLIBC_2\.[0-9.]*' | sort -uV | tail -1)
echo "packages: the tarball needs a C library of version ${newest#GLIBC_}"

python3 Scripts/packages/sbom.py "$version" "$work/packages" >"$out/$name.cdx.json"
cp "$out/$name.cdx.json" "$tree/share/doc/oidc-preflight/sbom.cdx.json"
tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$name" |
    xz -9e -T1 >"$out/$name.tar.xz"

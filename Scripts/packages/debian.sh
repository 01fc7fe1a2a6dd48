#!/usr/bin/env bash
# Builds the Debian package. Called by Scripts/packages.sh, which sets version, architecture, out and work.
set -euo pipefail
tree=$work/debian
make -s install-built DESTDIR="$tree" PREFIX=/usr KIND='Debian package'
share=$tree/usr/share
chmod 755 "$tree"

# Debian requires compressed manual pages; they contain no time stamp.
gzip -9n "$share"/man/man1/*.1
# Completions and manual pages; Debian has another folder for zsh.
mkdir -p "$share/zsh"
mv "$share/zsh/site-functions" "$share/zsh/vendor-completions"

install -d "$share/doc/oidc-preflight" "$share/lintian/overrides" "$tree/DEBIAN"
{
    cat <<'TEXT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: oidc-preflight
Source: https://github.com/oidc-preflight/oidc-preflight
Comment: The program contains the Swift standard library, which is under Apache-2.0 with the Runtime Library Exception.

Files: *
Copyright: 2026 the authors of oidc-preflight
License: Apache-2.0
 On Debian systems the whole text is in /usr/share/common-licenses/Apache-2.0.
TEXT
} >"$share/doc/oidc-preflight/copyright"
{
    printf 'oidc-preflight (%s) unstable; urgency=medium\n\n  * Changes:\n    %s\n\n' "$version" \
        https://github.com/oidc-preflight/oidc-preflight/blob/main/CHANGELOG.md
    printf ' -- oidc-preflight <oidc-preflight@users.noreply.github.com>  %s\n' "$(date -uR -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$share/doc/oidc-preflight/changelog.gz"
# Swift's libraries are linked statically: Debian has no package of them.
printf 'oidc-preflight: embedded-library *\n' >"$share/lintian/overrides/oidc-preflight"

# The packages of the libraries, with the minimum versions that have the symbols used.
mkdir -p "$work/sources/debian"
printf 'Source: oidc-preflight\n\nPackage: oidc-preflight\nArchitecture: %s\n' "$architecture" >"$work/sources/debian/control"
depends=$(cd "$work/sources" && dpkg-shlibdeps -O "$tree/usr/bin/oidc-preflight" \
    "$tree/usr/libexec/oidc-preflight/oidc-preflight-provider" "$later" 2>"$work/shlibdeps.log" | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { cat "$work/shlibdeps.log" >&2; exit 1; }

cat >"$tree/DEBIAN/control" <<CONTROL
Package: oidc-preflight
Version: $version
Architecture: $architecture
Maintainer: oidc-preflight <oidc-preflight@users.noreply.github.com>
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Depends: $depends, ca-certificates
Section: net
Priority: optional
Homepage: https://github.com/oidc-preflight/oidc-preflight
Description: check OpenID Providers before they are registered
 Checks an OpenID Provider before it is registered with a platform: whether
 sign-in works, whether it is safe, and whether it conforms to the rules of the
 specifications and of the platform. Signs in as a test user, checks the
 responses, and opens or closes a gate with its exit code.
CONTROL
(cd "$tree" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k2) >"$tree/DEBIAN/md5sums"
find "$tree" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
file=$out/oidc-preflight_${version}_${architecture}.deb
dpkg-deb --root-owner-group -Zxz --build "$tree" "$file" >/dev/null

if command -v lintian >/dev/null; then
    lintian --fail-on error --tag-display-limit 0 "$file" || { echo "packages: lintian found errors" >&2; exit 1; }
else
    echo "** NOT RUN: lintian, because it is not installed. **" >&2
fi

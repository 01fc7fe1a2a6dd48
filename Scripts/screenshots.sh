#!/usr/bin/env bash
# Takes the screenshot of Documentation/Sign-In.md again: sign-ins at the reference provider in Chromium, and the report of one that stops.
# Needs a debug build, chromium and chromedriver.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$PWD/.build/debug/oidc-preflight
out=$PWD/Documentation/Screenshots
work=$(mktemp -d)
provider=
finish() {
    [ -z "$provider" ] || kill "$provider" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
mkdir -p "$out"
# Run in the work folder, so that file names in the report have no path.
cd "$work"

"$program" provider --sign-in two-step --config-out preflight.yaml --ca-out ca.pem >provider.txt &
provider=$!
until grep -q 'Press Ctrl-C to stop' provider.txt; do
    kill -0 "$provider"
    sleep 0.2
done
export OIDC_CLIENT_SECRET OIDC_PASSWORD=not-the-password
OIDC_CLIENT_SECRET=$(sed -n 's/^secret *//p' provider.txt)

code=0
"$program" check --config preflight.yaml --driver browser --report-dir reports --only authorization --quiet >check.txt ||
    code=$?
[ "$code" = 2 ] || { cat check.txt >&2; exit 1; }
# The report's page as a user sees it, cropped below the screenshots.
HOME=$work chromium --headless=new --no-sandbox --hide-scrollbars --window-size=1000,1500 \
    --screenshot="$out/report.png" "file://$work/reports/report.html" >chromium.txt 2>&1 || { cat chromium.txt >&2; exit 1; }
chmod 644 "$out"/*.png
ls -l "$out"

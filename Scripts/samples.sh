#!/usr/bin/env bash
# Writes the committed samples and the generated pages anew, and says which files that changed. What only the fault matrix knows
# is left as it is (`make examples`).
set -euo pipefail
cd "$(dirname "$0")/.."
# This project builds for itself: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"

sums() {
    find Reports Documentation Tests/Fixtures Sources/Preflight/Explanations -type f -exec sha256sum {} + | sort
}

swift build --build-tests
log=$(mktemp)
before=$(mktemp)
trap 'rm -f "$log" "$before"' EXIT
sums >"$before"
# Tables that are compiled in come first, so that the pages after them know what they say.
if ! OIDC_PREFLIGHT_RECORD=1 swift test --skip-build --filter 'CoverageGeneratedPages|RefusalsGeneratedPages' >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
swift build --build-tests >"$log" 2>&1 || { cat "$log"; exit 1; }
if ! OIDC_PREFLIGHT_RECORD=1 swift test --skip-build --filter 'Samples|GeneratedPagesTests' --skip Platforms >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
changed=$(sums | comm -13 "$before" - | sed 's/^[0-9a-f]*  /wrote /')
if [ -n "$changed" ]; then echo "$changed"; else echo "Every sample and every page was up to date."; fi

#!/usr/bin/env bash
# The library as its users meet it: its pages are made by docc, and the example package is built and run, once as it is and once
# with a fault, by which its test must fail in our words.
#
# The example shares the build folder: its modules are compiled with the same flags, so that nothing is compiled twice.
set -euo pipefail
cd "$(dirname "$0")/.."
# This project builds for itself: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"
example=Examples/OwnServerTests
log=.build/example.log

docs() {
    local docc graph=.build/symbol-graph modules map flag maps=()
    docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v swift)")")/docc")
    if [ ! -x "$docc" ]; then
        echo "** NOT RUN: the library's pages: this toolchain brings no docc"
        return 0
    fi
    swift build --target OIDCPreflightTesting
    modules=$(swift build --show-bin-path)/Modules
    rm -rf "$graph" .build/OIDCPreflight.doccarchive
    mkdir -p "$graph"
    for map in Sources/*/module.modulemap "$(dirname "$modules")"/*.build/module.modulemap; do
        maps+=(-Xcc "-fmodule-map-file=$PWD/${map#"$PWD/"}")
    done
    for flag in $(pkg-config --cflags libcurl openssl jansson libxml-2.0 yaml-0.1 libevent_openssl); do maps+=(-Xcc "$flag"); done
    "$(dirname "$docc")/swift-symbolgraph-extract" -module-name OIDCPreflight -I "$modules" -minimum-access-level public \
        -target "$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p' | head -1)" \
        "${maps[@]}" -output-dir "$graph"
    "$docc" convert Sources/OIDCPreflight/OIDCPreflight.docc --additional-symbol-graph-dir "$graph" --warnings-as-errors \
        --fallback-display-name OIDCPreflight --fallback-bundle-identifier oidc-preflight.OIDCPreflight \
        --output-path .build/OIDCPreflight.doccarchive
    echo "the library's pages: .build/OIDCPreflight.doccarchive"
}

run_example() { swift test --package-path "$example" --scratch-path .build "$@" >"$log" 2>&1; }

examples() {
    # What depends on this package is built without flags that SwiftPM does not vouch for.
    if PREFLIGHT_UNSAFE_FLAGS='' swift package dump-package | grep -q unsafeFlags; then
        echo "the manifest has unsafe flags that nobody asked for" >&2
        return 1
    fi
    if ! run_example; then
        cat "$log"
        echo "the example's tests must pass" >&2
        return 1
    fi
    grep -aE 'Test run with' "$log"
    if OWN_SERVER_FAULT=wrongAudience run_example --skip-build --filter 'people can sign in'; then
        echo "the example's test passed for a faulty server" >&2
        return 1
    fi
    for words in 'FirstTest.swift:12' 'idtoken.aud.holds-client' '  fix: ' '  rule: '; do
        if ! grep -aqF "$words" "$log"; then
            cat "$log"
            echo "the example's test does not say “$words” of a faulty server" >&2
            return 1
        fi
    done
    echo "the example's test fails for a faulty server, and says why"
}

case "${1:-all}" in
    docs) docs ;;
    example) examples ;;
    all)
        docs
        examples
        ;;
    *)
        echo "usage: $0 [docs|example]" >&2
        exit 64
        ;;
esac

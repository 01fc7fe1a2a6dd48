#!/usr/bin/env bash
# Tests the library as its users see it: builds its documentation with docc, and builds and tests the example package. The test runs
# once without a fault, and once with a fault that it must report.
#
# The example shares the build folder: its modules are compiled with the same flags, so that no module is compiled twice.
set -euo pipefail
cd "$(dirname "$0")/.."
# Build this project with its own unsafe flags: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"
example=Examples/OwnServerTests
log=.build/example.log

docs() {
    local docc graph=.build/symbol-graph modules map flag maps=()
    docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v swift)")")/docc")
    if [ ! -x "$docc" ]; then
        echo "** NOT RUN: the library's documentation: this toolchain does not contain docc"
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
    echo "the library's documentation: .build/OIDCPreflight.doccarchive"
}

run_example() { swift test --package-path "$example" --scratch-path .build "$@" >"$log" 2>&1; }

examples() {
    # SwiftPM rejects unsafe flags in a dependency.
    if PREFLIGHT_UNSAFE_FLAGS='' swift package dump-package | grep -q unsafeFlags; then
        echo "the manifest has unsafe flags that are not requested" >&2
        return 1
    fi
    if ! run_example; then
        cat "$log"
        echo "the example's tests must pass" >&2
        return 1
    fi
    grep -aE 'Test run with' "$log"
    if OWN_SERVER_FAULT=wrongAudience run_example --skip-build --filter 'users can sign in'; then
        echo "the example's test passed although the server has a fault" >&2
        return 1
    fi
    for words in 'FirstTest.swift:12' 'idtoken.aud.holds-client' '  fix: ' '  rule: '; do
        if ! grep -aqF "$words" "$log"; then
            cat "$log"
            echo "the output of the example's test does not contain “$words” although the server has a fault" >&2
            return 1
        fi
    done
    echo "the example's test fails for a server with a fault, and reports it"
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

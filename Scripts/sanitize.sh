#!/usr/bin/env bash
# Parses 20,000 broken YAML documents with the address sanitizer, which reports out-of-bounds accesses and leaks. Then calls all C code
# from many tasks. The thread sanitizer is not used: on Linux it does not see the locks of Swift's Synchronization, and reports every use
# of a Mutex as a race. The compiler checks for data races instead (Swift 6).
set -euo pipefail
cd "$(dirname "$0")/.."
# Build this project with its own unsafe flags: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"

folder=.build-sanitize
mkdir -p "$folder"
# One module, so no import is needed; optimised, as YAMLTree is in every build.
swiftc -sanitize=address -O -use-ld=lld -package-name oidc-preflight -swift-version 6 \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility -I Sources/CLibyaml \
    Sources/YAMLTree/*.swift Tests/Fuzzing/{Mutation,YAMLReading}.swift Tests/YAMLTreeTests/Samples.swift \
    Tests/YAMLTreeTests/Fuzz/main.swift -o "$folder/fuzz"

mapfile -t files < <(find Profiles Reports/samples Tests/InteropTests -name '*.yaml' | sort)
ASAN_OPTIONS=detect_leaks=1 "$folder/fuzz" "${files[@]}"

# A crash ends at once, without waiting for a debugger.
export SWIFT_BACKTRACE=enable=no
PREFLIGHT_TOOLS=1 swift build --quiet --sanitize address --scratch-path .build-fuzz-address --product exercise
ASAN_OPTIONS=detect_leaks=0 .build-fuzz-address/debug/exercise

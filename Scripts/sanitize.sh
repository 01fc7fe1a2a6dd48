#!/usr/bin/env bash
# Reads 20,000 broken YAML texts under the address sanitizer, which tells accesses beyond memory and memory that is not freed;
# then everything that crosses to C, from many tasks. The thread sanitizer has no use here: on Linux it does not see the locks of Swift's
# Synchronization, and calls everything a race that a Mutex guards. That no two threads meet without one is the compiler's to prove (Swift 6).
set -euo pipefail
cd "$(dirname "$0")/.."
# This project builds for itself: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"

folder=.build-sanitize
mkdir -p "$folder"
# One module, so the room's names need no import; optimised, as the room is in every build.
swiftc -sanitize=address -O -use-ld=lld -package-name oidc-preflight -swift-version 6 \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility -I Sources/CLibyaml \
    Sources/YAMLTree/*.swift Tests/Fuzzing/{Mutation,YAMLReading}.swift Tests/YAMLTreeTests/Samples.swift \
    Tests/YAMLTreeTests/Fuzz/main.swift -o "$folder/fuzz"

mapfile -t files < <(find Profiles Reports/samples Tests/InteropTests -name '*.yaml' | sort)
ASAN_OPTIONS=detect_leaks=1 "$folder/fuzz" "${files[@]}"

# A crash ends at once, and waits for no debugger.
export SWIFT_BACKTRACE=enable=no
PREFLIGHT_TOOLS=1 swift build --quiet --sanitize address --scratch-path .build-fuzz-address --product exercise
ASAN_OPTIONS=detect_leaks=0 .build-fuzz-address/debug/exercise

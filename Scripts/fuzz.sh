#!/usr/bin/env bash
# Fuzzes every parser of untrusted input with the address sanitizer.
#
# SECONDS for each parser (60), NAMES of the parsers (all), SEED (1). An input that breaks a parser is saved; add it to
# Tests/Fixtures/fuzz/NAME. After a crash, the message names the file.
set -euo pipefail
cd "$(dirname "$0")/.."
# Build this project with its own unsafe flags: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"

# Make's SECONDS under another name, because bash has a variable SECONDS of its own.
each=${FUZZ_SECONDS:-60}
folder=.build-fuzz-address
found=Tests/Fixtures/fuzz

PREFLIGHT_TOOLS=1 swift build --sanitize address --scratch-path "$folder" --product fuzz
# A crash ends at once, without waiting for a debugger.
export SWIFT_BACKTRACE=enable=no

broken=0
mkdir -p "$folder/texts.current"
ln -sfn "$PWD/$found" "$folder/texts"
read -r -a names <<<"${NAMES:-}"
if [ ${#names[@]} -eq 0 ]; then mapfile -t names < <("$folder/debug/fuzz" --names); fi
for name in "${names[@]}"; do
    # Each parser runs in a process of its own, so that a crash does not stop the others.
    # The catalogue's compiled lists are never freed; that is not a leak of a parser.
    leaks=1
    [ "$name" != documents ] || leaks=0
    if ! ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=$leaks} "$folder/debug/fuzz" "$folder/texts" "$each" "${SEED:-1}" "$name"; then
        broken=1
        echo "** $name: the last input is in $folder/texts.current/$name"
    fi
done
exit "$broken"

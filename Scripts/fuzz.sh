#!/usr/bin/env bash
# Reads broken texts with every parser of foreign bytes, under the address sanitizer.
#
# SECONDS each (60), of the parsers NAMES (all), by SEED (1). A text that breaks one is kept; add it to Tests/Fixtures/fuzz/NAME.
# After a crash it is the file that the message names.
set -euo pipefail
cd "$(dirname "$0")/.."
# This project builds for itself: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"

# Make's variable, under another name: bash counts seconds in its own SECONDS.
each=${FUZZ_SECONDS:-60}
folder=.build-fuzz-address
found=Tests/Fixtures/fuzz

PREFLIGHT_TOOLS=1 swift build --sanitize address --scratch-path "$folder" --product fuzz
# A crash ends at once, and waits for no debugger.
export SWIFT_BACKTRACE=enable=no

broken=0
mkdir -p "$folder/texts.current"
ln -sfn "$PWD/$found" "$folder/texts"
read -r -a names <<<"${NAMES:-}"
if [ ${#names[@]} -eq 0 ]; then mapfile -t names < <("$folder/debug/fuzz" --names); fi
for name in "${names[@]}"; do
    # Each in a process of its own: a crash of one leaves the others their turn.
    # The compiler's own lists of the catalogue of checks are never freed, which is no leak of a parser.
    leaks=1
    [ "$name" != documents ] || leaks=0
    if ! ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=$leaks} "$folder/debug/fuzz" "$folder/texts" "$each" "${SEED:-1}" "$name"; then
        broken=1
        echo "** $name: what was read last is in $folder/texts.current/$name"
    fi
done
exit "$broken"

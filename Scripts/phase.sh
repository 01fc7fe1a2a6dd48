#!/usr/bin/env bash
# Runs the test suites of one phase with the existing build:
#   phase.sh PHASE [swift test option…]
# A suite belongs to a phase by its trait `.phase(.PHASE)`: see Tests/TestSupport/Phase.swift. The phase `oracles` consists of the suites of
# `make test` in files that name an oracle.
set -euo pipefail
cd "$(dirname "$0")/.."
phase=$1
shift

if [ "$phase" = oracles ]; then
    trait=
    files() {
        grep -rlE 'oracle\(|Oracle\.|\.require\(\)' Tests --include='*Tests.swift' | xargs grep -LF '.phase(.'
    }
else
    trait=".phase(.$phase)"
    files() { grep -rlF "$trait" Tests --include='*.swift'; }
fi

# Prints Target.Suite for each suite with the trait: the attribute may span lines, the type follows it.
suites() {
    files | sort | while read -r file; do
        target=${file#Tests/}
        awk -v target="${target%%/*}" -v trait="$trait" '
            /^ *@Suite/ { attribute = "" ; open = 1 }
            open { attribute = attribute $0 }
            open && match($0, /(struct|enum|class|actor) [A-Za-z0-9_]+/) {
                if (trait == "" || index(attribute, trait)) {
                    name = substr($0, RSTART, RLENGTH); sub(/.* /, "", name); print target "." name
                }
                open = 0
            }' "$file"
    done
}
found=$(suites)
[ -n "$found" ] || { echo "phase.sh: no suite has the trait .phase(.$phase)" >&2; exit 64; }
export PREFLIGHT_TESTS=$phase
export TEST_SECONDS="${PHASE_SECONDS:-2400}"
exec Scripts/run-tests.sh --filter "^(${found//$'\n'/|})/" "$@"

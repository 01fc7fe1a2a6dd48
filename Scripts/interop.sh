#!/usr/bin/env bash
# The real providers of the interop tests, on loopback, over http and https.
#   interop.sh prepare   installs and seeds them                (slow the first time only)
#   interop.sh up        prepare, then start each one in its initial state
#   interop.sh down      stop
#   interop.sh run       up, the interop tests, down
#   interop.sh record    up, rewrite the findings in Tests/InteropTests/Expected, down: rows that are still seen keep their
#                        reason, new ones say TO BE CHECKED and fail the tests until a reason is written
# .build-interop/run/NAME-SCHEME.json describes a running provider. If a provider's packages could not be fetched,
# NAME-SCHEME.missing has the reason, and the test prints a notice. A provider that does not start is a failure.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# Build this project with its own unsafe flags: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"
providers=(canaille django-oauth-toolkit glewlwyd)
export OIDC_PREFLIGHT_INTEROP="${OIDC_PREFLIGHT_INTEROP:-$root/.build-interop/run}"
mkdir -p "$OIDC_PREFLIGHT_INTEROP"

# each ACTION: every provider in every scheme, in parallel.
each() {
    local action=$1 name scheme code result=0 jobs=()
    for name in "${providers[@]}"; do
        for scheme in http https; do
            "$root/Tests/InteropTests/Providers/$name/provider.sh" "$action" "$scheme" &
            jobs+=($!)
        done
    done
    for job in "${jobs[@]}"; do
        code=0
        wait "$job" || code=$?
        # 75: the package index could not be reached; the provider has reported it and written its .missing file.
        case $code in 0 | 75) ;; *) result=1 ;; esac
    done
    return $result
}

case ${1:-} in
prepare | down) each "$1" ;;
up)
    each down
    each up || { each down; exit 1; }
    ;;
run | record)
    if [ "$1" = record ]; then export OIDC_PREFLIGHT_RECORD=1; fi
    trap 'each down' EXIT
    "$0" up
    cd "$root"
    python=$(Scripts/python.sh)
    if [ -n "$python" ]; then export OIDC_PREFLIGHT_PYTHON=$python; fi
    swift test --filter InteropTests
    ;;
*)
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 64
    ;;
esac

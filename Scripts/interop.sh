#!/usr/bin/env bash
# The real providers of the interop tests, on loopback, over http and https.
#   interop.sh prepare   installs and seeds them                (slow once, then nothing)
#   interop.sh up        prepare, then start; each in the state of its first day
#   interop.sh down      stop
#   interop.sh run       up, the interop tests, down
#   interop.sh record    up, write the findings in Tests/InteropTests/Expected anew, down: rows that are still seen keep their
#                        reason, new ones say TO BE CHECKED and fail the tests until a reason is written
# A provider that runs is described by .build-interop/run/NAME-SCHEME.json; one whose packages could not be fetched leaves
# NAME-SCHEME.missing with the reason, and the test says so loudly. A provider that fails to start is a failure.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# This project builds for itself: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"
providers=(canaille django-oauth-toolkit glewlwyd)
export OIDC_PREFLIGHT_INTEROP="${OIDC_PREFLIGHT_INTEROP:-$root/.build-interop/run}"
mkdir -p "$OIDC_PREFLIGHT_INTEROP"

# each ACTION: every provider in every scheme, side by side.
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
        # 75: the package index could not be reached; the provider has said so and has left its .missing file.
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

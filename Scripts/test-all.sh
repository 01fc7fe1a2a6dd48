#!/usr/bin/env bash
# Everything that `make test` leaves out, on the same build: oracles, sockets, real providers, browsers, batch runs, sanitizers, the library.
# What cannot be had here (an index of packages, a browser) fails: a missing oracle proves nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
# This project builds for itself: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"
export PREFLIGHT_REQUIRE_ORACLES="${PREFLIGHT_REQUIRE_ORACLES-1}"
export OIDC_PREFLIGHT_INTEROP="${OIDC_PREFLIGHT_INTEROP:-$PWD/.build-interop/run}"
. Scripts/timing.sh

mkdir -p .build-interop
finish() {
    code=$?
    [ -z "${preparing:-}" ] || kill -- "-$preparing" 2>/dev/null || true
    Scripts/interop.sh down >/dev/null 2>&1 || true
    print_timings
    exit "$code"
}
trap finish EXIT

python() {
    OIDC_PREFLIGHT_PYTHON=$(Scripts/python.sh)
    [ -n "$OIDC_PREFLIGHT_PYTHON" ] || return 1
    export OIDC_PREFLIGHT_PYTHON
}
# The providers' packages are fetched while other steps work.
prepare() {
    set -m
    Scripts/interop.sh prepare >.build-interop/prepare.log 2>&1 </dev/null &
    preparing=$!
    set +m
}
providers() {
    wait "$preparing" || true
    preparing=
    Scripts/interop.sh up
    Scripts/phase.sh providers
    Scripts/interop.sh down
}
browsers() {
    Scripts/interop.sh up
    # A browser is several processes: more than three at a time run into their time-outs on two cores.
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=3 Scripts/phase.sh browsers
    Scripts/interop.sh down
}
# The tests of `make test` once more, now with every oracle; the matrix needs none.
oracles() {
    reports=$PWD/.build/reports-of-tests
    rm -rf "$reports"
    OIDC_PREFLIGHT_REPORTS=$reports Scripts/run-tests.sh --skip '^MatrixTests\.FaultMatrixTests/'
    "$OIDC_PREFLIGHT_PYTHON" Scripts/validate-reports.py "$reports"
    "$OIDC_PREFLIGHT_PYTHON" Scripts/validate-configurations.py "$reports"
    rm -rf "$reports"
}

timed "setup of all" Scripts/setup.sh build test browser slurm
prepare
timed "build of all" swift build --build-tests
timed python python
timed oracles oracles
timed programs Scripts/phase.sh programs
timed sockets Scripts/phase.sh sockets
timed fleet Scripts/phase.sh fleet
timed providers providers
timed browsers browsers
# Each of these needs the machine for itself, for the reason beside its trait.
timed timed Scripts/phase.sh timed --no-parallel
timed "release build" make release
timed release Scripts/phase.sh release
timed sanitizers Scripts/sanitize.sh
timed library Scripts/library.sh
timed slurm make slurm

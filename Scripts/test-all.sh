#!/usr/bin/env bash
# Runs all tests that `make test` leaves out: oracles, sockets, real providers, browsers, batch runs, sanitizers, the fuzzer, the library.
# A missing resource (package index, browser) is a failure: a missing oracle proves nothing.
#   test-all.sh [STEP…]      default: all steps
set -euo pipefail
cd "$(dirname "$0")/.."
# Build this project with its own unsafe flags: see Package.swift.
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
# The providers' packages are fetched while other steps run.
prepare() {
    set -m
    Scripts/interop.sh prepare >.build-interop/prepare.log 2>&1 </dev/null &
    preparing=$!
    set +m
}
providers() {
    wait "$preparing" || true
    Scripts/interop.sh up && Scripts/phase.sh providers
}
browsers() {
    wait "$preparing" || true
    # A browser has several processes: on two cores, more than three browsers at a time run into time-outs.
    Scripts/interop.sh up && SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=3 Scripts/phase.sh browsers
}
# Validates the reports and configurations that the tests write, including those of the configuration tests, with their schemas.
reports() {
    Scripts/run-tests.sh --filter '^PreflightTests\.' &&
        "$OIDC_PREFLIGHT_PYTHON" Scripts/validate-reports.py "$OIDC_PREFLIGHT_REPORTS" &&
        "$OIDC_PREFLIGHT_PYTHON" Scripts/validate-configurations.py "$OIDC_PREFLIGHT_REPORTS"
}
# A few faults of each step; all of them take ten minutes.
hosts() {
    FAULTS="discovery.issuer.* discovery.server-metadata.* authorization.iss.* authorization.resource.* authorization.state.is-echoed*
        token.expires-in.* token.body.* registration.public-loopback.* registration.ordinary-metadata.*" \
        Scripts/mcp-clients.sh --expect Tests/Fixtures/mcp-clients.tsv
}
export OIDC_PREFLIGHT_REPORTS=$PWD/.build/reports-of-tests
rm -rf "$OIDC_PREFLIGHT_REPORTS"

timed "setup of all" Scripts/setup.sh build test browser slurm
timed "build of all" swift build --build-tests
timed python python
steps=("$@")
[ ${#steps[@]} -gt 0 ] ||
    steps=(oracles hosts programs sockets hostile runs fleet reports providers browsers timed release sanitizers fuzz library slurm)
case " ${steps[*]} " in *" providers "* | *" browsers "*) prepare ;; esac
for step in "${steps[@]}"; do
    case $step in
    oracles | programs | sockets | hostile | runs | fleet) timed "$step" Scripts/phase.sh "$step" ;;
    # Each suite of this phase needs the machine exclusively; its trait has the reason.
    timed) timed "$step" Scripts/phase.sh timed --no-parallel ;;
    reports | providers | browsers | hosts) timed "$step" "$step" ;;
    release)
        timed "release build" make release
        timed release Scripts/phase.sh release
        ;;
    sanitizers) timed "$step" Scripts/sanitize.sh ;;
    # Briefly, with the fixed seed of the script; `make fuzz` takes longer.
    fuzz) FUZZ_SECONDS=3 timed "$step" Scripts/fuzz.sh ;;
    library) timed "$step" Scripts/library.sh ;;
    slurm) timed "$step" make slurm ;;
    *)
        echo "test-all.sh: unknown step $step" >&2
        exit 64
        ;;
    esac
done

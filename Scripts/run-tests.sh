#!/usr/bin/env bash
# Runs tests on what is already built, at most for TEST_SECONDS (1500): run-tests.sh [swift test option…]
# Repeats what failed at the end, since minutes of other lines lie between; the last line counts.
set -euo pipefail
cd "$(dirname "$0")/.."
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"
# More tests at a time than cores only make each of them slower.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}"
seconds=${TEST_SECONDS:-1500}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

code=0
timeout --kill-after=10 "$seconds" swift test --skip-build "$@" >"$log" 2>&1 || code=$?
grep -aE '^(✘|✔|━) (Suite|Test run)|^✘ Test .* failed after' "$log" || true
if [ "$code" != 0 ]; then
    grep -aE 'recorded an issue|^↳|[Ff]atal error|Time limit was exceeded' "$log" | tail -80 || true
    [ "$code" != 124 ] || { echo "the tests did not end within $seconds s; the last lines were:"; tail -20 "$log"; }
fi
# A run without a test proves nothing.
if [ "$code" = 0 ] && ! grep -aqE '^(✔|━) Test run with [1-9].* passed' "$log"; then
    tail -20 "$log"
    code=1
fi
grep -aoE 'oracle missing: [^"]*' "$log" | sort | uniq -c | sed 's/^/skipped: /' || true
passed=$(grep -acE '^(✔|━) Test [^r].* passed after' "$log" || true)
failed=$(grep -acE '^✘ Test [^r].* failed after' "$log" || true)
# Suites of other phases are no part of this run; a test without its oracle is.
skipped=$(grep -ac 'oracle missing: ' "$log" || true)
echo "$passed passed, $failed failed, $skipped skipped"
exit "$code"

#!/usr/bin/env bash
# Runs tests with the existing build, for at most TEST_SECONDS (1500): run-tests.sh [swift test option…]
# Prints the failures again at the end; the last line has the totals.
set -euo pipefail
cd "$(dirname "$0")/.."
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"
# Too many parallel tests only slow each other down.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}"
# A run allocates many small objects: larger caches of freed memory save an eighth of the matrix's time.
export GLIBC_TUNABLES="${GLIBC_TUNABLES:-glibc.malloc.tcache_count=65535}"
seconds=${TEST_SECONDS:-1500}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

code=0
timeout --kill-after=10 "$seconds" swift test --skip-build "$@" >"$log" 2>&1 || code=$?
grep -aE '^(✘|✔|━) (Suite|Test run)|^✘ Test .* failed after' "$log" || true
if [ "$code" != 0 ]; then
    grep -aE 'recorded an issue|^↳|[Ff]atal error|Time limit was exceeded' "$log" | tail -80 || true
    [ "$code" != 124 ] || { echo "the tests did not finish within $seconds s; the last lines were:"; tail -20 "$log"; }
fi
# A run without a test proves nothing.
if [ "$code" = 0 ] && ! grep -aqE '^(✔|━) Test run with [1-9].* passed' "$log"; then
    tail -20 "$log"
    code=1
fi
grep -aoE 'oracle missing: [^"]*' "$log" | sort | uniq -c | sed 's/^/skipped: /' || true
passed=$(grep -acE '^(✔|━) Test [^r].* passed after' "$log" || true)
failed=$(grep -acE '^✘ Test [^r].* failed after' "$log" || true)
# Tests without their oracle count as skipped; suites of other phases do not.
skipped=$(grep -ac 'oracle missing: ' "$log" || true)
echo "$passed passed, $failed failed, $skipped skipped"
exit "$code"

#!/bin/sh
# A batch run in N processes on this machine, or on others with --sshlogin, with GNU parallel:  fleet.sh N LIST FOLDER [OPTION…]
# A shard that is killed is tried up to three times in total, and continues where it stopped.
set -eu
count=${1:?usage: fleet.sh N LIST FOLDER [OPTION…]} list=${2:?} folder=${3:?}
shift 3
program=${OIDC_PREFLIGHT:-oidc-preflight}
mkdir -p "$folder"
code=0
seq "$count" | parallel --will-cite --retries 3 --joblog "$folder/joblog" -j "${JOBS:-+0}" \
    "$program" fleet "$list" --no-gate --shard "{}/$count" --run "${RUN:-$(date -u +%Y-%m-%dT%H:%M:%SZ)}" --out "$folder/part-{}.jsonl" "$@" || code=$?
"$program" fleet merge "$folder"/part-*.jsonl --out "$folder/fleet.jsonl" --database "$folder/fleet.sqlite" || code=$?
exit "$code"

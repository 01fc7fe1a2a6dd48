#!/usr/bin/env bash
# Compares the release build with curl, a Python script, cjose and plain C (Peers), and writes Documentation/Benchmarks/README.md: the
# table, and below it the hand-written notes.txt. DRY=1 prints the page instead. Every ratio compares two measurements of this run; none of
# this is a test.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tool=$root/.build/release/oidc-preflight
for program in hyperfine curl cc python3 /usr/bin/time "$tool"; do
    command -v "$program" >/dev/null || { echo "run.sh: $program is missing; run make bench" >&2; exit 1; }
done
python=$("$root/Scripts/python.sh")
[ -n "$python" ] || { echo "run.sh: the Python peers cannot be installed; run make bench on a machine that can reach PyPI" >&2; exit 1; }
work=$(mktemp -d)
pids=()
clean() {
    for p in "${pids[@]}"; do kill "$p" 2>/dev/null || true; wait "$p" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM
# All servers are on loopback: ignore the environment's proxies.
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1

# start DELAY_MS NAME: the reference provider over HTTPS; sets $issuer, $ca, $config
start() {
    ca=$work/$2.pem config=$work/$2.yaml
    : >"$work/$2.out"
    "$tool" provider --delay "$1" --ca-out "$ca" --config-out "$config" >"$work/$2.out" 2>&1 &
    pids+=($!)
    for _ in $(seq 100); do grep -q '^issuer' "$work/$2.out" && break; sleep 0.05; done
    grep -q '^issuer' "$work/$2.out" || { echo "run.sh: the provider did not start:" >&2; cat "$work/$2.out" >&2; exit 1; }
    issuer=$(awk '/^issuer/ {print $2}' "$work/$2.out")
    export OIDC_CLIENT_SECRET OIDC_PASSWORD
    OIDC_CLIENT_SECRET=$(awk '/^secret/ {print $2}' "$work/$2.out")
    OIDC_PASSWORD=$(sed -n 's/^account .*password //p' "$work/$2.out")
}

# median NAME: seconds of the command measured last under that name
median() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["results"][int(sys.argv[2])]["median"])' "$work/$1.json" "$2"; }
# cpu NAME: CPU seconds of the command measured last under that name
cpu() { python3 -c 'import json,sys; run = json.load(open(sys.argv[1]))["results"][int(sys.argv[2])]; print(run["user"] + run["system"])' "$work/$1.json" "$2"; }
ratio() { python3 -c 'import sys; print(f"{float(sys.argv[1])/float(sys.argv[2]):.2f}")' "$1" "$2"; }
milliseconds() { python3 -c 'import sys; print(f"{float(sys.argv[1])*1000:.1f} ms")' "$1"; }
# memory COMMAND…: peak resident memory in KiB
memory() { /usr/bin/time -f %M -o "$work/memory" "$@" >/dev/null 2>&1 || true; tail -1 "$work/memory"; }

rows=()
# row WHAT OURS THEIRS RATIO TARGET: compares RATIO and TARGET, which have the same unit
row() {
    local met
    met=$(python3 "$here/met.py" "$4" "$5")
    rows+=("| $1 | $2 | $3 | $4 | $5 | $met |")
    printf '%-76s %10s (target %s): %s\n' "$1" "$4" "$5" "$met"
}
# compare NAME RUNS TITLE TARGET OURS THEIRS: whole commands by hyperfine
compare() {
    hyperfine -N --style none --ignore-failure --warmup 3 --runs "$2" --export-json "$work/$1.json" "$5" "$6" >/dev/null 2>&1
    row "$3" "$(milliseconds "$(median "$1" 0)")" "$(milliseconds "$(median "$1" 1)")" "$(ratio "$(median "$1" 0)" "$(median "$1" 1)")" "$4"
}

compare startup 50 'start-up, `--version`, against `curl --version`' '≤ 1.2' "$tool --version" 'curl --version'
ours=$(memory "$tool" --version) theirs=$(memory curl --version)
row 'peak memory of `--version`, against `curl --version`' "$ours KiB" "$theirs KiB" "$(ratio "$ours" "$theirs")" '≤ 1.5'

start 0 quick
documents="$issuer/.well-known/openid-configuration"
keys=$(curl -s --cacert "$ca" "$documents" | python3 -c 'import json,sys; print(json.load(sys.stdin)["jwks_uri"])')
quietly() { echo "$tool check $issuer --ca-file $ca --tier static --quiet"; }
static() { echo "$tool check $issuer --ca-file $ca --tier static --quiet --report json=-"; }
both() { echo "curl -s --cacert $ca $documents $keys -o /dev/null -o /dev/null"; }
# A run without an open gate skipped checks, so its time would mean nothing.
passes() {
    "$@" >"$work/passes" 2>&1 && grep -q '"gate": "open"' "$work/passes" && return
    echo "run.sh: $* did not open the gate:" >&2
    tail -5 "$work/passes" >&2
    exit 1
}
passes $(static)
compare static 30 'static tier, against one `curl` of the same two documents' '≤ 2' "$(quietly)" "$(both)"
compare rendered 30 'the same with a report in JSON' '–' "$(static)" "$(both)"
full="$tool check --config $config --tier full --quiet --report json=-"
passes $full
ours=$(memory $full)
row 'peak memory of a full run' "$ours KiB" '' "$(python3 -c 'import sys; print(f"{int(sys.argv[1])/1024:.1f} MiB")' "$ours")" '≤ 64 MiB'

hyperfine -N --style none --warmup 1 --runs 10 --export-json "$work/whole.json" "$full" >/dev/null 2>&1
# The checks of max_age and auth_time wait two seconds (MAX_WAIT); no other check waits.
row "full tier, against the two seconds that its time claims require" "$(milliseconds "$(median whole 0)")" '2000.0 ms' \
    "$(ratio "$(median whole 0)" 2)" '≤ 1.5'
row 'CPU time of a full run' "$(milliseconds "$(cpu whole 0)")" '' "$(milliseconds "$(cpu whole 0)")" '≤ 500 ms'
$full --save-evidence "$work/whole-evidence.json" >/dev/null 2>&1
hyperfine -N --style none --warmup 3 --runs 20 --export-json "$work/offline.json" \
    "$tool judge $work/whole-evidence.json --quiet" >/dev/null 2>&1
row 'evaluation of a saved full run, offline' "$(milliseconds "$(median offline 0)")" '' "$(milliseconds "$(median offline 0)")" '≤ 40 ms'

# An ordinary code flow, by `try` and by a Python script.
sed "s/^flows:.*/flows: [code]/" "$config" >"$work/code.yaml"
flow="$tool try --config $work/code.yaml"
script="$python $here/Peers/code_flow.py $config $ca"
$flow >/dev/null || { echo "run.sh: $flow failed" >&2; exit 1; }
$script >/dev/null || { echo "run.sh: $script failed" >&2; exit 1; }
compare flow 20 'one code flow, against a Python script' '≤ 0.7' "$flow" "$script"
# The provider's time for the same requests: in a checked flow, the two documents and the flow's own exchanges.
"$tool" check --config "$work/code.yaml" --tier full --only idtoken --only userinfo --quiet --report json=- --save-evidence "$work/flow-evidence.json" \
    >/dev/null 2>&1 || true
share=$(python3 - "$work/flow-evidence.json" <<'PY'
import json, sys
# An exchange's identifier consists of its scenario and its position; documents come before the scenarios.
exchanges = json.load(open(sys.argv[1]))["exchanges"]
scenarios = [exchange["id"] // 100_000 for exchange in exchanges]
flow = min(number for number in scenarios if number >= 10)
documents = [exchange for exchange in exchanges if exchange["step"] in ("discovery document", "key set")]
own = [exchange for exchange, number in zip(exchanges, scenarios) if number == flow]
print(sum(exchange["timings"]["total"] for exchange in documents[:2] + own))
PY
)
row "one code flow, against the provider's own share" "$(milliseconds "$(median flow 0)")" "$(milliseconds "$share")" \
    "$(ratio "$(median flow 0)" "$share")" '≤ 1.05'
row 'CPU time of one code flow, against the script' "$(milliseconds "$(cpu flow 0)")" "$(milliseconds "$(cpu flow 1)")" \
    "$(ratio "$(cpu flow 0)" "$(cpu flow 1)")" '≤ 0.2'

start 50 slow
documents="$issuer/.well-known/openid-configuration"
keys=$(curl -s --cacert "$ca" "$documents" | python3 -c 'import json,sys; print(json.load(sys.stdin)["jwks_uri"])')
compare static50 10 'static tier, each response delayed by 50 ms' '≤ 1.1' "$(quietly)" "$(both)"

# The longest chain of dependent requests: discovery, then a flow's pages one by one, then code and UserInfo.
"$tool" check --config "$config" --tier full --quiet --report json=- --save-evidence "$work/evidence.json" >/dev/null 2>&1 || true
chain=$(python3 - "$work/evidence.json" <<'PY'
import collections, json, sys
# An exchange's identifier consists of its scenario and its position.
scenarios = collections.Counter(exchange["id"] // 100_000 for exchange in json.load(open(sys.argv[1]))["exchanges"])
print(1 + max(count for scenario, count in scenarios.items() if scenario >= 10))
PY
)
hyperfine -N --style none --ignore-failure --warmup 1 --runs 10 --export-json "$work/full.json" \
    "$tool check --config $config --tier full --quiet --report json=-" >/dev/null 2>&1
bound=$(python3 -c "print($chain * 0.05)")
row "full tier, each response delayed by 50 ms, against its longest chain ($chain × 50 ms)" "$(milliseconds "$(median full 0)")" \
    "$(milliseconds "$bound")" "$(ratio "$(median full 0)" "$bound")" '≤ 1.25'

# ID Token verifications per CPU second, with the same tokens and keys for all.
mkdir "$work/tokens"
"$python" -W ignore "$here/Peers/tokens.py" "$work/tokens"
cc -O2 -o "$work/verify" "$here/Peers/verify.c" -lcjose -ljansson -lcrypto
"$work/verify" "$work/tokens" >"$work/theirs"
"$root/.build/release/verification-benchmark" "$work/tokens" >"$work/verification"
verifications() { # NAME PEER TITLE TARGET
    local ours theirs
    ours=$(awk -v name="$1" '$1 == name {print $2}' "$work/verification")
    theirs=$(awk -v name="$1" -v peer="$2" '$1 == name && $2 == peer {print $3}' "$work/theirs")
    row "$3" "$ours/s" "$theirs/s" "$(ratio "$ours" "$theirs")" "$4"
}
for name in RS256 ES256; do
    verifications "$name" cjose "ID Token verifications per CPU second, $name, against cjose" '≥ 1.0'
done
for name in RS256 ES256 EdDSA; do
    verifications "$name" c "ID Token verifications per CPU second, $name, against plain C" '≥ 0.9'
done
verifications set cjose 'the same with a key set of 100 that is parsed each time, against cjose' '≥ 1.0'

{
    cat <<'HEAD'
# Benchmarks

These benchmarks compare the program with curl, a Python script, cjose and plain C. `make bench` rewrites this page. Each row compares two
measurements of one run on one machine, so the ratio is meaningful on any machine. Times of whole commands are medians by hyperfine, memory
is peak resident memory by GNU time. The provider is the reference provider over HTTPS on loopback.

A verification starts with a compact JWS as received: it is split and decoded, its header is parsed as JSON, and the signature is verified
with a key that was parsed once. `Peers/verify.c` does this with cjose, and with jansson and OpenSSL alone. cjose has no EdDSA. These are
measurements, not tests: a missed target fails no build.

The static tier requests both documents again with other User-Agents, after the first response. This is a third round trip, where `curl`
makes two. A full run has many scenarios: at most eight at a time, and one at a time in each browser in which a user has signed in. Its
longest chain is the lower bound; the run takes several times as long. The provider's own share of a flow is the sum of its response times.
Batch runs have [a page of their own](Fleet/README.md).

| measurement | oidc-preflight | peer | ratio | target | met |
| --- | ---: | ---: | ---: | --- | --- |
HEAD
    printf '%s\n' "${rows[@]}"
    printf '\nMeasured with %s, OpenSSL %s and Swift %s on %s cores.\n' "$(curl --version | head -1 | cut -d' ' -f1,2)" \
        "$(openssl version | cut -d' ' -f2)" "$(swift --version 2>/dev/null | grep -o 'Swift version [0-9.]*' | head -1 | cut -d' ' -f3)" "$(nproc)"
    printf '\nThe load average was %s at the end; above the number of cores, the times of whole commands are rough.\n' \
        "$(uptime | sed 's/.*load average[s]*: *\([0-9.]*\).*/\1/')"
    printf '\n'
    cat "$here/notes.txt"
} >"$work/README.md"
if [ -n "${DRY:-}" ]; then cat "$work/README.md"; else cp "$work/README.md" "$here/README.md"; fi

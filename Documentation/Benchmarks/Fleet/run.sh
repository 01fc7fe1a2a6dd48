#!/usr/bin/env bash
# Compares a batch run on loopback over TLS with HTTP/2 with a C program that only fetches, and with curl --parallel. Writes
# Documentation/Benchmarks/Fleet/README.md: the table, and below it the hand-written notes.txt. nginx serves the documents as files.
#   run.sh [TOOL]     RUNS=5: the number of runs; DRY=1 does not change the page
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tool=$(readlink -f "${1:-$here/../../../.build/release/oidc-preflight}")
export PATH=$PATH:/usr/sbin
for program in nginx curl openssl python3 cc /usr/bin/time "$tool"; do
    command -v "$program" >/dev/null || { echo "fleet: $program is missing; run make bench" >&2; exit 1; }
done
work=$(mktemp -d)
clean() {
    [ -z "${server:-}" ] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
runs=${RUNS:-5}

cc -O2 -o "$work/fetch" "$here/fetch.c" -lcurl
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$work/ca.key" -out "$work/ca.pem" -days 2 -subj '/CN=fleet benchmark' 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout "$work/key.pem" -out "$work/request.pem" -subj '/CN=127.0.0.1' 2>/dev/null
openssl x509 -req -in "$work/request.pem" -CA "$work/ca.pem" -CAkey "$work/ca.key" -CAcreateserial -days 2 -out "$work/chain.pem" \
    -extfile <(printf 'subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n') 2>/dev/null
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
base=https://127.0.0.1:$port
mkdir "$work/root" && chmod 755 "$work" "$work/root"
python3 "$here/issuers.py" "$work/root" "$base" 10000 >"$work/10000"
head -2000 "$work/10000" >"$work/2000"
cat >"$work/nginx.conf" <<CONF
worker_processes 1;
daemon off;
user root;
pid $work/nginx.pid;
error_log $work/nginx.log;
events { worker_connections 4096; }
http {
    access_log off;
    default_type application/json;
    open_file_cache max=8192;
    client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3; uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
    server {
        listen 127.0.0.1:$port ssl http2;
        ssl_certificate $work/chain.pem;
        ssl_certificate_key $work/key.pem;
        keepalive_requests 1000000;
        root $work/root;
        add_header Cache-Control max-age=3600;
        add_header Strict-Transport-Security max-age=31536000;
    }
}
CONF
nginx -c "$work/nginx.conf" 2>"$work/nginx.out" &
server=$!
for _ in $(seq 100); do curl -s --cacert "$work/ca.pem" "$base/i/0/keys" >/dev/null && break; sleep 0.1; done

# one NAME COMMAND…: seconds, CPU seconds and KiB of one run
one() {
    local name=$1 code=0
    shift
    /usr/bin/time -f '%e %U %S %M' -o "$work/time" "$@" >"$work/$name.out" 2>&1 || code=$?
    [ "$code" = 0 ] || { echo "fleet: $name ended with $code:" >&2; tail -5 "$work/$name.out" >&2; exit 1; }
    tail -1 "$work/time" >>"$work/$name.times"
}
fleet() { # COUNT
    rm -f "$work/results"
    one "fleet$1" "$tool" fleet "$work/$1" --ca-file "$work/ca.pem" --rate 0 --per-host 64 --no-gate --quiet --out "$work/results"
    grep -q "^$1 issuers checked: $1 open" "$work/fleet$1.out" || { echo "fleet: not all gates are open:" >&2; cat "$work/fleet$1.out" >&2; exit 1; }
}
sed 's|.*|url = "&/.well-known/openid-configuration"\noutput = /dev/null\nurl = "&/keys"\noutput = /dev/null|' "$work/2000" >"$work/curl.conf"
# In turns, so that other load affects all alike.
for _ in $(seq "$runs"); do
    one fetch sh -c "'$work/fetch' '$work/ca.pem' 64 <'$work/2000'"
    fleet 2000
    one curl curl -s --parallel --parallel-max 64 --http2 --cacert "$work/ca.pem" -K "$work/curl.conf"
done
for _ in 1 2 3; do fleet 10000; done

python3 - "$work" "$runs" "$(nproc)" "$(uptime | sed 's/.*load average[s]*: *\([0-9.]*\).*/\1/')" "$here" >"$work/README.md" <<'PY'
import statistics, subprocess, sys
work, runs, cores, load, here = sys.argv[1:]
def times(name):
    rows = [[float(word) for word in line.split()] for line in open(f"{work}/{name}.times")]
    wall, user, system, memory = (statistics.median(column) for column in zip(*rows))
    return wall, user + system, memory / 1024
fetch, curl, small, large = times("fetch"), times("curl"), times("fleet2000"), times("fleet10000")
def row(what, ours, theirs, ratio, target):
    met = subprocess.run([sys.executable, f"{here}/../met.py", ratio, target], capture_output=True, text=True, check=True).stdout.strip()
    print("| " + " | ".join((what, ours, theirs, ratio, target, met)) + " |")
print("""# Benchmark of batch runs

This benchmark compares a batch run with two programs that only fetch. `make bench` rewrites this page
(`Documentation/Benchmarks/Fleet/run.sh`). nginx serves documents and key sets of 2,000 and of 10,000 issuers as files, over TLS with HTTP/2,
on one listener on this machine. `oidc-preflight fleet` fetches both documents of each issuer and checks them. The C program (`fetch.c`,
libcurl's multi interface, 64 transfers at a time) and `curl --parallel` only fetch them. A speed ratio is the peer's time divided by ours:
above 1, `fleet` is faster. The server uses the same cores.
""")
print("| measurement | fleet | peer | ratio | target | met |")
print("| --- | ---: | ---: | ---: | --- | --- |")
row("2,000 issuers, against the C program", f"{small[0]:.2f} s", f"{fetch[0]:.2f} s", f"{fetch[0] / small[0]:.2f}", "≥ 0.8")
row("2,000 issuers, against `curl --parallel --http2`", f"{small[0]:.2f} s", f"{curl[0]:.2f} s", f"{curl[0] / small[0]:.2f}", "≥ 1.3")
row("CPU time of 2,000 issuers, against the C program", f"{small[1]:.2f} s", f"{fetch[1]:.2f} s", f"{small[1] / fetch[1]:.2f}", "–")
row("memory, 10,000 issuers against 2,000", f"{large[2]:.1f} MiB", f"{small[2]:.1f} MiB", f"{large[2] / small[2]:.2f}", "≤ 1.1")
row("CPU time, 10,000 issuers against 2,000", f"{large[1]:.2f} s", f"{small[1]:.2f} s", f"{large[1] / small[1]:.2f}", "≤ 5.2")
row("memory of 2,000 issuers", f"{small[2]:.1f} MiB", "", f"{small[2]:.1f} MiB", "≤ 79.6 MiB: 64 MiB + 8 KiB per issuer")
row("memory of 10,000 issuers", f"{large[2]:.1f} MiB", "", f"{large[2]:.1f} MiB", "≤ 142.1 MiB: 64 MiB + 8 KiB per issuer")
row("CPU time of one checked issuer", f"{large[1] / 10:.2f} ms", "", "", "–")
print(f"\nMedians of {runs} runs (3 with 10,000 issuers) in turns, on {cores} cores; the load average at the end was {load}. Above the number of cores, "
      "times are rough; CPU time and memory less so.")
PY
{ echo; cat "$here/notes.txt"; } >>"$work/README.md"
cat "$work/README.md"
[ -n "${DRY:-}" ] || cp "$work/README.md" "$here/README.md"

# Sourced by each provider's provider.sh, which defines
#   NAME, PORT_HTTP, PORT_HTTPS, ISSUER_PATH, CLIENT_IMPLICIT      its name, and where it listens
#   seed FOLDER ISSUER      writes the provider's configuration and database into FOLDER (run once)
#   serve PORT [CERT KEY]   replaces the shell with the server, which listens on 127.0.0.1:PORT
#   fetch                   if its packages are not Python's: fetches them; exits with 75 or 69 if they are not available
# and then calls `lab ACTION SCHEME`. All files are in .build-interop:
#   NAME/venv, NAME/root    the packages, shared by both schemes
#   NAME-SCHEME/seed        the initial state; NAME-SCHEME/live is the copy that runs, new at each start
#   NAME-SCHEME/tls         https only: a throw-away CA (ca.pem) and the server's certificate
#   run/NAME-SCHEME.json    how to reach the running provider; run/NAME-SCHEME.missing is the reason why it cannot run

# The same for every provider; a test account and test secrets on loopback, worth nothing elsewhere.
USERNAME=alice PASSWORD=alice-Pass-1234
CLIENT=lab-client CLIENT_SECRET=lab-client-secret
REDIRECT_URI=https://relying-party.example/callback

PROVIDERS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$PROVIDERS/../../.." && pwd)
BUILD=$ROOT/.build-interop
PYTHON_BIN=$BUILD/$NAME/venv/bin/python
WHY_MISSING="PyPI not reachable, or no Python 3.11 with venv"
export PYTHONDONTWRITEBYTECODE=1

fetch() { "$ROOT/Scripts/venv.sh" "$BUILD/$NAME/venv" "$PROVIDERS/$NAME/requirements.txt"; }

say() { echo "$NAME ($SCHEME): $*" >&2; }

lab() {
    local action=${1:-}
    SCHEME=${2:-http}
    case $SCHEME in
    http) PORT=$PORT_HTTP ;;
    https) PORT=$PORT_HTTPS ;;
    *) echo "usage: $0 prepare|up|down http|https" >&2; return 64 ;;
    esac
    STATE=$BUILD/$NAME-$SCHEME
    RUN=${OIDC_PREFLIGHT_INTEROP:-$BUILD/run}
    ISSUER=$SCHEME://127.0.0.1:$PORT$ISSUER_PATH
    mkdir -p "$STATE" "$RUN"
    case $action in
    prepare) prepare ;;
    up) up ;;
    down) down ;;
    *) echo "usage: $0 prepare|up|down http|https" >&2; return 64 ;;
    esac
}

prepare() {
    local code=0 wanted
    rm -f "$RUN/$NAME-$SCHEME.missing"
    mkdir -p "$BUILD/$NAME"
    fetch || code=$?
    if [ "$code" = 75 ] || [ "$code" = 69 ]; then
        echo "the packages of $NAME could not be fetched: $WHY_MISSING" >"$RUN/$NAME-$SCHEME.missing"
        say "**************************************************************"
        say "** $(cat "$RUN/$NAME-$SCHEME.missing")"
        say "** NOT RUN: the interop test of $NAME over $SCHEME"
        say "**************************************************************"
        return 75
    fi
    [ "$code" = 0 ] || { say "its packages could not be installed"; return 1; }
    if [ "$SCHEME" = https ]; then certificates || { say "no certificate:"; cat "$STATE/openssl.log" >&2; return 1; }; fi

    wanted=$({ echo "$ISSUER $BUILD"; find "$PROVIDERS/lab.sh" "$PROVIDERS/$NAME" -type f | LC_ALL=C sort | xargs cat; } | sha256sum)
    if [ "$(cat "$STATE/seed/.made" 2>/dev/null)" != "$wanted" ]; then
        rm -rf "$STATE/seed"
        mkdir -p "$STATE/seed"
        if ! (set -e; cd "$STATE/seed"; seed "$STATE/seed" "$ISSUER") >"$STATE/seed.log" 2>&1 </dev/null; then
            say "its initial state could not be written:"
            tail -20 "$STATE/seed.log" >&2
            return 1
        fi
        echo "$wanted" >"$STATE/seed/.made"
    fi
}

# A CA of its own and a certificate for 127.0.0.1, regenerated when fewer than 60 of their 90 days are left.
certificates() {
    local tls=$STATE/tls
    if openssl x509 -in "$tls/server.pem" -noout -checkend $((60 * 86400)) >/dev/null 2>&1; then return 0; fi
    rm -rf "$tls"
    mkdir -p "$tls"
    {
        openssl req -x509 -newkey rsa:2048 -nodes -sha256 -days 90 -subj "/CN=Throw-away CA of $NAME" \
            -keyout "$tls/ca.key" -out "$tls/ca.pem" \
            -addext keyUsage=critical,keyCertSign,cRLSign &&
            openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$tls/server.key" -out "$tls/server.csr" &&
            printf '%s\n' subjectAltName=IP:127.0.0.1,DNS:localhost basicConstraints=critical,CA:FALSE \
                keyUsage=critical,digitalSignature,keyEncipherment extendedKeyUsage=serverAuth \
                subjectKeyIdentifier=hash authorityKeyIdentifier=keyid >"$tls/server.ext" &&
            openssl x509 -req -in "$tls/server.csr" -CA "$tls/ca.pem" -CAkey "$tls/ca.key" -CAcreateserial -days 90 -sha256 \
                -extfile "$tls/server.ext" -out "$tls/server.pem"
    } >"$STATE/openssl.log" 2>&1 </dev/null
}

alive() { [ -s "$STATE/pid" ] && kill -0 "$(cat "$STATE/pid")" 2>/dev/null; }

# Succeeds if the discovery document contains the issuer: another server may listen on that port.
answers() {
    local ca=()
    [ "$SCHEME" = http ] || ca=(--cacert "$STATE/tls/ca.pem")
    curl -fsS --noproxy '*' --max-time 3 "${ca[@]}" "$ISSUER/.well-known/openid-configuration" 2>/dev/null | grep -qF "\"$ISSUER\""
}

up() {
    local try variable tls=()
    if alive && ISSUER=$(cat "$STATE/issuer") && answers; then
        describe
        echo "$ISSUER"
        return 0
    fi
    ISSUER=$SCHEME://127.0.0.1:$PORT$ISSUER_PATH
    down
    prepare || return
    if (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; then
        variable=$PORT_VARIABLE$([ "$SCHEME" = http ] || echo _TLS)
        say "port $PORT ($variable) is in use"
        [ -z "${!variable:-}" ] || return 1
        # The port is only the default, and the tests of another checkout may be using it: choose a free one.
        PORT=$("$PYTHON_BIN" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
        ISSUER=$SCHEME://127.0.0.1:$PORT$ISSUER_PATH
        prepare || return
    fi
    echo "$ISSUER" >"$STATE/issuer"
    rm -rf "$STATE/live"
    cp -R "$STATE/seed" "$STATE/live"
    [ "$SCHEME" = http ] || tls=("$STATE/tls/server.pem" "$STATE/tls/server.key")
    # A session of its own, so that `down` ends the server with its workers.
    (
        cd "$STATE/live"
        export -f serve
        export PYTHON_BIN NAME PROVIDERS ISSUER STATE
        exec setsid bash -c 'serve "$@"' serve "$PORT" "${tls[@]}"
    ) >"$STATE/log" 2>&1 </dev/null &
    echo $! >"$STATE/pid"
    for try in $(seq 1 300); do
        if answers; then
            describe
            echo "$ISSUER"
            return 0
        fi
        alive || break
        sleep 0.2
    done
    say "did not start:"
    tail -20 "$STATE/log" >&2
    down
    return 1
}

down() {
    local pid try
    rm -f "$RUN/$NAME-$SCHEME.json"
    [ -s "$STATE/pid" ] || return 0
    pid=$(cat "$STATE/pid")
    rm -f "$STATE/pid"
    # The number may belong to another process by now: end it only if it runs in this folder.
    [ "$(readlink "/proc/$pid/cwd" 2>/dev/null)" = "$STATE/live" ] || return 0
    kill -TERM -- "-$pid" 2>/dev/null || return 0
    for try in $(seq 1 50); do
        kill -0 -- "-$pid" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL -- "-$pid" 2>/dev/null || true
}

# Writes the data that a test needs of the running provider.
describe() {
    local ca=null
    [ "$SCHEME" = http ] || ca="\"$STATE/tls/ca.pem\""
    cat >"$RUN/$NAME-$SCHEME.json.new" <<JSON
{
  "name": "$NAME",
  "scheme": "$SCHEME",
  "issuer": "$ISSUER",
  "ca_file": $ca,
  "configuration": "$PROVIDERS/$NAME/preflight.yaml",
  "username": "$USERNAME",
  "password": "$PASSWORD",
  "redirect_uri": "$REDIRECT_URI",
  "clients": {
    "code": { "id": "$CLIENT", "secret": "$CLIENT_SECRET", "authentication": "client_secret_basic" },
    "id_token": { "id": "$CLIENT_IMPLICIT" },
    "id_token token": { "id": "$CLIENT_IMPLICIT" }
  }
}
JSON
    mv "$RUN/$NAME-$SCHEME.json.new" "$RUN/$NAME-$SCHEME.json"
}

#!/usr/bin/env bash
# Canaille with its SQLite backend, served by its own `run` command.   provider.sh prepare|up|down http|https
set -euo pipefail
NAME=canaille PORT_VARIABLE=CANAILLE_PORT ISSUER_PATH=
PORT_HTTP=${CANAILLE_PORT:-22010} PORT_HTTPS=${CANAILLE_PORT_TLS:-22011}
# It serves the implicit flow only to a client that is registered without authentication at the token endpoint.
CLIENT_IMPLICIT=lab-client-implicit
. "$(dirname "${BASH_SOURCE[0]}")/../lab.sh"

seed() {
    "$PYTHON_BIN" "$PROVIDERS/$NAME/seed.py" "$2" "$USERNAME" "$PASSWORD" "$REDIRECT_URI" "$CLIENT_SECRET" \
        "$CLIENT client_secret_basic" "$CLIENT_IMPLICIT none"
}

serve() {
    local tls=()
    [ $# -lt 3 ] || tls=(--certfile "$2" --keyfile "$3")
    CANAILLE_CONFIG=$PWD/canaille.toml exec "$PYTHON_BIN" -c 'from canaille.commands import cli; cli()' run --bind "127.0.0.1:$1" "${tls[@]}"
}

lab "$@"

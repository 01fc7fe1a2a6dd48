#!/usr/bin/env bash
# Glewlwyd with SQLite, from Debian's packages, which are unpacked and not installed.   provider.sh prepare|up|down http|https
set -euo pipefail
NAME=glewlwyd PORT_VARIABLE=GLEWLWYD_PORT ISSUER_PATH=/api/oidc
PORT_HTTP=${GLEWLWYD_PORT:-22030} PORT_HTTPS=${GLEWLWYD_PORT_TLS:-22031}
CLIENT_IMPLICIT=lab-client
. "$(dirname "${BASH_SOURCE[0]}")/../lab.sh"
PYTHON_BIN=python3
WHY_MISSING="Debian's packages not reachable, or no Debian"
export UNPACKED=$BUILD/$NAME/root

# With dbconfig-no-thanks no client of a database server is fetched.
# The libraries that its pages load are named, because they must be unpacked even if the system has them.
fetch() { "$ROOT/Scripts/unpack.sh" "$BUILD/$NAME" glewlwyd dbconfig-no-thanks libjs-jquery libjs-bootstrap4 libjs-popper.js; }

# The settings are sent to the interface of its administration page, so it must run: over http, on any port.
seed() {
    local port pid
    cp -R "$UNPACKED/usr/share/glewlwyd/webapp" webapp
    # Debian's link leads to a folder outside webapp, which the server does not follow.
    rm -f webapp/config.json
    # Its pages need files of other packages; the broken links lead to fonts.
    (cd "$UNPACKED/usr/share/glewlwyd/webapp" && find . -type l -print0) |
        while IFS= read -r -d '' link; do
            [ ! -e "$UNPACKED/usr/share/glewlwyd/webapp/$link" ] ||
                cp --remove-destination -L "$UNPACKED/usr/share/glewlwyd/webapp/$link" "webapp/$link"
        done
    cp "$UNPACKED"/etc/glewlwyd/config-*.json/config.json webapp/
    zcat "$UNPACKED/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz" |
        "$PYTHON_BIN" -c 'import sqlite3, sys; sqlite3.connect("glewlwyd.db").executescript(sys.stdin.read())'
    openssl genrsa -out key.pem 2048
    openssl rsa -in key.pem -pubout -out public.pem
    port=$("$PYTHON_BIN" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    (serve "$port") &
    pid=$!
    "$PYTHON_BIN" "$PROVIDERS/$NAME/seed.py" "http://127.0.0.1:$port" "$2" "$USERNAME" "$PASSWORD" \
        "$REDIRECT_URI" "$CLIENT" "$CLIENT_SECRET" || { kill "$pid"; return 1; }
    kill "$pid"
    wait "$pid" || true
}

serve() {
    local tls="" base=${ISSUER%/api/oidc}
    # It requests certificates if use_secure_connection is set at all, even to false.
    [ $# -lt 3 ] || tls="use_secure_connection=true
secure_connection_pem_file=\"$2\"
secure_connection_key_file=\"$3\""
    {
        cat "$PROVIDERS/$NAME/glewlwyd.conf"
        cat <<SETTINGS
port=$1
external_url="$base"
cookie_secure=$([ $# -lt 3 ] && echo 0 || echo 1)
static_files_path="$PWD/webapp/"
database = { type = "sqlite3"; path = "$PWD/glewlwyd.db"; };
user_module_path="$UNPACKED/usr/lib/glewlwyd/user"
user_middleware_module_path="$UNPACKED/usr/lib/glewlwyd/user_middleware"
client_module_path="$UNPACKED/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="$UNPACKED/usr/lib/glewlwyd/scheme"
plugin_module_path="$UNPACKED/usr/lib/glewlwyd/plugin"
$tls
SETTINGS
    } >served.conf
    LD_LIBRARY_PATH=$(find "$UNPACKED" -type d -path '*/lib/*-linux-*' -prune | paste -sd:) \
        exec "$UNPACKED/usr/bin/glewlwyd" --config-file="$PWD/served.conf"
}

lab "$@"

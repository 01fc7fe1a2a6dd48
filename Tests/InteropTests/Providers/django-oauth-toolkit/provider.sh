#!/usr/bin/env bash
# django-oauth-toolkit in the smallest Django site, served by gunicorn.   provider.sh prepare|up|down http|https
set -euo pipefail
NAME=django-oauth-toolkit PORT_VARIABLE=DJANGO_OAUTH_TOOLKIT_PORT ISSUER_PATH=/o
PORT_HTTP=${DJANGO_OAUTH_TOOLKIT_PORT:-22020} PORT_HTTPS=${DJANGO_OAUTH_TOOLKIT_PORT_TLS:-22021}
CLIENT_IMPLICIT=lab-client-implicit
. "$(dirname "${BASH_SOURCE[0]}")/../lab.sh"

seed() {
    openssl genrsa -out key.pem 2048
    SITE_STATE=$1 PYTHONPATH=$PROVIDERS/$NAME DJANGO_SETTINGS_MODULE=site_settings "$PYTHON_BIN" "$PROVIDERS/$NAME/seed.py" \
        "$USERNAME" "$PASSWORD" "$REDIRECT_URI" "$CLIENT_SECRET" "$CLIENT authorization-code" "$CLIENT_IMPLICIT implicit"
}

serve() {
    local tls=()
    [ $# -lt 3 ] || tls=(--certfile "$2" --keyfile "$3")
    export SITE_STATE=$PWD PYTHONPATH=$PROVIDERS/$NAME DJANGO_SETTINGS_MODULE=site_settings
    exec "$PYTHON_BIN" -m gunicorn --no-control-socket --workers 1 --threads 4 --bind "127.0.0.1:$1" "${tls[@]}" 'django.core.wsgi:get_wsgi_application()'
}

lab "$@"

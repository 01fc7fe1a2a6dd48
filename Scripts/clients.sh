#!/usr/bin/env bash
# Has client libraries sign in at the reference provider with its faults, and says what is otherwise than in Tests/Fixtures/clients.tsv.
# SECONDS_OF_CLIENTS: how long the whole may take. FAULTS: patterns of faults, all of the table if there are none.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

code=0
"$root/Scripts/venv.sh" "$root/.build-clients" "$root/Scripts/clients/requirements.txt" >&2 || code=$?
case $code in
0) ;;
69 | 75)
    echo "clients: NOT RUN, because the libraries could not be installed (PyPI not reachable, or no Python)" >&2
    exit "$code"
    ;;
*) exit "$code" ;;
esac
read -ra patterns <<<"${FAULTS:-}"
exec "$root/.build-clients/bin/python" "$root/Scripts/clients/compare.py" \
    --seconds "${SECONDS_OF_CLIENTS:-1200}" --out "$root/.build-clients/measured.tsv" \
    "$root/.build/debug/oidc-preflight-provider" "${patterns[@]}"

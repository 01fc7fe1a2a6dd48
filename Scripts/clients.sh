#!/usr/bin/env bash
# Signs in with client libraries at the reference provider with each fault, and prints the differences from Tests/Fixtures/clients.tsv.
# SECONDS_OF_CLIENTS: the time limit. FAULTS: patterns of faults; default: all faults in the table.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

"$root/Scripts/venv.sh" "$root/.build-clients" "$root/Scripts/clients/requirements.txt" clients >&2
read -ra patterns <<<"${FAULTS:-}"
exec "$root/.build-clients/bin/python" "$root/Scripts/clients/compare.py" \
    --seconds "${SECONDS_OF_CLIENTS:-1200}" --out "$root/.build-clients/measured.tsv" \
    "$root/.build/debug/oidc-preflight-provider" "${patterns[@]}"

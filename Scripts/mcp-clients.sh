#!/usr/bin/env bash
# Signs in with the MCP clients of PyPI at the reference provider with each fault, and prints the step at which each stopped.
# FAULTS: patterns of faults; default: all that concern a host. PROVIDER: the program; default: that of the debug build.
# With --expect FILE, any outcome that differs from the table is an error.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

"$root/Scripts/venv.sh" "$root/.build-mcp-clients" "$root/Scripts/clients/mcp-requirements.txt" mcp-clients >&2
read -ra patterns <<<"${FAULTS:-discovery.* authorization.* token.* registration.*}"
exec "$root/.build-mcp-clients/bin/python" "$root/Scripts/clients/mcp_clients.py" \
    --out "$root/.build-mcp-clients/measured.tsv" --words "$root/.build-mcp-clients/words.tsv" \
    "$@" "${PROVIDER:-$root/.build/debug/oidc-preflight-provider}" "${patterns[@]}"

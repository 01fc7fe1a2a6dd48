#!/usr/bin/env bash
# venv.sh FOLDER REQUIREMENTS [NAME]: creates a Python environment in FOLDER with exactly the pinned packages; recreates it only if the
# pins or the interpreter change. With NAME, a failure says that NAME was not run. Exits with 75 if the package index cannot be reached, with 69 if there is no usable Python.
# Run its programs as `FOLDER/bin/python -m …`, which works even if the checkout was moved.
set -euo pipefail
folder=$1 requirements=$2
not_run() {
    [ -z "${3:-}" ] || echo "$3: NOT RUN, because its packages could not be installed ($2)" >&2
    exit "$1"
}

python=
for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
    if "$candidate" -c 'import sys, ensurepip, ssl, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "venv: no Python 3.11 or later with venv and ensurepip (Debian: python3 python3-venv)" >&2
    not_run 69 "no Python" "${3:-}"
fi

# With two callers at once, the second one waits and finds the environment complete.
mkdir -p "$folder"
exec 9<"$(dirname "$folder")"
flock 9

wanted=$({ "$python" -VV; cat "$requirements"; } | sha256sum)
if [ "$(cat "$folder/.pins" 2>/dev/null)" = "$wanted" ] && "$folder/bin/python" -c '' 2>/dev/null; then
    exit 0
fi

rm -rf "$folder"
"$python" -m venv "$folder" 9>&-
log=$folder/pip.log
if ! "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --retries 2 --timeout 10 \
    -r "$requirements" >"$log" 2>&1 </dev/null 9>&-; then
    tail -5 "$log" >&2
    if grep -qE 'connection broken|Max retries|NewConnectionError|[Tt]imed out|name resolution|ProxyError|SSLError|HTTP error [45]' "$log"; then
        not_run 75 "PyPI not reachable" "${3:-}"
    fi
    exit 1
fi
echo "$wanted" >"$folder/.pins"

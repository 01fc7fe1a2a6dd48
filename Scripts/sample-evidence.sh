#!/usr/bin/env bash
# Holds the runs again whose saved evidence the samples in Reports/samples are rendered from: the reference provider without a
# fault, with four faults for several platforms, and with a wrong password. Needs .build/debug/oidc-preflight (`make build`).
set -euo pipefail
cd "$(dirname "$0")/.."
program=$PWD/.build/debug/oidc-preflight
folder=$PWD/Tests/Fixtures/evidence/format-3
work=$(mktemp -d)
provider=
finish() {
    [ -z "$provider" ] || kill -INT "$provider" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# record NAME PROFILES PASSWORD EXIT-CODE FAULT…
record() {
    local name=$1 profiles=$2 password=$3 expected=$4 code=0
    shift 4
    local here=$work/$name stated
    mkdir "$here"
    (cd "$here" && exec "$program" provider --config-out preflight.yaml "${@/#/--fault=}" >out 2>err) &
    provider=$!
    until grep -q 'Ctrl-C ends it' "$here/out" 2>/dev/null; do
        kill -0 "$provider" || { cat "$here/err" >&2; exit 1; }
        sleep 0.1
    done
    sed -i 's/^flows:.*/flows: [code]/' "$here/preflight.yaml"
    stated=$(sed -n 's/^account .*, password //p' "$here/out")
    (
        cd "$here"
        OIDC_CLIENT_SECRET=$(sed -n 's/^secret *//p' out) OIDC_PASSWORD=${password:-$stated} \
            "$program" check -c preflight.yaml --profile "$profiles" --save-evidence "$folder/$name.json" --quiet
    ) || code=$?
    kill -INT "$provider"
    wait "$provider" || true
    provider=
    [ "$code" = "$expected" ] || { echo "$name: exit code $code, expected $expected" >&2; exit 1; }
    echo "wrote Tests/Fixtures/evidence/format-3/$name.json"
}

mkdir -p "$folder"
record open openid "" 0
record closed openid,firebase-oidc,kubernetes "" 1 \
    discovery.subject-types-supported.is-present \
    authorization.redirect-uri.added-path-is-refused \
    idtoken.aud.holds-client \
    keys.response.content-type-is-json
record undecided openid not-the-password 2

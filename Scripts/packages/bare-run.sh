#!/bin/sh
# Tests an installed package on a minimal system: bare-run.sh PROGRAM CODE-OF-DOCTOR
# Prints a line for each command, and ends with the first that fails.
set -eu
program=$1
work=$(mktemp -d)
cd "$work"

expect() {
    wanted=$1
    shift
    code=0
    "$@" >out 2>&1 || code=$?
    [ "$code" = "$wanted" ] || { cat out; echo "** $*: exit code $code, expected $wanted"; exit 1; }
}

expect 0 "$program" --version
cat out
expect "$2" "$program" doctor
sed -n '2,3p;/^problem/p' out
expect 0 "$program" demo
tail -1 out

cat >openid-configuration.json <<'JSON'
{
  "issuer": "https://idp.example.com",
  "authorization_endpoint": "https://idp.example.com/authorize",
  "token_endpoint": "https://idp.example.com/token",
  "userinfo_endpoint": "https://idp.example.com/userinfo",
  "jwks_uri": "https://idp.example.com/jwks.json",
  "response_types_supported": ["code"],
  "subject_types_supported": ["public"],
  "id_token_signing_alg_values_supported": ["RS256"]
}
JSON
expect 0 "$program" lint openid-configuration.json
tail -1 out
sed '/subject_types/d' openid-configuration.json >broken.json
expect 1 "$program" lint broken.json
tail -1 out

"$program" provider --config-out preflight.yaml >said 2>&1 &
provider=$!
trap 'kill "$provider" 2>/dev/null || true; rm -rf "$work"' EXIT
tries=0
until grep -q 'Press Ctrl-C to stop' said; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { cat said; exit 1; }
    sleep 0.1
done
OIDC_CLIENT_SECRET=$(sed -n 's/^secret *//p' said)
OIDC_PASSWORD=$(sed -n 's/^account .*, password //p' said)
export OIDC_CLIENT_SECRET OIDC_PASSWORD
expect 0 "$program" check --config preflight.yaml --require full
tail -1 out
kill "$provider"
wait "$provider" || true

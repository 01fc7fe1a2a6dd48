#!/usr/bin/env bash
# Writes the site to a folder (.build-site): the committed pages and those that the program generates. These are the page of each check,
# the manual pages, the command reference, the platforms' page and samples of all reports.
# Needs the tests built (`swift build --build-tests`).
set -euo pipefail
cd "$(dirname "$0")/.."
program=$PWD/.build/debug/oidc-preflight
site=$PWD/${1:-.build-site}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rm -rf "$site"
mkdir -p "$site"
# Copy all committed pages, so that no link leads out of the site.
git ls-files -z -- '*.md' Documentation Reports preflight.schema.json LICENSE Deploy Integrations Examples Profiles \
    Tests/Fixtures/clients.tsv Sources/Preflight/Explanations/consequences.tsv |
    xargs -0 cp --parents -t "$site"
"$program" manual --catalogue "$site/Documentation/Catalogue"
"$program" manual --pages "$site/Documentation/Manual"
"$program" manual --markdown >"$site/Documentation/Commands.md"

# Every report format of the saved runs; the exit code of `judge` is the verdict.
sample() {
    local name=$1 evidence=$2 expected=$3 code=0
    shift 3
    gzip -dc "Tests/Fixtures/evidence/format-3/$evidence.json.gz" >"$work/$evidence.json"
    COLUMNS=80 "$program" judge "$work/$evidence.json" --report-dir "$work/$name" "$@" >"$work/terminal.txt" || code=$?
    [ "$code" = "$expected" ] || { echo "site: $name ended with exit code $code, expected $expected" >&2; exit 1; }
    cp "$work/terminal.txt" "$site/Reports/samples/$name.terminal.txt"
    for file in "$work/$name"/report.*; do cp "$file" "$site/Reports/samples/$name.${file##*/report.}"; done
}
sample open open 0
sample closed closed 1 --profile openid
sample platforms closed 1
sample undecided undecided 2

cat >>"$site/README.md" <<'TEXT'

## Generated pages

[All commands](Documentation/Commands.md), [every check](Documentation/Catalogue/README.md),
[faults that clients reject](Documentation/Clients.md), [personas at the platforms](Documentation/Personas.md);
samples: [text](Reports/samples/closed.txt), [JUnit](Reports/samples/closed.xml), [JSON](Reports/samples/closed.json),
[HTML](Reports/samples/closed.html), [Markdown](Reports/samples/closed.md), [and others](Reports/samples).
TEXT

# The platforms' page needs a run of every persona for every platform.
OIDC_PREFLIGHT_SITE=$site swift test --skip-build --filter 'PlatformsGeneratedPagesTests|RefusalsGeneratedPagesTests' >"$work/platforms.log" 2>&1 ||
    { tail -40 "$work/platforms.log" >&2; exit 1; }
echo "wrote $(find "$site" -type f | wc -l) files to $site"

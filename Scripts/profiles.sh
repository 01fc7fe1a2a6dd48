#!/bin/sh
# Writes the table of built-in profiles as Swift for the build: profiles.sh OUTPUT PROFILE…
set -eu
table=$1
shift
{
    echo 'let builtInProfiles: [(name: String, yaml: String)] = ['
    for file; do
        printf '(\n"%s",\n##"""\n' "$(basename "$file" .yaml)"
        cat "$file"
        printf '\n"""##\n),\n'
    done
    echo ']'
} >"$table"

#!/bin/sh
# Judges the documents that are named, those of one folder together: a discovery document and its keys.
# Ends with the worst exit code of them.
set -u
worst=0
folders=$(for file in "$@"; do dirname -- "$file"; done | sort -u)
while IFS= read -r folder; do
    # The documents of this folder, in the place of all: what is none of them goes round once and is dropped.
    code=0
    (
        count=$#
        while [ "$count" -gt 0 ]; do
            [ "$(dirname -- "$1")" != "$folder" ] || set -- "$@" "$1"
            shift
            count=$((count - 1))
        done
        exec oidc-preflight lint -- "$@"
    ) || code=$?
    [ "$code" -le "$worst" ] || worst=$code
done <<FOLDERS
$folders
FOLDERS
exit "$worst"

#!/bin/sh
# Lints the given documents; those in one folder, a discovery document and its key set, are checked together.
# The exit code is the highest one.
set -u
worst=0
folders=$(for file in "$@"; do dirname -- "$file"; done | sort -u)
while IFS= read -r folder; do
    # Keep only the documents of this folder in "$@": each argument is shifted off once, and appended again if it is in the folder.
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

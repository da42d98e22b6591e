#!/bin/sh
# Short functions, and a reason for every long file. See lengths.awk.
#   tests/lint/lengths.sh [ROOT]
# Prints FILE:LINE: FAULT for each fault. Exits 1 when there is one, 2 when there are no files.
set -eu
[ "${1-}" != --help ] || { sed -n '/^set/q; s/^# //p' "$0"; exit; }
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
export LC_ALL=C

list=$(mktemp)
trap 'rm -f "$list"' EXIT
for folder in base chess eval search book engine tests; do
    [ ! -d "$folder" ] || find "$folder" -type f -name '*.[ch]'
done | sort >"$list"
[ -s "$list" ] || { echo "no sources below $PWD" >&2; exit 2; }

# No file of the tree has a space in its name.
# shellcheck disable=SC2046
awk -f "$here/lengths.awk" $(cat "$list")

#!/bin/sh
# Includes without circles, among files and among folders; and the arrows between folders are those
# drawn in docs/ARCHITECTURE.md. And a tag of a struct, union or enum is defined once in the whole
# tree. See includes.awk.
#   tests/lint/includes.sh [ROOT]
# Prints one line for each fault, and the block of arrows that the page should hold when it differs.
# Exits 1 when there is a fault, 2 when there are no files.
set -eu
[ "${1-}" != --help ] || { sed -n '/^set/q; s/^# //p' "$0"; exit; }
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
export LC_ALL=C
page=docs/ARCHITECTURE.md

list=$(mktemp)
trap 'rm -f "$list"' EXIT
for folder in base chess eval search book engine; do
    [ ! -d "$folder" ] || find "$folder" -type f -name '*.[ch]'
done | sort >"$list"
[ -s "$list" ] || { echo "no sources below $PWD" >&2; exit 2; }

# One run of awk must see all files. No file of the tree has a space in its name.
# shellcheck disable=SC2046
awk -v page="$page" -f "$here/includes.awk" $(cat "$list")

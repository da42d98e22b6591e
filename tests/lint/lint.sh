#!/bin/sh
# Checks the text of the sources below a folder: layers, banned calls, widths. See lint.awk.
#   tests/lint/lint.sh [ROOT]
# Prints FILE:LINE: FAULT for each fault. Exits 1 when there is one, 2 when there are no files.
set -eu
[ "${1-}" != --help ] || { sed -n '/^set/q; s/^# //p' "$0"; exit; }
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
export LC_ALL=C

list=$(mktemp)
trap 'rm -f "$list"' EXIT
# The folders are named, so that build folders and a user's own files are left alone.
for folder in base chess eval search book engine tests cmake; do
    [ ! -d "$folder" ] || find "$folder" -type f \( -name '*.[ch]' -o -name '*.sh' \
        -o -name '*.cmake' -o -name CMakeLists.txt \)
done | sort >"$list"
[ ! -f CMakeLists.txt ] || echo CMakeLists.txt >>"$list"
files=$(grep -c . "$list") || { echo "no sources below $PWD" >&2; exit 2; }

# No file of the tree has a space in its name: xargs needs no more than this.
if xargs awk -f "$here/lint.awk" <"$list"; then
    echo "$files files, no fault"
else
    exit 1
fi

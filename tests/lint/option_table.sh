#!/bin/sh
# The table of options in a document is the one that the engine prints.
#   tests/lint/option_table.sh [ENGINE [DOCUMENT]]
# Without arguments: build/caxton and docs/ENGINE.md.
set -eu
[ "${1-}" != --help ] || { sed -n '/^set/q; s/^# //p' "$0"; exit; }
root=$(cd "$(dirname "$0")/../.." && pwd)
engine=${1:-$root/build/caxton}
document=${2:-$root/docs/ENGINE.md}
command -v "$engine" >/dev/null || { echo "there is no $engine: see $0 --help" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$engine" options --markdown >"$folder/engine"
sed -n '/^<!-- options -->$/,/^<!-- end of options -->$/p' "$document" | sed '1d;$d' \
    >"$folder/document"
[ -s "$folder/engine" ] || { echo "$engine options --markdown printed nothing"; exit 1; }
if ! diff -u "$folder/document" "$folder/engine"; then
    echo "$document: replace the table between the option marks by the output of"
    echo "    caxton options --markdown"
    exit 1
fi

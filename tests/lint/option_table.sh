#!/bin/sh
# The table of options in a document is the one that the engine prints.
#   tests/lint/option_table.sh ENGINE DOCUMENT
set -eu
engine=$1
document=$2
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

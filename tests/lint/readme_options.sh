#!/bin/sh
# The option table of the README is the one the engine prints.
#   tests/lint/readme_options.sh ENGINE README
set -eu
engine=$1
readme=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$engine" options --markdown >"$folder/engine"
sed -n '/^<!-- options -->$/,/^<!-- end of options -->$/p' "$readme" | sed '1d;$d' >"$folder/readme"
[ -s "$folder/engine" ] || { echo "$engine options --markdown printed nothing"; exit 1; }
if ! diff -u "$folder/readme" "$folder/engine"; then
    echo "README.md: replace the table between the option marks by the output of"
    echo "    caxton options --markdown"
    exit 1
fi

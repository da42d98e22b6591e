#!/bin/sh
# Adds the shards up: the reduce.
#   reduce.sh LIST FOLDER OUTPUT.wld
# Fails when a shard of LIST has not been counted.
set -eu
[ $# -eq 3 ] || { echo "usage: $0 LIST FOLDER OUTPUT.wld" >&2; exit 2; }
list=$1
folder=$2
output=$3
count=$(awk 'END { print NR }' "$list") # wc -l would miss a last line without its end
set --
number=1
while [ "$number" -le "$count" ]; do
    set -- "$@" "$folder/$number.wld"
    number=$((number + 1))
done
exec "${MAKEBOOK:-makebook}" merge "$@" -o "$output" --temp "$folder"

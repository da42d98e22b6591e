#!/bin/sh
# Counts the shards of LIST with GNU parallel and adds them up.
#   parallel.sh LIST FOLDER OUTPUT.wld [OPTIONS of makebook build]
# As many shards at a time as there are processors, or $AT_ONCE, each with one thread. Started again
# after a failure, it counts only what is missing. On several machines: PARALLEL='--sshlogin ...',
# with LIST and FOLDER where all of them see them.
set -eu
[ $# -ge 3 ] || { echo "usage: $0 LIST FOLDER OUTPUT.wld [OPTIONS]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
list=$1
folder=$2
output=$3
shift 3
mkdir -p "$folder"
seq "$(awk 'END { print NR }' "$list")" |
    parallel --will-cite --halt soon,fail=1 --jobs "${AT_ONCE:-100%}" --quote \
    "$here/shard.sh" "$list" "$folder" {} --jobs 1 -q "$@"
exec "$here/reduce.sh" "$list" "$folder" "$output"

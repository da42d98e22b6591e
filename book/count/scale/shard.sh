#!/bin/sh
# Counts one shard: one step of a map.
#   shard.sh LIST FOLDER NUMBER [OPTIONS of makebook build]
# LIST names one file of games a line; NUMBER is a line of it, from 1. The counts go to
# FOLDER/NUMBER.wld. What is there already is not counted again: a .wld is there in full or not at
# all, so that whatever was interrupted is simply started once more.
# $MAKEBOOK: the program, when it is not in the PATH.
set -eu
[ $# -ge 3 ] || { echo "usage: $0 LIST FOLDER NUMBER [OPTIONS]" >&2; exit 2; }
list=$1
folder=$2
number=$3
shift 3
games=$(sed -n "${number}p" "$list")
[ -n "$games" ] || { echo "$0: $list has no line $number" >&2; exit 2; }
[ ! -e "$folder/$number.wld" ] || exit 0
# A name may begin with "-".
exec "${MAKEBOOK:-makebook}" build --stats "$folder/$number.wld" --keep-duplicates "$@" -- "$games"

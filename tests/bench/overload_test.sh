#!/usr/bin/env bash
# overload.sh with a program in the place of fastchess that writes two games down.
# Exits 0 when all is well, 1 with a line for each fault.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
mkdir "$folder/bare" "$folder/programs"
for tool in bash dirname getconf realpath mktemp rm cp awk cat tail; do
    ln -s "$(command -v "$tool")" "$folder/bare/$tool"
done
printf '#!/bin/sh\n' >"$folder/engine"
cat >"$folder/programs/fastchess" <<'END'
#!/bin/sh
echo "$*" >"$CALLS"
while [ $# -gt 0 ]; do
    case $1 in file=*.pgn) out=${1#file=} ;; esac
    shift
done
printf '[Termination "normal"]\n\n1. e4 *\n\n[Termination "%s"]\n\n1. d4 *\n' "$WAY" >"$out"
END
chmod +x "$folder/engine" "$folder/programs/fastchess"

fault()
{
    printf '%s\n' "$*"
    failed=$((failed + 1))
}

# overload STATUS PATH WAY ARGUMENTS...: what is printed is left in $output.
overload()
{
    local wanted=$1 path=$2 way=$3 status=0
    shift 3
    output=$(PATH=$path CALLS=$folder/calls WAY=$way bash "$here/overload.sh" "$@" 2>&1) ||
        status=$?
    [ "$status" -eq "$wanted" ] || fault "overload.sh $*: exit status $status, not $wanted: $output"
}

# has TEXT WHAT
has()
{
    case $1 in *"$2"*) ;; *) fault "\"$2\" is missing in: $1" ;; esac
}

all=$folder/programs:$folder/bare
overload 0 "$all" normal --games 7 --tc 40/1 --concurrency 3 --pgn "$folder/kept" "$folder/engine"
has "$output" "2 games, 0 faults"
has "$(cat "$folder/calls")" "tc=40/1"
has "$(cat "$folder/calls")" "-rounds 4 -games 2"
has "$(cat "$folder/calls")" "-concurrency 3"
has "$(cat "$folder/kept")" "1. d4"
overload 1 "$all" "time forfeit" "$folder/engine"
has "$output" "time forfeit   1"
has "$output" "2 games, 1 faults"
overload 2 "$all" normal "$folder/no_engine"
has "$output" "cannot run"
overload 2 "$all" normal --games x "$folder/engine"
has "$output" "--games wants a whole number"
overload 2 "$folder/bare" normal "$folder/engine"
has "$output" "fastchess is not on the PATH"
[ "$failed" -eq 0 ]

#!/usr/bin/env bash
# learn.sh with programs in the place of fastchess and makebook.
# Exits 0 when all is well, 1 with a line for each fault.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
mkdir "$folder/bare" "$folder/programs"
for tool in bash dirname getconf realpath mktemp rm cp mkdir awk cat tail; do
    ln -s "$(command -v "$tool")" "$folder/bare/$tool"
done
: >"$folder/a.bin"
: >"$folder/b.bin"
printf '#!/bin/sh\n' >"$folder/engine"
# Two openings; learning makes the book "learnt".
cat >"$folder/makebook" <<'END'
#!/bin/sh
echo "makebook $*" >>"$CALLS"
[ "$1" = prune ] || { echo "a report"; }
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || out=$2
    shift
done
printf '[Event "1"]\n\n1. e4 *\n\n[Event "2"]\n\n1. d4 *\n' >"$out"
END
# A book that has learnt wins its game.
cat >"$folder/programs/fastchess" <<'END'
#!/bin/sh
echo "fastchess $*" >>"$CALLS"
result=0-1
for word; do
    case $word in
    file=*) out=${word#file=} ;;
    option.BookFile=*learnt*) result=1-0 ;;
    esac
done
for game in 1 2; do
    printf '[Event "x"]\n[White "BOOK"]\n[Black "OTHER"]\n[Result "%s"]\n\n1. e4 %s\n\n' \
        $result $result
    result=1/2-1/2
done >"$out"
END
chmod +x "$folder/engine" "$folder/makebook" "$folder/programs/fastchess"

fault()
{
    printf '%s\n' "$*"
    failed=$((failed + 1))
}

# learn STATUS PATH ARGUMENTS...: what is printed is left in $output.
learn()
{
    local wanted=$1 path=$2 status=0
    shift 2
    : >"$folder/calls"
    output=$(PATH=$path CALLS=$folder/calls bash "$here/learn.sh" "$@" 2>&1) || status=$?
    [ "$status" -eq "$wanted" ] || fault "learn.sh $*: exit status $status, not $wanted: $output"
}

# has TEXT WHAT
has()
{
    case $1 in *"$2"*) ;; *) fault "\"$2\" is missing in: $1" ;; esac
}

all=$folder/programs:$folder/bare
books=("$folder/engine" "$folder/makebook" "$folder/a.bin" "$folder/b.bin")
learn 0 "$all" --games 2 --nodes 500 --rounds 2 --seed 7 --keep "$folder/kept" "${books[@]}"
has "$output" "before                    0.5 of 2 points: +0 =1 -1, -191 Elo"
has "$output" "others, before            0.5 of 2 points"
has "$output" "after learning 1          1.5 of 2 points: +1 =1 -0, +191 Elo"
has "$output" "lost again                  0 games, move by move"
has "$output" "after learning 2          1.5 of 2 points"
has "$output" "others, after             1.5 of 2 points"
has "$(cat "$folder/calls")" "nodes=500"
has "$(cat "$folder/calls")" "-srand 7 -rounds 1 -repeat"
has "$(cat "$folder/calls")" "--player BOOK --openings"
has "$(cat "$folder/calls")" "--nodes 5000"
[ -s "$folder/kept/learnt2.bin" ] || fault "--keep keeps no book"
learn 2 "$all" --games x "${books[@]}"
has "$output" "--games wants a whole number"
learn 2 "$all" "$folder/engine" "$folder/makebook" "$folder/no.bin" "$folder/b.bin"
has "$output" "cannot read $folder/no.bin"
learn 2 "$all" "$folder/engine" "$folder/makebook" "$folder/a.bin"
has "$output" "an engine, makebook and two books are wanted"
learn 2 "$folder/bare" "${books[@]}"
has "$output" "fastchess is not on the PATH"
[ "$failed" -eq 0 ]

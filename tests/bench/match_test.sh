#!/usr/bin/env bash
# match.sh with a program in the place of fastchess that writes two games down.
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
: >"$folder/a.bin"
printf '#!/bin/sh\n' >"$folder/engine"
cat >"$folder/programs/fastchess" <<'END'
#!/bin/sh
echo "$*" >"$CALLS"
while [ $# -gt 0 ]; do
    case $1 in file=*) out=${1#file=} ;; esac
    shift
done
cat >"$out" <<'PGN'
[Event "Fastchess Tournament"]
[White "BOOK"]
[Black "OTHER"]
[Result "1-0"]

1. e4 {+0.20/1 0.000s, n=1} e5 {-0.20/1 0.000s, n=1}
2. Nf3 {+0.10/1 0.000s, n=1} Nc6 {-0.30/9 0.010s, n=11}
3. Bb5 {+0.50/8 0.010s, n=1200} 1-0

[Event "Fastchess Tournament"]
[White "OTHER"]
[Black "BOOK"]
[Result "1/2-1/2"]

1. d4 {+0.20/1 0.000s, n=1} d5 {-M3/9 0.000s, n=100}
2. c4 {+0.10/1 0.000s, n=1} 1/2-1/2
PGN
END
chmod +x "$folder/engine" "$folder/programs/fastchess"

fault()
{
    printf '%s\n' "$*"
    failed=$((failed + 1))
}

# match STATUS PATH ARGUMENTS...: what is printed is left in $output.
match()
{
    local wanted=$1 path=$2 status=0
    shift 2
    output=$(PATH=$path CALLS=$folder/calls bash "$here/match.sh" "$@" 2>&1) || status=$?
    [ "$status" -eq "$wanted" ] || fault "match.sh $*: exit status $status, not $wanted: $output"
}

# has TEXT WHAT
has()
{
    case $1 in *"$2"*) ;; *) fault "\"$2\" is missing in: $1" ;; esac
}

all=$folder/programs:$folder/bare
match 0 "$all" --games 2 --nodes 500 "$folder/engine" "$folder/a.bin" none
has "$output" "games          2: +1 =1 -0, 75.0 %"
has "$output" "moves by book  1.0, the other 1.5 a game"
has "$output" "leaves first   50 % of the games"
has "$output" "score at exit  -49.75 in 2 games"
has "$output" "of the other   -0.30 in 1 games"
has "$output" "different      2"
has "$(cat "$folder/calls")" "nodes=475"
has "$(cat "$folder/calls")" "option.BookFile=$folder/a.bin"
match 0 "$all" --games 4 --nodes 1000 "$folder/engine" "$folder/a.bin" none
has "$output" "games          4: +2 =2 -0, 75.0 %"
has "$output" "different      2"
has "$(cat "$folder/calls")" "nodes=951"
match 0 "$all" --side black --games 2 "$folder/engine" "$folder/a.bin" none
has "$(cat "$folder/calls")" "-noswap"
has "$(cat "$folder/calls")" "tc=2+0.02"
match 2 "$all" "$folder/engine" "$folder/no.bin" none
has "$output" "cannot read $folder/no.bin"
match 2 "$all" --games x "$folder/engine" none none
has "$output" "--games wants a whole number"
match 2 "$all" --side white --elo0 0 --elo1 5 "$folder/engine" none none
has "$output" "an SPRT needs --side both"
match 2 "$folder/bare" "$folder/engine" none none
has "$output" "fastchess is not on the PATH"
[ "$failed" -eq 0 ]

#!/usr/bin/env bash
# screen.py with stand-ins for the engine and fastchess: of four games a side wins two more with
# A=30, loses one more with B=9, and C=2 makes no difference. Exits 0 when all is well, 1 with a
# line for each fault, 77 without python3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
mkdir "$folder/programs"

cat >"$folder/engine" <<'END'
#!/bin/sh
echo "A, int, 20, 0, 100, 5, 0.002"
echo "B, int, 7, -50, 50, 5, 0.002"
echo "C, int, 1, 0, 2, 1, 0.002"
END
cat >"$folder/programs/fastchess" <<'END'
#!/bin/sh
echo "$*" >>"$CALLS"
[ "$(wc -l <"$CALLS")" -le "$LIMIT" ] || exit 1
echo "$*" | awk '
    {
        for (i = 1; i <= NF; i++) {
            if ($i ~ /^name=/) sign = $i == "name=plus" ? 1 : -1
            if ($i == "option.A=30") surplus += sign * 2
            if ($i == "option.B=9") surplus -= sign
        }
        wins = surplus > 0 ? surplus : 0
        print "Games: 4, Wins: " wins ", Losses: " wins - surplus
    }'
END
chmod +x "$folder/engine" "$folder/programs/fastchess"

# screen STATUS BATCHES STATE ARGUMENT...: fastchess fails after BATCHES. Leaves $output.
screen()
{
    local wanted=$1 limit=$2 state=$3 status=0
    shift 3
    : >"$folder/calls"
    output=$(PATH=$folder/programs:$PATH CALLS=$folder/calls LIMIT=$limit \
        python3 -B "$here/screen.py" --concurrency 1 "$folder/engine" "$state" "$@" 2>&1) ||
        status=$?
    [ "$status" -eq "$wanted" ] || fault "exit status $status, not $wanted: $output"
}

fault()
{
    printf '%s\n' "$*"
    failed=1
}

# 347 Elo are a win a game.
screen 0 60 "$folder/whole" --games 240 A=30 B=9 C=2
wanted='240 games
+173.7 +-  0.0  A=30
  +0.0 +-  0.0  C=2
 -86.9 +-  0.0  B=9'
[ "$(sed 's/-0\.0 /+0.0 /' <<<"$output")" = "$wanted" ] || fault "not what was wanted: $output"

# Ended half-way, a run goes on: each batch is played once, and the effects are the same.
screen 1 20 "$folder/parts" --games 240 A=30 B=9 C=2
case $output in *"fastchess failed"*) ;; *) fault "no reason given: $output" ;; esac
screen 0 40 "$folder/parts" --games 240 A=30 B=9 C=2
[ "$(sed 's/-0\.0 /+0.0 /' <<<"$output")" = "$wanted" ] || fault "not the same in parts: $output"

# Changes that are made together are one.
screen 0 60 "$folder/pair" --games 240 A=30,B=9
case $output in *"+86.9 +-  0.0  A=30,B=9"*) ;; *) fault "not one change: $output" ;; esac

screen 1 0 "$folder/whole" --games 240 A=30
case $output in *"of a run with other changes"*) ;; *) fault "taken: $output" ;; esac
screen 1 0 "$folder/none" D=1
case $output in *"has no number D"*) ;; *) fault "taken: $output" ;; esac
screen 1 0 "$folder/none" A=101
case $output in *"A=101: not from 0 to 100") ;; *) fault "taken: $output" ;; esac
[ ! -e "$folder/none" ] || fault "a state without a run"
exit "$failed"

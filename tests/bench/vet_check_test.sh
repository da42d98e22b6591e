#!/usr/bin/env bash
# vet_check.sh with a program in the place of the engine.
# Exits 0 when all is well, 1 with a line for each fault.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
cat >"$folder/engine" <<'END'
#!/bin/sh
while read -r line; do
    case $line in
    isready) echo readyok ;;
    *searchmoves\ a2a3) echo "info depth 1 score cp -80 nodes 1" && echo "bestmove a2a3" ;;
    *searchmoves\ a2a4) echo "info depth 1 score mate -3 nodes 1" && echo "bestmove a2a4" ;;
    *searchmoves\ h2h3) echo "info depth 1 score cp -79 nodes 1" && echo "bestmove h2h3" ;;
    go*) echo "info depth 1 score cp 20 nodes 1" && echo "bestmove e2e4" ;;
    quit) exit 0 ;;
    esac
done
END
chmod +x "$folder/engine"
start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
{
    echo '{"findings": ['
    for move in a2a3 a2a4 h2h3; do
        printf '  {"kind": "blunder", "fen": "%s", "move": "%s", "loss_cp": 130},\n' "$start" \
            "$move"
    done
    printf '  {"kind": "drift", "fen": "%s", "move": "h2h3", "loss_cp": 7}]}\n' "$start"
} >"$folder/report.json"

fault()
{
    printf '%s\n' "$*"
    failed=$((failed + 1))
}

# check STATUS ARGUMENTS...: what is printed is left in $output.
check()
{
    local wanted=$1 status=0
    shift
    output=$(bash "$here/vet_check.sh" "$@" 2>&1) || status=$?
    [ "$status" -eq "$wanted" ] || fault "vet_check.sh $*: exit status $status: $output"
}

has()
{
    case $output in *"$1"*) ;; *) fault "\"$1\" is missing in: $output" ;; esac
}

check 0 "$folder/report.json" "$folder/engine"
has "2 of 3 confirmed: 100 centipawns or more behind the best move at depth 20"
has "not confirmed: h2h3 in $start loses 130 by the report, 99 here (-79, best 20)"
check 0 --sample 1 --margin 101 "$folder/report.json" "$folder/engine"
has "0 of 1 confirmed: 101"
check 0 --kind drift --depth 3 --table "$folder/report.json" "$folder/engine"
has "judged 7 99 20 h2h3 $start"
check 2 "$folder/none.json" "$folder/engine"
has "cannot read $folder/none.json"
check 2 --depth x "$folder/report.json" "$folder/engine"
has "--depth wants a whole number"
check 2 "$folder/report.json" "$folder/no-engine"
has "no-engine is no program"
check 2 --kind
has "--kind is blunder, line or drift"
check 2 --kind blunders "$folder/report.json" "$folder/engine"
has "--kind is blunder, line or drift"
[ -x "$here/vet_check.sh" ] || fault "vet_check.sh cannot be started by its name"
# An engine that ends at once, and one that ends later.
printf '#!/bin/sh\nexit 0\n' >"$folder/gone"
printf '#!/bin/sh\nread -r a && read -r b && echo readyok\n' >"$folder/brief"
chmod +x "$folder/gone" "$folder/brief"
for engine in gone brief; do
    check 2 "$folder/report.json" "$folder/$engine"
    has "$engine has ended"
done
[ "$failed" -eq 0 ]

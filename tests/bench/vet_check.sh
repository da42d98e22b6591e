#!/usr/bin/env bash
# Are moves that makebook vet calls blunders such? Another engine judges a sample. See --help.
set -euo pipefail
export LC_ALL=C

usage()
{
    cat <<'END'
tests/bench/vet_check.sh [OPTIONS] REPORT ENGINE

REPORT is what makebook vet --json wrote, ENGINE a UCI engine. A sample of its findings, spread
evenly over the list, is searched twice each: the whole position, and the move alone. A finding is
confirmed where the move is the margin behind. Prints those that are not, and how many are.

  --kind blunder|line|drift  which findings (blunder)
  --sample N                 how many (100); 0: all
  --depth N                  of the searches of ENGINE (20)
  --margin CP                in centipawns of ENGINE (100)
  --table                    print every judgement: both losses, move, position
END
}

fail()
{
    printf 'vet_check.sh: %s\n' "$*" >&2
    exit 2
}

read_options()
{
    kind=blunder sample=100 depth=20 margin=100 table='' names=()
    while [ $# -gt 0 ]; do
        case $1 in
        --kind)
            case ${2:-} in
            blunder | line | drift) kind=$2 && shift ;;
            *) fail "--kind is blunder, line or drift" ;;
            esac
            ;;
        --sample | --depth | --margin)
            [[ ${2:-} =~ ^[0-9]+$ ]] || fail "$1 wants a whole number"
            declare -g "${1#--}=$2" && shift ;;
        --table) table=1 ;;
        --help) usage && exit 0 ;;
        -*) fail "no such option: $1" ;;
        *) names+=("$1") ;;
        esac
        shift
    done
    [ "${#names[@]}" -eq 2 ] || { usage >&2 && exit 2; }
    report=${names[0]} engine=${names[1]}
    [ -r "$report" ] || fail "cannot read $report"
    command -v "$engine" >/dev/null || fail "$engine is no program"
}

# The sample: a line each of loss, move, position.
choose()
{
    awk -v kind="$kind" -v sample="$sample" '
        function value(name) {
            match($0, "\"" name "\": \"?[^\",}]*")
            return substr($0, RSTART, RLENGTH)
        }
        function text(name,    found) {
            found = value(name)
            sub(/^[^:]*: "?/, "", found)
            return found
        }
        text("kind") == kind { lines[++count] = text("loss_cp") " " text("move") " " text("fen") }
        END {
            wanted = sample && sample < count ? sample : count
            for (i = 0; i < wanted; i++)
                print lines[1 + int(i * count / wanted)]
        }' "$report"
}

# ask COMMANDS: sends a line; wait_for WORD: reads to the line that begins so.
ask()
{
    { printf '%s\n' "$@" >&"${uci[1]-$none}"; } 2>/dev/null || fail "$engine has ended"
}

wait_for()
{
    local line
    while IFS= read -r line <&"${uci[0]-$none}"; do
        case $line in
        "info "*" score cp "*) score=${line#* score cp } && score=${score%% *} ;;
        "info "*" score mate -"*) score=-10000 ;;
        "info "*" score mate "*) score=10000 ;;
        "$1"*) return 0 ;;
        esac
    done 2>/dev/null
    fail "$engine has ended"
}

# Sets score.
search()
{
    score=
    ask ucinewgame "position fen $1" "$2"
    wait_for bestmove
    [ -n "$score" ] || fail "$engine gave no score for $1"
}

read_options "$@"
none=99     # a file that is not open: bash forgets `uci` when the engine ends
trap '' PIPE # then writing fails
coproc uci { exec "$engine" 2>/dev/null; }
ask uci "setoption name Threads value 1" "setoption name Hash value 64" isready
wait_for readyok
total=0 confirmed=0
while read -r loss move fen; do
    search "$fen" "go depth $depth"
    best=$score
    search "$fen" "go depth $depth searchmoves $move"
    behind=$((best - score))
    total=$((total + 1))
    if [ "$behind" -ge "$margin" ]; then
        confirmed=$((confirmed + 1))
    else
        printf 'not confirmed: %s in %s loses %d by the report, %d here (%d, best %d)\n' \
            "$move" "$fen" "$loss" "$behind" "$score" "$best"
    fi
    [ -z "$table" ] || printf 'judged %d %d %d %s %s\n' "$loss" "$behind" "$best" "$move" "$fen"
done < <(choose)
ask quit
printf '%d of %d confirmed: %d centipawns or more behind the best move at depth %d\n' \
    "$confirmed" "$total" "$margin" "$depth"

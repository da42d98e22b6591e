#!/usr/bin/env bash
# Plays the games that the chances to win, draw and lose are fitted to, and fits them. See --help.
set -euo pipefail
export LC_ALL=C

usage()
{
    cat <<'END'
eval/train/wdl.sh ENGINE FOLDER GAMES NODES OPENINGS...

ENGINE plays GAMES games against itself at NODES nodes a move, from each of the files of OPENINGS
(.epd or .pgn) in turn, no opening twice. The games are kept in FOLDER in parts of 500: run it again
and it goes on. Then wdl.py prints the numbers for book/uci/wdl.c and eval/eval.h. Games end on the
board, when both sides see +-10 four times, or as draws of 0.05 from move 60 on.

    eval/train/wdl.sh build/caxton wdl 20000 3000 uho_4060_20k.epd 8moves_v3.pgn

Needs fastchess on the PATH (https://github.com/Disservin/fastchess).
END
}

fail()
{
    printf 'wdl.sh: %s\n' "$*" >&2
    exit 2
}

case ${1-} in --help | -h)
    usage
    exit 0
    ;;
esac
[ $# -ge 5 ] || fail "too few arguments (see --help)"
for number in "$3" "$4"; do
    [[ $number =~ ^[1-9][0-9]{0,8}$ ]] || fail "\"$number\" is no whole number"
done
command -v fastchess >/dev/null || fail "fastchess is not on the PATH"
here=$(cd "$(dirname "$0")" && pwd)
engine=$(realpath -e -- "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
games=$3 nodes=$4
shift 4
openings=()
for file in "$@"; do
    openings+=("$(realpath -e -- "$file")")
done

for ((part = 0; part * 500 < games; part++)); do
    [ ! -s "$folder/part_$part.pgn" ] || continue
    file=${openings[part % ${#openings[@]}]}
    rm -rf "$folder/run"
    mkdir "$folder/run"
    (
        cd "$folder/run" # fastchess writes its state into the current folder
        fastchess -engine cmd="$engine" name=A -engine cmd="$engine" name=B \
            -each proto=uci tc=inf nodes="$nodes" option.Hash=4 option.OwnBook=false \
            -openings file="$file" format="${file##*.}" order=sequential \
            start=$((part / ${#openings[@]} * 500 + 1)) \
            -rounds $((games - part * 500 < 500 ? games - part * 500 : 500)) -games 1 -noswap \
            -concurrency "$(getconf _NPROCESSORS_ONLN)" \
            -resign movecount=4 score=1000 twosided=true -draw movenumber=60 movecount=10 score=5 \
            -pgnout file=part.pgn notation=uci nodes=true -ratinginterval 0 -scoreinterval 0 \
            >log 2>&1
    ) || fail "fastchess failed: $(tail -n 3 "$folder/run/log")"
    mv "$folder/run/part.pgn" "$folder/part_$part.pgn"
done
rm -rf "$folder/run"
python3 "$here/wdl.py" "$folder"/part_*.pgn

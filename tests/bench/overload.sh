#!/usr/bin/env bash
# Does the engine keep its time when the machine has too much to do? See --help.
set -euo pipefail
export LC_ALL=C

usage()
{
    cat <<'END'
tests/bench/overload.sh [OPTIONS] ENGINE

ENGINE plays itself by fastchess, more games at a time than there are processors for. Prints how
many games ended in which way; exits 1 when one was lost on time, by an illegal move, or because the
engine had gone.

  --games N          (3000)
  --tc TC            seconds+increment, or moves/seconds (0.5+0.005)
  --concurrency N    games at a time (twice the number of processors)
  --pgn FILE         keep the games

Needs fastchess on the PATH (https://github.com/Disservin/fastchess).
END
}

fail()
{
    printf 'overload.sh: %s\n' "$*" >&2
    exit 2
}

games=3000 tc=0.5+0.005 concurrency=$((2 * $(getconf _NPROCESSORS_ONLN))) pgn='' engine=''
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h)
        usage
        exit 0
        ;;
    --*) [ $# -gt 1 ] || fail "$1 wants a value" ;;
    *)
        engine=$1
        shift
        continue
        ;;
    esac
    case $1 in
    --games | --concurrency)
        [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || fail "$1 wants a whole number, not \"$2\""
        ;;
    esac
    case $1 in
    --games) games=$2 ;;
    --tc) tc=$2 ;;
    --concurrency) concurrency=$2 ;;
    --pgn) pgn=$(realpath -m -- "$2") ;;
    *) fail "no such option: $1 (see --help)" ;;
    esac
    shift 2
done
[ -n "$engine" ] || fail "an engine is wanted (see --help)"
[ -x "$engine" ] || fail "cannot run $engine"
engine=$(realpath -- "$engine")
command -v fastchess >/dev/null ||
    fail "fastchess is not on the PATH; get it from https://github.com/Disservin/fastchess"
openings=$(cd "$(dirname "$0")/../data/openings" && pwd)/uho_sample.epd

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" # fastchess writes its state into the current folder
# -recover: the match goes on after an engine has gone. No adjudication: long games are wanted.
fastchess -engine cmd="$engine" name=A -engine cmd="$engine" name=B \
    -each proto=uci tc="$tc" option.Hash=16 option.OwnBook=false \
    -openings file="$openings" format=epd order=random -rounds $(((games + 1) / 2)) -games 2 \
    -repeat -concurrency "$concurrency" -force-concurrency -recover -ratinginterval 0 \
    -scoreinterval 0 -pgnout file="$folder/games.pgn" >"$folder/log" 2>&1 || {
    tail -n 5 "$folder/log" >&2
    fail "fastchess failed"
}
[ -s games.pgn ] || fail "fastchess wrote no games"
[ -z "$pgn" ] || cp -- games.pgn "$pgn"
awk -F '"' '
    /^\[Termination "/ { count[$2]++; games++ }
    END {
        for (way in count) {
            printf "%-14s %d\n", way, count[way]
            if (way != "normal") bad += count[way]
        }
        printf "%d games, %d faults\n", games, bad
        exit games == 0 || bad > 0
    }' games.pgn

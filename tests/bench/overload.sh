#!/usr/bin/env bash
# Does the engine keep its time when the machine has too much to do? See --help.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"

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

games=3000 tc=0.5+0.005 concurrency=$((2 * $(getconf _NPROCESSORS_ONLN))) pgn=''
read_options "games:count tc:text concurrency:count pgn:file" "$@"
[ "${#names[@]}" -eq 1 ] || fail "an engine is wanted (see --help)"
engine=$(program_path "${names[0]}")
want_fastchess

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# -recover: the match goes on after an engine has gone. No adjudication: long games are wanted.
run_fastchess games.pgn -engine cmd="$engine" name=A -engine cmd="$engine" name=B \
    -each proto=uci tc="$tc" option.Hash=16 option.OwnBook=false \
    -openings file="$here/../data/openings/uho_sample.epd" format=epd order=random \
    -rounds $(((games + 1) / 2)) -games 2 -repeat -concurrency "$concurrency" \
    -force-concurrency -recover
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

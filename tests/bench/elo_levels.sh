#!/usr/bin/env bash
# Is UCI_Elo what it says? Caxton's levels against those of another engine. See --help.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"

usage()
{
    cat <<'TEXT'
tests/bench/elo_levels.sh [OPTIONS] ENGINE OPPONENT

For each level ENGINE plays OPPONENT by fastchess, both with UCI_LimitStrength and UCI_Elo at the
level; where OPPONENT's scale ends (Stockfish 15: 1350 to 2850), at the nearest that it has. Prints
a row for each level: what ENGINE's games are worth on OPPONENT's scale, with 95 % bounds.

  --games N        for each level (200)
  --levels "E..."  ("1320 1590 1850 2120 2390 2650 2920 3190")
  --tc TC          the clock of both, seconds+increment (10+0.1)
  --nodes N        nodes a move for OPPONENT, and no clock: does not depend on how busy the machine
                   is, but high levels need many. ENGINE's level is nodes in any case
  --openings FILE  .epd or .pgn (tests/data/openings/uho_sample.epd)
  --concurrency N  games at a time (number of processors)
  --keep FOLDER    keep the games there

Needs fastchess on the PATH (https://github.com/Disservin/fastchess).
TEXT
}

set_up()
{
    games=200 levels='1320 1590 1850 2120 2390 2650 2920 3190' tc=10+0.1 nodes='' keep=''
    openings=$here/../data/openings/uho_sample.epd concurrency=$(getconf _NPROCESSORS_ONLN)
    read_options "games:count levels:text tc:text nodes:count openings:file concurrency:count
        keep:file" "$@"
    [ "${#names[@]}" -eq 2 ] || fail "two engines are wanted (see --help)"
    local level
    for level in $levels; do
        is_count "$level" || fail "\"$level\" is no level"
    done
    engine=$(program_path "${names[0]}")
    opponent=$(program_path "${names[1]}")
    openings=$(file_path "$openings")
    want_fastchess
}

# elo_range PROGRAM: the smallest and the largest UCI_Elo.
elo_range()
{
    printf 'uci\nquit\n' | "$1" |
        sed -n 's/^option name UCI_Elo .*min \([0-9]*\) max \([0-9]*\).*/\1 \2/p'
}

# within NUMBER LEAST MOST
within()
{
    echo $(($1 < $2 ? $2 : $1 > $3 ? $3 : $1))
}

# play OURS THEIRS: games.pgn in the current folder.
play()
{
    local mine=(tc="$tc") theirs=(tc="$tc")
    [ -z "$nodes" ] || mine=(tc=inf nodes=1000000000) theirs=(tc=inf nodes="$nodes")
    run_fastchess games.pgn \
        -engine cmd="$engine" name=ENGINE option.UCI_Elo="$1" option.OwnBook=false "${mine[@]}" \
        -engine cmd="$opponent" name=OPPONENT option.UCI_Elo="$2" "${theirs[@]}" \
        -each proto=uci option.Hash=16 option.UCI_LimitStrength=true \
        -openings file="$openings" format="${openings##*.}" order=random -srand "$1" \
        -rounds $(((games + 1) / 2)) -games 2 -concurrency "$concurrency" \
        -resign movecount=4 score=900 twosided=true -draw movenumber=60 movecount=8 score=10
}

# report LEVEL THEIRS
report()
{
    awk -v level="$1" -v theirs="$2" "$elo_function"'
    /^\[White "/ { is_white = /"ENGINE"/ }
    /^\[Result "1\/2/ { draws++ }
    /^\[Result "1-0/ { if (is_white) wins++; else losses++ }
    /^\[Result "0-1/ { if (is_white) losses++; else wins++ }
    END {
        n = wins + draws + losses
        if (!n) exit 1
        s = (wins + draws / 2) / n
        if (s <= 0 || s >= 1) {
            printf "%5d  %8d  %d of %d points: too far apart\n", level, theirs, s * n, n
            exit
        }
        error = wins * (1 - s) ^ 2 + draws * (0.5 - s) ^ 2 + losses * s ^ 2
        error = 1.96 * sqrt(error) / n
        printf "%5d  %8d  +%d =%d -%d  %5.1f %%  %4.0f (%.0f to %.0f)\n", level, theirs, wins,
            draws, losses, 100 * s, theirs + elo(s), theirs + elo(s - error),
            theirs + elo(s + error)
    }' games.pgn
}

set_up "$@"
read -r mine_least mine_most < <(elo_range "$engine") || fail "$engine has no UCI_Elo"
read -r least most < <(elo_range "$opponent") || fail "$opponent has no UCI_Elo"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "level  opponent  games and score  measured (95 %)"
for level in $levels; do
    theirs=$(within "$level" "$least" "$most")
    mkdir "$folder/$level"
    cd "$folder/$level"
    play "$(within "$level" "$mine_least" "$mine_most")" "$theirs"
    report "$level" "$theirs"
    [ -z "$keep" ] || {
        mkdir -p "$keep"
        cp games.pgn "$keep/$level.pgn"
    }
done

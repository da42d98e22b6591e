#!/usr/bin/env bash
# Is a book worth having? One engine plays itself, the same in all but the book. See --help.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"

usage()
{
    cat <<'END'
tests/bench/match.sh [OPTIONS] ENGINE BOOK OTHER

ENGINE plays itself by fastchess: one side has BOOK, the other OTHER ("none": no book). Prints wins,
draws and losses of BOOK, Elo with 99 % bounds, the moves that each side makes from its book, who
leaves it first, and the score that each side sees when its first search ends. Games that are the
same to the last move count as one for the bounds.

  --side white|black|both  the side that has BOOK (both: in turn)
  --games N          (1000)
  --tc TC            a clock, seconds+increment (2+0.02)
  --nodes N          nodes a move instead of a clock: no gain comes from time that the book saves.
                     The games are played in up to 100 parts with 95 to 105 % of N: else too many
                     games would be the same
  --hash MB          hash table of each engine (16)
  --concurrency N    games at a time (number of processors)
  --elo0 E --elo1 E  an SPRT with these bounds may end the match early; with --side both
  --pgn FILE         keep the games

Needs fastchess on the PATH (https://github.com/Disservin/fastchess). A book move is known by its
search of one node.
END
}

set_up()
{
    side=both games=1000 tc=2+0.02 nodes='' hash=16 concurrency=$(getconf _NPROCESSORS_ONLN)
    elo0='' elo1='' pgn=''
    read_options "side:text games:count tc:text nodes:count hash:count concurrency:count
        elo0:number elo1:number pgn:file" "$@"
    [ "${#names[@]}" -eq 3 ] || fail "an engine and two books are wanted (see --help)"
    case $side in white | black | both) ;; *) fail "--side is white, black or both" ;; esac
    [ "${elo0:+x}" = "${elo1:+x}" ] || fail "--elo0 and --elo1 go together"
    [ -z "$elo0" ] || [ "$side" = both ] || fail "an SPRT needs --side both"
    engine=$(program_path "${names[0]}")
    want_fastchess
}

# book_options NAME: sets `options`, how the engine is told of its book.
book_options()
{
    options=(option.OwnBook=false)
    [ "$1" != none ] || return 0
    local book
    book=$(file_path "$1")
    options=(option.OwnBook=true option.BookFile="$book")
}

# play_part LIMIT GAMES: adds games to games.pgn.
play_part()
{
    local order=(-rounds $((($2 + 1) / 2)) -games 2)
    [ "$side" = both ] || order=(-rounds "$2" -games 1 -noswap)
    run_fastchess part.pgn "${players[@]}" -each proto=uci "$1" option.Hash="$hash" \
        "${order[@]}" -concurrency "$concurrency" -draw movenumber=40 movecount=8 score=10 \
        -resign movecount=4 score=600
    cat part.pgn >>games.pgn
}

play()
{
    local book other limit size part parts=100
    book_options "${names[1]}"
    book=(-engine cmd="$engine" name=BOOK "${options[@]}")
    book_options "${names[2]}"
    other=(-engine cmd="$engine" name=OTHER "${options[@]}")
    players=("${book[@]}" "${other[@]}")
    [ "$side" != black ] || players=("${other[@]}" "${book[@]}")
    [ -z "$elo0" ] || players+=(-sprt elo0="$elo0" elo1="$elo1" alpha=0.05 beta=0.05)
    cd "$folder"
    if [ -z "$nodes" ] || [ -n "$elo0" ]; then
        limit=tc=$tc
        [ -z "$nodes" ] || limit=nodes=$nodes
        play_part "$limit" "$games"
    else
        size=$(((games + parts - 1) / parts))
        [ "$side" != both ] || size=$(((size + 1) / 2 * 2))
        for ((part = 0; part * size < games; part++)); do
            play_part "nodes=$((nodes * (950 + part) / 1000))" \
                $((games - part * size < size ? games - part * size : size))
        done
    fi
    [ -z "$pgn" ] || cp -- games.pgn "$pgn"
}

# The games, one comment a move: {+0.12/9 0.010s, n=12345}.
report()
{
    awk "$elo_function"'
    function end_game(    i, us) {
        if (!plies) return
        us = white == "BOOK" ? 0 : 1
        games++
        points = result == "1/2-1/2" ? 0.5 : (result == "1-0") == (us == 0)
        wins += points == 1; draws += points == 0.5; losses += points == 0
        for (i = 0; i < 2; i++) {
            who = i == us
            moves[who] += book[i]
            if (left[i]) { exits[who]++; scores[who] += exit_score[i] }
        }
        first[left[us] && (!left[1 - us] || left[us] < left[1 - us]) ? 1 : 0]++
        same[us moves_made]++
        value[us moves_made] = points
        plies = 0
    }
    /^\[Event / { end_game(); book[0] = book[1] = left[0] = left[1] = 0; moves_made = "" }
    /^\[White "/ { split($0, part, "\""); white = part[2] }
    /^\[Result "/ { split($0, part, "\""); result = part[2] }
    !/^\[/ {
        line = $0
        bare = $0
        gsub(/\{[^}]*\}/, "", bare)
        moves_made = moves_made bare
        while (match(line, /\{[^}]*\}/)) {
            comment = substr(line, RSTART + 1, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
            turn = plies++ % 2
            if (left[turn]) continue
            if (comment ~ /n=1$|n=1,/) { book[turn]++; continue }
            left[turn] = plies
            exit_score[turn] = comment ~ /^[-+]?M/ ? (comment ~ /^-/ ? -100 : 100) : comment + 0
        }
    }
    END {
        end_game()
        if (!games) exit 1
        s = (wins + draws / 2) / games
        for (game in same) {
            different++
            variance += (same[game] * (value[game] - s)) ^ 2
        }
        error = 2.576 * sqrt(variance) / games
        printf "games          %d: +%d =%d -%d, %.1f %%\n", games, wins, draws, losses, 100 * s
        printf "different      %d\n", different
        printf "Elo            %+.0f (99 %%: %+.0f to %+.0f)\n", elo(s), elo(s - error),
            elo(s + error)
        printf "moves by book  %.1f, the other %.1f a game\n", moves[1] / games, moves[0] / games
        printf "leaves first   %.0f %% of the games\n", 100 * first[1] / games
        for (i = 1; i >= 0; i--)
            if (exits[i])
                printf "%-14s %+.2f in %d games\n", i ? "score at exit" : "of the other",
                    scores[i] / exits[i], exits[i]
    }' games.pgn
}

set_up "$@"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
play
report

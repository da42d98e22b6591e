#!/usr/bin/env bash
# Does a book that learns score more? The same pairings before and after. See --help.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"

usage()
{
    cat <<'END'
tests/bench/learn.sh [OPTIONS] ENGINE MAKEBOOK BOOK OTHER

ENGINE plays itself by fastchess at fixed nodes: one side has BOOK, the other OTHER. The games begin
with openings out of BOOK, each once with either colour, and both sides always play the heaviest
move of their book: so the same pairings give the same games. Then BOOK learns from them (makebook
learn), and the same pairings are played again, and others that it did not learn from.

  --games N          of each match (200)
  --nodes N          a move (2000)
  --learn-nodes N    of each search after a loss (ten times --nodes)
  --margin CP        of makebook learn (20)
  --plies N          of the openings (6)
  --seed N           which openings are taken, and in which order (1)
  --rounds N         learn and play again so often (1)
  --concurrency N    games and searches at a time (number of processors)
  --keep FOLDER      keep games and books there

Needs fastchess on the PATH (https://github.com/Disservin/fastchess).
END
}

set_up()
{
    games=200 nodes=2000 learn_nodes='' margin=20 plies=6 seed=1 rounds=1 keep=''
    concurrency=$(getconf _NPROCESSORS_ONLN)
    read_options "games:count nodes:count learn-nodes:count margin:count plies:count seed:count
        rounds:count concurrency:count keep:file" "$@"
    [ "${#names[@]}" -eq 4 ] || fail "an engine, makebook and two books are wanted (see --help)"
    engine=$(program_path "${names[0]}")
    makebook=$(program_path "${names[1]}")
    book=$(file_path "${names[2]}")
    other=$(file_path "${names[3]}")
    learn_nodes=${learn_nodes:-$((10 * nodes))}
    want_fastchess
}

# The first plies of BOOK by its better moves; every other line is for the control.
take_openings()
{
    "$makebook" prune "$book" -o "$folder/lines.pgn" --max-ply "$plies" --best 3 \
        --min-reach 0.02 -q >"$folder/log" 2>&1 || fail "$(tail -n 1 "$folder/log")"
    awk -v learn="$folder/same.pgn" -v control="$folder/new.pgn" '
        /^\[Event / { n++ }
        { print > (n % 2 ? learn : control) }' "$folder/lines.pgn"
    [ -s "$folder/new.pgn" ] || fail "the book has too few lines of $plies plies"
}

# play OPENINGS BOOK GAMES
play()
{
    run_fastchess "$3" \
        -engine cmd="$engine" name=BOOK option.BookFile="$2" \
        -engine cmd="$engine" name=OTHER option.BookFile="$other" \
        -each proto=uci nodes="$nodes" option.Hash=16 option.OwnBook=true \
        option.BookSelection=best -openings file="$1" format=pgn order=random \
        plies="$plies" -srand "$seed" -rounds $(((games + 1) / 2)) -repeat \
        -concurrency "$concurrency" -draw movenumber=40 movecount=8 score=10 \
        -resign movecount=4 score=600
}

# count WHAT GAMES: what BOOK scored.
count()
{
    awk -v what="$1" "$elo_function"'
        /^\[White "/ { split($0, part, "\""); white = part[2] == "BOOK" }
        /^\[Result "/ {
            split($0, part, "\"")
            games++
            if (part[2] == "1/2-1/2") draws++
            else if ((part[2] == "1-0") == white) wins++
        }
        END {
            if (!games) exit 1
            points = wins + draws / 2
            printf "%-22s %6.1f of %d points: +%d =%d -%d, %+.0f Elo\n", what, points, games, wins,
                draws, games - wins - draws, elo(points / games)
        }' "$folder/$2"
}

# lost_again BEFORE AFTER: how many games of AFTER were lost by the moves of a lost game of BEFORE.
lost_again()
{
    awk '
        function end_game() {
            if (moves != "" && lost && first) before[moves] = 1
            if (moves != "" && lost && !first && moves in before) again++
            moves = ""
        }
        FNR == 1 { end_game(); first = NR == 1 }
        /^\[Event / { end_game() }
        /^\[White "/ { split($0, part, "\""); white = part[2] == "BOOK" }
        /^\[Result "/ { split($0, part, "\""); lost = part[2] == (white ? "0-1" : "1-0") }
        !/^\[/ { gsub(/\{[^}]*\}/, ""); gsub(/[ \t\r]+/, " "); moves = moves white $0 }
        END {
            end_game()
            printf "%-22s %6d games, move by move\n", "lost again", again
        }' "$folder/$1" "$folder/$2"
}

set_up "$@"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
take_openings
play same.pgn "$book" before.pgn
count "before" before.pgn
play new.pgn "$book" new_before.pgn
count "others, before" new_before.pgn
present=$book
last=before.pgn
for ((round = 1; round <= rounds; round++)); do
    learnt=$folder/learnt$round.bin
    "$makebook" learn "$folder/$last" --book "$present" --player BOOK --openings -o "$learnt" \
        --store "$folder/store" --nodes "$learn_nodes" --margin "$margin" \
        --threads "$concurrency" >"$folder/learnt$round.txt" 2>&1 ||
        fail "$(tail -n 1 "$folder/learnt$round.txt")"
    present=$learnt
    last=after$round.pgn
    play same.pgn "$present" "$last"
    count "after learning $round" "$last"
    lost_again before.pgn "$last"
done
play new.pgn "$present" new_after.pgn
count "others, after" new_after.pgn
[ -z "$keep" ] || { mkdir -p "$keep" && cp -- "$folder"/*.pgn "$folder"/learnt* "$keep"; }

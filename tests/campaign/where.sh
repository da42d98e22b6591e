#!/bin/sh
# Compares the games that makebook show --where finds with those that awk finds.
#   where.sh MAKEBOOK [GAMES]
# The made games (GAMES, 20000) have pawn pushes of one step only, so that a position is how far
# each pawn has come, whatever the order.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -ge 1 ] || { echo "usage: $0 MAKEBOOK [GAMES]" >&2; exit 2; }
makebook=$1
unset CAMPAIGN_PGN
start_work
campaign_games "${2:-20000}" >"$work/games.pgn"
for line in "1. e3" "1. e3 e6 2. d3" "1. a3 a6 2. b3" "1. c3 d6 2. c4 d5"; do
    counted=$(awk -v line="$line" '
        function push(square, side, file) {
            file = index("abcdefgh", substr(square, 1, 1))
            gone[side, file] = square
        }
        function position(i, text) {
            for (i = 1; i <= 8; i++)
                text = text "," gone["w", i] "," gone["b", i]
            return text
        }
        function walk(moves, wanted, words, count, i, plies) {
            split("", gone)
            count = split(moves, words, " ")
            for (i = 1; i <= count; i++) {
                if (words[i] !~ /^[a-h][3-6]$/)
                    continue
                push(words[i], plies++ % 2 ? "b" : "w")
                if (wanted && plies == depth && position() == wanted)
                    return 1
            }
            depth = wanted ? depth : plies
            return 0
        }
        function end_game() { games += moves && walk(moves, target); moves = "" }
        BEGIN { walk(line, ""); target = position() }
        /^\[/ { end_game() }
        /^[0-9]/ { moves = moves " " $0 }
        END { end_game(); print games + 0 }' "$work/games.pgn")
    "$makebook" show builtin "$line" --where "$work/games.pgn" >"$work/shown" 2>"$work/errors" || :
    shown=$(sed -n 's/^\([0-9]*\) of .* games come to .*/\1/p' "$work/shown")
    [ "$shown" = "$counted" ] || fail "$line: awk finds $counted games, makebook ${shown:-none}"
    echo "$campaign: $line: $counted games"
done

#!/bin/sh
# Takes the table of statistics into SQLite as makebook dump --schema sqlite says.
#   dump_sql_test.sh MAKEBOOK
set -eu
makebook=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# game DATE WHITE BLACK TIME_CONTROL RESULT MOVES
game()
{
    printf '[Date "%s"]\n[WhiteElo "%s"]\n[BlackElo "%s"]\n[TimeControl "%s"]\n\n%s %s\n\n' \
        "$1" "$2" "$3" "$4" "$6" "$5"
}
{
    game 2024.01.05 1700 1710 180+2 1-0 "1. e4 e5"
    game 2024.02.01 1701 1750 600+0 1/2-1/2 "1. e4 c5"
    game 2024.02.01 1650 1690 300+0 0-1 "1. d4 d5"
    game 2025.03.04 2230 2280 180+0 1-0 "1. e4 e6"
    game 2023.12.31 2230 2280 180+0 0-1 "1. e4 e6 2. d4" # too early
    game 2024.02.01 1700 1710 60+0 0-1 "1. e4 d5"        # bullet
    game 2024.02.01 '?' 1710 180+0 0-1 "1. c4 d5"        # of unknown rating
} >games.pgn
"$makebook" build games.pgn --stats all.wld -q
"$makebook" dump all.wld --csv >moves.csv
{
    "$makebook" dump --schema sqlite
    echo "SELECT count(*), sum(games), sum(wins), sum(draws), sum(losses) FROM moves;"
    echo "SELECT uci, month, speed, rating_group, games FROM moves WHERE san = 'e6' ORDER BY month;"
} | sqlite3 :memory: >found
cat >expected <<'END'
1600|e4|2|75.0|1701.0
1600|d4|1|0.0|1650.0
2200|e4|1|100.0|2230.0
15|15|6|2|7
e7e6|2023-12|blitz|2200|1
e7e6|2025-03|blitz|2200|1
END
diff expected found

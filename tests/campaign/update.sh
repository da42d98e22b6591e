#!/usr/bin/env bash
# Adds games to statistics month by month, some of them twice, kills the program meanwhile, and
# compares with one build of all games and with a count by awk.
#   update.sh MAKEBOOK [ROUNDS [GAMES [SEED]]]
# ROUNDS (20) months; each is added after two runs that are killed at random moments: the statistics
# are then what they were, or already the sum.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -ge 1 ] || { echo "usage: $0 MAKEBOOK [ROUNDS [GAMES [SEED]]]" >&2; exit 2; }
makebook=$1
rounds=${2:-20}
games=${3:-40000}
RANDOM=${4:-1}
start_work
mkdir "$work/out" "$work/temp"

campaign_games "$games" >"$work/all.pgn"
# Every month has its games, and every seventh of another month.
awk -v months="$rounds" -v folder="$work" '
    /^\[Event "/ { month = games % months; again = games % 7 ? month : (games * 5 + 1) % months
                   games++ }
    { print >(folder "/" month ".pgn"); if (again != month) print >(folder "/" again ".pgn") }
    ' "$work/all.pgn"

add() # MONTH
{
    exec "$makebook" build "$work/$1.pgn" --add-to "$work/out/all.wld" --max-ply 60 --memory 1 \
        --temp "$work/temp" -q
}

"$makebook" build "$work/0.pgn" --stats "$work/out/all.wld" --updatable --max-ply 60 -q
cp "$work/out/all.wld" "$work/right.wld"
inputs=("$work/0.pgn")
killed=0 early=0
for ((month = 1; month < rounds; month++)); do
    inputs+=("$work/$month.pgn")
    cp "$work/right.wld" "$work/old.wld"
    "$makebook" build "${inputs[@]}" --stats "$work/right.wld" --updatable --max-ply 60 -q
    for ((kill = 0; kill < 2; kill++)); do
        add "$month" &
        pid=$!
        # Half of them when the sum is being written.
        while [ $kill -eq 1 ] && [ ! -e "$work/out/all.wld.$pid-0" ] && [ -e "/proc/$pid/exe" ]; do
            :
        done
        sleep "0.0$((RANDOM % 10))"
        kill -s KILL "$pid" 2>/dev/null || :
        wait "$pid" 2>/dev/null && early=$((early + 1)) || killed=$((killed + 1))
        same "$work/out/all.wld" "$work/old.wld" || same "$work/out/all.wld" "$work/right.wld" ||
            fail "month $month, killed: neither what it was nor the sum"
        rm -f "$work/out/all.wld.$pid-0"
    done
    (add "$month") || fail "month $month cannot be added"
    same "$work/out/all.wld" "$work/right.wld" || fail "month $month: not the build of all games"
done
[ -z "$(ls -A "$work/temp")" ] || fail "left in the temporary folder: $(ls -A "$work/temp")"

# By awk: different games by their first move.
awk '
    /^\[(White|Black|Result) / { tags = tags $0 }
    /^\[Event / { tags = moves = "" }
    /^[0-9]/ { moves = moves " " $0 }
    /^$/ && moves { if (!seen[tags moves]++) { split(moves, words, " "); first[words[2]]++ }
                    moves = "" }
    END { for (move in first) print move, first[move] }' "${inputs[@]}" | sort >"$work/counted"
"$makebook" show "$work/out/all.wld" --json |
    sed -n 's/.*"san": "\([^"]*\)".*"games": \([0-9]*\).*/\1 \2/p' | sort >"$work/shown"
same "$work/counted" "$work/shown" ||
    fail "awk counts other games: $(diff "$work/counted" "$work/shown" | head -3)"
different=$(awk '{ sum += $2 } END { print sum }' "$work/counted")
echo "$campaign: $rounds months, $different different games, $killed runs killed in time," \
    "$early too late: every sum is the build of all games"

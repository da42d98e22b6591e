#!/bin/sh
# A real client plays a real game: xboard, under a display of its own, lets two copies of the engine
# meet through the Debian polyglot adapter, both playing from the engine's book.
#   tests/clients/xboard_game.sh ENGINE [FOLDER]
# Needs xboard, polyglot, xvfb and pgn-extract. Passes when xboard ends by itself with exactly one
# game that was decided on the board, that pgn-extract accepts and whose first moves came from the
# book. The game and the logs stay in FOLDER (default: a scratch folder, removed).
set -eu
[ $# -ge 1 ] || { echo "usage: $0 ENGINE [FOLDER]" >&2; exit 2; }
PATH=$PATH:/usr/games
engine=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
scratch=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
folder=${2:-$scratch}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
rm -f "$folder/game.pgn" "$folder"/*.log
# Settings of whoever runs this are neither read nor written.
HOME=$scratch
export HOME PATH

fail()
{
    echo "xboard game: $*" >&2
    for log in xboard white; do
        [ -s "$folder/$log.log" ] || continue
        echo "-- end of $log.log" >&2
        tail -n 30 "$folder/$log.log" >&2
    done
    exit 1
}

for tool in Xvfb xboard polyglot pgn-extract timeout; do
    command -v "$tool" >/dev/null || fail "$tool is not installed"
done
[ -x "$engine" ] || fail "$engine is not a program"

# The server picks a free display and says which.
Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp 3>"$scratch/display" \
    >"$folder/xvfb.log" 2>&1 </dev/null &
server=$!
for _ in $(seq 150); do
    [ ! -s "$scratch/display" ] || break
    kill -0 "$server" 2>/dev/null || fail "Xvfb does not start: $(cat "$folder/xvfb.log")"
    sleep 0.2
done
[ -s "$scratch/display" ] || fail "Xvfb is not ready after 30 s"

adapter()
{
    echo "polyglot -noini -ec '$engine' -ed '$scratch' -log true -lf $folder/$1.log"
}
status=0
DISPLAY=:$(cat "$scratch/display") timeout -k 10 300 xboard \
    -fcp "$(adapter white)" -scp "$(adapter black)" -fd "$scratch" -sd "$scratch" \
    -matchMode true -matchGames 1 -timeControl 0:10 -timeIncrement 0 -movesPerSession 0 \
    -firstHasOwnBookUCI true -secondHasOwnBookUCI true -usePolyglotBook false \
    -ponderNextMove false -testClaims true \
    -saveGameFile "$folder/game.pgn" -pgnExtendedInfo true -saveSettingsOnExit false \
    -popupExitMessage false -popupMoveErrors false -soundProgram true \
    >"$folder/xboard.log" 2>&1 </dev/null || status=$?
[ "$status" -ne 124 ] || fail "no end after 300 s"
[ "$status" -eq 0 ] || fail "xboard ended with $status"

[ -s "$folder/game.pgn" ] || fail "no game was saved"
games=$(grep -c '^\[Event ' "$folder/game.pgn") || true
[ "$games" -eq 1 ] || fail "$games games instead of one"
result=$(sed -n 's/^\[Result "\(.*\)"\]/\1/p' "$folder/game.pgn")
case $result in
1-0 | 0-1 | 1/2-1/2) ;;
*) fail "the result is \"$result\"" ;;
esac
if grep -v '^\[' "$folder/game.pgn" | grep -i -E 'illegal|forfeit|abandon|exited|time'; then
    fail "the game was not decided on the board"
fi
pgn-extract -r "$folder/game.pgn" >"$scratch/check" 2>&1 || true
grep -q '^1 game matched' "$scratch/check" || fail "pgn-extract: $(cat "$scratch/check")"

# The engine announces each move that its book gave, just before the move.
book_moves()
{
    awk '/Engine->Adapter: info string book/ { announced = 1 }
        /Engine->Adapter: bestmove/ { if (!announced) exit; announced = 0; count++ }
        END { print count + 0 }' "$folder/$1.log"
}
white=$(book_moves white)
black=$(book_moves black)
[ "$white" -ge 1 ] || fail "White's first move is not from the book"
[ "$black" -ge 1 ] || fail "Black's first move is not from the book"
moves=$(pgn-extract -s --plycount "$folder/game.pgn" |
    sed -n 's/^\[PlyCount "\(.*\)"\]/\1/p')
pgn-extract -s -C -w 9999 "$folder/game.pgn" | grep '^1\.' | cut -c 1-90
echo "$result after $moves plies, White's first $white moves and Black's first $black from the book"

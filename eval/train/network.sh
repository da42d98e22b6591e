#!/usr/bin/env bash
# Trains a network of the released one's shape and data from nothing. See --help.
set -euo pipefail
export LC_ALL=C PATH=$PATH:/usr/games

usage()
{
    cat <<'END'
eval/train/network.sh BUILD GAMES.pgn OPENINGS.epd BOOK.bin OUTPUT MILLIONS [OPTION...]

Trains OUTPUT.nnue on MILLIONS of positions, each of which our search evaluated in a game of its
own; the teacher is the network of the stockfish on the PATH. BUILD: a build folder with the
trainer. Two thirds come from short games from positions of GAMES.pgn (one of 6); the others from
games from OPENINGS.epd, from BOOK.bin and our own books, from Chess960 and at random. OPTIONs go to
train.py, such as --seed N, or --start OUTPUT.pt to go on from an earlier one at a lower --rate.

    eval/train/network.sh build gnuchess_book_1.02.pgn uho_4060_20k.epd gnuchess.bin ten 70

Needs stockfish and pgn-extract. OUTPUT.teacher and OUTPUT.fen are made once and kept; any network
of Stockfish 15.1 to 19 as OUTPUT.teacher is taken, with its --scale (teacher/README.md).
END
}

case ${1-} in --help | -h)
    usage
    exit 0
    ;;
esac
[ $# -ge 6 ] || { echo "network.sh: too few arguments (see --help)" >&2; exit 2; }
build=$1 games=$2 openings=$3 book=$4 output=$5 millions=$6
shift 6
here=$(cd "$(dirname "$0")" && pwd)
teacher=$output.teacher fens=$output.fen
if [ ! -s "$teacher" ]; then
    printf 'export_net %s\nquit\n' "$teacher.new" | stockfish >/dev/null
    mv "$teacher.new" "$teacher"
fi
if [ ! -s "$fens" ]; then
    pgn-extract -s -Wepd "$games" | awk 'NF > 4 && ++n % 6 == 0 {print $1, $2, $3, $4, "0 1"}' \
        >"$fens.new"
    mv "$fens.new" "$fens"
fi

stream="$build/caxton-datagen -o - --teacher-net $teacher --nodes 64"
books="--book $here/../../books/masters.bin --book $here/../../books/default.bin --book $book"
short="$stream --searched 8 --plies 4 --openings $fens --openings-share 92 $books --book-share 2
    --chess960 3 --double-chess960 1 --endings 2"
exec python3 "$here/train.py" --library "$build/libcaxton-trainer.so" \
    --hidden 1024 --king-buckets 8 --factorise --stream "$short" --stream "$short" \
    --stream "$stream --searched 4 --openings $openings --openings-share 25 $books --book-share 15
        --chess960 14 --double-chess960 8 --endings 6" \
    --generators 1 --reuse 1 --room 8 --scale 1.3 --lambda 1 --rate 0.0018 --warm-up 0.01 \
    --positions "$millions" --output "$output" "$@"

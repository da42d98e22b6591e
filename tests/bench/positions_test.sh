#!/usr/bin/env bash
# epd_suite.py, mates.py and accuracy.py with caxton as every engine: positions_test.sh CAXTON.
# Exits 0 when all is well, 1 with a line for each fault, 77 without python3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
caxton=$1
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect WANTED PROGRAM ARGUMENT...: what the program says, its errors among it.
expect()
{
    local wanted=$1 said
    shift
    said=$(python3 -B "$here/$1" "${@:2}" 2>&1) || :
    [ "$said" = "$wanted" ] || {
        echo "$*: \"$said\", not \"$wanted\""
        failed=1
    }
}

cat >"$folder/suite.epd" <<'END'
r3k3/1P6/8/8/8/N7/8/R3K2R w KQ - am O-O O-O-O b8=N Nb5 Rag1; id "every kind of name";
END
expect "epd_suite.py: $folder/suite.epd: r3k3/1P6/8/8/8/N7/8/R3K2R w KQ -: am Rag1 is no move" \
    epd_suite.py --nodes 100 "$folder/suite.epd" "$caxton"

cat >"$folder/suite.epd" <<'END'
r3k3/1P6/8/8/8/N7/8/R3K2R w KQ - am O-O O-O-O b8=N Nb5 Rhf1; id "every kind of name";
r3k3/1P6/8/8/8/8/8/4K3 w - - bm bxa8=Q+; id "takes and promotes";
4k3/8/8/8/8/8/4q3/4K3 w - - bm Kxe2; id "the only move";
4k3/8/8/8/8/8/4r3/4K3 w - - am Kxe2; id "the only good one is wrong";
3k4/8/3K4/8/8/8/8/7R w - - bm Rh8+; c8 "3 7"; c9 "d6c6 h1h8"; id "points";
END
expect "$caxton: 4 of 5, 7 of 7 points" epd_suite.py --nodes 1000 "$folder/suite.epd" "$caxton"

cat >"$folder/mates.epd" <<'END'
7k/8/8/8/8/8/R7/1R4K1 w - - id "a mate in 2";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
END
expect "even: 1, mate in 2: 1 (0 failed)" \
    mates.py "$caxton" "$caxton" "$folder/mates.epd"
expect "mates.py: $folder/none.epd: [Errno 2] No such file or directory: '$folder/none.epd'" \
    mates.py "$caxton" "$caxton" "$folder/none.epd"

# An engine that is its own judge makes no errors; what was judged is kept.
expect "$caxton: error 0.00000, the judge's move 100.0%
$caxton,Hash=16: error 0.00000 (+0.00000 +- 0.00000), the judge's move 100.0%" \
    accuracy.py --nodes 500 --judge-nodes 500 \
    "$folder/mates.epd" "$folder/judged" "$caxton" "$caxton" "$caxton,Hash=16"
cp "$folder/judged" "$folder/before"
sed 's/;\([^;]*\)$/;900/' "$folder/before" >"$folder/judged"
expect "$caxton: error 0.02000, the judge's move 100.0%" \
    accuracy.py --nodes 500 "$folder/mates.epd" "$folder/judged" "$folder/none" "$caxton"
echo "no;judgement" >>"$folder/judged"
expect "accuracy.py: $folder/judged:4: no judgement" \
    accuracy.py "$folder/mates.epd" "$folder/judged" "$folder/none" "$caxton"
sed 1d "$folder/before" >"$folder/judged"
expect "accuracy.py: $folder/judged:1: no number of the judge's nodes" \
    accuracy.py "$folder/mates.epd" "$folder/judged" "$folder/none" "$caxton"
cp "$folder/before" "$folder/judged"
echo "4k3/8/8/8/8/8/8/R3K3 w Q -" >>"$folder/mates.epd"
expect "accuracy.py: $folder/judged: judged at other nodes than --judge-nodes 400: nodes 500" \
    accuracy.py --judge-nodes 400 "$folder/mates.epd" "$folder/judged" "$caxton" "$caxton"
exit "$failed"

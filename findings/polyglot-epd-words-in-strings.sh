#!/bin/sh
# polyglot 2.0.4+git20210322 (Debian 12): epd-test takes the word "bm" inside a quoted operand for the
# opcode: a position whose name says "not bm Bxf7+" before its real "bm Qxf7#" is failed by an engine
# that plays Qxf7.
# Valid: the PGN standard, section 16.2: an operand in quotation marks is one string, and operations
# may come in any order.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download polyglot=2.0.4+git20210322-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
cat >engine <<'EOF'
#!/bin/sh
while read -r line; do
    case $line in
        uci) echo "id name Fake"; echo uciok ;;
        isready) echo readyok ;;
        go*) echo "info depth 1 score mate 1 nodes 1 pv h5f7"; echo "bestmove h5f7" ;;
        quit) exit 0 ;;
    esac
done
EOF
chmod +x engine

cat >test.epd <<'EOF'
r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "A: not Bxf7+";
r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - id "B: not Bxf7+"; bm Qxf7#;
r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "C: not bm Bxf7+";
r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - id "D: not bm Bxf7+"; bm Qxf7#;
EOF
"$games/polyglot" epd-test -epd test.epd -max-depth 1 -max-time 1 -noini -ec "$dir/engine" >out 2>&1 || true
sed -n 's/^.*"\([A-D]\): not.* \(OK\|--\)  .*$/\1: \2/p' out >seen
cat >good <<'EOF'
A: OK
B: OK
C: OK
D: OK
EOF
cat >stated <<'EOF'
A: OK
B: OK
C: OK
D: --
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# stockfish 19.0.0 (npm, its "lite" build), sjaakii 1.4.1 (Debian 12): where they see a mate, "go infinite"
# ends with a bestmove before "stop", which then is answered by nothing; the npm package ends "go ponder"
# before "ponderhit", too. (Stockfish 15.1 as a native program waits in both.)
# Valid: the UCI protocol, "go infinite": the search is not left before "stop"; "go ponder": not before
# "ponderhit" or "stop", whatever it finds, even if it is mate.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download sjaakii=1.4.1-2 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
npm install --prefix "$dir" --silent --no-audit --no-fund stockfish@19.0.0 >"$dir/npm.log" 2>&1
# ask NAME GO END COMMAND...: does the answer come before END?
ask() {
    name=$1 go=$2 end=$3
    shift 3
    {
        printf 'uci\nisready\n'
        sleep 3
        printf 'position fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\n%s\n' "$go"
        sleep 3
        echo isready
        sleep 1
        echo "$end"
        sleep 1
        echo quit
    } | "$@" 2>&1 | grep -a -o '^readyok\|^bestmove' | paste -s -d ' ' >out
    case $(cat out) in
    'readyok bestmove readyok') echo "$name, $go: an answer before $end" ;;
    'readyok readyok bestmove') echo "$name, $go: an answer to $end" ;;
    *) echo "$name, $go: $(cat out)" ;;
    esac
}
wasm=node_modules/stockfish/bin/stockfish-19-lite-single.js
{
    ask stockfish 'go infinite' stop node $wasm
    ask stockfish 'go ponder wtime 9000 btime 9000' ponderhit node $wasm
    ask sjaakii 'go infinite' stop usr/games/sjaakii
    ask sjaakii 'go ponder wtime 9000 btime 9000' ponderhit usr/games/sjaakii
} >seen
cat >good <<'EOF'
stockfish, go infinite: an answer to stop
stockfish, go ponder wtime 9000 btime 9000: an answer to ponderhit
sjaakii, go infinite: an answer to stop
sjaakii, go ponder wtime 9000 btime 9000: an answer to ponderhit
EOF
cat >stated <<'EOF'
stockfish, go infinite: an answer before stop
stockfish, go ponder wtime 9000 btime 9000: an answer before ponderhit
sjaakii, go infinite: an answer before stop
sjaakii, go ponder wtime 9000 btime 9000: an answer to ponderhit
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

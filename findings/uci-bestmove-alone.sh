#!/bin/sh
# uci 0.3.4 (npm): a "bestmove e2e4" without a ponder move is an Error, thrown where no promise sees it.
# Valid: the UCI protocol: "bestmove MOVE [ponder MOVE]".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund uci@0.3.4 >"$dir/npm.log" 2>&1
# engine NAME ANSWER
engine() {
    cat >"$1" <<EOF
#!/bin/sh
echo "Fake 1.0"
while read -r line; do
    case \$line in
        uci) echo "id name Fake"; echo uciok ;;
        isready) echo readyok ;;
        go*) echo "$2" ;;
        quit) exit 0 ;;
    esac
done
EOF
    chmod +x "$1"
}
engine with_ponder 'bestmove e2e4 ponder e7e5'
engine alone 'bestmove e2e4'
cat >try.cjs <<'EOF'
const Engine = require("uci");
const name = process.argv[2];
const say = (text) => {
  console.log(`${name}: ${text}`);
  process.exit();
};
process.on("uncaughtException", () => say("an uncaught error"));
const engine = new Engine(`${process.cwd()}/${name}`);
engine
  .runProcess()
  .then(() => engine.uciCommand())
  .then(() => engine.positionCommand("startpos"))
  .then(() => engine.timeLimitedGoCommand(null, 1000, 1000))
  .then((move) => say(move.from + move.to))
  .fail((error) => say(`rejected: ${error.message}`));
EOF
for engine in with_ponder alone; do
    node try.cjs $engine
done >seen 2>&1 || true
cat >good <<'EOF'
with_ponder: e2e4
alone: e2e4
EOF
cat >stated <<'EOF'
with_ponder: e2e4
alone: an uncaught error
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

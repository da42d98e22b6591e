#!/bin/sh
# uci 0.3.4 (npm): runProcess() waits until the engine has written something: for an engine that is
# silent before "uci", without an end. A "bestmove e2e4" without a ponder move is an Error, thrown where
# no promise sees it.
# Valid: the UCI protocol: an engine waits for "uci" after its start; "bestmove MOVE [ponder MOVE]".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund uci@0.3.4 >"$dir/npm.log" 2>&1
# engine NAME BANNER ANSWER
engine() {
    cat >"$1" <<EOF
#!/bin/sh
$2
while read -r line; do
    case \$line in
        uci) echo "id name Fake"; echo uciok ;;
        isready) echo readyok ;;
        go*) echo "$3" ;;
        quit) exit 0 ;;
    esac
done
EOF
    chmod +x "$1"
}
engine greets 'echo "Fake 1.0"' 'bestmove e2e4 ponder e7e5'
engine silent : 'bestmove e2e4 ponder e7e5'
engine alone 'echo "Fake 1.0"' 'bestmove e2e4'
cat >try.cjs <<'EOF'
const Engine = require("uci");
const name = process.argv[2];
const say = (text) => {
  console.log(`${name}: ${text}`);
  process.exit();
};
setTimeout(() => say("nothing for five seconds"), 5000);
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
for engine in greets silent alone; do
    node try.cjs $engine
done >seen 2>&1 || true
cat >good <<'EOF'
greets: e2e4
silent: e2e4
alone: e2e4
EOF
cat >stated <<'EOF'
greets: e2e4
silent: nothing for five seconds
alone: an uncaught error
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# chess-uci 0.5.1, node-uci 1.3.4 (npm): the default of a string option is cut at its first blank
# (chess-uci), or gone (node-uci).
# Valid: the UCI protocol, command "option": the default of a string is a text; "value" and names
# may have blanks.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess-uci@0.5.1 node-uci@1.3.4 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { writeFileSync } from "fs";
import { Engine as ChessUci } from "chess-uci";
import nodeUci from "node-uci";
writeFileSync("engine", `#!/bin/sh
while read -r line; do
    case $line in
        uci)
            echo "id name Fake"
            echo "option name Style type combo default Normal var Solid var Normal var Risky"
            echo "option name Book type string default My Books/a.bin"
            echo uciok ;;
        isready) echo readyok ;;
        go*)
            echo "info string book: depth 30 nodes 5"
            echo "bestmove e2e4" ;;
        quit) exit 0 ;;
    esac
done
`, { mode: 0o755 });
const engine = process.cwd() + "/engine";
setTimeout(() => process.exit(1), 10000).unref();
const one = await ChessUci.start(engine);
console.log(`chess-uci: ${one.options.Book.default}`);
const two = new nodeUci.Engine(engine);
await two.init();
console.log(`node-uci: ${JSON.stringify([...two.options].find(([name]) => name.startsWith("Book")))}`);
process.exit(0);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
chess-uci: My Books/a.bin
node-uci: ["Book",{"type":"string","default":"My Books/a.bin"}]
EOF
cat >stated <<'EOF'
chess-uci: My
node-uci: undefined
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

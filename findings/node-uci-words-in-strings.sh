#!/bin/sh
# node-uci 1.3.4 (npm): words in the text of an "info string" are taken for depth and nodes.
# Valid: the UCI protocol, command "info": the rest of the line behind "string" is text.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund node-uci@1.3.4 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { writeFileSync } from "fs";
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
const two = new nodeUci.Engine(engine);
await two.init();
await two.isready();
console.log(`info: ${JSON.stringify((await two.go({ depth: 1 })).info)}`);
process.exit(0);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
info: [{"string":"book: depth 30 nodes 5"}]
EOF
cat >stated <<'EOF'
info: [{"depth":30,"nodes":5,"string":"book: depth 30 nodes 5"}]
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# chessops 0.15.1 (npm): require("chessops/pgn"), which its package.json exports, fails in Node:
# the CommonJS files lie in a package of type "module".
# Valid: Node's documentation of packages: the condition "require" of "exports" names the file for
# require().
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chessops@0.15.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { createRequire } from "module";
const require = createRequire(import.meta.url);
try {
  console.log(typeof require("chessops/pgn").parsePgn);
} catch (e) {
  console.log(`${e.name}: ${e.message.split("\n")[0]}`);
}
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
function
EOF
cat >stated <<'EOF'
ReferenceError: exports is not defined in ES module scope
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# chess-polyglot 1.0.0 (npm): find() for the best move gives a move of weight 0 where the position has
# no other; for a random one it gives none. (Built by npm: needs a C++ compiler.)
# Valid: the Polyglot book format, field "weight": a move of weight 0 is not to be played.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess-polyglot@1.0.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import Polyglot from "chess-polyglot";
import { writeFileSync } from "fs";
const bytes = Buffer.alloc(16);
bytes.writeBigUInt64BE(0x463b96181691fc9cn, 0);
bytes.writeUInt16BE(0x31c, 8); // e2e4, weight 0
writeFileSync("book.bin", bytes);
const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const polyglot = new Polyglot();
console.log(`best: ${polyglot.find(start, "book.bin", true) || "nothing"}`);
console.log(`random: ${polyglot.find(start, "book.bin", false) || "nothing"}`);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
best: nothing
random: nothing
EOF
cat >stated <<'EOF'
best: e2e4
random: nothing
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

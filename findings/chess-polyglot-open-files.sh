#!/bin/sh
# chess-polyglot 1.0.0 (npm): find() keeps the book open at each call; when the system's limit of
# open files is reached, it says that there is no book move. (Built by npm: needs a C++ compiler.)
# Valid: the Polyglot book format, one entry of the starting position; its README: find() gives
# the move of the hash, "" where there is none.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess-polyglot@1.0.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import Polyglot from "chess-polyglot";
import { readdirSync, writeFileSync } from "fs";
const entry = (key, move, weight) => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(key, 0);
  bytes.writeUInt16BE(move, 8);
  bytes.writeUInt16BE(weight, 10);
  return bytes;
};
const polyglot = new Polyglot();
writeFileSync("book.bin", entry(0x463b96181691fc9cn, 0x31c, 1));
const files = () => readdirSync("/proc/self/fd").length;
const before = files();
for (let i = 0; i < 100; i++)
  polyglot.find("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "book.bin", true);
console.log(`files left open by 100 calls: ${files() - before}`);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
files left open by 100 calls: 0
EOF
cat >stated <<'EOF'
files left open by 100 calls: 100
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

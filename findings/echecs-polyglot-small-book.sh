#!/bin/sh
# @echecs/polyglot 0.1.1 (npm), on Node 22.23.3: the example of its README, new
# Uint8Array(readFileSync("book.bin").buffer), finds nothing in a book of less than 4 kB, and gives
# no error: `buffer` is then a pool of 8,192 bytes, and the book a part of it.
# Valid: its README, "Raw .bin file contents"; the Polyglot book format, a file has any number of
# entries of 16 bytes. Without ".buffer" the move is found.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund node@22.23.3 @echecs/polyglot@0.1.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { readFileSync, writeFileSync } from "node:fs";
import { lookup } from "@echecs/polyglot";
const key = 0x463b96181691fc9cn;
const entry = (k) => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(k, 0);
  bytes.writeUInt16BE(0x31c, 8);
  bytes.writeUInt16BE(5, 10);
  return bytes;
};
const others = Array.from({ length: 400 }, (_, i) => entry(BigInt(i) + 1n));
const books = { "16 bytes": [entry(key)], "6,416 bytes": [...others, entry(key)] };
for (const [name, entries] of Object.entries(books)) {
  writeFileSync("book.bin", Buffer.concat(entries));
  const found = lookup(new Uint8Array(readFileSync("book.bin").buffer), key);
  console.log(`${name}: ${found.map((e) => e.from + e.to).join(" ") || "nothing"}`);
}
EOF
node_modules/.bin/node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
16 bytes: e2e4
6,416 bytes: e2e4
EOF
cat >stated <<'EOF'
16 bytes: nothing
6,416 bytes: e2e4
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

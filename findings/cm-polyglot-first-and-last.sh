#!/bin/sh
# cm-polyglot 1.1.0 (npm): a position whose only entry is the first or the last of the file is not
# found.
# Valid: the Polyglot book format, a file is a series of entries sorted by key; a reader finds a
# key wherever it stands.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund cm-polyglot@1.1.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { Polyglot } from "./node_modules/cm-polyglot/src/Polyglot.js";
import { Book } from "./node_modules/cm-polyglot/lib/stakelbase/Book.js";
import { KeyGenerator } from "./node_modules/cm-polyglot/lib/stakelbase/KeyGenerator.js";
const entry = (key, move, weight) => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(key, 0);
  bytes.writeUInt16BE(move, 8);
  bytes.writeUInt16BE(weight, 10);
  return bytes;
};
// The constructor fetches a URL in a browser; here the book is given to it.
const open = (entries) => {
  const polyglot = Object.create(Polyglot.prototype);
  polyglot.keyGenerator = new KeyGenerator();
  polyglot.book = new Book(Buffer.concat(entries).toString("latin1"));
  polyglot.initialisation = Promise.resolve();
  return polyglot;
};
const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const key = 0x463b96181691fc9cn, e4 = 0x31c, d4 = 0x2db;
const low = [entry(1n, d4, 1), entry(2n, d4, 1)], high = [entry(key + 1n, d4, 1), entry(key + 2n, d4, 1)];
const books = { first: [entry(key, e4, 1), ...high], middle: [...low, entry(key, e4, 1), ...high], last: [...low, entry(key, e4, 1)] };
for (const [name, book] of Object.entries(books)) {
  const moves = await open(book).getMovesFromFen(start);
  console.log(`${name}: ${moves.map((m) => m.from + m.to).join(" ") || "nothing"}`);
}
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
first: e2e4
middle: e2e4
last: e2e4
EOF
cat >stated <<'EOF'
first: nothing
middle: e2e4
last: nothing
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

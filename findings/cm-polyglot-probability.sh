#!/bin/sh
# cm-polyglot 1.1.0 (npm): the "probability" of the moves, called without further arguments, is
# the fifth root of their share, rounded to one digit: of weights 70 and 30 it makes 0.9 and 0.8.
# Valid: the Polyglot book format, field "weight": a move is drawn in proportion to its weight, so
# the probabilities of a position have the sum 1.
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
const moves = await open([...low, entry(key, e4, 70), entry(key, d4, 30), ...high]).getMovesFromFen(start);
console.log(moves.map((m) => `${m.from}${m.to} ${m.probability}`).join(", "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
e2e4 0.7, d2d4 0.3
EOF
cat >stated <<'EOF'
e2e4 0.9, d2d4 0.8
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

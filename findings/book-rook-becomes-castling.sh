#!/bin/sh
# cm-polyglot 1.1.0, chess-polyglot 1.0.0 (npm): a rook that goes from e1 to a1 in the book, the
# king elsewhere, is given as e1c1. (chess-polyglot is built by npm: needs a C++ compiler.)
# Valid: the Polyglot book format, section on castling: only a king's move to its own rook is
# castling; e1a1 of another piece is what it says.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund cm-polyglot@1.1.0 chess-polyglot@1.0.0 >"$dir/npm.log" 2>&1
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
import ChessPolyglot from "chess-polyglot";
import { writeFileSync } from "fs";
const fen = "3k4/8/8/8/8/8/6K1/4R3 w - - 0 1", e1a1 = 0x100;
const book = [entry(1n, 0x31c, 1), entry(0x0169dd43c0dee2ebn, e1a1, 1), entry(0x1000000000000000n, 0x31c, 1)];
book.push(entry(0x1000000000000001n, 0x31c, 1));
const [move] = await open(book).getMovesFromFen(fen);
console.log(`cm-polyglot: ${move.from}${move.to}`);
writeFileSync("rook.bin", Buffer.concat(book));
console.log(`chess-polyglot: ${new ChessPolyglot().find(fen, "rook.bin", true)}`);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
cm-polyglot: e1a1
chess-polyglot: e1a1
EOF
cat >stated <<'EOF'
cm-polyglot: e1c1
chess-polyglot: e1c1
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

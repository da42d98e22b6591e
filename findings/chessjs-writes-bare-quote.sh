#!/bin/sh
# chess.js 1.4.0 (npm): pgn() writes a quotation mark in a tag value as it is; the PGN cannot be
# read again, by itself either.
# Valid: the PGN standard, section 7: a string has any printing characters; a quote in it is
# written with a backslash before it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess.js@1.4.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { Chess } from "chess.js";
const chess = new Chess();
chess.setHeader("Event", 'the "Open"');
chess.move("e4");
const text = chess.pgn();
console.log(text.split("\n")[0]);
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name ?? "error"; }
  console.log(`${name}: ${r}`);
};
tried("read again", () => {
  const again = new Chess();
  again.loadPgn(text);
  return again.getHeaders().Event;
});
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
[Event "the \"Open\""]
read again: the "Open"
EOF
cat >stated <<'EOF'
[Event "the "Open""]
read again: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# pgn-parser 2.2.1, chess.js 1.4.0 (npm): a quotation mark in a tag value, escaped, makes them
# refuse the game.
# Valid: the PGN standard, section 7: a quote inside a string token is written as backslash and
# quote.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund pgn-parser@2.2.1 chess.js@1.4.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import pgn from "pgn-parser";
import { Chess } from "chess.js";
const text = '[Event "the \\"Open\\""]\n\n1. e4 e5 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
tried("pgn-parser", () => pgn.parse(text).map((g) => g.moves.map((m) => m.move).join(" ")).join(" | "));
tried("chess.js", () => {
  const chess = new Chess();
  chess.loadPgn(text);
  return chess.history().join(" ");
});
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
pgn-parser: e4 e5
chess.js: e4 e5
EOF
cat >stated <<'EOF'
pgn-parser: SyntaxError
chess.js: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

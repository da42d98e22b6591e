#!/bin/sh
# chessops 0.15.1, chess.js 1.4.0, @mliebelt/pgn-parser 1.4.19 (npm): a ";" comment between two
# tag pairs makes two games in chessops (the tags before it stay with an empty one); the others
# refuse the game.
# Valid: the PGN standard, section 5: a semicolon starts a comment to the end of the line; no
# place in the file is excepted.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chessops@0.15.1 chess.js@1.4.0 @mliebelt/pgn-parser@1.4.19 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { parsePgn } from "chessops/pgn";
import { Chess } from "chess.js";
import { parse } from "@mliebelt/pgn-parser";
const text = '[White "A"]\n; a comment\n[Result "1-0"]\n\n1. e4 e5 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
const games = parsePgn(text).map((g) => [...g.moves.mainline()].map((m) => m.san).join(" "));
tried("chessops", () => games.map((g) => `[${g}]`).join(" "));
tried("chess.js", () => {
  const chess = new Chess();
  chess.loadPgn(text);
  return chess.history().join(" ");
});
tried("@mliebelt/pgn-parser", () =>
  parse(text, { startRule: "games" }).map((g) => g.moves.map((m) => m.notation.notation).join(" ")).join(" | "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
chessops: [e4 e5]
chess.js: e4 e5
@mliebelt/pgn-parser: e4 e5
EOF
cat >stated <<'EOF'
chessops: [] [e4 e5]
chess.js: SyntaxError
@mliebelt/pgn-parser: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

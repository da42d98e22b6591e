#!/bin/sh
# chess.js 1.4.0, @jackstenglein/chess 2.2.21 (npm): a comment to the end of the line, "; see } one",
# is read well and written in braces, "{see } one}": the comment ends at its own brace, and neither
# can read its PGN again. kokopu 4.13.4 writes a backslash before the brace, which ends the comment
# all the same for others.
# Valid: the PGN standard, section 5: a comment that begins with ";" goes to the end of the line, and
# braces mean nothing in it; in one that begins with a brace nothing but the closing brace is special.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess.js@1.4.0 @jackstenglein/chess@2.2.21 kokopu@4.13.4 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { createRequire } from "module";
import { Chess } from "chess.js";
import { Game, pgnWrite } from "kokopu";
const { Chess: Other } = createRequire(import.meta.url)("@jackstenglein/chess");
const text = '[Event "A"]\n[Result "1-0"]\n\n1. e4 ; see } one\ne5 2. Nf3 1-0\n';
const show = (name, write, read) => {
  const pgn = write();
  let moves;
  try { moves = read(pgn); } catch (e) { moves = e.name; }
  console.log(`${name}: ${pgn.split("\n\n").pop().trim()}; read again: ${moves}`);
};
const chessjs = (pgn) => {
  const chess = new Chess();
  chess.loadPgn(pgn);
  return chess;
};
show("chess.js", () => chessjs(text).pgn(), (pgn) => chessjs(pgn).history().join(" "));
show("@jackstenglein/chess", () => new Other({ pgn: text }).renderPgn(),
  (pgn) => new Other({ pgn }).history().map((move) => move.san).join(" "));
show("kokopu", () => {
  const game = new Game();
  game.mainVariation().play("e4").comment("see } one");
  return pgnWrite(game);
}, (pgn) => chessjs(pgn).history().join(" "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
chess.js: a comment that ends behind "one"; read again: e4 e5 Nf3
@jackstenglein/chess: the same; read again: e4 e5 Nf3
kokopu: the same; read again: e4
EOF
cat >stated <<'EOF'
chess.js: 1. e4 {see } one} e5 2. Nf3 1-0; read again: SyntaxError
@jackstenglein/chess: 1. e4 { see } one } 1... e5 2. Nf3 1-0; read again: SyntaxError
kokopu: 1. e4 {see \} one} *; read again: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

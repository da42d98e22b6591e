#!/bin/sh
# chess.js 1.4.0, @mliebelt/pgn-parser 1.4.19, pgn-parser 2.2.1, cm-pgn 5.0.0 (npm): a NAG behind
# a comment is a syntax error in all four.
# Valid: the PGN standard, section 8.2: the movetext is a series of moves, numbers, NAGs and
# variations; section 5: comments may stand between any of them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess.js@1.4.0 @mliebelt/pgn-parser@1.4.19 pgn-parser@2.2.1 cm-pgn@5.0.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { Chess } from "chess.js";
import { parse } from "@mliebelt/pgn-parser";
import pgn from "pgn-parser";
import { Pgn } from "./node_modules/cm-pgn/src/Pgn.js";
const text = '[Event "x"]\n\n1. e4 {a} $1 e5 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
tried("chess.js", () => {
  const chess = new Chess();
  chess.loadPgn(text);
  return chess.history().join(" ");
});
tried("@mliebelt/pgn-parser", () =>
  parse(text, { startRule: "games" }).map((g) => g.moves.map((m) => m.notation.notation).join(" ")).join(" | "));
tried("pgn-parser", () => pgn.parse(text).map((g) => g.moves.map((m) => m.move).join(" ")).join(" | "));
tried("cm-pgn", () => new Pgn(text).history.moves.map((m) => m.san).join(" "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
chess.js: e4 e5
@mliebelt/pgn-parser: e4 e5
pgn-parser: e4 e5
cm-pgn: e4 e5
EOF
cat >stated <<'EOF'
chess.js: SyntaxError
@mliebelt/pgn-parser: SyntaxError
pgn-parser: SyntaxError
cm-pgn: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

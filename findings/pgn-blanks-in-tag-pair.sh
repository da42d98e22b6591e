#!/bin/sh
# chessops 0.15.1, pgn-parser 2.2.1 (npm): a blank behind the bracket of a tag pair: chessops
# makes two games and loses the tag, pgn-parser refuses the file.
# Valid: the PGN standard, section 8.1: bracket, name, value and bracket are four tokens; in
# import format white space may stand between them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chessops@0.15.1 pgn-parser@2.2.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { parsePgn } from "chessops/pgn";
import pgn from "pgn-parser";
const text = '[ Event "x" ]\n[Result "1-0"]\n\n1. e4 e5 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
const games = parsePgn(text).map((g) => [...g.moves.mainline()].map((m) => m.san).join(" "));
tried("chessops", () => games.map((g) => `[${g}]`).join(" "));
tried("pgn-parser", () => pgn.parse(text).map((g) => g.moves.map((m) => m.move).join(" ")).join(" | "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
chessops: [e4 e5]
pgn-parser: e4 e5
EOF
cat >stated <<'EOF'
chessops: [] [e4 e5]
pgn-parser: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

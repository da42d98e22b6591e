#!/bin/sh
# chessops 0.15.1 (npm): a blank line between two moves ends the game; the rest becomes a second
# one.
# Valid: the PGN standard, section 7: line ends are white space between tokens; section 8.2.6:
# only the termination marker ends a game.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chessops@0.15.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { parsePgn } from "chessops/pgn";
const text = '[Result "1-0"]\n\n1. e4 e5\n\n2. Nf3 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
const games = parsePgn(text).map((g) => [...g.moves.mainline()].map((m) => m.san).join(" "));
tried("chessops", () => games.map((g) => `[${g}]`).join(" "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
chessops: [e4 e5 Nf3]
EOF
cat >stated <<'EOF'
chessops: [e4 e5] [Nf3]
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

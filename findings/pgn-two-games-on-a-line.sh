#!/bin/sh
# chessops 0.15.1 (npm): a game that begins on the line on which the one before ends is silently
# joined to it.
# Valid: the PGN standard, section 8.2.6: the termination marker is the last element of a game;
# section 7: tokens may be separated by any white space, or a line end.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chessops@0.15.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { parsePgn } from "chessops/pgn";
const text = "1. e4 e5 2. Nf3 1-0 1. d4 d5 0-1\n";
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
chessops: [e4 e5 Nf3] [d4 d5]
EOF
cat >stated <<'EOF'
chessops: [e4 e5 Nf3 d4 d5]
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# chess 1.5.1 (npm): fromFEN() takes every piece for one that has not moved, and reads neither
# castling rights nor the en passant square: a pawn on e4 may go to e6, a king may castle where the
# FEN says "-", a capture en passant is not there; a pawn on the seventh rank is an error.
# Valid: the PGN standard, section 16.1, all six fields of the FEN; the package's README: "Loads board
# position from FEN", "En Passant validation".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess@1.5.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import chess from "chess";
const ask = (name, fen, like) => {
  let r;
  try {
    const moves = Object.keys(chess.fromFEN(fen, { PGN: true }).getStatus().notatedMoves);
    r = moves.filter((m) => like.test(m)).sort().join(" ") || "none";
  } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
ask("pawn on e4", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", /^e/);
ask("castling without the right", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", /^O/);
ask("en passant on f6", "4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 3", /^exf/);
ask("pawn on a7", "8/P6k/8/8/8/8/8/K7 w - - 0 1", /^a8/);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
pawn on e4: e5
castling without the right: none
en passant on f6: exf6
pawn on a7: a8=B a8=N a8=Q a8=R
EOF
cat >stated <<'EOF'
pawn on e4: e5 e6
castling without the right: O-O
en passant on f6: none
pawn on a7: TypeError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# chess-rules 1.1.0 (npm): fenToPosition() does not see a check: a mate is called "PAT", stalemate, though
# the same position is won when it was reached by moves, and the king may castle out of check.
# Valid: positions after 1. f3 e5 2. g4 Qh4# and of a king in check by a rook; its README: "Positions
# can be transformed to FEN string", and back by fenToPosition().
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess-rules@1.1.0 >"$dir/npm.log" 2>&1
cat >try.cjs <<'EOF'
const rules = require("chess-rules");
let played = rules.getInitialPosition();
for (const san of ["f3", "e5", "g4", "Qh4#"])
  played = rules.applyMove(played, rules.pgnToMove(played, san));
const read = rules.fenToPosition(rules.positionToFen(played));
console.log(`mate, by moves: ${rules.getGameStatus(played)}; its FEN: ${rules.getGameStatus(read)}`);
const checked = rules.fenToPosition("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1");
const castlings = rules.getAvailableMoves(checked).filter((m) => m.src === 4 && Math.abs(m.dst - m.src) === 2);
console.log(`castlings in check: ${castlings.length}`);
EOF
node try.cjs >seen 2>&1 || true
cat >good <<'EOF'
mate, by moves: BLACKWON; its FEN: BLACKWON
castlings in check: 0
EOF
cat >stated <<'EOF'
mate, by moves: BLACKWON; its FEN: PAT
castlings in check: 2
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

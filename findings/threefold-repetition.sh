#!/bin/sh
# chess 1.5.1, chess.ts 0.16.2 (npm): chess does not count the starting position for a threefold
# repetition, and counts a position with castling rights for one without; for chess.ts a position
# behind e2e4 is another one than the same position later, though no pawn can capture.
# Valid: the Laws of Chess, 9.2.2 and 9.2.3: positions are the same when the possible moves of all
# pieces are; not where a capture en passant or a right to castle was possible and is not any more.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess@1.5.1 chess.ts@0.16.2 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import chess from "chess";
import { Chess } from "chess.ts";
const games = {
  "starting position, three times": "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8",
  "once with castling rights, twice without": "e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8",
  "three times, first behind e2e4": "Nf3 Nf6 e4 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3",
};
for (const [name, moves] of Object.entries(games)) {
  const one = chess.create({ PGN: true });
  const two = new Chess();
  for (const m of moves.split(" ")) {
    one.move(m);
    two.move(m);
  }
  console.log(`${name}: chess ${one.getStatus().isRepetition}, chess.ts ${two.inThreefoldRepetition()}`);
}
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
starting position, three times: chess true, chess.ts true
once with castling rights, twice without: chess false, chess.ts false
three times, first behind e2e4: chess true, chess.ts true
EOF
cat >stated <<'EOF'
starting position, three times: chess false, chess.ts true
once with castling rights, twice without: chess true, chess.ts false
three times, first behind e2e4: chess true, chess.ts false
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

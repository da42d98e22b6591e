#!/bin/sh
# chess.js 1.4.0, chess.ts 0.16.2 (npm): a mate that is the hundredth ply without capture or pawn move
# is a draw for isDraw() and inDraw(), too: who asks this first records 1/2-1/2.
# Valid: the Laws of Chess, 5.1.1: checkmate ends the game at once; 9.6.2: it takes precedence. The
# FEN's fifth field is the clock.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess.js@1.4.0 chess.ts@0.16.2 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { Chess } from "chess.js";
import { Chess as Ts } from "chess.ts";
for (const clock of [98, 99]) {
  const fen = `7k/8/5KQ1/8/8/8/8/8 w - - ${clock} 90`;
  const js = new Chess(fen);
  js.move("Qg7");
  console.log(`chess.js, clock ${clock}: mate ${js.isCheckmate()}, draw ${js.isDraw()}`);
  const ts = new Ts(fen);
  ts.move("Qg7");
  console.log(`chess.ts, clock ${clock}: mate ${ts.inCheckmate()}, draw ${ts.inDraw()}`);
}
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
chess.js, clock 98: mate true, draw false
chess.ts, clock 98: mate true, draw false
chess.js, clock 99: mate true, draw false
chess.ts, clock 99: mate true, draw false
EOF
cat >stated <<'EOF'
chess.js, clock 98: mate true, draw false
chess.ts, clock 98: mate true, draw false
chess.js, clock 99: mate true, draw true
chess.ts, clock 99: mate true, draw true
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# chess.js 1.4.0, kokopu 4.13.4 (npm): a FEN that is read and written again loses its en passant
# square where no pawn can capture.
# Valid: the PGN standard, section 16.1.3.4: the square is there after every double step, whether
# or not a pawn can capture.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess.js@1.4.0 kokopu@4.13.4 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { Chess } from "chess.js";
import { Position } from "kokopu";
const fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
console.log(`chess.js: ${new Chess(fen).fen().split(" ")[3]}`);
console.log(`kokopu: ${new Position(fen).fen().split(" ")[3]}`);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
chess.js: e3
kokopu: e3
EOF
cat >stated <<'EOF'
chess.js: -
kokopu: -
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

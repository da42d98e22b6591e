#!/bin/sh
# cm-pgn 5.0.0 (npm): render() numbers a game from its FEN as if White began at move 1; Black's
# 17th move becomes White's first.
# Valid: the PGN standard, sections 9.7 and 8.2.2: the FEN gives side and number of the first
# move; export format writes "17... Kd7".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund cm-pgn@5.0.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { Pgn } from "./node_modules/cm-pgn/src/Pgn.js";
const text = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 17"]\n\n17... Kd7 18. e4 *\n';
console.log(new Pgn(text).render().trim().split("\n").pop());
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
17... Kd7 18. e4
EOF
cat >stated <<'EOF'
1. Kd7 e4
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

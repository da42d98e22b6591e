#!/bin/sh
# kokopu 4.13.4 (npm): a game that is read and written again loses the half-move clock of its FEN,
# here 43 plies that count for the 50-move rule, and its TimeControl.
# Valid: the PGN standard, sections 9.7.2 and 16.1.3.5: the tag FEN with its half-move clock; 9.6.1:
# the tag TimeControl, "40/7200:3600".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund kokopu@4.13.4 >"$dir/npm.log" 2>&1
cat >try.cjs <<'EOF'
const { pgnRead, pgnWrite } = require("kokopu");
const pgn = '[TimeControl "40/7200:3600"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w - - 43 60"]\n\n60. Rh2 *\n';
const again = pgnWrite(pgnRead(pgn).game(0));
for (const tag of ["FEN", "TimeControl"])
  console.log(again.split("\n").find((line) => line.startsWith(`[${tag} `)) ?? `no ${tag}`);
EOF
node try.cjs >seen 2>&1 || true
cat >good <<'EOF'
[FEN "4k3/8/8/8/8/8/8/4K2R w - - 43 60"]
[TimeControl "40/7200:3600"]
EOF
cat >stated <<'EOF'
[FEN "4k3/8/8/8/8/8/8/4K2R w - - 0 60"]
no TimeControl
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

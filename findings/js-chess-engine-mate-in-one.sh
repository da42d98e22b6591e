#!/bin/sh
# js-chess-engine 2.4.6 (npm): at the default level, 3, it draws one of all the moves that win: with a
# mate in one on the board it mates in few of 20 tries, though its README calls the default "fully
# deterministic".
# Valid: its README: ai() of a FEN, level 3 (base depth 2 plies), "randomness" 0 by default: "Makes
# games less predictable without playing blunders. Default: 0 (fully deterministic)".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund js-chess-engine@2.4.6 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { ai } from "js-chess-engine";
const fen = "6k1/R7/1R6/8/8/8/8/7K w - - 0 1";
const seen = {};
for (let i = 0; i < 20; i++) {
  const move = Object.entries(ai(fen, { play: false }).move)[0].join("");
  seen[move] = (seen[move] ?? 0) + 1;
}
const mates = seen.B6B8 ?? 0;
console.log(`mates: ${mates == 20 ? "20" : mates <= 10 ? "10 or less" : "11 to 19"} of 20`);
console.log(`moves: ${Object.keys(seen).length == 1 ? "always the same" : "several"}`);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
mates: 20 of 20
moves: always the same
EOF
cat >stated <<'EOF'
mates: 10 or less of 20
moves: several
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

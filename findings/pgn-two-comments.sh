#!/bin/sh
# chess.js 1.4.0 (npm): two comments behind one move are refused.
# Valid: the PGN standard, section 5: brace comments may stand anywhere between tokens, without a
# limit of their number.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess.js@1.4.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { Chess } from "chess.js";
const text = '1. e4 {a} {b} e5 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
tried("chess.js", () => {
  const chess = new Chess();
  chess.loadPgn(text);
  return chess.history().join(" ");
});
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
chess.js: e4 e5
EOF
cat >stated <<'EOF'
chess.js: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

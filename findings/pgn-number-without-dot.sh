#!/bin/sh
# chess.js 1.4.0 (npm): move numbers without a period, "1 e4 e5 2 Nf3", are refused.
# Valid: the PGN standard, section 8.2.2.1: in import format a move number has zero or more
# periods.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess.js@1.4.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { Chess } from "chess.js";
const text = '1 e4 e5 2 Nf3 1-0\n';
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
chess.js: e4 e5 Nf3
EOF
cat >stated <<'EOF'
chess.js: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# cm-pgn 5.0.0 (npm): a game with the line ends of Windows is refused.
# Valid: the PGN standard, section 3.2.2: only archival storage asks for LF alone; other text
# files have the newline of their system.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund cm-pgn@5.0.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { Pgn } from "./node_modules/cm-pgn/src/Pgn.js";
const text = '[Event "x"]\r\n[Result "1-0"]\r\n\r\n1. e4 e5 2. Nf3 1-0\r\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
tried("cm-pgn", () => new Pgn(text).history.moves.map((m) => m.san).join(" "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
cm-pgn: e4 e5 Nf3
EOF
cat >stated <<'EOF'
cm-pgn: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# kokopu 4.13.4, cm-pgn 5.0.0 (npm): a ";" comment between moves is refused (in cm-pgn where it
# has a bracket).
# Valid: the PGN standard, section 5: a semicolon starts a comment that ends with the line, and
# whatever characters it has belong to it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund kokopu@4.13.4 cm-pgn@5.0.0 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { pgnRead } from "kokopu";
import { Pgn } from "./node_modules/cm-pgn/src/Pgn.js";
const text = '[Event "x"]\n\n1. e4 ; to (or not\ne5 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name ?? 'error'; }
  console.log(`${name}: ${r}`);
};
tried("kokopu", () => {
  const list = pgnRead(text);
  return list.game(0).mainVariation().nodes().map((n) => n.notation()).join(" ");
});
tried("cm-pgn", () => new Pgn(text).history.moves.map((m) => m.san).join(" "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
kokopu: e4 e5
cm-pgn: e4 e5
EOF
cat >stated <<'EOF'
kokopu: error
cm-pgn: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

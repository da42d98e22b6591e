#!/bin/sh
# kokopu 4.13.4 (npm): a blank between move number and period is an error.
# Valid: the PGN standard, section 8.2.2.1: in import format white space may stand between the
# digits of a move number and its periods.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund kokopu@4.13.4 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { pgnRead } from "kokopu";
const text = '1 . e4 e5 2 . Nf3 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name ?? 'error'; }
  console.log(`${name}: ${r}`);
};
tried("kokopu", () => {
  const list = pgnRead(text);
  return list.game(0).mainVariation().nodes().map((n) => n.notation()).join(" ");
});
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
kokopu: e4 e5 Nf3
EOF
cat >stated <<'EOF'
kokopu: error
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# fen-validator 2.0.1 (npm): a FEN from move 100 on is called wrong.
# Valid: the PGN standard, section 16.1.3.6: the full move number is a positive integer without an
# upper bound.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund fen-validator@2.0.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { createRequire } from "module";
const module = createRequire(import.meta.url)("fen-validator");
const valid = module.default ?? module;
for (const move of [99, 100])
  console.log(`move ${move}: ${valid(`4k3/8/8/8/8/8/4P3/4K3 w - - 0 ${move}`)}`);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
move 99: true
move 100: true
EOF
cat >stated <<'EOF'
move 99: true
move 100: false
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

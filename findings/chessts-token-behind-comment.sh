#!/bin/sh
# chess.ts 0.16.2 (npm): a move directly behind a comment, "{x}e5", makes loadPgn() return false.
# Valid: the PGN standard, section 5: the closing brace ends the comment; section 7: tokens need
# no white space where they are self-terminating.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess.ts@0.16.2 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import module from "chess.ts";
const chess = new module.Chess();
console.log(`${chess.loadPgn("1. e4 {x}e5 *")}, moves: ${chess.history().length}`);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
true, moves: 2
EOF
cat >stated <<'EOF'
false, moves: 0
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

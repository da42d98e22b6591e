#!/bin/sh
# pgn-parser 2.2.1 (npm): of "1. ... e5" the dots become a move named "...", without an error.
# Valid: the PGN standard, section 8.2.2.1: in import format a move number may be followed by
# white space and any number of periods.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund pgn-parser@2.2.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import pgn from "pgn-parser";
const text = '1. e4 {a} 1. ... e5 2. Nf3 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
tried("pgn-parser", () => pgn.parse(text).map((g) => g.moves.map((m) => m.move).join(" ")).join(" | "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
pgn-parser: e4 e5 Nf3
EOF
cat >stated <<'EOF'
pgn-parser: e4 ... e5 Nf3
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

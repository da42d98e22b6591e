#!/bin/sh
# pgn-parser 2.2.1 (npm): a NAG directly behind its move, "e4$1", is refused.
# Valid: the PGN standard, section 7: a symbol token ends before the first character that cannot
# belong to it, and "$" begins a NAG token; no white space is asked for.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund pgn-parser@2.2.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import pgn from "pgn-parser";
const text = '1. e4$1 e5 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name; }
  console.log(`${name}: ${r}`);
};
tried("pgn-parser", () => pgn.parse(text).map((g) => g.moves.map((m) => m.move).join(" ")).join(" | "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
pgn-parser: e4 e5
EOF
cat >stated <<'EOF'
pgn-parser: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

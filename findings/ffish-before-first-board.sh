#!/bin/sh
# ffish 0.7.10 (npm): before the first Board is made, validateFen() calls the starting position wrong
# (-10), startingFen() is empty and variants() lists nothing; behind it they answer as they should.
# Valid: the package's README: "variants()" shows all variants, "validateFen(fen)" returns 1 for a FEN
# that is right; neither asks for a board.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund ffish@0.7.10 >"$dir/npm.log" 2>&1
cat >try.cjs <<'EOF'
// Made for a Node without fetch, it would look for its own file with that.
delete globalThis.fetch;
console.error = console.warn = () => {};
const log = console.log;
console.log = () => {};
const ffish = require("ffish");
const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ask = (when) => {
  log(`${when}, validateFen: ${ffish.validateFen(start)}`);
  log(`${when}, startingFen: ${ffish.startingFen("chess") || "nothing"}`);
  log(`${when}, variants: ${ffish.variants().split(" ").includes("chess") ? "chess and others" : "nothing"}`);
};
ffish.onRuntimeInitialized = () => {
  ask("before");
  new ffish.Board().delete();
  ask("behind");
};
EOF
node try.cjs >seen 2>/dev/null || true
cat >good <<'EOF'
before, validateFen: 1
before, startingFen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
before, variants: chess and others
behind, validateFen: 1
behind, startingFen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
behind, variants: chess and others
EOF
{
    printf '%s\n' 'before, validateFen: -10' 'before, startingFen: nothing' 'before, variants: nothing'
    sed -n 4,6p good
} >stated
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# ffish 0.7.10 (npm): readGamePGN() plays the moves that it finds in a comment to the end of the line,
# and in a line that begins with "%". What it returns is another game, legal and without an error; the
# moves that fit no longer are only told to the console. Move numbers without a period give no moves
# at all, and a tag value ends before its first quotation mark.
# Valid: the PGN standard, section 5: a comment that begins with ";" goes to the end of the line;
# section 6: a line that begins with "%" is ignored; section 7: a quotation mark in a string has a
# backslash before it; section 8.2.2.1: the period behind a move number is not needed when reading.
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
const show = (name, moves) => {
  const game = ffish.readGamePGN(`[Event "the \\"Open\\""]\n[Result "1-0"]\n\n${moves}\n`);
  log(`${name}: ${game.mainlineMoves() || "none"}`);
  if (name === "plain") log(`Event: ${game.headers("Event")}`);
  game.delete();
};
ffish.onRuntimeInitialized = () => {
  show("plain", "1. e4 e5 2. Nf3 Nc6 1-0");
  show("comment", "1. e4 e5 ; he thought of Nc3\n2. Nf3 Nc6 1-0");
  show("% line", "1. e4 e5\n% he thought of Nc3\n2. Nf3 Nc6 1-0");
  show("no periods", "1 e4 e5 2 Nf3 Nc6 1-0");
};
EOF
node try.cjs >seen 2>/dev/null || true
cat >good <<'EOF'
plain: e2e4 e7e5 g1f3 b8c6
Event: the "Open"
comment: e2e4 e7e5 g1f3 b8c6
% line: e2e4 e7e5 g1f3 b8c6
no periods: e2e4 e7e5 g1f3 b8c6
EOF
cat >stated <<'EOF'
plain: e2e4 e7e5 g1f3 b8c6
Event: the \
comment: e2e4 e7e5 b1c3 b8c6
% line: e2e4 e7e5 b1c3 b8c6
no periods: none
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# kokopu 4.13.4, @mliebelt/pgn-parser 1.4.19 (npm): a line that begins with "%" between two moves
# is an error.
# Valid: the PGN standard, section 6: a percent sign in the first column makes the line private
# data that readers pass over.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund kokopu@4.13.4 @mliebelt/pgn-parser@1.4.19 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import { pgnRead } from "kokopu";
import { parse } from "@mliebelt/pgn-parser";
const text = '1. e4 e5\n% a private line\n2. Nf3 1-0\n';
const tried = (name, f) => {
  let r;
  try { r = f(); } catch (e) { r = e.name ?? 'error'; }
  console.log(`${name}: ${r}`);
};
tried("kokopu", () => {
  const list = pgnRead(text);
  return list.game(0).mainVariation().nodes().map((n) => n.notation()).join(" ");
});
tried("@mliebelt/pgn-parser", () =>
  parse(text, { startRule: "games" }).map((g) => g.moves.map((m) => m.notation.notation).join(" ")).join(" | "));
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
kokopu: e4 e5 Nf3
@mliebelt/pgn-parser: e4 e5 Nf3
EOF
cat >stated <<'EOF'
kokopu: error
@mliebelt/pgn-parser: SyntaxError
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

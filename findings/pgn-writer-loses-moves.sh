#!/bin/sh
# @mliebelt/pgn-writer 1.0.5 (npm): of a game as @mliebelt/pgn-parser gives it only the first move is
# written; of one from @mliebelt/pgn-reader all are, but without the clock times.
# Valid: the writer's README: "The input is the one produced by pgn-parser, and used as well by
# pgn-reader"; [%clk h:mm:ss] is the usual command for the clock, which parser and reader know.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund @mliebelt/pgn-writer@1.0.5 @mliebelt/pgn-parser@1.4.19 @mliebelt/pgn-reader@1.2.30 >"$dir/npm.log" 2>&1
cat >try.cjs <<'EOF'
const { writeGame } = require("@mliebelt/pgn-writer");
const { parse } = require("@mliebelt/pgn-parser");
const { PgnReader } = require("@mliebelt/pgn-reader");
const pgn = "1. e4 {[%clk 1:00:00]} e5 {[%clk 0:59:58] solid} 2. Nf3 *";
const moves = (game) => writeGame(game, {}).trim().split("\n").pop();
console.log(`pgn-parser: ${moves(parse("1. e4 e5 2. Nf3 *", { startRule: "game" }))}`);
console.log(`pgn-reader: ${moves(new PgnReader({ pgn }).getGame(0))}`);
EOF
node try.cjs >seen 2>&1 || true
cat >good <<'EOF'
pgn-parser: 1. e4 e5 2. Nf3 *
pgn-reader: 1. e4 {[%clk 1:00:00]} e5 {[%clk 0:59:58] solid} 2. Nf3 *
EOF
cat >stated <<'EOF'
pgn-parser: 1. e4 *
pgn-reader: 1. e4 e5 {solid} 2. Nf3 *
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

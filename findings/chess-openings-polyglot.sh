#!/bin/sh
# chess-openings 0.1.1 (npm): of a Polyglot book it does not find a position in which Black can take en
# passant; the same for White is found. (Black's pawn is looked for on the third rank instead of the
# fourth.) A promotion to a knight comes out as one to a king, "a7a8k", which is no move.
# Valid: the Polyglot book format: the file of en passant belongs to the key where a pawn of the side
# to move stands beside the pawn that has just moved, and the first two keys are examples of its
# description; promotion piece 1 is the knight.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess-openings@0.1.1 >"$dir/npm.log" 2>&1
{
    # e5f6 behind 1. e4 d5 2. e5 f5
    printf '\042\244\213\132\216\107\377\170\011\055\000\001\000\000\000\000'
    # a7a8 with the promotion pieces 1 to 4
    for code in '\034\070' '\054\070' '\074\070' '\114\070'; do
        printf '\056\025\304\075\015\334\024\207'"$code"'\000\001\000\000\000\000'
    done
    # b4c3 behind 1. a4 b5 2. h4 b4 3. c4
    printf '\074\201\043\352\173\006\166\067\006\122\000\001\000\000\000\000'
} >book.bin
cat >try.mjs <<'EOF'
import { createRequire } from "module";
const { Polyglot } = createRequire(import.meta.url)("chess-openings");
const book = new Polyglot("book.bin");
await book.open();
for (const [name, fen] of [
  ["White en passant", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"],
  ["Black en passant", "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3"],
  ["promotions", "8/P7/8/8/8/8/8/K1k5 w - - 0 1"],
]) {
  const entry = await book.lookup(fen);
  console.log(`${name}: ${entry ? entry.continuations().map((m) => m.move).join(" ") : "nothing"}`);
}
await book.close();
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
White en passant: e5f6
Black en passant: b4c3
promotions: a7a8n a7a8b a7a8r a7a8q
EOF
cat >stated <<'EOF'
White en passant: e5f6
Black en passant: nothing
promotions: a7a8k a7a8b a7a8r a7a8q
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# uci-parser-ts 0.1.4 (npm): parseOne() throws, tryParseOne() gives null, for lines that engines send:
# "bestmove 0000" and "bestmove (none)" of a mated side, and an info line with "wdl", of which depth,
# score and moves are lost, too. parseOneClient() takes no line of a GUI, not even "uci".
# Valid: the UCI protocol: an engine's null move is 0000; unknown tokens are ignored and the rest of the
# line is read. "(none)" and "wdl" (option UCI_ShowWDL) as Stockfish 15.1 sends them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund uci-parser-ts@0.1.4 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import uci from "uci-parser-ts";
const read = (line, parse) => {
  try {
    return parse(line).constructor.name;
  } catch (error) {
    return "an error";
  }
};
for (const line of [
  "bestmove e2e4",
  "bestmove 0000",
  "bestmove (none)",
  "info depth 5 score cp 13 nodes 3 pv e2e4",
  "info depth 5 score cp 13 wdl 100 800 100 nodes 3 pv e2e4",
])
  console.log(`${line}: ${read(line, uci.parseOne)}`);
for (const line of ["uci", "position startpos moves e2e4"])
  console.log(`GUI, ${line}: ${read(line, uci.parseOneClient)}`);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
bestmove e2e4: BestMoveCommand
bestmove 0000: BestMoveCommand
bestmove (none): BestMoveCommand
info depth 5 score cp 13 nodes 3 pv e2e4: InfoCommand
info depth 5 score cp 13 wdl 100 800 100 nodes 3 pv e2e4: InfoCommand
GUI, uci: UciCommand
GUI, position startpos moves e2e4: PositionCommand
EOF
cat >stated <<'EOF'
bestmove e2e4: BestMoveCommand
bestmove 0000: an error
bestmove (none): an error
info depth 5 score cp 13 nodes 3 pv e2e4: InfoCommand
info depth 5 score cp 13 wdl 100 800 100 nodes 3 pv e2e4: an error
GUI, uci: an error
GUI, position startpos moves e2e4: an error
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

#!/bin/sh
# chess-clock 0.5.0 (npm): the imports of its README fail in Node: the package.json of its two folders
# are no JSON. With these put right, the push with which Black starts White's clock counts as a move
# of Black's: in "Fischer Rapid 5|5" Black gets the increment once more than White, in the tournament
# setting Black's second hour comes behind move 39, White's behind move 40. And a move of 61 seconds
# with one minute and a delay of 2 seconds keeps to the time in the simple delay and loses by it in
# the Bronstein delay.
# Valid: its README: a stage begins at the "number of moves of previous stages", the increment comes
# "after each move", the two delays are "mathematically equivalent". FIDE Laws of Chess, articles 6.2
# and 6.6: White's clock is started, and then each player stops the own clock after a move.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund chess-clock@0.5.0 >"$dir/npm.log" 2>&1
cat >import.mjs <<'EOF'
for (const [name, load] of [
  ["import", async () => await import("chess-clock")],
  ["require", async () => (await import("module")).createRequire(import.meta.url)("chess-clock/cjs")],
]) {
  let r;
  try { r = typeof (await load()).Clock; } catch (e) { r = e.code ?? e.name; }
  console.log(`${name}: ${r}`);
}
EOF
cat >try.cjs <<'EOF'
// The time is what this script says it is.
let now = 0;
Date.now = () => now;
globalThis.setInterval = () => 0;
const { Clock } = require("chess-clock/cjs");
const start = (name) => {
  const clock = new Clock(Clock.getConfig(name));
  clock.push(1);
  return clock;
};
const move = (clock, player, seconds) => {
  now += 1000 * seconds;
  return clock.push(player);
};
let clock = start("Fischer Rapid 5|5");
for (let i = 0; i < 10; i++) move(clock, i % 2, 10);
console.log(`ten moves of ten seconds: ${clock.state.remainingTime.map((t) => t / 1000).join(" ")}`);
clock = start("Tournament 40/120|5, 60|5");
const hour = [];
for (let n = 1; n <= 45; n++)
  for (const player of [0, 1]) {
    const before = clock.state.remainingTime[player];
    move(clock, player, 5);
    if (clock.state.remainingTime[player] > before) hour[player] = n;
  }
console.log(`second hour behind moves: ${hour.join(" ")}`);
for (const name of ["Delay Bullet 1|2", "Bronstein Bullet 1|2"]) {
  clock = start(name);
  console.log(`${name}: ${move(clock, 0, 61) ? "in time" : "lost"}`);
}
EOF
{
    node import.mjs
    for kind in cjs:commonjs esm:module; do
        echo "{ \"type\": \"${kind#*:}\" }" >"node_modules/chess-clock/lib/${kind%:*}/package.json"
    done
    node try.cjs
} >seen 2>&1 || true
cat >good <<'EOF'
import: function
require: function
ten moves of ten seconds: 275 275
second hour behind moves: 40 40
Delay Bullet 1|2: in time
Bronstein Bullet 1|2: in time
EOF
cat >stated <<'EOF'
import: ERR_INVALID_PACKAGE_CONFIG
require: SyntaxError
ten moves of ten seconds: 275 280
second hour behind moves: 40 39
Delay Bullet 1|2: in time
Bronstein Bullet 1|2: lost
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

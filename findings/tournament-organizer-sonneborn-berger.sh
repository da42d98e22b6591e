#!/bin/sh
# tournament-organizer 4.1.1 (npm): in a double round-robin the Sonneborn-Berger score has only the first
# of the two games with each opponent; the wrong one of two players with equal points is the winner.
# Valid: the package's own format "double-round-robin" and tie-break "sonneborn berger"; the FIDE
# handbook, C.07, Sonneborn-Berger: the scores of the opponents, each times the points won against them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund tournament-organizer@4.1.1 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF'
import TournamentOrganizer from "tournament-organizer";
const tournament = new TournamentOrganizer().createTournament("Match", {
  scoring: { win: 1, draw: 0.5, loss: 0, bye: 1, bestOf: 1, tiebreaks: ["sonneborn berger"] },
  stageOne: { format: "double-round-robin" },
  sorting: "descending",
});
const names = {};
["Ann", "Bob", "Cid", "Dan"].forEach((name, i) => {
  names[tournament.createPlayer(name, undefined, 2400 - i).getId()] = name;
});
// Who wins the first and the second game of each pair.
const winners = {
  "Ann Dan": ["Dan", "Ann"], "Bob Cid": ["Cid", "Bob"], "Cid Dan": ["Cid", "Cid"],
  "Ann Bob": ["Bob", "Ann"], "Bob Dan": ["Bob", "Bob"], "Ann Cid": ["Ann", "Ann"],
};
const games = [];
tournament.startTournament();
for (let round = 1; round <= 6; round++) {
  if (round > 1) tournament.nextRound();
  for (const match of tournament.getActiveMatches()) {
    const [white, black] = [names[match.getPlayer1().id], names[match.getPlayer2().id]];
    const pair = [white, black].sort().join(" ");
    const winner = winners[pair][games.filter((g) => g.pair === pair).length];
    games.push({ pair, winner, loser: winner === white ? black : white });
    tournament.enterResult(match.getId(), winner === white ? 1 : 0, winner === black ? 1 : 0);
  }
}
const points = (name) => games.filter((g) => g.winner === name).length;
const score = (name) => games.filter((g) => g.winner === name).reduce((sum, g) => sum + points(g.loser), 0);
const show = (rows) => rows.map((row) => row.join(" ")).join(", ");
console.log(`by the games: ${show(["Ann", "Bob", "Cid", "Dan"].map((name) => [name, points(name), score(name)]))}`);
console.log(`standings: ${show(tournament.getStandings(false).map((row) =>
  [row.player.getName(), row.matchPoints, row.tiebreaks.sonnebornBerger]))}`);
EOF
node try.mjs >seen 2>&1 || true
cat >good <<'EOF'
by the games: Ann 4 11, Bob 4 9, Cid 3 6, Dan 1 4
standings: Ann 4 11, Bob 4 9, Cid 3 6, Dan 1 4
EOF
cat >stated <<'EOF'
by the games: Ann 4 11, Bob 4 9, Cid 3 6, Dan 1 4
standings: Bob 4 5, Ann 4 3, Cid 3 5, Dan 1 4
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

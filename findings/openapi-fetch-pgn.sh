#!/bin/sh
# openapi-fetch 0.17.0 with @lichess-org/types 2.0.171 (npm): the PGN of a masters' game, a string by
# its type, is read as JSON whatever its Content-Type says: the call is rejected with a SyntaxError,
# where every other failure is in `error`. So is an answer of the player explorer in two lines.
# Valid: "/masters/pgn/{gameId}" and "/player" of these types, with the Content-Type that they name.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund \
    openapi-fetch@0.17.0 @lichess-org/types@2.0.171 >"$dir/npm.log" 2>&1
cat >try.mjs <<'EOF2'
import http from "node:http";
import createClient from "openapi-fetch";
const line = (queue) => `{"white":1,"draws":0,"black":0,"queuePosition":${queue}}\n`;
const server = http.createServer((request, response) => {
    const pgn = request.url.startsWith("/masters/pgn/");
    response.setHeader("Content-Type", pgn ? "application/x-chess-pgn" : "application/x-ndjson");
    response.end(pgn ? '[Event "Open"]\n\n1. e4 *\n' : line(1) + line(0));
});
server.listen(0, "127.0.0.1", async () => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${server.address().port}` });
    const calls = [
        ["/masters/pgn/{gameId}", { path: { gameId: "aaaaaaaa" } }],
        ["/player", { query: { player: "ann", color: "white" } }],
    ];
    for (const [path, params] of calls) {
        const seen = await client.GET(path, { params }).then(
            ({ data, error }) => (data ? "data" : error ? "error" : "nothing"),
            (fault) => `rejected: ${fault.name}`);
        console.log(`${path}: ${seen}`);
    }
    server.close();
});
EOF2
grep -o '"application/x-chess-pgn": string' node_modules/@lichess-org/types/lichess-api.d.ts |
    sort -u >seen
node try.mjs >>seen 2>&1 || true
cat >good <<'EOF2'
"application/x-chess-pgn": string
/masters/pgn/{gameId}: data
/player: data, or error
EOF2
cat >stated <<'EOF2'
"application/x-chess-pgn": string
/masters/pgn/{gameId}: rejected: SyntaxError
/player: rejected: SyntaxError
EOF2
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }

// Sample games: some of those that come to a position, which makebook build --samples kept.
"use strict";

const describePlayer = ({name, elo}) => (name || "?") + (elo ? ` (${elo})` : "");

// A game that comes to the position after `ply` plies, -1: to its mirror image; a click plays it on
// the board.
function gameLink({about, fault, fen, moves, ply})
{
    if (fault)
        return element("span", {class: "fault"}, fault);
    const root = rootOfFen(fen || START_FEN);
    const text = `${describePlayer(about.white)} – ${describePlayer(about.black)} ` +
        `${about.result} ${about.date}`;
    const words = wordsOf(root.pos, moves.slice(0, Math.max(ply, 0)));
    const link = element("a", {href: linkTo(root, words), class: "order game",
        title: `${about.file}, byte ${about.byte}`}, text);
    link.addEventListener("click", (event) => follow(event, () => {
        setLine(root, moves, Math.max(ply, 0));
        render();
    }));
    return link;
}

// Adds the games that stand on the page (page_games.h) to what stands below the moves.
function showGames(host)
{
    for (const which of [book, rival]) {
        const games = which && which.games ? gamesOf(which.games, line.positions[line.at]) : [];
        if (games.length)
            host.append(sublist(rival ? `Sample games of ${which.about.title}` : "Sample games",
                games.map(gameLink)));
    }
}

function gamesOf({games, lists}, pos)
{
    const key = keyText(pos), numbers = lists[key] || [];
    return numbers.map((number) => games[number]).filter(Boolean)
        .map((game) => ({...game, ply: plyTo(game, key)}));
}

// After how many plies a game comes to a position.
function plyTo({fen, moves}, key)
{
    let pos = parseFen(fen || START_FEN), ply = 0;
    while (ply < moves.length && keyText(pos) !== key)
        pos = pos.play(moves[ply++]);
    return ply;
}

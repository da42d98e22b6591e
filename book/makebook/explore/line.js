// The line at hand, and its address.
"use strict";

const INDEX_PATIENCE_MS = 400;
const LINK_PAUSE_MS = 160; // browsers refuse more than some hundred changes of the address a minute

// positions[0] is where the line begins, positions[at] is on the board. Moves after `at` are those
// that were gone back from. nodes are of `book`, rivals of the second book where there is one.
const line = {root: null, moves: [], positions: [], nodes: [], rivals: [], at: 0};

// The node of a position. Of a large book the index may take longer than a reader waits: then
// findAgain() finds it later.
function lookUp(which, pos)
{
    return which.buildIndex(INDEX_PATIENCE_MS) ? which.find(pos) : NO_NODE;
}

// When the index is there.
function findAgain()
{
    if (line.nodes[0] === NO_NODE)
        line.root.node = book.find(line.root.pos);
    const before = line.nodes[line.at], rivalBefore = line.rivals[line.at];
    setLine(line.root, line.moves, line.at);
    if (line.nodes[line.at] === before && line.rivals[line.at] === rivalBefore)
        renderExtras();
    else
        render();
}

// The node behind a move; what the book does not know may still be a position of it, and what
// --max-ply cut off may be on the page by another line.
function nodeAfter(which, node, m, next)
{
    const entry = node === NO_NODE ? null : which.movesOf(node).find((one) => one.move === m);
    return entry && entry.to !== NO_NODE ? entry.to : lookUp(which, next);
}

function appendMove(m)
{
    const last = line.moves.length, next = line.positions[last].play(m);
    line.nodes.push(nodeAfter(book, line.nodes[last], m, next));
    if (rival)
        line.rivals.push(nodeAfter(rival, line.rivals[last], m, next));
    line.moves.push(m);
    line.positions.push(next);
}

// root: {pos, fen, node}.
function setLine(root, moves, at = moves.length)
{
    line.root = root;
    line.moves = [];
    line.positions = [root.pos];
    line.nodes = [root.node];
    line.rivals = rival ? [rivalNodeOf(root)] : [];
    moves.forEach(appendMove);
    line.at = at;
}

function goTo(at)
{
    const wanted = Math.max(0, Math.min(at, line.moves.length));
    if (wanted === line.at)
        return;
    line.at = wanted;
    render();
}

function playMove(m)
{
    if (!book.isReady(line.positions[line.at])) // the move is one of the position before
        return;
    if (line.moves[line.at] !== m) {
        line.moves.length = line.at;
        line.positions.length = line.nodes.length = line.at + 1;
        line.rivals.length = rival ? line.at + 1 : 0;
        appendMove(m);
    }
    line.at++;
    render();
}

// Along the line; at its end the heaviest move of the book.
function goForward()
{
    if (line.at < line.moves.length)
        goTo(line.at + 1);
    else if (shown.entries.length)
        playMove(shown.entries[Math.max(shown.chosen, 0)].move);
}

function showNode(node)
{
    const {root, moves} = book.lineTo(node);
    setLine(root, moves);
    render();
}

// Links -------------------------------------------------------------------------------------------

const wordOf = (pos, m, legal) => formatSan(pos, m, legal).replace(/[+#]/g, "");

// "#e4,c5,Nf3", or "#fen=...;e4" where the line begins elsewhere; and "&speeds=.." for some games of
// served statistics.
function linkTo(root, words)
{
    const moves = words.join(","), asked = book.asked ? "&" + book.asked : "";
    if (root === book.roots[0])
        return "#" + moves + asked;
    return `#fen=${root.fen.replace(/ /g, "_")}${moves && ";" + moves}${asked}`;
}

function rootOfFen(text)
{
    const pos = parseFen(text), fen = formatFen(pos);
    return book.roots.find((root) => root.fen === fen) || {pos, fen, node: lookUp(book, pos)};
}

// Shows what the address says; false when it makes no sense.
function followLink()
{
    const found = /^#(?:fen=([^;&]*);?)?([^&]*)&?(.*)$/.exec(decodeURIComponent(location.hash || "#"));
    if (book.askFor)
        book.askFor(found[3]);
    const root = found[1] ? rootOfFen(found[1].replace(/_/g, " ")) : book.roots[0];
    setLine(root, parseLine(root.pos, found[2]));
    render();
}

let linkTimer = 0, linkTime = -LINK_PAUSE_MS, linkShown = "";
let linkGiven = false; // what is shown comes from the address,
let linkFault = ""; // which nobody can make sense of for this reason

function writeLink()
{
    linkTimer = 0;
    const link = currentLink();
    if (link === linkShown)
        return;
    linkTime = performance.now();
    linkShown = link;
    history.pushState(null, "", link);
}

function currentLink()
{
    const words = line.moves.slice(0, line.at).map((m, ply) => wordOf(line.positions[ply], m));
    return linkTo(line.root, words);
}

function updateLink()
{
    if (linkGiven) {
        linkShown = currentLink();
        return;
    }
    const wait = linkTime + LINK_PAUSE_MS - performance.now();
    if (linkTimer)
        return;
    if (wait <= 0)
        writeLink();
    else
        linkTimer = setTimeout(writeLink, wait);
}

// What the reader sees and does: the line at hand, the moves of the book, search, keys, links.
"use strict";

const NAMES_SHOWN = 8;
const SOURCES_SHOWN = 6;
const LINK_PAUSE_MS = 160; // browsers refuse more than some hundred changes of the address a minute

const byId = (id) => document.getElementById(id);
const readBytes = (id) => decodeBase64(byId(id).textContent);
const formatNumber = new Intl.NumberFormat("en-US", {maximumFractionDigits: 1}).format;
const formatPercent = (share) => (100 * share).toFixed(1) + "%";

// The line: positions[0] is where it begins, positions[at] is on the board. Moves after `at` are
// those that were gone back from.
const line = {root: null, moves: [], positions: [], nodes: [], at: 0};
const shown = {entries: [], legal: [], chosen: -1};
let book, names, board;

const nameOf = (pos) => names.find(...pos.key(book.keys));

// The line ----------------------------------------------------------------------------------------

// The node behind a move; what the book does not know may still be a position of it.
function nodeAfter(node, m, next)
{
    const entry = node === NO_NODE ? null : book.movesOf(node).find((one) => one.move === m);
    if (!entry)
        return book.find(next);
    return entry.to;
}

function appendMove(m)
{
    const last = line.moves.length, next = line.positions[last].play(m);
    line.nodes.push(nodeAfter(line.nodes[last], m, next));
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
    if (line.moves[line.at] !== m) {
        line.moves.length = line.at;
        line.positions.length = line.nodes.length = line.at + 1;
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

// "#e4,c5,Nf3", or "#fen=...;e4" where the line begins elsewhere.
function linkTo(root, words)
{
    const moves = words.join(",");
    if (root === book.roots[0])
        return "#" + moves;
    return `#fen=${root.fen.replace(/ /g, "_")}${moves && ";" + moves}`;
}

function rootOfFen(text)
{
    const pos = parseFen(text), fen = formatFen(pos);
    return book.roots.find((root) => root.fen === fen) || {pos, fen, node: book.find(pos)};
}

// Shows what the address says; false when it makes no sense.
function followLink()
{
    const found = /^#(?:fen=([^;]*);?)?(.*)$/.exec(decodeURIComponent(location.hash || "#"));
    const root = found[1] ? rootOfFen(found[1].replace(/_/g, " ")) : book.roots[0];
    setLine(root, parseLine(root.pos, found[2]));
    render();
}

let linkTimer = 0, linkTime = -LINK_PAUSE_MS, linkShown = "";
let linkGiven = false; // what is shown comes from the address

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

// Rendering ---------------------------------------------------------------------------------------

function render()
{
    const pos = line.positions[line.at], node = line.nodes[line.at];
    const all = node === NO_NODE ? [] : book.movesOf(node);
    shown.legal = pos.legalMoves();
    shown.entries = all.filter((entry) => entry.kind !== PASSAGE);
    shown.chosen = -1;
    const sum = shown.entries.reduce((total, entry) => total + entry.weight, 0);
    for (const entry of shown.entries) {
        entry.share = sum ? entry.weight / sum : 0;
        entry.san = formatSan(pos, entry.move, shown.legal);
        entry.next = pos.play(entry.move);
        entry.opening = nameOf(entry.next);
    }
    showError("");
    board.show(pos, shown.legal, shown.entries, line.at ? line.moves[line.at - 1] : null);
    renderOpening();
    renderLine();
    renderTotals(sum);
    byId("moves").replaceChildren(...shown.entries.map(moveRow));
    renderExtras();
    byId("fen").value = formatFen(pos);
    byId("key").textContent = pos.key(book.keys)
        .map((half) => half.toString(16).padStart(8, "0")).join("");
    byId("home").disabled = byId("back").disabled = line.at === 0;
    byId("forward").disabled = line.at === line.moves.length && !shown.entries.length;
    byId("end").disabled = line.at === line.moves.length;
    updateLink();
    const last = line.at ? line.positions[line.at - 1] : null;
    const played = last ? moveNumber(last, true) + formatSan(last, line.moves[line.at - 1]) : "Start";
    byId("said").textContent = `${played}. ${byId("name").textContent}. ` +
        `${shown.entries.length} moves in the book.`;
}

// The last name on the line.
function renderOpening()
{
    let opening = null, at = line.at;
    for (; at >= 0 && !opening; at--)
        opening = nameOf(line.positions[at]);
    byId("eco").textContent = opening ? opening.code : "";
    byId("eco").hidden = !opening;
    byId("name").textContent = opening ? opening.name :
        line.root === book.roots[0] && line.root.fen === START_FEN ? "Start position" : "Position";
}

function renderLine()
{
    const words = [], parts = [];
    const start = element("a", {href: linkTo(line.root, []), class: "ply start",
        "aria-current": line.at === 0 ? "step" : null}, "Start");
    start.addEventListener("click", (event) => follow(event, () => goTo(0)));
    parts.push(start);
    line.moves.forEach((m, ply) => {
        const pos = line.positions[ply];
        words.push(wordOf(pos, m));
        const number = moveNumber(pos, ply === 0);
        const link = element("a", {href: linkTo(line.root, words),
            class: ply < line.at ? "ply" : "ply ahead",
            "aria-current": ply + 1 === line.at ? "step" : null},
        number ? element("span", {class: "number"}, number) : null, formatSan(pos, m));
        link.addEventListener("click", (event) => follow(event, () => goTo(ply + 1)));
        parts.push(" ", link);
    });
    byId("line").replaceChildren(...parts);
    const current = byId("line").querySelector("[aria-current]");
    if (current)
        current.scrollIntoView({block: "nearest", inline: "nearest"});
}

// Links work as links, and without going through the address when they are simply clicked.
function follow(event, action)
{
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button)
        return;
    event.preventDefault();
    action();
}

// Results of both sides as White sees them.
function resultsOf(entry, turn)
{
    return turn === WHITE ? {white: entry.wins, draws: entry.draws, black: entry.losses} :
        {white: entry.losses, draws: entry.draws, black: entry.wins};
}

function resultBar(results)
{
    const games = results.white + results.draws + results.black;
    const parts = [["white", results.white], ["draws", results.draws], ["black", results.black]];
    const text = `White wins ${formatNumber(results.white)}, draws ${formatNumber(results.draws)}, ` +
        `Black wins ${formatNumber(results.black)}`;
    return element("span", {class: "results", role: "img", "aria-label": text, title: text},
        ...parts.map(([name, count]) => {
            const share = games ? count / games : 0;
            const part = element("span", {class: name}, share >= 0.14 ? Math.round(100 * share) + "%" : "");
            part.style.flexGrow = share;
            part.hidden = share === 0;
            return part;
        }));
}

function renderTotals(sum)
{
    const {entries} = shown, turn = line.positions[line.at].turn;
    const host = byId("totals");
    host.className = entries.length ? "" : "nothing";
    if (!entries.length) {
        const over = !shown.legal.length;
        host.replaceChildren(element("p", {}, over ? "The game is over." :
            "The book knows no move here."));
        return;
    }
    const count = `${entries.length} move${entries.length === 1 ? "" : "s"}`;
    const amount = book.hasCounts ? `${formatNumber(sum)} games` : `weight ${formatNumber(sum)}`;
    const parts = [element("span", {class: "count"},
        `${turn === WHITE ? "White" : "Black"} to move · ${count} · ${amount}`)];
    if (book.hasCounts) {
        const add = (name) => entries.reduce((total, entry) => total + entry[name], 0);
        parts.push(resultBar(resultsOf({wins: add("wins"), draws: add("draws"),
            losses: add("losses")}, turn)));
    }
    host.replaceChildren(...parts);
}

function moveRow(entry, index)
{
    const pos = line.positions[line.at];
    const words = line.moves.slice(0, line.at).map((m, ply) => wordOf(line.positions[ply], m));
    words.push(wordOf(pos, entry.move, shown.legal));
    const bar = element("span", {class: "bar"}, element("i"));
    bar.firstChild.style.width = 100 * entry.share + "%";
    const cells = [
        element("span", {class: "digit", "aria-hidden": "true"}, index < 9 ? String(index + 1) : ""),
        element("span", {class: "san"}, entry.san),
        element("span", {class: "percent"}, formatPercent(entry.share)),
        bar,
        element("span", {class: "weight"}, formatNumber(entry.weight)),
    ];
    if (book.hasCounts) {
        const score = (entry.wins + entry.draws / 2) / entry.games;
        const text = entry.games ? formatPercent(score) : "";
        cells.push(resultBar(resultsOf(entry, pos.turn)),
            element("span", {class: "score", title: "Points that the move scored"}, text));
    }
    cells.push(element("span", {class: "about"}, ...aboutMove(entry)));
    const link = element("a", {href: linkTo(line.root, words), "data-uci": formatUci(entry.move),
        "data-weight": entry.weight, class: entry.weight ? "move" : "move never"}, ...cells);
    link.addEventListener("click", (event) => follow(event, () => playMove(entry.move)));
    link.addEventListener("pointerenter", () => board.highlight(entry.move));
    link.addEventListener("pointerleave", () => board.highlight(chosenMove()));
    link.addEventListener("focus", () => choose(index, false));
    return element("li", {}, link);
}

// The opening, and whether other orders of moves come to the same position.
function aboutMove(entry)
{
    const parts = [];
    if (entry.opening)
        parts.push(element("span", {class: "code"}, entry.opening.code), " ",
            element("span", {class: "opening-name"}, entry.opening.name));
    if (!entry.weight && !book.hasCounts)
        parts.push(element("span", {class: "chip"}, "known, never played"));
    if (entry.kind === LEAF)
        parts.push(element("span", {class: "chip", title: "The book knows nothing behind it"}, "last"));
    if (entry.to === NO_NODE || !book.isTransposition(entry.to))
        return parts;
    const {root, moves} = book.lineTo(entry.to);
    const here = line.moves.slice(0, line.at).concat(entry.move);
    const same = root === line.root && moves.length === here.length &&
        moves.every((m, ply) => m === here[ply]);
    const orders = book.sourcesOf(entry.to).length;
    const text = same ? `${orders} move orders` : formatLine(root.pos, moves) || "start";
    parts.push(element("span", {class: "chip transposes", title: same ?
        "Other moves of the book come to the same position" : "Transposes"}, "⇄ " + text));
    return parts;
}

function sublist(title, links)
{
    return element("section", {class: "extra"}, element("h3", {}, title),
        element("ul", {}, ...links.map((link) => element("li", {}, link))));
}

// What takes the index waits until it is there.
function renderExtras()
{
    const pos = line.positions[line.at], node = line.nodes[line.at], parts = [];
    if (node !== NO_NODE) {
        const before = line.at ? line.nodes[line.at - 1] : NO_NODE;
        const sources = book.sourcesOf(node).filter((source) => source !== before);
        if (sources.length)
            parts.push(sublist("Other move orders", sources.slice(0, SOURCES_SHOWN)
                .map((source) => sourceLink(source, node))));
    }
    if (book.indexed) {
        const known = new Set(shown.entries.map((entry) => entry.move));
        const links = shown.legal.filter((m) => !known.has(m)).map((m) => {
            const next = pos.play(m);
            return book.find(next) === NO_NODE ? null : intoLink(pos, m, next);
        }).filter(Boolean);
        if (links.length)
            parts.push(sublist(shown.entries.length ? "Also lead into the book" :
                "Lead back into the book", links));
    }
    byId("extras").replaceChildren(...parts);
}

function sourceLink(source, node)
{
    const {root, moves} = book.lineTo(source);
    const entry = book.movesOf(source).find((one) => one.to === node);
    const all = moves.concat(entry.move);
    const link = element("a", {href: linkTo(root, wordsOf(root.pos, all)), class: "order"},
        formatLine(root.pos, all));
    link.addEventListener("click", (event) => follow(event, () => {
        setLine(root, all);
        render();
    }));
    return link;
}

function wordsOf(start, moves)
{
    let pos = start;
    return moves.map((m) => {
        const word = wordOf(pos, m);
        pos = pos.play(m);
        return word;
    });
}

function intoLink(pos, m, next)
{
    const opening = nameOf(next);
    const words = wordsOf(line.root.pos, line.moves.slice(0, line.at).concat(m));
    const link = element("a", {href: linkTo(line.root, words), class: "into"},
        element("span", {class: "san"}, moveNumber(pos, true) + formatSan(pos, m, shown.legal)),
        opening ? element("span", {class: "code"}, " " + opening.code) : null,
        opening ? element("span", {class: "opening-name"}, " " + opening.name) : null);
    link.addEventListener("click", (event) => follow(event, () => playMove(m)));
    return link;
}

// Choosing a move by keys -------------------------------------------------------------------------

const chosenMove = () => shown.chosen < 0 ? null : shown.entries[shown.chosen].move;

function choose(index, focus = true)
{
    if (!shown.entries.length)
        return;
    shown.chosen = Math.max(0, Math.min(index, shown.entries.length - 1));
    const rows = byId("moves").querySelectorAll("a");
    rows.forEach((row, at) => row.classList.toggle("chosen", at === shown.chosen));
    if (focus)
        rows[shown.chosen].focus();
    board.highlight(chosenMove());
}

const KEYS = {
    ArrowLeft: () => goTo(line.at - 1),
    ArrowRight: goForward,
    ArrowDown: () => choose(shown.chosen + 1),
    ArrowUp: () => choose(shown.chosen < 0 ? shown.entries.length - 1 : shown.chosen - 1),
    Home: () => goTo(0),
    End: () => goTo(line.moves.length),
    f: () => board.flip(),
    "/": () => byId("search").focus(),
};

function onKey(event)
{
    const inside = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
    if (event.key === "Escape" && !board.chooser.hidden)
        board.closeChooser();
    if (inside.closest("input, .chooser"))
        return;
    let action = KEYS[event.key];
    if (event.key === "Enter" && !inside.closest("a, button") && shown.entries.length)
        action = () => playMove(shown.entries[Math.max(shown.chosen, 0)].move);
    if (/^[1-9]$/.test(event.key) && shown.entries[event.key - 1])
        action = () => playMove(shown.entries[event.key - 1].move);
    if (!action)
        return;
    event.preventDefault();
    const wasChosen = inside.closest("#moves");
    action();
    // The row that had the focus is gone: keys go on from the new list.
    if (wasChosen && document.activeElement === document.body && shown.entries.length &&
        event.key === "Enter")
        choose(0);
}

// Search ------------------------------------------------------------------------------------------

function showError(text)
{
    byId("error").textContent = text;
    byId("error").hidden = !text;
}

// Openings that the book reaches and whose name has all the words; short names first.
function findNames(text)
{
    const words = text.toLowerCase().split(/\s+/).filter(Boolean), seen = new Set();
    if (!words.length || !/[a-z]{2}/i.test(text))
        return [];
    return names.list.filter((entry) => {
        const name = `${entry.code} ${entry.name}`.toLowerCase();
        return words.every((word) => name.includes(word));
    }).sort((a, b) => a.name.length - b.name.length).filter((entry) => {
        const fresh = !seen.has(entry.name) && seen.size < NAMES_SHOWN &&
            book.findKey(entry.high, entry.low) !== NO_NODE;
        if (fresh)
            seen.add(entry.name);
        return fresh;
    });
}

function showFound(found)
{
    const list = byId("found"), input = byId("search");
    list.replaceChildren(...found.map((entry, index) => {
        const item = element("li", {role: "option", id: "found-" + index, "aria-selected": "false"},
            element("span", {class: "code"}, entry.code), " " + entry.name);
        item.addEventListener("pointerdown", (event) => {
            event.preventDefault();
            openFound(entry);
        });
        return item;
    }));
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(found.length > 0));
    input.removeAttribute("aria-activedescendant");
    search.found = found;
    search.at = -1;
}

const search = {found: [], at: -1};

function openFound(entry)
{
    endSearch();
    showNode(book.findKey(entry.high, entry.low));
}

function endSearch()
{
    byId("search").value = "";
    byId("search").blur();
    showFound([]);
}

const looksLikeFen = (text) => (text.match(/\//g) || []).length >= 7;

// Moves and FENs by Enter; names while they are typed.
function submitSearch()
{
    const text = byId("search").value.trim();
    if (!text)
        return;
    if (search.at >= 0) {
        openFound(search.found[search.at]);
        return;
    }
    try {
        openText(text);
    } catch (error) {
        if (!(error instanceof NotationError))
            throw error;
        if (search.found.length && !error.played)
            openFound(search.found[0]);
        else
            showError(error.message);
    }
}

function openText(text)
{
    if (!looksLikeFen(text)) {
        const moves = parseLine(book.roots[0].pos, text);
        endSearch();
        setLine(book.roots[0], moves);
        render();
        return;
    }
    // A FEN, and perhaps moves from there: "... w KQkq - 0 1 moves e2e4".
    const [fen, moves] = text.split(/\s+moves\s+/), root = rootOfFen(fen);
    const played = parseLine(root.pos, moves || "");
    endSearch();
    if (root.node !== NO_NODE && !played.length) {
        showNode(root.node);
        return;
    }
    setLine(root, played);
    render();
}

function onSearchKey(event)
{
    if (event.key === "Escape") {
        endSearch();
        showError("");
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && search.found.length) {
        event.preventDefault();
        const step = event.key === "ArrowDown" ? 1 : -1, count = search.found.length;
        search.at = search.at < 0 && step < 0 ? count - 1 : (search.at + step + count) % count;
        byId("found").childNodes.forEach((item, index) =>
            item.setAttribute("aria-selected", String(index === search.at)));
        byId("search").setAttribute("aria-activedescendant", "found-" + search.at);
    }
}

function onSearchInput()
{
    const text = byId("search").value;
    showError("");
    showFound(looksLikeFen(text) ? [] : findNames(text));
}

// Copying -----------------------------------------------------------------------------------------

async function copy(button, text)
{
    const label = button.dataset.label || button.textContent;
    button.dataset.label = label;
    try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
    } catch {
        byId("fen").select();
        button.textContent = "Not allowed";
    }
    setTimeout(() => {
        button.textContent = label;
    }, 1500);
}

// Beginning ---------------------------------------------------------------------------------------

function showFacts()
{
    const {about} = book, count = (number, what) => `${formatNumber(number)} ${what}`;
    const facts = [about.format, count(about.positions, "positions"), count(about.moves, "moves")];
    if (about.maxPly)
        facts.push(`to ply ${about.maxPly}`);
    document.body.classList.toggle("counts", book.hasCounts);
    byId("facts").textContent = facts.join(" · ");
}

function indexInPauses()
{
    const later = window.requestIdleCallback || ((action) => setTimeout(action, 1));
    const step = () => {
        if (book.buildIndex(12))
            renderExtras();
        else
            later(step);
    };
    later(step);
}

function listen()
{
    const click = (id, action) => byId(id).addEventListener("click", action);
    click("home", () => goTo(0));
    click("back", () => goTo(line.at - 1));
    click("forward", goForward);
    click("end", () => goTo(line.moves.length));
    click("flip", () => board.flip());
    click("copy-fen", () => copy(byId("copy-fen"), byId("fen").value));
    click("copy-link", () => copy(byId("copy-link"), location.href.split("#")[0] + currentLink()));
    byId("search-form").addEventListener("submit", (event) => {
        event.preventDefault();
        submitSearch();
    });
    byId("search").addEventListener("input", onSearchInput);
    byId("search").addEventListener("keydown", onSearchKey);
    byId("search").addEventListener("blur", () => showFound([]));
    document.addEventListener("keydown", onKey);
    window.addEventListener("popstate", openLink);
}

// An address that nobody made sense of shows the start, and says so.
function openLink()
{
    linkGiven = true;
    try {
        followLink();
    } catch (error) {
        setLine(book.roots[0], []);
        render();
        showError(`The link names no position of this page. ${error.message}`);
    }
    linkGiven = false;
}

function begin()
{
    const keys = readBytes("keys");
    book = new Book(JSON.parse(byId("about").textContent), readBytes("book"),
        new Uint32Array(keys.buffer));
    names = new Names(readBytes("names"));
    board = new Board(byId("board"), playMove);
    showFacts();
    listen();
    openLink();
    document.body.dataset.ready = Math.round(performance.now());
    indexInPauses();
}

begin();

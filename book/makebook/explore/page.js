// The page: what is shown of a position, keys, buttons.
"use strict";

const byId = (id) => document.getElementById(id);
const readBytes = (id) => decodeBase64(byId(id).textContent);
const readJson = (id) => JSON.parse(byId(id).textContent);
const formatNumber = new Intl.NumberFormat("en-US", {maximumFractionDigits: 1}).format;
const formatPercent = (share) => (100 * share).toFixed(1) + "%";

// What is on the page: the moves of the book, all legal moves, the index of the one that the keys
// have chosen.
const shown = {entries: [], legal: [], chosen: -1};
let book, names, board;
let rival = null; // the second book, beside `book`
let review = null; // where games left `book`

const nameOf = (pos) => names.find(...pos.key(book.keys));
const keyText = (pos) => pos.key(book.keys)
    .map((half) => half.toString(16).padStart(8, "0")).join("");

const weightSum = (entries) => entries.reduce((total, entry) => total + entry.weight, 0);

// The moves of a book in a position, with their shares.
function entriesOf(which, node)
{
    const entries = node === NO_NODE ? [] :
        which.movesOf(node).filter((entry) => entry.kind !== PASSAGE);
    const sum = weightSum(entries);
    for (const entry of entries)
        entry.share = sum ? entry.weight / sum : 0;
    return entries;
}

function render()
{
    const pos = line.positions[line.at], node = line.nodes[line.at];
    if (!book.isReady(pos)) {
        loadAndRender(pos);
        return;
    }
    shown.legal = pos.legalMoves();
    shown.entries = entriesOf(book, node);
    shown.chosen = -1;
    const sum = shown.entries.reduce((total, entry) => total + (entry.games ?? entry.weight), 0);
    const rivalSum = rival ? addRival(line.rivals[line.at]) : 0;
    for (const entry of shown.entries) {
        entry.san = formatSan(pos, entry.move, shown.legal);
        entry.next = pos.play(entry.move);
        entry.opening = nameOf(entry.next);
    }
    showError(linkGiven ? linkFault : "");
    board.show(pos, shown.legal, rival ? strongest(shown.entries) : shown.entries, line.at ? line.moves[line.at - 1] : null);
    renderOpening();
    renderLine();
    renderTotals(sum, rivalSum);
    byId("columns").replaceChildren(...(rival ? pairNames() : columnNames()));
    byId("moves").replaceChildren(...shown.entries.map(moveRow));
    if (review)
        review.show(pos);
    renderExtras();
    byId("fen").textContent = formatFen(pos);
    byId("key").textContent = keyText(pos);
    byId("home").disabled = byId("back").disabled = line.at === 0;
    byId("forward").disabled = line.at === line.moves.length && !shown.entries.length;
    byId("end").disabled = line.at === line.moves.length;
    updateLink();
    const last = line.at ? line.positions[line.at - 1] : null;
    const played = last ? moveNumber(last, true) + formatSan(last, line.moves[line.at - 1]) : "Start";
    byId("said").textContent = `${played}. ${byId("name").textContent}. ` +
        `${shown.entries.length} moves in the book${book.hasCounts ? `, ${amountOf(book, sum)}` : ""}.`;
    document.body.dataset.ready ||= Math.round(performance.now());
}

// Of a book that is not on the page. The last position that was asked for is shown.
async function loadAndRender(pos)
{
    const given = linkGiven;
    try {
        await book.load(pos);
    } catch (error) {
        if (line.positions[line.at] === pos)
            showError(error.message);
        return;
    }
    if (line.positions[line.at] !== pos)
        return;
    const byKey = document.activeElement.closest("#moves");
    line.root.node = book.find(line.root.pos);
    setLine(line.root, line.moves, line.at);
    linkGiven = given;
    render();
    linkGiven = false;
    if (byKey)
        choose(0);
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
    highlight(chosenMove());
}

function highlight(m)
{
    board.highlight(m);
    if (book.facets)
        book.facets.showMove(m);
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

// Tab goes round in a dialog.
function keepFocus(event, buttons)
{
    const first = buttons[0], last = buttons[buttons.length - 1];
    if (document.activeElement !== (event.shiftKey ? first : last))
        return;
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
}

function onKey(event)
{
    const inside = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
    if (event.key === "Escape" && !board.chooser.hidden)
        board.closeChooser();
    if (event.key === "Tab" && inside.closest("#chooser"))
        keepFocus(event, byId("chooser").querySelectorAll("button"));
    if (inside.closest("input, select, #chooser"))
        return;
    let action = KEYS[event.key];
    if (event.key === "Enter" && !inside.closest("a, button, summary") && shown.entries.length)
        action = () => playMove(shown.entries[Math.max(shown.chosen, 0)].move);
    if (/^[1-9]$/.test(event.key) && shown.entries[event.key - 1])
        action = () => playMove(shown.entries[event.key - 1].move);
    if (!action)
        return;
    event.preventDefault();
    const wasChosen = inside.closest("#moves");
    action();
    // The row that had the focus is gone: keys go on from the new list.
    if (wasChosen && document.activeElement === document.body)
        choose(0);
}

// Copying -----------------------------------------------------------------------------------------

// The position and the line to it as text, by the button that copies it.
function exported()
{
    const moves = line.moves.slice(0, line.at), fen = byId("fen").textContent;
    const san = moves.length ? formatLine(line.root.pos, moves) : "";
    return {"copy-san": san || fen, "copy-pgn": pgnOf(line.root, san), "copy-fen": fen,
        "copy-link": location.href.split("#")[0] + currentLink()};
}

function pgnOf(root, san)
{
    const tags = [["Event", book.about.title], ["Result", "*"]];
    if (root.fen !== START_FEN)
        tags.push(["SetUp", "1"], ["FEN", root.fen]);
    if (isChess960(root.pos))
        tags.push(["Variant", "Chess960"]);
    if (byId("eco").textContent)
        tags.push(["ECO", byId("eco").textContent], ["Opening", byId("name").textContent]);
    const lines = tags.map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`);
    const text = san.replace(/\./g, ". ").replace(/…/g, "... ");
    return `${lines.join("\n")}\n\n${text}${text && " "}*\n`;
}

async function copy(button, text)
{
    const label = button.dataset.label || button.textContent;
    button.dataset.label = label;
    try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
    } catch {
        button.textContent = "Not allowed";
    }
    setTimeout(() => {
        button.textContent = label;
    }, 1500);
}

// Beginning ---------------------------------------------------------------------------------------

function showFacts()
{
    byId("facts").textContent = rival ? "" : factsOf(book);
    if (rival)
        byId("facts").append(...[book, rival].map(pairFacts));
    document.body.classList.toggle("counts", book.hasCounts && !rival);
    document.body.classList.toggle("expecting", expects());
    document.body.classList.toggle("rated", Boolean(book.facets && book.facets.hasRatings));
    document.body.classList.toggle("pair", rival !== null);
}

function factsOf({about})
{
    const count = (number, what) => `${formatNumber(number)} ${what}`;
    const facts = [about.format, about.positions ? count(about.positions, "positions") : "",
        count(about.moves, "moves")].filter(Boolean);
    if (about.maxPly)
        facts.push(`to ply ${about.maxPly}`);
    return facts.join(" · ");
}

function indexInPauses()
{
    const later = window.requestIdleCallback || ((action) => setTimeout(action, 1));
    const step = () => {
        if (!book.buildIndex(12) || rival && !rival.buildIndex(12)) {
            later(step);
            return;
        }
        findAgain();
        if (review)
            render();
        if (document.activeElement === byId("search"))
            onSearchInput();
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
    byId("copy-san").parentNode.addEventListener("click", (event) => {
        const text = event.target.closest("button") && exported()[event.target.id];
        if (text)
            copy(event.target, text);
    });
    document.querySelector(".skip").addEventListener("click", (event) => follow(event, () => choose(0)));
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
    linkFault = "";
    try {
        followLink();
    } catch (error) {
        linkFault = `The link names no position of this page. ${error.message}`;
        setLine(book.roots[0], []);
        render();
    }
    linkGiven = false;
}

function begin()
{
    const about = readJson("about"), keys = new Uint32Array(readBytes("keys").buffer);
    book = typeof RemoteBook === "undefined" ? new Book(about, readBytes("book"), keys) :
        new RemoteBook(about, keys, readJson("lines"));
    if (byId("rival"))
        rival = new Book(readJson("rival-about"), readBytes("rival"), keys);
    if (byId("games"))
        book.games = readJson("games");
    if (byId("rival-games"))
        rival.games = readJson("rival-games");
    names = new Names(readBytes("names"), readJson("other-names"));
    board = new Board(byId("board"), byId("chooser"), playMove);
    if (byId("review-data"))
        review = new Review(readJson("review-data"));
    showFacts();
    listen();
    openLink();
    if (!book.indexed)
        indexInPauses();
}

begin();

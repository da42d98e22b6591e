// Finding positions by moves, FEN or the name of an opening.
"use strict";

const NAMES_SHOWN = 8;

function showError(text)
{
    byId("error").textContent = text;
    byId("error").hidden = !text;
}

// Openings that the book reaches and whose ECO code and name have all the words; short names first.
function findNames(text)
{
    const words = text.toLowerCase().split(/\s+/).filter(Boolean), seen = new Set();
    if (!/[a-z]{2}|^\s*[a-e]\d/i.test(text) || !book.buildIndex(INDEX_PATIENCE_MS))
        return [];
    return names.list.filter((entry) => {
        const name = `${entry.code} ${entry.name}`.toLowerCase();
        return words.every((word) => name.includes(word));
    }).sort((a, b) => a.name.length - b.name.length).filter((entry) => {
        const fresh = !seen.has(entry.name) && seen.size < NAMES_SHOWN &&
            booksWith(entry).length > 0;
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

const booksWith = (entry) => [book, rival].filter((which) =>
    which && which.findKey(entry.high, entry.low) !== NO_NODE);

function openFound(entry)
{
    const [which] = booksWith(entry);
    endSearch();
    if (which === book) {
        showNode(book.findKey(entry.high, entry.low));
        return;
    }
    const {root, moves} = which.lineTo(which.findKey(entry.high, entry.low));
    setLine(rootOfFen(root.fen), moves);
    render();
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

// Finding positions by moves, FEN or the name of an opening.
"use strict";

const NAMES_SHOWN = 8;

function showError(text)
{
    byId("error").textContent = text;
    byId("error").hidden = !text;
}

// Words as eco_search() of chess/eco.c compares them: small letters without accents, each behind a
// blank, the first one of a part of a name behind a line feed.
const PLAIN = {"æ": "a", "œ": "o", "ø": "o", "ł": "l", "đ": "d", "ß": "s", "ı": "i", "ð": "d",
    "ħ": "h", "ŋ": "n", "ŧ": "t", "ĸ": "k", "ſ": "s", "þ": "t", "ĳ": "i", "ŀ": "l", "ŉ": "n"};

function foldName(text)
{
    let folded = "", word = "", gap = "\n";
    for (const letter of text.normalize("NFC").replace(/[\u0300-\u036f'`´ʼ‘’]/g, "")) {
        const small = letter.toLowerCase();
        const c = PLAIN[small] || small.normalize("NFD")[0];
        if (!/[a-z0-9]/.test(c)) {
            gap = gap === "\n" || letter === ":" || letter === "," ? "\n" : " ";
            continue;
        }
        if (gap) {
            folded += gap;
            word = "";
        }
        gap = "";
        const plain = c === "e" && /[aou]$|^centr?$/.test(word) ? "" :
            c === "c" && word === "defen" ? "s" : c;
        folded += plain;
        word += plain;
    }
    return folded;
}

// The fewest letters to put in, take out, change or swap to make any beginning of b of a.
function wrongLetters(a, b)
{
    const cost = [];
    for (let i = 0; i <= a.length; i++) {
        cost.push([]);
        for (let k = 0; k <= b.length; k++) {
            if (!i || !k) {
                cost[i].push(i + k);
                continue;
            }
            let best = Math.min(cost[i - 1][k] + 1, cost[i][k - 1] + 1,
                cost[i - 1][k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1));
            if (i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1])
                best = Math.min(best, cost[i - 2][k - 2] + 1);
            cost[i].push(best);
        }
    }
    return Math.min(...cost[a.length]);
}

const wrongLettersMax = (word) =>
    word.length <= 3 ? 0 : word.length <= 6 ? 1 : word.length <= 11 ? 2 : 3;

// The words of a folded text, where each begins and ends, and its place:
// 0 at the start of the name, 1 at that of a part, 2 elsewhere.
function splitName(text)
{
    const words = [];
    for (const {index: at, 0: word} of text.matchAll(/[ \n][^ \n]*/g))
        words.push({at: at + 1, end: at + word.length,
            place: at === 0 ? 0 : text[at] === "\n" ? 1 : 2});
    return {text, words};
}

// Where `word` begins a word of a split name with at most `most` wrong letters: [wrong, place]; null:
// nowhere.
function fitWord({text, words}, word, most)
{
    let best = null;
    for (const {at, end, place} of words) {
        let wrong = 0;
        for (let i = 0, k = at; i < word.length; k++)
            if (text[k] === word[i])
                i++;
            else if (text[k] !== " ") {
                wrong = most ? wrongLetters(word, text.slice(at, end)) : 1;
                break;
            }
        if (wrong <= most && (!best || isBetter([wrong, place], best)))
            best = [wrong, place];
    }
    return best;
}

const isBetter = (a, b) => a[0] !== b[0] ? a[0] < b[0] : a[1] < b[1];

// As [wrong, place]: letters of all words, the place of the first. null: a word does not fit.
function fitEntry(entry, words, near)
{
    let sum = null;
    for (const word of words) {
        const most = near ? wrongLettersMax(word) : 0;
        const fits = [fitWord(entry.split, word, most)];
        if (word.length > 1)
            fits.push(fitWord(entry.splitCode, word, 0));
        for (const {other, place} of entry.others) {
            const fit = fitWord(other, word, most);
            if (fit)
                fits.push([fit[0], fit[1] + place]);
        }
        const best = fits.filter(Boolean).reduce((a, b) => a && !isBetter(b, a) ? a : b, null);
        if (!best)
            return null;
        sum = sum ? [sum[0] + best[0], sum[1]] : best;
    }
    return sum;
}

// What searches need of all names, once.
function splitNames()
{
    const others = names.others.map(([other, name]) =>
        ({other: splitName(foldName(other)), name: foldName(name).slice(1)}));
    for (const entry of names.list) {
        entry.split = splitName(foldName(entry.name));
        entry.splitCode = splitName("\n" + entry.code.toLowerCase());
        entry.others = others.map(({other, name}) => ({other, fit: fitWord(entry.split, name, 0)}))
            .filter(({fit}) => fit)
            .map(({other, fit}) => ({other, place: fit[1] + (other.words.length > 1 ? 1 : 0)}));
    }
    names.split = true;
}

// The openings that makebook takes a text for, the best first: see eco_search() in chess/eco.h.
function searchNames(text, isWanted)
{
    const words = foldName(text).split(/[ \n]/).filter(Boolean), seen = new Set();
    if (!names.split)
        splitNames();
    for (const near of [false, true]) {
        const found = names.list.filter(isWanted).map((entry) =>
            ({entry, fit: fitEntry(entry, words, near)})).filter(({fit}) => fit);
        found.sort(({entry: a, fit: x}, {entry: b, fit: y}) => x[0] - y[0] || x[1] - y[1] ||
            b.lines - a.lines || a.plies - b.plies); // the list is in the order of the alphabet
        if (found.length)
            return found.map(({entry}) => entry).filter(({name}) =>
                !seen.has(name) && seen.add(name)).slice(0, NAMES_SHOWN);
    }
    return [];
}

// Those that the book reaches.
function findNames(text)
{
    if (!/\p{L}{2}|^\s*[a-e]\d/iu.test(text) || !book.buildIndex(INDEX_PATIENCE_MS))
        return [];
    return searchNames(text, (entry) => booksWith(entry).length > 0);
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

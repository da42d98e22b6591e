// The moves of the book in the position on the board, and what else leads into it.
"use strict";

const SOURCES_SHOWN = 6;

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
            const part = element("span", {class: name}, share >= 0.18 ? Math.round(100 * share) + "%" : "");
            part.style.flexGrow = share;
            part.hidden = share === 0;
            return part;
        }));
}

const amountOf = (which, sum) => which.hasCounts ? `${formatNumber(sum)} games` :
    `weight ${formatNumber(sum)}`;

function renderTotals(sum, rivalSum)
{
    const {entries} = shown, turn = line.positions[line.at].turn;
    const host = byId("totals");
    host.className = entries.length ? "" : "nothing";
    if (!entries.length) {
        host.replaceChildren(element("p", {}, !shown.legal.length ? "The game is over." :
            `The ${book.about.maxPly ? "page" : "book"} knows no move here. `, wayBack()));
        return;
    }
    const count = `${entries.length} move${entries.length === 1 ? "" : "s"}`;
    const amount = amountOf(book, sum);
    const both = rival ? [amount, amountOf(rival, rivalSum)].join(" and ") : amount;
    const parts = [element("span", {class: "count"},
        `${turn === WHITE ? "White" : "Black"} to move · ${count} · ${both}`)];
    if (book.hasCounts && !rival) {
        const add = (name) => entries.reduce((total, entry) => total + entry[name], 0);
        parts.push(resultBar(resultsOf({wins: add("wins"), draws: add("draws"),
            losses: add("losses")}, turn)));
    }
    host.replaceChildren(...parts);
}

// To where the line has left the book, if it has; null when it was never in it.
function wayBack()
{
    let at = line.at - 1;
    while (at >= 0 && line.nodes[at] === NO_NODE && !(line.rivals[at] >= 0))
        at--;
    if (at < 0 || at === line.at - 1)
        return null;
    const back = element("a", {href: linkTo(line.root, wordsOf(line.root.pos,
        line.moves.slice(0, at)))}, "Back into it");
    back.addEventListener("click", (event) => follow(event, () => goTo(at)));
    return back;
}

function columnNames()
{
    const named = (name, text) => element("span", {class: name}, text);
    if (!shown.entries.length)
        return [];
    const cells = [named("digit", ""), named("san-column", "Move"), named("percent", "Share"),
        named("bar-column", ""), named("weight", book.hasCounts ? "Games" : "Weight")];
    if (book.hasCounts)
        cells.push(named("results-column", "White · draw · Black"), named("score", "Score"));
    if (expects())
        cells.push(named("score", "Expected"));
    if (hasRatings())
        cells.push(named("rating", "Rating"));
    return cells;
}

// A row as a sentence.
function describeMove(entry)
{
    const parts = [entry.san];
    if (!rival)
        parts.push(formatPercent(entry.share));
    if (rival)
        parts.push(...describePair(entry));
    else if (book.hasCounts)
        parts.push(`${formatNumber(entry.games)} games`, `won ${formatNumber(entry.wins)}`,
            `drawn ${formatNumber(entry.draws)}`, `lost ${formatNumber(entry.losses)}`);
    else
        parts.push(`weight ${formatNumber(entry.weight)}`);
    if (expects())
        parts.push(`expected ${formatPercent(entry.expected)}`,
            `at least ${formatPercent(entry.atLeast)}`);
    if (entry.rating)
        parts.push(`mean rating ${entry.rating}`);
    if (entry.search)
        parts.push(`score ${entry.search.score}${entry.search.refuted ? ", loses by search" : ""}`);
    if (entry.opening)
        parts.push(`${entry.opening.code} ${entry.opening.name}`);
    if (entry.to !== NO_NODE && book.isTransposition(entry.to))
        parts.push("transposes");
    if (review)
        parts.push(...review.marks(entry.move, entry.next, entry.to).map(([, text]) => text));
    return parts.join(", ");
}

function shareBar(share)
{
    const bar = element("span", {class: "bar"}, element("i"));
    bar.firstChild.style.width = 100 * share + "%";
    return bar;
}

const hasRatings = () => Boolean(book.facets && book.facets.hasRatings);

// A repertoire against a database: its scores are those of the side that has it.
const expects = () => book.expects !== null && book.expects !== undefined;

function scoreOf(entry)
{
    const own = !expects() || line.positions[line.at].turn === book.expects;
    const points = (own ? entry.wins : entry.losses) + entry.draws / 2;
    return entry.games ? formatPercent(points / entry.games) : "";
}

function cellsOf(entry, pos)
{
    const cells = [element("span", {class: "percent"}, formatPercent(entry.share)),
        shareBar(entry.share), element("span", {class: "weight"},
            formatNumber(book.hasCounts ? entry.games : entry.weight))];
    if (book.hasCounts)
        cells.push(resultBar(resultsOf(entry, pos.turn)), element("span",
            {class: "score", title: "Points that the move scored"}, scoreOf(entry)));
    if (expects())
        cells.push(element("span", {class: "score expected", title:
            "Points when one side keeps to its book and the other plays as the games say"},
            formatPercent(entry.expected), element("small", {title: "Lower end of the 95 % interval"},
                " ≥ " + formatPercent(entry.atLeast))));
    if (hasRatings())
        cells.push(element("span", {class: "rating", title: "Mean rating of who made the move"},
            String(entry.rating || "")));
    return cells;
}

function moveRow(entry, index)
{
    const pos = line.positions[line.at];
    const words = line.moves.slice(0, line.at).map((m, ply) => wordOf(line.positions[ply], m));
    words.push(wordOf(pos, entry.move, shown.legal));
    const cells = [
        element("span", {class: "digit", "aria-hidden": "true"}, index < 9 ? String(index + 1) : ""),
        element("span", {class: "san"}, entry.san), ...(rival ? pairCells(entry) : cellsOf(entry, pos)),
    ];
    cells.push(element("span", {class: "about"}, ...aboutMove(entry)));
    const link = element("a", {href: linkTo(line.root, words), "data-uci": formatUci(entry.move),
        "data-weight": entry.weight, "aria-label": describeMove(entry), class: entry.weight ? "move" : "move never"}, ...cells);
    link.addEventListener("click", (event) => follow(event, () => {
        playMove(entry.move);
        if (event.detail === 0) // by a key, which goes on from the new list
            choose(0);
    }));
    link.addEventListener("pointerenter", () => highlight(entry.move));
    link.addEventListener("pointerleave", () => highlight(chosenMove()));
    link.addEventListener("focus", () => choose(index, false));
    return element("li", {}, link);
}

// The opening, and whether other orders of moves come to the same position.
function aboutMove(entry)
{
    const parts = [], {search} = entry;
    if (search)
        parts.push(element("span", {class: "chip search",
            title: `${search.refuted ? "Scored well, loses by search: " : "Score by search: "}` +
                book.about.scores}, search.score + (search.refuted ? "??" : "")));
    if (entry.opening)
        parts.push(element("span", {class: "opening-of"},
            element("span", {class: "code"}, entry.opening.code), " ",
            element("span", {class: "opening-name"}, entry.opening.name)));
    if (!rival && !entry.weight && !book.hasCounts)
        parts.push(element("span", {class: "chip"}, "known, never played"));
    if (!rival && entry.kind === LEAF && !isLastPly(line.nodes[line.at]))
        parts.push(element("span", {class: "chip", title: "The book knows nothing behind it"},
            "end of the book"));
    parts.push(...(review ? review.chips(entry.move, entry.next, entry.to) : []));
    const order = otherOrder(entry);
    if (order)
        parts.push(element("span", {class: "chip transposes",
            title: "The same position: " + order}, "⇄ " + order));
    return parts;
}

// Are the positions behind these moves left out?
function isLastPly(node)
{
    return book.about.maxPly && book.lineTo(node).moves.length >= book.about.maxPly;
}

// Another line of the book to the position behind a move, "" when there is none.
function otherOrder(entry)
{
    if (entry.to === NO_NODE || !book.isTransposition(entry.to))
        return "";
    const node = line.nodes[line.at];
    const others = book.sourcesOf(entry.to).filter((source) => source !== node);
    if (!others.length)
        return "";
    const {root, moves} = book.lineBy(others[0], entry.to);
    return formatLine(root.pos, moves) + (others.length > 1 ? ` +${others.length - 1}` : "");
}

function sublist(title, links)
{
    return element("section", {class: "extra"}, element("h3", {}, title),
        element("ul", {}, ...links.map((link) => element("li", {}, link))));
}

// What takes the index waits until it is there.
function renderExtras()
{
    const pos = line.positions[line.at], node = line.nodes[line.at];
    const parts = review ? review.missing(pos) : [];
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
            return book.leadsIn(pos, m, next) ? intoLink(pos, m, next) : null;
        }).filter(Boolean);
        if (links.length)
            parts.push(sublist(shown.entries.length ? "Also lead into the book" :
                "Lead back into the book", links));
    }
    byId("extras").replaceChildren(...parts);
    if (book.showMore)
        book.showMore(byId("extras"));
    showGames(byId("extras"));
}

const sourceLink = (source, node) => orderLink(book.lineBy(source, node));

function orderLink({root, moves: all})
{
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
        opening ? element("span", {class: "opening-name"}, " " + opening.name) : null,
        ...(review ? review.chips(m, next, book.indexed ? book.find(next) : NO_NODE) : []));
    link.addEventListener("click", (event) => follow(event, () => playMove(m)));
    return link;
}

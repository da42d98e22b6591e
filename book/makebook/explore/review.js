// What makebook review found, marked on the tree: where games left the book, and how much of that
// lies behind each move.
"use strict";

const FINDINGS = {deviation: ["≠", "left the book here"], gap: ["?", "has no answer here"],
    "book_ended": ["■", "has a line that ends here"]};

const costText = (cost) => (cost > 0 ? "−" : "+") + Math.abs(cost).toFixed(2);
const gamesText = (games) => `${formatNumber(games)} game${games === 1 ? "" : "s"}`;
const findingText = ({games, cost, lost}) => `${gamesText(games)}, ${costText(cost)} points` +
    (lost === undefined ? "" : `, ${formatNumber(lost)} centipawns lost`);

class Review {
    constructor(findings)
    {
        this.findings = findings;
        this.byKey = new Map();
        this.sums = null; // by node, when the index is there
        this.host = element("div", {id: "review"});
        for (const finding of findings) {
            const key = keyText(parseFen(finding.fen));
            this.byKey.set(key, (this.byKey.get(key) || []).concat(finding));
        }
        byId("columns").before(this.host);
    }

    at(pos)
    {
        return this.byKey.get(keyText(pos)) || [];
    }

    // The last position of a finding's line that is on the page.
    nodeOf({start, line: moves})
    {
        const positions = [parseFen(start || START_FEN)];
        moves.forEach((m, ply) => positions.push(positions[ply].play(m)));
        return positions.reverse().map((pos) => book.find(pos)).find((node) => node !== NO_NODE);
    }

    // What is at each position and behind it.
    addUp()
    {
        this.sums = new Map();
        for (const finding of this.findings.filter(({answered}) => !answered)) {
            const nodes = [this.nodeOf(finding)].filter((node) => node !== undefined);
            const seen = new Set(nodes);
            for (const node of nodes) { // it grows
                const sum = this.sums.get(node) || {count: 0, games: 0, cost: 0};
                this.sums.set(node, {count: sum.count + 1, games: sum.games + finding.games,
                    cost: sum.cost + finding.cost});
                const more = book.sourcesOf(node).filter((source) => !seen.has(source));
                more.forEach((source) => seen.add(source));
                nodes.push(...more);
            }
        }
    }

    // The marks of a move from the position on the board: each a sign and what it means.
    marks(m, next, to)
    {
        const marks = [], sum = book.indexed && to !== NO_NODE && this.behind(to);
        for (const {kind, played} of this.at(line.positions[line.at]))
            for (const [, games] of played.filter(([move]) => kind === "deviation" && move === m))
                marks.push([`≠ ${games}×`, `played by your side in ${gamesText(games)}`]);
        for (const one of this.at(next).filter(({kind}) => kind !== "deviation"))
            marks.push(one.answered ? ["✓", "answered by now"] :
                [`${FINDINGS[one.kind][0]} ${formatNumber(one.games)}× ${costText(one.cost)}`,
                    `${one.color} ${FINDINGS[one.kind][1]}: ${findingText(one)}`]);
        if (sum)
            marks.push([`⚑ ${sum.count}`, `behind it the games left the book in ${sum.count} ` +
                `position${sum.count === 1 ? "" : "s"}: ${findingText(sum)}`]);
        return marks;
    }

    behind(node)
    {
        if (!this.sums)
            this.addUp();
        return this.sums.get(node);
    }

    chips(m, next, to)
    {
        return this.marks(m, next, to).map(([text, title]) => element("span",
            {class: text[0] === "⚑" ? "chip behind" : "chip found", title}, text));
    }

    show(pos)
    {
        this.host.replaceChildren(...this.at(pos).map((finding) => this.section(pos, finding)));
    }

    section(pos, {kind, color, answered, played, book: moves, best, samples, ...costs})
    {
        const [sign, text] = FINDINGS[kind], san = (m) => formatSan(pos, m, shown.legal);
        const names = moves.map(san).join(", "), parts = [];
        if (names || best)
            parts.push(element("p", {}, `${names ? "Book" : "Best by search"}: ${names || san(best)}`));
        const links = played.map(([m, games]) => {
            const link = intoLink(pos, m, pos.play(m));
            link.append(kind === "deviation" ? "" : ` ${formatNumber(games)}×`); // it has a mark
            return link;
        });
        if (links.length)
            parts.push(sublist("Played", links));
        const games = samples.map(({text: game, link}) =>
            link ? element("a", {href: link, class: "order"}, game) : element("span", {}, game));
        if (games.length)
            parts.push(sublist("In games such as", games));
        return element("section", {class: "extra"}, element("h3", {}, `${sign} ${color} ${text}: ` +
            findingText(costs) + (answered ? " ✓ answered by now" : "")), ...parts);
    }

    // Moves without a row behind which there is no answer, or a line ends.
    missing(pos)
    {
        const known = new Set(shown.entries.map((entry) => entry.move));
        const links = shown.legal.filter((m) => !known.has(m) && this.at(pos.play(m))
            .some(({kind}) => kind !== "deviation")).map((m) => intoLink(pos, m, pos.play(m)));
        return links.length ? [sublist("Played in your games", links)] : [];
    }
}

// A book that stays with makebook serve: a position is asked for when it is looked at.
// Stands for class Book of graph.js. It cannot know all that leads to a position without the whole
// book: other orders are those of the moves of the line, which the server finds.
"use strict";

class RemoteBook {
    constructor(about, keys, lines)
    {
        this.about = about;
        this.keys = keys;
        this.lines = lines; // of named openings, by key
        this.hasCounts = about.parts > 0;
        this.indexed = true;
        this.questions = 0; // questions of showMore(): the last one counts
        this.nodes = []; // {pos, text, answer}
        this.byKey = new Map();
        this.facets = about.facets ? new Facets(about, () => {
            this.forget();
            render();
        }) : null;
        this.roots = about.roots.map(([, fen]) => {
            const pos = parseFen(fen);
            return {fen, pos, node: this.find(pos)};
        });
    }

    nameOf(high, low)
    {
        return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
    }

    nodeOf(pos)
    {
        const name = this.nameOf(...pos.key(this.keys));
        if (!this.byKey.has(name)) {
            this.byKey.set(name, this.nodes.length);
            this.nodes.push({pos, answer: null});
        }
        return this.byKey.get(name);
    }

    // Of which games, as the server reads it; "" for all.
    get asked()
    {
        return this.facets ? this.facets.query : "";
    }

    askFor(text)
    {
        const before = this.asked;
        if (this.facets)
            this.facets.read(text);
        if (before !== this.asked)
            this.forget();
    }

    // Answers are about the games that were asked for before.
    forget()
    {
        for (const node of this.nodes)
            node.answer = null;
    }

    request(path, pos, more = "")
    {
        const asked = this.asked && "&" + this.asked;
        return fetch(`${path}?fen=${encodeURIComponent(formatFen(pos))}${more}${asked}`);
    }

    // The position's node; NO_NODE when it is known that the book has none.
    find(pos)
    {
        const node = this.nodeOf(pos), {answer} = this.nodes[node];
        return answer && !answer.moves.length ? NO_NODE : node;
    }

    isReady(pos)
    {
        return this.nodes[this.nodeOf(pos)].answer !== null;
    }

    async load(pos)
    {
        const node = this.nodeOf(pos), {asked} = this;
        let answer;
        try {
            answer = await this.request("moves", pos);
        } catch {
            throw new Error("makebook serve does not answer.");
        }
        if (!answer.ok)
            throw new Error(await answer.text());
        const read = await answer.json();
        if (asked === this.asked)
            this.nodes[node].answer = read;
    }

    movesOf(node)
    {
        const {pos, answer} = this.nodes[node];
        const moves = (answer ? answer.moves : []).map((row) => {
            const last = row[row.length - 1], m = row[0];
            const entry = {move: m, kind: last ? LEAF : KNOWN, weight: row[1],
                to: last ? NO_NODE : this.nodeOf(pos.play(m))};
            if (this.about.scores)
                entry.search = searchOf(row[row.length - 2]);
            if (this.hasCounts) {
                [, entry.wins, entry.draws, entry.losses, entry.rating] = row;
                entry.weight = entry.games = entry.wins + entry.draws + entry.losses;
            }
            return entry;
        });
        return moves.sort((a, b) => b.weight - a.weight);
    }

    leadsIn(pos, m)
    {
        const {answer} = this.nodes[this.nodeOf(pos)];
        return Boolean(answer) && answer.into.includes(m);
    }

    // An opening with that name, whether the book has it or not.
    findKey(high, low)
    {
        const text = this.lines[this.nameOf(high, low)];
        return text === undefined ? NO_NODE : this.nodes.push({text, answer: null}) - 1;
    }

    // Of an opening its line; any other position begins one.
    lineTo(node)
    {
        const {pos, text} = this.nodes[node];
        if (text === undefined)
            return {root: {pos, fen: formatFen(pos), node}, moves: []};
        const root = rootOfFen(START_FEN); // wherever the lines of the book begin
        return {root, moves: parseLine(root.pos, text)};
    }

    sourcesOf()
    {
        return [];
    }

    isTransposition()
    {
        return false;
    }

    buildIndex()
    {
        return true;
    }

    // Adds other orders of moves and sample games to what stands below the moves, when they come.
    async showMore(host)
    {
        const {root, at} = line, moves = line.moves.slice(0, at), asked = ++this.questions;
        let more;
        if (this.facets)
            this.facets.load(() => this.request("facets", line.positions[at])
                .then((answer) => answer.ok ? answer.json() : null, () => null));
        try {
            const answer = await this.request("more", root.pos, "&line=" + moves.join(","));
            more = answer.ok ? await answer.json() : null;
        } catch {
            return; // load() says so
        }
        if (!more || asked !== this.questions)
            return;
        if (more.orders.length)
            host.prepend(sublist("Other move orders",
                more.orders.map((order) => orderLink({root, moves: order}))));
        if (more.games.length)
            host.append(sublist("Sample games", more.games.map(gameLink)));
    }
}

// The book, as book/makebook/explore/explore_data.h describes its bytes. They are gone through once when
// the page opens; the moves of a position are read when it is looked at. Where a position is found by its
// key, all of them have been played through, in pauses while the reader looks at the board.
"use strict";

const LEAF = 0, NEW = 1, KNOWN = 2, PASSAGE = 3;
const NO_NODE = -1;
const EXPECTED_POINT = 10000;

function decodeBase64(text)
{
    const packed = atob(text.trim());
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++)
        bytes[i] = packed.charCodeAt(i);
    return bytes;
}

// Reads numbers one after the other.
class ByteReader {
    constructor(bytes, at = 0)
    {
        this.bytes = bytes;
        this.at = at;
    }

    number16()
    {
        this.at += 2;
        return this.bytes[this.at - 2] | this.bytes[this.at - 1] << 8;
    }

    number32()
    {
        return (this.number16() | this.number16() << 16) >>> 0;
    }

    varint()
    {
        let byte = this.bytes[this.at++], value = byte & 127;
        for (let scale = 128; byte & 128; scale *= 128) {
            byte = this.bytes[this.at++];
            value += (byte & 127) * scale;
        }
        return value;
    }
}

// What explore_score() says: {score, refuted}, the score as text from the side of who moves; null for
// nothing.
function searchOf(packed)
{
    if (!packed)
        return null;
    const code = Math.floor((packed - 1) / 2), shown = code % 2 ? -(code + 1) / 2 : code / 2;
    const moves = 40000 - Math.abs(shown), sign = shown < 0 ? "-" : "";
    return {score: moves < 1000 ? `#${sign}${moves}` : (shown / 100).toFixed(2),
        refuted: packed % 2 === 0};
}

// A list of numbers that grows.
class NumberList {
    constructor(Type)
    {
        this.items = new Type(1 << 16);
        this.size = 0;
    }

    push(value)
    {
        if (this.size === this.items.length) {
            const items = new this.items.constructor(2 * this.size);
            items.set(this.items);
            this.items = items;
        }
        this.items[this.size++] = value;
    }
}

class Book {
    // about: the JSON of the page. bytes: the book. keys: constants of the key, as 32-bit halves.
    constructor(about, bytes, keys)
    {
        this.about = about;
        this.bytes = bytes;
        this.keys = keys;
        this.hasCounts = about.parts > 0;
        this.parts = about.parts || 1;
        this.expects = about.expected ? (about.expected === "white" ? WHITE : BLACK) : null;
        this.numbers = (this.hasCounts ? 3 : 0) + (about.expected ? 2 : 0) +
            (about.scores ? 1 : 0); // behind a move of the book
        this.roots = about.roots.map(([node, fen]) => ({node, fen, pos: parseFen(fen)}));
        this.indexed = false;
        this.indexing = null;
        this.readThrough();
    }

    // Finds where each position begins, what comes before it, and the other moves that lead to it.
    readThrough()
    {
        const reader = new ByteReader(this.bytes), end = this.bytes.length;
        const offsets = new NumberList(Uint32Array), firsts = new NumberList(Uint32Array);
        const parents = new NumberList(Int32Array), vias = new NumberList(Uint16Array);
        const from = new NumberList(Uint32Array), to = new NumberList(Uint32Array);
        for (let node = 0; reader.at < end; node++) {
            if (node === parents.size) { // a root
                parents.push(NO_NODE);
                vias.push(0);
            }
            offsets.push(reader.at);
            firsts.push(parents.size);
            for (let left = reader.varint(); left > 0; left--) {
                const m = reader.number16(), kind = reader.varint() & 3;
                if (kind === NEW || kind === PASSAGE) {
                    parents.push(node);
                    vias.push(m);
                } else if (kind === KNOWN) {
                    from.push(node);
                    to.push(reader.varint());
                }
                for (let left = kind !== PASSAGE ? this.numbers : 0; left > 0; left--)
                    reader.varint();
            }
        }
        this.size = offsets.size;
        this.offsets = offsets.items;
        this.firsts = firsts.items;
        this.parents = parents.items;
        this.vias = vias.items;
        this.linkFrom = from.items;
        this.linkNext = new Int32Array(from.size); // the next link to the same position
        this.linkHeads = new Int32Array(this.size).fill(NO_NODE);
        for (let link = from.size - 1; link >= 0; link--) {
            this.linkNext[link] = this.linkHeads[to.items[link]];
            this.linkHeads[to.items[link]] = link;
        }
    }

    // The moves of a position, heaviest first: {move, kind, to, weight, wins, draws, losses, games,
    // expected, atLeast}.
    movesOf(node)
    {
        const reader = new ByteReader(this.bytes, this.offsets[node]), moves = [];
        let next = this.firsts[node];
        for (let left = reader.varint(); left > 0; left--) {
            const m = reader.number16(), packed = reader.varint(), kind = packed % 4;
            const entry = {move: m, kind, weight: Math.floor(packed / 4), to: NO_NODE};
            if (kind === NEW || kind === PASSAGE)
                entry.to = next++;
            else if (kind === KNOWN)
                entry.to = reader.varint();
            if (this.hasCounts && kind !== PASSAGE) {
                entry.wins = reader.varint() / this.parts;
                entry.draws = reader.varint() / this.parts;
                entry.losses = reader.varint() / this.parts;
                entry.games = entry.wins + entry.draws + entry.losses;
                if (this.expects === null)
                    entry.weight = entry.games;
            }
            if (this.expects !== null && kind !== PASSAGE) {
                entry.expected = reader.varint() / EXPECTED_POINT;
                entry.atLeast = reader.varint() / EXPECTED_POINT;
            }
            if (this.about.scores && kind !== PASSAGE)
                entry.search = searchOf(reader.varint());
            moves.push(entry);
        }
        return moves.sort((a, b) => b.weight - a.weight); // keeps the order of equals
    }

    // One of the shortest lines to a position: {root, moves}.
    lineTo(node)
    {
        const moves = [];
        while (this.parents[node] !== NO_NODE) {
            moves.push(this.vias[node]);
            node = this.parents[node];
        }
        return {root: this.roots.find((root) => root.node === node), moves: moves.reverse()};
    }

    // The positions from which a move of the book leads here; the first is on the line to it.
    sourcesOf(node)
    {
        const sources = this.parents[node] === NO_NODE ? [] : [this.parents[node]];
        for (let link = this.linkHeads[node]; link !== NO_NODE; link = this.linkNext[link])
            sources.push(this.linkFrom[link]);
        return sources;
    }

    // The line to `node` by way of one of its sources.
    lineBy(source, node)
    {
        const {root, moves} = this.lineTo(source);
        return {root, moves: moves.concat(this.movesOf(source).find((one) => one.to === node).move)};
    }

    // Is the position here?
    isReady()
    {
        return true;
    }

    // Does the move lead to a position of the book? next: the one behind it.
    leadsIn(pos, m, next)
    {
        return this.find(next) !== NO_NODE;
    }

    isTransposition(node)
    {
        return this.linkHeads[node] !== NO_NODE;
    }

    // Finding positions by their keys ------------------------------------------------------------

    // Goes on with the index for so many milliseconds; true when it is complete.
    buildIndex(budget)
    {
        if (this.indexed)
            return true;
        if (!this.indexing)
            this.startIndex();
        const {stack} = this.indexing, end = performance.now() + budget;
        let steps = 0;
        while (stack.length) {
            const top = stack[stack.length - 1];
            if (top.at < top.moves.length) {
                const entry = top.moves[top.at++];
                this.enterIndex(entry.to, top.pos.play(entry.move));
            } else {
                stack.pop();
            }
            if (!(++steps & 255) && performance.now() > end)
                return false;
        }
        this.indexed = true;
        this.indexing = null;
        return true;
    }

    startIndex()
    {
        let slots = 1024;
        while (slots < 2 * this.size)
            slots *= 2;
        this.slots = new Int32Array(slots).fill(NO_NODE);
        this.keyLow = new Uint32Array(this.size);
        this.keyHigh = new Uint32Array(this.size);
        this.indexing = {stack: []};
        for (const root of this.roots)
            this.enterIndex(root.node, root.pos);
    }

    enterIndex(node, pos)
    {
        const [high, low] = pos.key(this.keys);
        this.keyHigh[node] = high;
        this.keyLow[node] = low;
        let slot = this.slotOf(high, low);
        this.slots[slot] = node;
        const moves = [], reader = new ByteReader(this.bytes, this.offsets[node]);
        let next = this.firsts[node];
        for (let left = reader.varint(); left > 0; left--) {
            const m = reader.number16(), kind = reader.varint() & 3;
            if (kind === NEW || kind === PASSAGE)
                moves.push({move: m, to: next++});
            else if (kind === KNOWN)
                reader.varint();
            for (let left = kind !== PASSAGE ? this.numbers : 0; left > 0; left--)
                reader.varint();
        }
        if (moves.length)
            this.indexing.stack.push({pos, moves, at: 0});
    }

    // Where a key is, or where it would be.
    slotOf(high, low)
    {
        const mask = this.slots.length - 1;
        let slot = (low ^ high) & mask;
        for (let node; (node = this.slots[slot]) !== NO_NODE; slot = slot + 1 & mask)
            if (this.keyLow[node] === low && this.keyHigh[node] === high)
                break;
        return slot;
    }

    // The node of a position, or NO_NODE. Completes the index.
    find(pos)
    {
        const [high, low] = pos.key(this.keys);
        return this.findKey(high, low);
    }

    findKey(high, low)
    {
        this.buildIndex(Infinity);
        return this.slots[this.slotOf(high, low)];
    }
}

// Names of openings by position.
class Names {
    constructor(bytes, others)
    {
        const reader = new ByteReader(bytes), text = new TextDecoder();
        this.others = Object.entries(others); // pairs of a name in use and the words of a name
        this.list = [];
        this.byKey = new Map();
        let before = new Uint8Array(0);
        while (reader.at < bytes.length) {
            const low = reader.number32(), high = reader.number32();
            const code = String.fromCharCode(...bytes.subarray(reader.at, reader.at + 3));
            reader.at += 3;
            const plies = reader.varint(), lines = reader.varint();
            const same = reader.varint(), rest = reader.varint();
            const name = new Uint8Array(same + rest);
            name.set(before.subarray(0, same));
            name.set(bytes.subarray(reader.at, reader.at + rest), same);
            reader.at += rest;
            before = name;
            const entry = {high, low, code, plies, lines, name: text.decode(name)};
            this.list.push(entry);
            this.byKey.set(`${high},${low}`, entry);
        }
    }

    find(high, low)
    {
        return this.byKey.get(`${high},${low}`);
    }
}

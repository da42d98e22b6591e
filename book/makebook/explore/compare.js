// Two books side by side: each move with its share in both.
"use strict";

// What a row says of the books: its own entry where `book` has the move, entry.other for the rival.

// The rival's node of a root of the first book.
function rivalNodeOf(root)
{
    const own = rival.roots.find((one) => one.fen === root.fen);
    return own ? own.node : lookUp(rival, root.pos);
}

// Adds what the rival knows; moves that either plays often come first. Returns the sum of weights.
function addRival(node)
{
    const theirs = entriesOf(rival, node);
    for (const other of theirs) {
        const entry = shown.entries.find((one) => one.move === other.move);
        if (entry)
            entry.other = other;
        else
            shown.entries.push({move: other.move, kind: LEAF, to: NO_NODE, weight: 0, share: 0,
                missing: true, other});
    }
    const both = (entry) => entry.share + (entry.other ? entry.other.share : 0);
    shown.entries.sort((a, b) => both(b) - both(a));
    return weightSum(theirs);
}

// For the arrows: the larger share.
const strongest = (entries) => entries.map((entry) => ({move: entry.move,
    share: Math.max(entry.share, entry.other ? entry.other.share : 0)}));

// The row in one book, null where that does not have the move.
const pairOf = (entry) => [[book, entry.missing ? null : entry], [rival, entry.other || null]];

function pairCells(entry)
{
    return pairOf(entry).map(([which, one], index) => {
        const name = index ? "side rival" : "side";
        if (!one)
            return element("span", {class: name + " absent"}, "–");
        const amount = formatNumber(one.weight) + (which.hasCounts ? ` · ${scoreOf(one)}` : "");
        return element("span", {class: name, title: which.hasCounts ? "Games and score" : "Weight"},
            element("span", {class: "percent"}, formatPercent(one.share)), shareBar(one.share),
            element("span", {class: which.hasCounts ? "weight scored" : "weight"}, amount));
    });
}

function pairNames()
{
    if (!shown.entries.length)
        return [];
    return [element("span", {}), element("span", {class: "san-column"}, "Move"),
        ...[book, rival].map((which, index) =>
            element("span", {class: index ? "side-name rival" : "side-name"}, which.about.title))];
}

function describePair(entry)
{
    return pairOf(entry).map(([which, one]) => which.about.title + " " + (!one ? "does not have it" :
        `${formatPercent(one.share)}, ${amountOf(which, one.weight)}`));
}

// A line of the heading.
function pairFacts(which, index)
{
    return element("span", {class: index ? "side-name rival" : "side-name"},
        `${which.about.title}: ${factsOf(which)}`);
}

// The board: pieces that are dragged or clicked, arrows for the moves of the book.
"use strict";

const ARROWS_MAX = 6;
const DARK_SQUARES = Array.from({length: 32}, (_, i) =>
    `M${200 * (i % 4) + (i & 4 ? 0 : 100)} ${100 * (i >> 2)}h100v100h-100z`).join("");

// element("a", {class: "x", href: "#"}, child, "text", ...); attributes that are null are left out.
function element(name, attributes = {}, ...children)
{
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
        if (value !== null && value !== undefined)
            made.setAttribute(key, value);
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
}

function svgElement(name, attributes = {}, ...children)
{
    const made = document.createElementNS(document.querySelector("svg").namespaceURI, name);
    for (const [key, value] of Object.entries(attributes))
        made.setAttribute(key, value);
    made.append(...children);
    return made;
}

function pieceElement(piece)
{
    const use = svgElement("use", {href: "#piece-" + PIECE_NAMES[piece >> 1]});
    const color = piece & 1 ? "black" : "white";
    return svgElement("svg", {class: `piece ${color}`, viewBox: "0 0 100 100"}, use);
}

// What a reader who does not see the board is told.
function describePosition(pos)
{
    const sides = [WHITE, BLACK].map((color) => {
        const words = [];
        for (let type = KING; type >= PAWN; type--)
            for (let square = 0; square < 64; square++)
                if (pos.board[square] === 2 * type + color)
                    words.push("PNBRQK"[type].replace("P", "") + squareName(square));
        return (color === WHITE ? "White: " : "Black: ") + words.join(" ");
    });
    return `Board. ${sides.join(". ")}. ${pos.turn === WHITE ? "White" : "Black"} to move.`;
}

class Board {
    // host, chooser: empty elements. played(m): the reader has made a legal move.
    constructor(host, chooser, played)
    {
        this.host = host;
        this.chooser = chooser;
        this.played = played;
        this.flipped = false;
        this.pieces = new Map(); // by square
        this.selected = NO_SQUARE;
        this.target = NO_SQUARE; // pressed after `selected`
        this.drag = null;
        this.marks = svgElement("svg", {class: "marks", viewBox: "0 0 800 800"});
        this.arrows = svgElement("svg", {class: "arrows", viewBox: "0 0 800 800"});
        this.layer = element("div", {class: "layer"});
        host.append(this.marks, this.layer, this.arrows);
        host.addEventListener("pointerdown", (event) => this.press(event));
        host.addEventListener("pointermove", (event) => this.move(event));
        host.addEventListener("pointerup", (event) => this.release(event));
        host.addEventListener("pointercancel", () => this.cancel());
    }

    // moves: [{move, share, known}] of the book, share 0..1.
    show(pos, legal, moves, last)
    {
        this.pos = pos;
        this.legal = legal;
        this.moves = moves;
        this.last = last;
        this.selected = this.target = NO_SQUARE;
        this.drag = null;
        this.highlighted = null;
        this.chooser.hidden = true;
        this.host.setAttribute("aria-label", describePosition(pos));
        this.placePieces();
        this.drawMarks();
        this.drawArrows();
    }

    flip()
    {
        this.flipped = !this.flipped;
        this.host.classList.toggle("flipped", this.flipped);
        byId("flip").setAttribute("aria-pressed", String(this.flipped));
        for (const [square, piece] of this.pieces)
            this.place(piece, square);
        this.drawMarks();
        this.drawArrows();
    }

    highlight(m)
    {
        if (this.highlighted === m)
            return;
        this.highlighted = m;
        this.drawArrows();
    }

    // Column and row on the screen, from the top left.
    spot(square)
    {
        const file = square & 7, rank = square >> 3;
        return this.flipped ? [7 - file, rank] : [file, 7 - rank];
    }

    place(piece, square)
    {
        const [column, row] = this.spot(square);
        piece.style.transform = `translate(${100 * column}%, ${100 * row}%)`;
    }

    // Pieces that stand still stay, those that moved slide, the rest comes and goes.
    placePieces()
    {
        const board = this.pos.board, kept = new Map(), free = [];
        for (const [square, piece] of this.pieces) {
            if (board[square] === piece.code)
                kept.set(square, piece);
            else
                free.push([square, piece]);
        }
        for (let square = 0; square < 64; square++) {
            if (board[square] === EMPTY || kept.has(square))
                continue;
            const at = free.findIndex(([, piece]) => piece.code === board[square]);
            let piece;
            if (at >= 0) {
                [[, piece]] = free.splice(at, 1);
            } else {
                piece = pieceElement(board[square]);
                piece.code = board[square];
                this.layer.append(piece);
            }
            kept.set(square, piece);
        }
        for (const [, piece] of free)
            piece.remove();
        this.pieces = kept;
        for (const [square, piece] of kept) {
            piece.classList.toggle("own", (piece.code & 1) === this.pos.turn);
            this.place(piece, square);
        }
    }

    drawMarks()
    {
        const marks = [svgElement("path", {class: "squares", d: DARK_SQUARES})];
        const square = (at, name) => {
            const [column, row] = this.spot(at);
            marks.push(svgElement("rect", {class: name, x: 100 * column, y: 100 * row, width: 100,
                height: 100}));
        };
        if (this.last !== null)
            for (const at of [moveFrom(this.last), this.targetOf(this.last, 1 - this.pos.turn)])
                square(at, "last");
        if (this.pos.inCheck())
            square(this.pos.king(this.pos.turn), "check");
        if (this.selected !== NO_SQUARE) {
            square(this.selected, "selected");
            for (const m of this.legal.filter((one) => moveFrom(one) === this.selected)) {
                const [column, row] = this.spot(this.targetOf(m, this.pos.turn));
                const known = this.moves.some((entry) => entry.move === m);
                marks.push(svgElement("circle", {class: known ? "target known" : "target",
                    cx: 100 * column + 50, cy: 100 * row + 50, r: known ? 17 : 10}));
            }
        }
        for (let i = 0; i < 8; i++) {
            const file = "abcdefgh"[this.flipped ? 7 - i : i], rank = this.flipped ? i + 1 : 8 - i;
            const dark = i % 2 === 0; // the square at the lower edge, and at the left one
            marks.push(svgElement("text", {class: dark ? "name dark" : "name", x: 100 * i + 92,
                y: 792, "text-anchor": "end"}, file));
            marks.push(svgElement("text", {class: dark ? "name" : "name dark", x: 7,
                y: 100 * i + 25}, String(rank)));
        }
        this.marks.replaceChildren(...marks);
    }

    // Where the piece goes: of castling the king.
    targetOf(m, turn)
    {
        return moveKind(m) === CASTLING ? castlingTargets(turn, moveTo(m) > moveFrom(m))[0] :
            moveTo(m);
    }

    drawArrows()
    {
        const shown = this.moves.slice(0, ARROWS_MAX).filter((entry) => entry.share > 0.015);
        const chosen = this.moves.find((entry) => entry.move === this.highlighted);
        const arrows = shown.filter((entry) => entry !== chosen).reverse()
            .map((entry) => this.arrow(entry, "arrow"));
        if (chosen)
            arrows.push(this.arrow(chosen, "arrow chosen"));
        this.arrows.replaceChildren(...arrows);
        this.arrows.classList.toggle("focused", Boolean(chosen));
    }

    arrow(entry, name)
    {
        const [fromColumn, fromRow] = this.spot(moveFrom(entry.move));
        const [toColumn, toRow] = this.spot(this.targetOf(entry.move, this.pos.turn));
        const dx = toColumn - fromColumn, dy = toRow - fromRow, length = Math.hypot(dx, dy) || 1;
        const width = 7 + 15 * Math.sqrt(entry.share), head = 2.1 * width;
        const shaft = 100 * length - 34 - 1.5 * head, half = width / 2, wing = 1.25 * width;
        const path = `M0 ${-half}H${shaft}V${-wing}L${shaft + 1.5 * head} 0L${shaft} ${wing}` +
            `V${half}H0A${half} ${half} 0 0 1 0 ${-half}z`;
        const angle = Math.atan2(dy, dx) * 180 / Math.PI;
        const x = 100 * fromColumn + 50 + 20 * dx / length, y = 100 * fromRow + 50 + 20 * dy / length;
        return svgElement("path", {class: name, d: path,
            transform: `translate(${x} ${y}) rotate(${angle})`,
            style: `--strength: ${(0.3 + 0.6 * Math.sqrt(entry.share)).toFixed(3)}`});
    }

    // Dragging and clicking ----------------------------------------------------------------------

    squareUnder(event)
    {
        const box = this.host.getBoundingClientRect();
        const column = Math.floor(8 * (event.clientX - box.left) / box.width);
        const row = Math.floor(8 * (event.clientY - box.top) / box.height);
        if (column < 0 || column > 7 || row < 0 || row > 7)
            return NO_SQUARE;
        return this.flipped ? 8 * row + 7 - column : 8 * (7 - row) + column;
    }

    isOwn(square)
    {
        return square !== NO_SQUARE && this.pos.board[square] !== EMPTY &&
            (this.pos.board[square] & 1) === this.pos.turn;
    }

    movesBetween(from, to)
    {
        return this.legal.filter((m) => moveFrom(m) === from &&
            (moveTo(m) === to || this.targetOf(m, this.pos.turn) === to));
    }

    press(event)
    {
        if (event.button !== 0 || !this.chooser.hidden)
            return;
        const square = this.squareUnder(event);
        if (this.selected !== NO_SQUARE && this.movesBetween(this.selected, square).length) {
            this.target = square; // when the finger does not scroll instead
            return;
        }
        if (!this.isOwn(square)) {
            this.select(NO_SQUARE);
            return;
        }
        event.preventDefault();
        this.drag = {square, piece: this.pieces.get(square), again: this.selected === square,
            moved: false, x: event.clientX, y: event.clientY};
        this.host.setPointerCapture(event.pointerId);
        this.select(square);
    }

    select(square)
    {
        this.selected = square;
        this.drawMarks();
    }

    move(event)
    {
        if (!this.drag)
            return;
        const {piece, x, y} = this.drag, box = this.host.getBoundingClientRect();
        if (!this.drag.moved && Math.hypot(event.clientX - x, event.clientY - y) < 5)
            return;
        this.drag.moved = true;
        piece.classList.add("dragged");
        const left = event.clientX - box.left - box.width / 16;
        const top = event.clientY - box.top - box.height / 16;
        piece.style.transform = `translate(${left}px, ${top}px)`;
    }

    release(event)
    {
        const goal = this.target;
        this.target = NO_SQUARE;
        if (goal !== NO_SQUARE && this.squareUnder(event) === goal)
            this.make(this.selected, goal);
        if (!this.drag)
            return;
        const {square, piece, again, moved} = this.drag;
        this.drag = null;
        piece.classList.remove("dragged");
        const target = this.squareUnder(event);
        if (moved && this.movesBetween(square, target).length) {
            this.make(square, target);
            return;
        }
        this.place(piece, square);
        if (moved || again)
            this.select(NO_SQUARE);
    }

    cancel()
    {
        this.target = NO_SQUARE;
        if (!this.drag)
            return;
        this.drag.piece.classList.remove("dragged");
        this.place(this.drag.piece, this.drag.square);
        this.drag = null;
    }

    make(from, to)
    {
        const found = this.movesBetween(from, to);
        if (found.length > 1 && moveKind(found[0]) === PROMOTION) {
            this.choose(found);
            return;
        }
        // King and rook beside each other in Chess960: what takes the rook castles.
        this.played(found.find((m) => moveTo(m) === to) || found[0]);
    }

    choose(moves)
    {
        const buttons = moves.map((m) => {
            const type = movePromotion(m);
            const button = element("button", {type: "button", "aria-label": PIECE_NAMES[type]},
                pieceElement(2 * type + this.pos.turn));
            button.addEventListener("click", () => this.played(m));
            return button;
        });
        const close = element("button", {type: "button", "aria-label": "None", class: "close"}, "×");
        close.addEventListener("click", () => this.closeChooser());
        this.chooser.replaceChildren(...buttons, close);
        this.chooser.hidden = false;
        buttons[0].focus();
    }

    closeChooser()
    {
        this.chooser.hidden = true;
        this.select(NO_SQUARE);
        for (const [square, piece] of this.pieces)
            this.place(piece, square);
    }
}

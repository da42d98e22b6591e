// Positions and moves as text: FEN, SAN, lines.
"use strict";

const PIECE_LETTERS = "PpNnBbRrQqKk"; // by piece code
const PIECE_NAMES = ["pawn", "knight", "bishop", "rook", "queen", "king"];
const squareName = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);

// Text that is no position or no move; `message` is for the reader.
class NotationError extends Error {
}

function squareOf(text)
{
    return /^[a-h][1-8]$/.test(text) ?
        "abcdefgh".indexOf(text[0]) + 8 * (text.charCodeAt(1) - 49) : -1;
}

function readBoard(pos, text)
{
    const ranks = text.split("/");
    if (ranks.length !== 8)
        throw new NotationError("A FEN has eight ranks, separated by /.");
    ranks.forEach((rank, index) => {
        let file = 0;
        for (const letter of rank) {
            if (/[1-8]/.test(letter)) {
                file += Number(letter);
                continue;
            }
            const piece = PIECE_LETTERS.indexOf(letter);
            if (piece < 0)
                throw new NotationError(`“${letter}” is no piece.`);
            if (file < 8)
                pos.board[(7 - index) * 8 + file] = piece;
            file++;
        }
        if (file !== 8)
            throw new NotationError(`Rank ${8 - index} of the FEN does not have eight squares.`);
    });
    for (const color of [WHITE, BLACK])
        if (pos.board.filter((piece) => piece === 2 * KING + color).length !== 1)
            throw new NotationError("Each side has one king.");
    for (let square = 0; square < 64; square++)
        if (pos.board[square] >> 1 === PAWN && (square < 8 || square >= 56))
            throw new NotationError("A pawn on a back rank.");
}

// K and Q mean the outermost rook, a file letter the rook there.
function readCastling(pos, text)
{
    for (const letter of text === "-" ? "" : text) {
        const color = letter === letter.toUpperCase() ? WHITE : BLACK;
        const rank = color === WHITE ? 0 : 56, king = pos.king(color);
        let rook = -1;
        const rooks = [];
        for (let square = rank; square < rank + 8; square++)
            if (pos.board[square] === 2 * ROOK + color)
                rooks.push(square);
        if (/k/i.test(letter))
            rook = rooks.filter((square) => square > king).pop();
        else if (/q/i.test(letter))
            rook = rooks.find((square) => square < king);
        else if (/[a-h]/i.test(letter))
            rook = rooks.find((at) => (at & 7) === "abcdefgh".indexOf(letter.toLowerCase()));
        if (!(rook >= 0) || king >> 3 !== rank >> 3)
            throw new NotationError(`Castling “${letter}”: no such king and rook.`);
        const right = 2 * color + (rook > king ? 0 : 1);
        pos.castling |= 1 << right;
        pos.rookHome[right] = rook;
    }
}

// The capture must be conceivable; the square is kept when a pawn stands beside, as in the key.
function readEnPassant(pos, text)
{
    const square = squareOf(text), us = pos.turn;
    if (square < 0)
        return;
    const pawn = square + (us === WHITE ? -8 : 8);
    if (square >> 3 !== (us === WHITE ? 5 : 2) || pos.board[pawn] !== 2 * PAWN + 1 - us)
        return;
    for (const side of [-1, 1]) {
        const beside = squareAt(pawn, side, 0);
        if (beside >= 0 && pos.board[beside] === 2 * PAWN + us)
            pos.ep = square;
    }
}

function parseFen(text)
{
    const fields = text.trim().split(/\s+/), pos = new Position();
    readBoard(pos, fields[0]);
    if (fields.length > 1 && !/^[wb]$/.test(fields[1]))
        throw new NotationError("After the board a FEN says w or b.");
    pos.turn = fields[1] === "b" ? BLACK : WHITE;
    readCastling(pos, fields[2] || "-");
    readEnPassant(pos, fields[3] || "-");
    pos.rule50 = Number(fields[4]) || 0;
    pos.fullmove = Number(fields[5]) || 1;
    if (pos.isAttacked(pos.king(1 - pos.turn), pos.turn))
        throw new NotationError("The side to move could take the king.");
    return pos;
}

// Does a king or a rook that may castle stand elsewhere than in standard chess?
function isChess960(pos)
{
    for (let right = 0; right < 4; right++) {
        const color = right >> 1, corner = (right & 1 ? 0 : 7) + 56 * color;
        if (pos.castling & 1 << right &&
            (pos.king(color) !== 4 + 56 * color || pos.rookHome[right] !== corner))
            return true;
    }
    return false;
}

function castlingText(pos)
{
    let text = "";
    for (let right = 0; right < 4; right++) {
        if (!(pos.castling & 1 << right))
            continue;
        const color = right >> 1, home = pos.rookHome[right], step = right & 1 ? -1 : 1;
        let outer = home + step, outermost = true;
        for (; outer >> 3 === home >> 3 && outer >= 0; outer += step)
            outermost = outermost && pos.board[outer] !== 2 * ROOK + color;
        const letter = outermost ? "kq"[right & 1] : "abcdefgh"[home & 7];
        text += color === WHITE ? letter.toUpperCase() : letter;
    }
    return text || "-";
}

function formatFen(pos)
{
    let text = "";
    for (let rank = 7; rank >= 0; rank--) {
        let run = 0;
        for (let file = 0; file < 8; file++) {
            const piece = pos.board[rank * 8 + file];
            if (piece === EMPTY) {
                run++;
                continue;
            }
            text += (run || "") + PIECE_LETTERS[piece];
            run = 0;
        }
        text += (run || "") + (rank ? "/" : "");
    }
    const ep = pos.ep === NO_SQUARE ? "-" : squareName(pos.ep);
    return `${text} ${"wb"[pos.turn]} ${castlingText(pos)} ${ep} ${pos.rule50} ${pos.fullmove}`;
}

// The shortest unambiguous SAN. legal: the legal moves, when they are known.
function formatSan(pos, m, legal = pos.legalMoves())
{
    const from = moveFrom(m), to = moveTo(m), kind = moveKind(m), type = pos.board[from] >> 1;
    let text;
    if (kind === CASTLING) {
        text = to > from ? "O-O" : "O-O-O";
    } else if (type === PAWN) {
        text = (pos.isCapture(m) ? squareName(from)[0] + "x" : "") + squareName(to);
        if (kind === PROMOTION)
            text += "=" + "PNBRQ"[movePromotion(m)];
    } else {
        const rivals = legal.map(moveFrom).filter((other, i) => other !== from &&
            moveTo(legal[i]) === to && moveKind(legal[i]) !== CASTLING &&
            pos.board[other] === pos.board[from]);
        let which = "";
        if (rivals.length) {
            const file = rivals.some((other) => (other & 7) === (from & 7));
            const rank = rivals.some((other) => other >> 3 === from >> 3);
            which = !file ? squareName(from)[0] : !rank ? squareName(from)[1] : squareName(from);
        }
        text = "PNBRQK"[type] + which + (pos.isCapture(m) ? "x" : "") + squareName(to);
    }
    const next = pos.play(m);
    return text + (!next.inCheck() ? "" : next.legalMoves().length ? "+" : "#");
}

function formatUci(m)
{
    const promotion = moveKind(m) === PROMOTION ? " nbrq"[movePromotion(m)] : "";
    return squareName(moveFrom(m)) + squareName(moveTo(m)) + promotion;
}

const CASTLING_WORD = /^[O0o]-?[O0o](-?[O0o])?$/;
const SAN_WORD = /^([NBRQK])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:=?\(?\/?([NBRQnbrq])\)?)?$/;

// The legal moves that a word may mean: SAN as people write it, or UCI.
function findMoves(pos, word)
{
    const text = word.replace(/[+#!?]+$/, "");
    const legal = pos.legalMoves();
    if (CASTLING_WORD.test(text)) {
        const long = text.replace(/-/g, "").length === 3;
        return legal.filter((m) => moveKind(m) === CASTLING && moveTo(m) < moveFrom(m) === long);
    }
    const found = SAN_WORD.exec(text);
    if (!found)
        return null;
    const [, letter, file, rank, target, promotion] = found;
    const to = squareOf(target);
    const uci = !letter && file && rank;
    return legal.filter((m) => {
        const from = moveFrom(m), type = pos.board[from] >> 1;
        if (file && squareName(from)[0] !== file || rank && squareName(from)[1] !== rank)
            return false;
        if (moveKind(m) === CASTLING) { // e1g1 as well as e1h1; one step is a king's move
            const [goal] = castlingTargets(pos.turn, moveTo(m) > from);
            return Boolean(uci) &&
                (moveTo(m) === to || goal === to && Math.abs(goal - from) > 1);
        }
        if (moveTo(m) !== to || !uci && type !== (letter ? "PNBRQK".indexOf(letter) : PAWN))
            return false;
        return moveKind(m) !== PROMOTION ||
            movePromotion(m) === "PNBRQ".indexOf((promotion || "Q").toUpperCase());
    });
}

// Plays the words of a line: "1.e4 c5 2.Nf3", "e4 c5", "e2e4 c7c5". Returns the moves.
function parseLine(start, text)
{
    const moves = [];
    let pos = start;
    const words = text.replace(/\{[^}]*\}/g, " ").replace(/\d+\s*[.…]+/g, " ").split(/[\s,]+/);
    for (const word of words) {
        if (!word || /^(\*|1-0|0-1|1\/2-1\/2|½-½)$/.test(word))
            continue;
        const found = findMoves(pos, word);
        if (!found || found.length !== 1) {
            const why = !found ? "is no move" : found.length ? "can be more than one move" :
                "is not legal here";
            const error = new NotationError(`Move ${moves.length + 1}: “${word}” ${why}.`);
            error.played = moves.length;
            throw error;
        }
        moves.push(found[0]);
        pos = pos.play(found[0]);
    }
    return moves;
}

// "1.", "1…" or nothing before a move of the line.
function moveNumber(pos, first)
{
    return pos.turn === WHITE ? pos.fullmove + "." : first ? pos.fullmove + "…" : "";
}

function formatLine(start, moves)
{
    let pos = start;
    return moves.map((m, ply) => {
        const text = moveNumber(pos, ply === 0) + formatSan(pos, m);
        pos = pos.play(m);
        return text;
    }).join(" ");
}

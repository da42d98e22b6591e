// The rules of chess as chess/ has them: squares a1 = 0 .. h8 = 63, pieces 2 * type + colour, moves
// of 16 bits, castling as the king taking his rook, the Polyglot key.
"use strict";

const WHITE = 0, BLACK = 1;
const PAWN = 0, KNIGHT = 1, BISHOP = 2, ROOK = 3, QUEEN = 4, KING = 5;
const EMPTY = 12, NO_SQUARE = 64;
const NORMAL = 0, PROMOTION = 1, EN_PASSANT = 2, CASTLING = 3;
const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const KNIGHT_STEPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const ROOK_STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1]];
const BISHOP_STEPS = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const KING_STEPS = ROOK_STEPS.concat(BISHOP_STEPS);
const STEPS = [null, KNIGHT_STEPS, BISHOP_STEPS, ROOK_STEPS, KING_STEPS, KING_STEPS];

// Moves of 16 bits.
const moveFrom = (m) => m & 63;
const moveTo = (m) => m >> 6 & 63;
const moveKind = (m) => m >> 12 & 3;
const movePromotion = (m) => (m >> 14) + KNIGHT;
const makeMove = (from, to, kind, promotion) =>
    from | to << 6 | kind << 12 | (kind === PROMOTION ? promotion - KNIGHT : 0) << 14;

// The square `steps` away, or -1 outside the board.
function squareAt(square, files, ranks)
{
    const file = (square & 7) + files, rank = (square >> 3) + ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}

// A position is never changed: position.play() gives a new one.
class Position {
    constructor()
    {
        this.board = new Uint8Array(64).fill(EMPTY);
        this.turn = WHITE;
        this.castling = 0; // bit n: right n: white short, white long, black short, black long
        this.rookHome = [NO_SQUARE, NO_SQUARE, NO_SQUARE, NO_SQUARE];
        this.ep = NO_SQUARE; // only when an enemy pawn stands beside the pawn, as in the key
        this.rule50 = 0;
        this.fullmove = 1;
    }

    copy()
    {
        const other = Object.create(Position.prototype);
        other.board = this.board.slice();
        other.turn = this.turn;
        other.castling = this.castling;
        other.rookHome = this.rookHome;
        other.ep = this.ep;
        other.rule50 = this.rule50;
        other.fullmove = this.fullmove;
        return other;
    }

    king(color)
    {
        return this.board.indexOf(2 * KING + color);
    }

    isAttacked(square, by)
    {
        const board = this.board;
        for (const side of [-1, 1]) {
            const from = squareAt(square, side, by === WHITE ? -1 : 1);
            if (from >= 0 && board[from] === 2 * PAWN + by)
                return true;
        }
        for (const [files, ranks] of KNIGHT_STEPS) {
            const from = squareAt(square, files, ranks);
            if (from >= 0 && board[from] === 2 * KNIGHT + by)
                return true;
        }
        for (const [files, ranks] of KING_STEPS) {
            const slider = 2 * (files && ranks ? BISHOP : ROOK) + by;
            let from = squareAt(square, files, ranks);
            if (from >= 0 && board[from] === 2 * KING + by)
                return true;
            while (from >= 0 && board[from] === EMPTY)
                from = squareAt(from, files, ranks);
            if (from >= 0 && (board[from] === slider || board[from] === 2 * QUEEN + by))
                return true;
        }
        return false;
    }

    inCheck()
    {
        return this.isAttacked(this.king(this.turn), 1 - this.turn);
    }

    isCapture(m)
    {
        return moveKind(m) === EN_PASSANT ||
            moveKind(m) !== CASTLING && this.board[moveTo(m)] !== EMPTY;
    }

    // The position after a legal move.
    play(m)
    {
        const next = this.copy(), board = next.board, us = this.turn;
        const from = moveFrom(m), to = moveTo(m), kind = moveKind(m), piece = board[from];
        const reset = piece >> 1 === PAWN || this.isCapture(m);
        board[from] = EMPTY;
        if (kind === CASTLING) {
            board[to] = EMPTY;
            const [king, rook] = castlingTargets(us, to > from);
            board[king] = piece;
            board[rook] = 2 * ROOK + us;
        } else {
            board[to] = kind === PROMOTION ? 2 * movePromotion(m) + us : piece;
            if (kind === EN_PASSANT)
                board[to + (us === WHITE ? -8 : 8)] = EMPTY;
        }
        if (this.castling) {
            if (piece >> 1 === KING)
                next.castling &= us === WHITE ? ~3 : ~12;
            for (let right = 0; right < 4; right++)
                if (this.rookHome[right] === from || this.rookHome[right] === to)
                    next.castling &= ~(1 << right);
        }
        next.ep = NO_SQUARE;
        if (piece >> 1 === PAWN && Math.abs(to - from) === 16)
            for (const side of [-1, 1]) {
                const beside = squareAt(to, side, 0);
                if (beside >= 0 && board[beside] === 2 * PAWN + 1 - us)
                    next.ep = (from + to) / 2;
            }
        next.turn = 1 - us;
        next.rule50 = reset ? 0 : this.rule50 + 1;
        next.fullmove += us;
        return next;
    }

    // All legal moves.
    legalMoves()
    {
        return this.moves().filter((m) => {
            if (moveKind(m) === CASTLING)
                return true; // asked for already
            const next = this.play(m);
            return !next.isAttacked(next.king(this.turn), next.turn);
        });
    }

    // Moves that may leave the king in check.
    moves()
    {
        const out = [], board = this.board;
        for (let from = 0; from < 64; from++) {
            const piece = board[from];
            if (piece === EMPTY || (piece & 1) !== this.turn)
                continue;
            if (piece >> 1 === PAWN)
                this.pawnMoves(from, out);
            else
                this.pieceMoves(from, piece >> 1, out);
        }
        this.castlingMoves(out);
        return out;
    }

    pieceMoves(from, type, out)
    {
        const slides = type === BISHOP || type === ROOK || type === QUEEN;
        for (const [files, ranks] of STEPS[type]) {
            let to = squareAt(from, files, ranks);
            while (to >= 0 && this.board[to] === EMPTY) {
                out.push(makeMove(from, to, NORMAL));
                to = slides ? squareAt(to, files, ranks) : -1;
            }
            if (to >= 0 && this.board[to] !== EMPTY && (this.board[to] & 1) !== this.turn)
                out.push(makeMove(from, to, NORMAL));
        }
    }

    pawnMoves(from, out)
    {
        const board = this.board, up = this.turn === WHITE ? 1 : -1;
        const add = (to) => {
            if (to >> 3 === 0 || to >> 3 === 7)
                for (let type = QUEEN; type >= KNIGHT; type--)
                    out.push(makeMove(from, to, PROMOTION, type));
            else
                out.push(makeMove(from, to, to === this.ep ? EN_PASSANT : NORMAL));
        };
        const ahead = from + 8 * up;
        if (board[ahead] === EMPTY) {
            add(ahead);
            if (from >> 3 === (up > 0 ? 1 : 6) && board[ahead + 8 * up] === EMPTY)
                out.push(makeMove(from, ahead + 8 * up, NORMAL));
        }
        for (const side of [-1, 1]) {
            const to = squareAt(from, side, up);
            if (to >= 0 && (board[to] === EMPTY ? to === this.ep : (board[to] & 1) !== this.turn))
                add(to);
        }
    }

    // Nothing stands between, and the king passes no attacked square.
    castlingMoves(out)
    {
        const us = this.turn, king = this.king(us);
        for (let right = 2 * us; right < 2 * us + 2; right++) {
            const rook = this.rookHome[right];
            if (!(this.castling & 1 << right))
                continue;
            const [kingTo, rookTo] = castlingTargets(us, rook > king);
            const empty = this.copy();
            empty.board[king] = empty.board[rook] = EMPTY;
            const low = Math.min(king, rook, kingTo, rookTo);
            const high = Math.max(king, rook, kingTo, rookTo);
            let free = true;
            for (let at = low; at <= high; at++)
                free = free && empty.board[at] === EMPTY;
            for (let at = Math.min(king, kingTo); at <= Math.max(king, kingTo); at++)
                free = free && !empty.isAttacked(at, 1 - us);
            // The rook may have covered the king's new square, which matters in Chess960 only.
            empty.board[rookTo] = 2 * ROOK + us;
            if (free && !this.isAttacked(king, 1 - us) && !empty.isAttacked(kingTo, 1 - us))
                out.push(makeMove(king, rook, CASTLING));
        }
    }

    // The Polyglot key as [high, low], 32 bits each. keys: low and high of each constant in turn.
    key(keys)
    {
        let high = 0, low = 0;
        const add = (index) => {
            low ^= keys[2 * index];
            high ^= keys[2 * index + 1];
        };
        for (let square = 0; square < 64; square++)
            if (this.board[square] !== EMPTY)
                add(64 * (this.board[square] ^ 1) + square);
        for (let right = 0; right < 4; right++)
            if (this.castling & 1 << right)
                add(768 + right);
        if (this.ep !== NO_SQUARE)
            add(772 + (this.ep & 7));
        if (this.turn === WHITE)
            add(780);
        return [high >>> 0, low >>> 0];
    }
}

// Where king and rook land.
function castlingTargets(color, short)
{
    const rank = color === WHITE ? 0 : 56;
    return short ? [rank + 6, rank + 5] : [rank + 2, rank + 3];
}

#include "chess/san_plain.h"

#include "chess/attacks.h"
#include "chess/movegen.h"

static inline bool is_file(char c)
{
    return c >= 'a' && c <= 'h';
}

static inline bool is_rank(char c)
{
    return c >= '1' && c <= '8';
}

static inline int square_at(const char *text)
{
    return square_make(text[0] - 'a', text[1] - '1');
}

/* Over a sign of check or mate after a move; NULL where the word may go on. */
static inline const char *end_of_move(const char *at)
{
    at += *at == '+' || *at == '#';
    return *at == ' ' || *at == '\n' || *at == '\r' || *at == '\0' ? at : NULL;
}

/* The piece that a letter stands for, 0 for others. */
static const uint8_t promotions[256] = {
    ['N'] = KNIGHT, ['B'] = BISHOP, ['R'] = ROOK, ['Q'] = QUEEN};
static const uint8_t pieces[256] = {
    ['N'] = KNIGHT, ['B'] = BISHOP, ['R'] = ROOK, ['Q'] = QUEEN, ['K'] = KING};

static inline int type_of(const uint8_t types[256], char letter)
{
    return types[(uint8_t)letter];
}

/* Is the king of the side to move safe on `king` when a piece has gone from `from` to `to`? Asks
 * the board, nothing of pos->checkers: hardly ever a slider stands on the king's lines. */
static inline bool is_safe_after(const struct position *pos, int king, int from, int to)
{
    int us = pos->turn;
    uint64_t enemies = pos->colors[!us] & ~bb_square(to);
    uint64_t queens = pos->types[QUEEN];
    if (((attacks_pawn(us, king) & pos->types[PAWN]) |
         (attacks_knight(king) & pos->types[KNIGHT])) &
        enemies)
        return false;
    uint64_t snipers = ((attacks_empty(ROOK, king) & (pos->types[ROOK] | queens)) |
                        (attacks_empty(BISHOP, king) & (pos->types[BISHOP] | queens))) &
                       enemies;
    while (snipers) {
        uint64_t between = attacks_between(king, bb_pop(&snipers));
        if (!(between & ((position_occupied(pos) & ~bb_square(from)) | bb_square(to))))
            return false;
    }
    return true;
}

static inline bool is_king_safe(const struct position *pos, int type, int from, int to)
{
    if (type != KING)
        return is_safe_after(pos, position_king(pos, pos->turn), from, to);
    uint64_t other = position_pieces(pos, !pos->turn, KING);
    return !(attacks_king(to) & other) && is_safe_after(pos, to, from, to);
}

/* `goal`: the square in the text. */
static inline const char *promote(move m, const char *goal, move *out)
{
    int type = type_of(promotions, goal[3]);
    if (goal[2] != '=' || !type)
        return NULL;
    *out = move_make_promotion(move_from(m), move_to(m), type);
    return goal + 4;
}

static inline const char *read_pawn(const struct position *pos, const char *text, move *out)
{
    int us = pos->turn;
    int back = us == WHITE ? -8 : 8;
    bool takes = text[1] == 'x';
    const char *goal = takes ? text + 2 : text;
    if (!is_file(goal[0]) || !is_rank(goal[1]))
        return NULL;
    int to = square_at(goal);
    int rank = square_rank(square_relative(us, to));
    if (rank == 0)
        return NULL;
    int from = to + back;
    move m;
    if (takes) {
        int aside = text[0] - goal[0];
        from += aside;
        m = move_make_kind(from, to, to == pos->ep ? MOVE_EN_PASSANT : MOVE_NORMAL);
        if ((aside != 1 && aside != -1) || !(to == pos->ep || (pos->colors[!us] & bb_square(to))))
            return NULL;
    } else {
        if (rank == 3 && pos->board[from] == NO_PIECE)
            from += back;
        m = move_make(from, to);
        if (pos->board[to] != NO_PIECE)
            return NULL;
    }
    if (pos->board[from] != piece_make(us, PAWN))
        return NULL;
    if (move_kind(m) == MOVE_EN_PASSANT ? !movegen_is_legal(pos, m)
                                        : !is_king_safe(pos, PAWN, from, to))
        return NULL;
    *out = m;
    return rank == 7 ? promote(m, goal, out) : goal + 2;
}

/* Those of `sources` that leave no king in check when they go to `to`. */
static uint64_t legal_among(const struct position *pos, int type, int to, uint64_t sources)
{
    uint64_t legal = 0;
    for (; sources; sources &= sources - 1)
        if (is_king_safe(pos, type, bb_first(sources), to))
            legal |= bb_square(bb_first(sources));
    return legal;
}

static inline const char *read_piece(const struct position *pos, int type, const char *text,
                                     move *out)
{
    int us = pos->turn;
    uint64_t sources = position_pieces(pos, us, type);
    const char *goal = text + 1;
    if (text[1] == 'x') {
        goal++;
    } else if (text[2] == 'x' || is_file(text[2])) {
        if (is_file(text[1]))
            sources &= bb_file(text[1] - 'a');
        else if (is_rank(text[1]))
            sources &= bb_rank(text[1] - '1');
        else
            return NULL;
        goal = text[2] == 'x' ? text + 3 : text + 2;
    }
    if (!is_file(goal[0]) || !is_rank(goal[1]))
        return NULL;
    int to = square_at(goal);
    if (pos->colors[us] & bb_square(to))
        return NULL;
    uint64_t found = 0;
    for (sources &= attacks_empty(type, to); sources; sources &= sources - 1)
        if (!(attacks_between(bb_first(sources), to) & position_occupied(pos)))
            found |= bb_square(bb_first(sources));
    if (bb_many(found))
        found = legal_among(pos, type, to, found);
    if (!found || bb_many(found) || !is_king_safe(pos, type, bb_first(found), to))
        return NULL;
    *out = move_make(bb_first(found), to);
    return goal + 2;
}

static inline const char *read_castling(const struct position *pos, const char *text, move *out)
{
    if (text[1] != '-' || text[2] != 'O')
        return NULL;
    bool is_long = text[3] == '-' && text[4] == 'O';
    int right = 2 * pos->turn + is_long;
    if (!movegen_castles(pos, right))
        return NULL;
    *out = move_make_kind(position_king(pos, pos->turn), pos->rook_home[right], MOVE_CASTLING);
    return text + (is_long ? 5 : 3);
}

const char *san_plain(const struct position *pos, const char *text, move *out)
{
    move m = MOVE_NONE;
    const char *end;
    int type = type_of(pieces, *text);
    if (type)
        end = read_piece(pos, type, text, &m);
    else if (is_file(*text))
        end = read_pawn(pos, text, &m);
    else if (*text == 'O')
        end = read_castling(pos, text, &m);
    else
        return NULL;
    if (end)
        end = end_of_move(end);
    if (end)
        *out = m;
    return end;
}

/* One generator, specialised by the compiler for each use: what to list (`wanted`) and whether to
 * write the moves or only count them are constants at every call.
 *
 * Legality comes from two sets computed first: the squares where a non-king move may land (`check
 * mask`: everything, or capture-or-block squares when in check) and the pinned pieces, which may
 * only move along the line to their king. Castling and en passant are checked one by one. */
#include "chess/movegen.h"

#include "chess/attacks.h"

#define INLINE static inline __attribute__((always_inline))

enum wanted { WANT_NOISY = 1, WANT_QUIET = 2, WANT_ALL = 3 };

struct sink {
    move *out; /* NULL: count only */
    int count;
};

INLINE void emit(struct sink *sink, bool write, move m)
{
    if (write)
        sink->out[sink->count] = m;
    sink->count++;
}

INLINE void emit_targets(struct sink *sink, bool write, int from, uint64_t targets)
{
    if (!write) {
        sink->count += bb_count(targets);
        return;
    }
    while (targets)
        emit(sink, write, move_make(from, bb_pop(&targets)));
}

/* Pawn moves that all go by the same step. */
INLINE void emit_pawns(struct sink *sink, bool write, uint64_t targets, int step)
{
    if (!write) {
        sink->count += bb_count(targets);
        return;
    }
    while (targets) {
        int to = bb_pop(&targets);
        emit(sink, write, move_make(to - step, to));
    }
}

/* Queen promotions are noisy, the lesser ones quiet unless they capture. */
INLINE void emit_promotions(struct sink *sink, bool write, enum wanted wanted, bool capture,
                            uint64_t targets, int step)
{
    bool queen = (wanted & WANT_NOISY) != 0;
    bool lesser = (wanted & (capture ? WANT_NOISY : WANT_QUIET)) != 0;
    if (!write) {
        sink->count += bb_count(targets) * ((queen ? 1 : 0) + (lesser ? 3 : 0));
        return;
    }
    while (targets) {
        int to = bb_pop(&targets);
        if (queen)
            emit(sink, write, move_make_promotion(to - step, to, QUEEN));
        for (int type = ROOK; lesser && type >= KNIGHT; type--)
            emit(sink, write, move_make_promotion(to - step, to, type));
    }
}

/* En passant takes two men off a line at once, so the king's safety is looked at afresh. */
static bool ep_is_legal(const struct position *pos, int from, int to)
{
    int us = pos->turn;
    int king = position_king(pos, us);
    uint64_t victim = bb_square(to ^ 8);
    uint64_t occupied = (position_occupied(pos) ^ bb_square(from) ^ victim) | bb_square(to);
    return (position_attackers(pos, king, occupied) & pos->colors[!us] & ~victim) == 0;
}

INLINE void generate_pawns(const struct position *pos, struct sink *sink, bool write,
                           enum wanted wanted, int us, uint64_t check_mask, uint64_t pinned)
{
    const int up = us == WHITE ? 8 : -8;
    const uint64_t last = us == WHITE ? BB_RANK_8 : BB_RANK_1;
    const uint64_t third = us == WHITE ? bb_rank(2) : bb_rank(5);
    uint64_t pawns = position_pieces(pos, us, PAWN);
    uint64_t enemies = pos->colors[!us];
    uint64_t empty = ~position_occupied(pos);
    int king = position_king(pos, us);

    /* A pinned pawn may push along the king's file and capture along the king's diagonals. */
    uint64_t pushers = pawns & (~pinned | bb_file(square_file(king)));
    uint64_t push = bb_forward(us, pushers) & empty;
    uint64_t jump = bb_forward(us, push & third) & empty & check_mask;
    push &= check_mask;

    uint64_t free_takers = pawns & ~pinned;
    uint64_t ahead = bb_forward(us, free_takers);
    uint64_t take_east = bb_east(ahead) & enemies & check_mask;
    uint64_t take_west = bb_west(ahead) & enemies & check_mask;
    for (uint64_t stuck = pawns & pinned; stuck;) {
        int from = bb_pop(&stuck);
        uint64_t targets = attacks_pawn(us, from) & enemies & check_mask & attacks_line(king, from);
        /* One pinned pawn has at most one such target; sort it by direction. */
        take_east |= targets & bb_east(bb_forward(us, bb_square(from)));
        take_west |= targets & bb_west(bb_forward(us, bb_square(from)));
    }

    if (wanted & WANT_QUIET) {
        emit_pawns(sink, write, push & ~last, up);
        emit_pawns(sink, write, jump, 2 * up);
    }
    if (wanted & WANT_NOISY) {
        emit_pawns(sink, write, take_east & ~last, up + 1);
        emit_pawns(sink, write, take_west & ~last, up - 1);
    }
    if ((push | take_east | take_west) & last) {
        emit_promotions(sink, write, wanted, false, push & last, up);
        emit_promotions(sink, write, wanted, true, take_east & last, up + 1);
        emit_promotions(sink, write, wanted, true, take_west & last, up - 1);
    }
    if ((wanted & WANT_NOISY) && pos->ep != NO_SQUARE) {
        for (uint64_t takers = attacks_pawn(!us, pos->ep) & pawns; takers;) {
            int from = bb_pop(&takers);
            if (ep_is_legal(pos, from, pos->ep))
                emit(sink, write, move_make_kind(from, pos->ep, MOVE_EN_PASSANT));
        }
    }
}

INLINE void generate_king(const struct position *pos, struct sink *sink, bool write, int us,
                          uint64_t targets)
{
    int king = position_king(pos, us);
    /* Seen through the king: he cannot flee along the line of a check. */
    uint64_t occupied = position_occupied(pos) ^ bb_square(king);
    for (targets &= attacks_king(king) & ~attacks_pawns(!us, position_pieces(pos, !us, PAWN));
         targets;) {
        int to = bb_pop(&targets);
        if (!(position_attackers(pos, to, occupied) & pos->colors[!us]))
            emit(sink, write, move_make(king, to));
    }
}

INLINE int generate_side(const struct position *pos, move *out, enum wanted wanted, bool write,
                         int us)
{
    struct sink sink = {out, 0};
    int king = position_king(pos, us);
    uint64_t occupied = position_occupied(pos);
    uint64_t goals = 0;
    if (wanted & WANT_NOISY)
        goals |= pos->colors[!us];
    if (wanted & WANT_QUIET)
        goals |= ~occupied;

    generate_king(pos, &sink, write, us, goals);
    if (bb_many(pos->checkers))
        return sink.count;

    uint64_t check_mask = ~UINT64_C(0);
    if (pos->checkers)
        check_mask = pos->checkers | attacks_between(king, bb_first(pos->checkers));
    uint64_t pinned = position_blockers(pos, us) & pos->colors[us];
    goals &= check_mask;

    generate_pawns(pos, &sink, write, wanted, us, check_mask, pinned);

    for (uint64_t set = position_pieces(pos, us, KNIGHT) & ~pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from, attacks_knight(from) & goals);
    }
    uint64_t diagonal = (pos->types[BISHOP] | pos->types[QUEEN]) & pos->colors[us];
    uint64_t straight = (pos->types[ROOK] | pos->types[QUEEN]) & pos->colors[us];
    for (uint64_t set = diagonal & ~pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from, attacks_bishop(from, occupied) & goals);
    }
    for (uint64_t set = straight & ~pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from, attacks_rook(from, occupied) & goals);
    }
    for (uint64_t set = diagonal & pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from,
                     attacks_bishop(from, occupied) & goals & attacks_line(king, from));
    }
    for (uint64_t set = straight & pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from,
                     attacks_rook(from, occupied) & goals & attacks_line(king, from));
    }

    if ((wanted & WANT_QUIET) && !pos->checkers)
        for (int right = 2 * us; right < 2 * us + 2; right++)
            if ((pos->castling & 1 << right) && movegen_can_castle(pos, right))
                emit(&sink, write, move_make_kind(king, pos->rook_home[right], MOVE_CASTLING));
    return sink.count;
}

INLINE int generate(const struct position *pos, move *out, enum wanted wanted, bool write)
{
    return pos->turn == WHITE ? generate_side(pos, out, wanted, write, WHITE)
                              : generate_side(pos, out, wanted, write, BLACK);
}

int movegen_legal(const struct position *pos, move *out)
{
    return generate(pos, out, WANT_ALL, true);
}

int movegen_noisy(const struct position *pos, move *out)
{
    return generate(pos, out, WANT_NOISY, true);
}

int movegen_quiet(const struct position *pos, move *out)
{
    return generate(pos, out, WANT_QUIET, true);
}

int movegen_count(const struct position *pos)
{
    return generate(pos, NULL, WANT_ALL, false);
}

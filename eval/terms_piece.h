/* Terms of pieces: material, squares, mobility, outposts, files. Private to eval/. */
#ifndef CAXTON_EVAL_TERMS_PIECE_H
#define CAXTON_EVAL_TERMS_PIECE_H

#include "eval/context.h"

#define DARK_SQUARES  UINT64_C(0xAA55AA55AA55AA55)
#define CENTER_FILES  UINT64_C(0x3C3C3C3C3C3C3C3C)
#define CENTER        UINT64_C(0x0000001818000000)
#define OUTPOST_WHITE UINT64_C(0x0000FFFFFF000000)
#define OUTPOST_BLACK UINT64_C(0x000000FFFFFF0000)

/* Material and piece-square tables, seen once from each king: the value of a square depends on
 * whether it lies on the own and on the enemy king's wing. */
static inline void material_and_squares(struct context *ctx, int us)
{
    int own_flip = (us == WHITE ? 0 : 56) ^ (square_file(ctx->king[us]) < 4 ? 7 : 0);
    int foe_flip = (us == WHITE ? 0 : 56) ^ (square_file(ctx->king[!us]) < 4 ? 7 : 0);
    uint64_t set = ctx->pos->colors[us];
    while (set) {
        int square = bb_pop(&set);
        int type = piece_type(ctx->pos->board[square]);
        term_add(ctx, us, W_OWN_SQUARE + 64 * type + (square ^ own_flip), 1);
        term_add(ctx, us, W_FOE_SQUARE + 64 * type + (square ^ foe_flip), 1);
    }

    int pawns = bb_count(position_pieces(ctx->pos, us, PAWN));
    int knights = bb_count(position_pieces(ctx->pos, us, KNIGHT));
    int rooks = bb_count(position_pieces(ctx->pos, us, ROOK));
    uint64_t bishops = position_pieces(ctx->pos, us, BISHOP);
    term_add(ctx, us, W_MATERIAL + PAWN, pawns);
    term_add(ctx, us, W_MATERIAL + KNIGHT, knights);
    term_add(ctx, us, W_MATERIAL + BISHOP, bb_count(bishops));
    term_add(ctx, us, W_MATERIAL + ROOK, rooks);
    term_add(ctx, us, W_MATERIAL + QUEEN, bb_count(position_pieces(ctx->pos, us, QUEEN)));
    if (bishops & DARK_SQUARES && bishops & ~DARK_SQUARES)
        term_add(ctx, us, W_BISHOP_PAIR, 1);
    /* Knights like many pawns, rooks few. */
    term_add(ctx, us, W_KNIGHT_PER_PAWN, knights * (pawns - 5));
    term_add(ctx, us, W_ROOK_PER_PAWN, rooks * (pawns - 5));
}

/* Enters a piece's attacks in the maps and counts what it does near the enemy king. */
static inline void note_attacks(struct context *ctx, int us, int type, uint64_t attacks)
{
    int them = !us;
    ctx->attacked2[us] |= ctx->attacked[us] & attacks;
    ctx->attacked[us] |= attacks;
    ctx->attacks[us][type] |= attacks;
    uint64_t hits = attacks & ctx->ring[them];
    if (hits) {
        danger_add(ctx, them, W_DANGER_ATTACKER + type, 1);
        danger_add(ctx, them, W_DANGER_RING_HIT + type, bb_count(hits));
    }
}

static inline void minor_square(struct context *ctx, int us, int type, int square, uint64_t attacks)
{
    int weight = type == KNIGHT ? W_KNIGHT_OUTPOST : W_BISHOP_OUTPOST;
    uint64_t zone = us == WHITE ? OUTPOST_WHITE : OUTPOST_BLACK;
    uint64_t outposts = zone & ~ctx->pawns.span[!us];
    uint64_t piece = bb_square(square);
    if (piece & outposts)
        term_add(ctx, us, weight + (piece & ctx->attacks[us][PAWN] ? 1 : 0), 1);
    else if (attacks & outposts & ctx->attacks[us][PAWN] & ~ctx->pos->colors[us])
        term_add(ctx, us, weight + 2, 1);
    if (bb_forward(us, piece) & ctx->pos->types[PAWN])
        term_add(ctx, us, W_MINOR_BEHIND_PAWN, 1);
}

static inline void knights(struct context *ctx, int us)
{
    uint64_t set = position_pieces(ctx->pos, us, KNIGHT);
    while (set) {
        int square = bb_pop(&set);
        uint64_t attacks = attacks_knight(square);
        note_attacks(ctx, us, KNIGHT, attacks);
        term_add(ctx, us, W_KNIGHT_MOBILITY + bb_count(attacks & ctx->mobility[us]), 1);
        minor_square(ctx, us, KNIGHT, square, attacks);
    }
}

static inline void bishops(struct context *ctx, int us)
{
    uint64_t set = position_pieces(ctx->pos, us, BISHOP);
    uint64_t own = position_pieces(ctx->pos, us, PAWN);
    uint64_t foe = position_pieces(ctx->pos, !us, PAWN);
    uint64_t rammed = own & bb_forward(!us, ctx->occupied) & CENTER_FILES;
    while (set) {
        int square = bb_pop(&set);
        uint64_t attacks =
            attacks_bishop(square, ctx->occupied ^ position_pieces(ctx->pos, us, QUEEN));
        uint64_t shade = bb_square(square) & DARK_SQUARES ? DARK_SQUARES : ~DARK_SQUARES;
        note_attacks(ctx, us, BISHOP, attacks);
        term_add(ctx, us, W_BISHOP_MOBILITY + bb_count(attacks & ctx->mobility[us]), 1);
        minor_square(ctx, us, BISHOP, square, attacks);
        term_add(ctx, us, W_BISHOP_OWN_PAWNS, bb_count(own & shade));
        term_add(ctx, us, W_BISHOP_RAMMED_PAWNS, bb_count(own & shade) * bb_count(rammed));
        term_add(ctx, us, W_BISHOP_FOE_PAWNS, bb_count(foe & shade));
        if (bb_many(attacks_bishop(square, ctx->pos->types[PAWN]) & CENTER))
            term_add(ctx, us, W_BISHOP_LONG_DIAGONAL, 1);
    }
}

static inline void rooks(struct context *ctx, int us)
{
    uint64_t set = position_pieces(ctx->pos, us, ROOK);
    uint64_t own = position_pieces(ctx->pos, us, PAWN);
    uint64_t majors = position_pieces(ctx->pos, us, QUEEN) | set;
    while (set) {
        int square = bb_pop(&set);
        uint64_t attacks = attacks_rook(square, ctx->occupied ^ majors);
        uint64_t file = bb_file(square_file(square));
        note_attacks(ctx, us, ROOK, attacks);
        term_add(ctx, us, W_ROOK_MOBILITY + bb_count(attacks & ctx->mobility[us]), 1);
        if (!(file & ctx->pos->types[PAWN]))
            term_add(ctx, us, W_ROOK_FILE, 1);
        else if (!(file & own))
            term_add(ctx, us, W_ROOK_FILE + 1, 1);
        else if (file & own & bb_forward(!us, ctx->occupied))
            term_add(ctx, us, W_ROOK_FILE + 2, 1);
        if (relative_rank(us, square) == 6 && relative_rank(us, ctx->king[!us]) == 7)
            term_add(ctx, us, W_ROOK_SEVENTH, 1);
    }
}

static inline void queens(struct context *ctx, int us)
{
    uint64_t set = position_pieces(ctx->pos, us, QUEEN);
    while (set) {
        int square = bb_pop(&set);
        uint64_t attacks = attacks_queen(square, ctx->occupied);
        note_attacks(ctx, us, QUEEN, attacks);
        term_add(ctx, us, W_QUEEN_MOBILITY + bb_count(attacks & ctx->mobility[us]), 1);
    }
}

/* Safe squares behind and among the own centre pawns are worth most with many pieces. */
static inline void space(struct context *ctx, int us)
{
    uint64_t own = position_pieces(ctx->pos, us, PAWN);
    uint64_t zone = CENTER_FILES & (us == WHITE ? UINT64_C(0xFFFFFF00) : UINT64_C(0xFFFFFF) << 32);
    uint64_t safe = zone & ~own & ~ctx->attacks[!us][PAWN];
    uint64_t sheltered = safe & fill_forward(!us, own);
    int men = bb_count(ctx->pos->colors[us]);
    if (men > 8)
        term_add(ctx, us, W_SPACE, (bb_count(safe) + bb_count(sheltered)) * (men - 8));
}

#endif

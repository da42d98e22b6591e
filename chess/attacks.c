#include "chess/attacks.h"

#include "base/rng.h"

uint64_t attacks_pawn_table[2][64];
uint64_t attacks_between_table[64][64];
uint64_t attacks_line_table[64][64];
uint64_t attacks_empty_table[PIECE_TYPES][64];
struct slider attacks_bishop_sliders[64];
struct slider attacks_rook_sliders[64];

/* Sums over the squares of 2^bits(mask), the sizes of the classic fancy tables. */
static uint64_t bishop_sets[5248];
static uint64_t rook_sets[102400];

static const int bishop_steps[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const int rook_steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* Squares reached from `square` along `count` rays, each up to and including the first occupied
 * one; with all squares occupied, one step along each. */
static uint64_t rays(const int (*steps)[2], int count, int square, uint64_t occupied)
{
    uint64_t set = 0;
    for (int i = 0; i < count; i++) {
        int file = square_file(square) + steps[i][0];
        int rank = square_rank(square) + steps[i][1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            uint64_t bit = bb_square(square_make(file, rank));
            set |= bit;
            if (occupied & bit)
                break;
            file += steps[i][0];
            rank += steps[i][1];
        }
    }
    return set;
}

#ifndef __BMI2__
/* A multiplier that sends every subset of the mask to a slot of its own or of an equal attack set,
 * found by trying sparse random numbers: some ten milliseconds for all squares, once.
 * Source: https://www.chessprogramming.org/Looking_for_Magics */
static void find_magic(struct slider *slider, const int steps[4][2], int square, uint64_t *state)
{
    uint64_t subsets[4096];
    uint64_t sets[4096];
    unsigned used[4096] = {0};
    int count = 0;
    uint64_t subset = 0;
    do {
        subsets[count] = subset;
        sets[count++] = rays(steps, 4, square, subset);
        subset = (subset - slider->mask) & slider->mask;
    } while (subset);

    for (unsigned round = 1;; round++) {
        slider->magic = rng_splitmix(state) & rng_splitmix(state) & rng_splitmix(state);
        if (bb_count((slider->mask * slider->magic) >> 56) < 6)
            continue;
        int i = 0;
        for (; i < count; i++) {
            unsigned index = slider_index(slider, subsets[i]);
            if (used[index] == round && slider->sets[index] != sets[i])
                break;
            used[index] = round;
            slider->sets[index] = sets[i];
        }
        if (i == count)
            return;
    }
}
#endif

static void init_sliders(struct slider sliders[64], const int steps[4][2], uint64_t *sets)
{
#ifndef __BMI2__
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15);
#endif
    for (int square = 0; square < 64; square++) {
        struct slider *slider = &sliders[square];
        uint64_t edges = ((BB_RANK_1 | BB_RANK_8) & ~bb_rank(square_rank(square))) |
                         ((BB_FILE_A | BB_FILE_H) & ~bb_file(square_file(square)));
        slider->mask = rays(steps, 4, square, 0) & ~edges;
        slider->shift = 64 - bb_count(slider->mask);
        slider->sets = sets;
#ifdef __BMI2__
        uint64_t subset = 0;
        do {
            sets[slider_index(slider, subset)] = rays(steps, 4, square, subset);
            subset = (subset - slider->mask) & slider->mask;
        } while (subset);
#else
        find_magic(slider, steps, square, &state);
#endif
        sets += UINT64_C(1) << bb_count(slider->mask);
    }
}

static void init_lines(const int steps[4][2])
{
    for (int a = 0; a < 64; a++)
        for (uint64_t left = rays(steps, 4, a, 0); left;) {
            int b = bb_pop(&left);
            uint64_t ends = bb_square(a) | bb_square(b);
            attacks_line_table[a][b] = (rays(steps, 4, a, 0) & rays(steps, 4, b, 0)) | ends;
            attacks_between_table[a][b] = rays(steps, 4, a, ends) & rays(steps, 4, b, ends);
        }
}

void attacks_init(void)
{
    static const int knight_steps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                           {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int king_steps[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                         {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    static const int pawn_steps[2][2][2] = {{{-1, 1}, {1, 1}}, {{-1, -1}, {1, -1}}};
    const uint64_t all = ~UINT64_C(0);

    for (int square = 0; square < 64; square++) {
        attacks_pawn_table[WHITE][square] = rays(pawn_steps[WHITE], 2, square, all);
        attacks_pawn_table[BLACK][square] = rays(pawn_steps[BLACK], 2, square, all);
        attacks_empty_table[KNIGHT][square] = rays(knight_steps, 8, square, all);
        attacks_empty_table[BISHOP][square] = rays(bishop_steps, 4, square, 0);
        attacks_empty_table[ROOK][square] = rays(rook_steps, 4, square, 0);
        attacks_empty_table[QUEEN][square] =
            attacks_empty_table[BISHOP][square] | attacks_empty_table[ROOK][square];
    }
    init_sliders(attacks_bishop_sliders, bishop_steps, bishop_sets);
    init_sliders(attacks_rook_sliders, rook_steps, rook_sets);
    init_lines(bishop_steps);
    init_lines(rook_steps);
    for (int square = 0; square < 64; square++)
        attacks_empty_table[KING][square] = rays(king_steps, 8, square, all);
}

uint64_t attacks_piece(int type, int square, uint64_t occupied)
{
    switch (type) {
    case KNIGHT:
        return attacks_knight(square);
    case BISHOP:
        return attacks_bishop(square, occupied);
    case ROOK:
        return attacks_rook(square, occupied);
    case QUEEN:
        return attacks_bishop(square, occupied) | attacks_rook(square, occupied);
    case KING:
        return attacks_king(square);
    default:
        return 0;
    }
}

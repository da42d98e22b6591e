#include "eval/relations.h"

#include <assert.h>

#include "chess/attacks.h"

/* Which of the piece types attacked by a type has which place, kings in no relation. */
static const int8_t places[PIECE_TYPES][PIECE_TYPES] = {
    [PAWN] = {-1, 0, -1, 1, -1, -1}, [KNIGHT] = {0, 1, 2, 3, 4, -1},
    [BISHOP] = {0, 1, 2, 3, -1, -1}, [ROOK] = {0, 1, 2, 3, -1, -1},
    [QUEEN] = {0, 1, 2, 3, 4, -1},   [KING] = {-1, -1, -1, -1, -1, -1},
};

static const uint8_t targets[PIECE_TYPES] = {2, 5, 4, 4, 5, 0};

void relations_init(struct relation_table *table)
{
    int next = 0;
    for (int piece = 0; piece < 12; piece++) {
        int type = piece % PIECE_TYPES;
        int color = piece / PIECE_TYPES;
        int reached = 0;
        for (int square = 0; square < 64; square++) {
            bool stands = type != PAWN || (square_rank(square) > 0 && square_rank(square) < 7);
            uint64_t reach =
                type == PAWN ? attacks_pawn(color, square) : attacks_empty(type, square);
            table->place[piece][square] = (uint16_t)reached;
            table->reach[piece][square] = reach;
            reached += stands ? bb_count(reach) : 0;
        }
        for (int other = 0; other < 12; other++) {
            int place = places[type][other % PIECE_TYPES];
            int group = other / PIECE_TYPES * targets[type] + place;
            table->first[piece][other] = place < 0 ? -1 : next + group * reached;
        }
        next += 2 * targets[type] * reached;
    }
    assert(next == RELATION_THREATS);
}

/* How a perspective sees pieces and squares. */
struct relation_view {
    int perspective;
    int turn; /* a square of the board XOR this: the square as it is seen */
};

static int seen_piece(const struct relation_view *view, int color, int type)
{
    return (color != view->perspective) * PIECE_TYPES + type;
}

static void add(struct relations *out, int number)
{
    assert(number >= 0 && number < RELATIONS && out->count < RELATED_MAX);
    out->numbers[out->count++] = (uint16_t)number;
}

/* The threats of a piece to those on the squares of `set`. */
static void add_threats(const struct relation_table *table, const struct position *pos,
                        const struct relation_view *view, int piece, int from, uint64_t set,
                        struct relations *out)
{
    from ^= view->turn;
    while (set) {
        int square = bb_pop(&set);
        int to = square ^ view->turn;
        int type = piece_type(pos->board[square]);
        if (type == piece % PIECE_TYPES && from < to)
            continue; /* the same as the other's */
        int other = seen_piece(view, piece_color(pos->board[square]), type);
        int order = bb_count(table->reach[piece][from] & (bb_square(to) - 1));
        add(out, table->first[piece][other] + table->place[piece][from] + order);
    }
}

static void add_pairs(const struct position *pos, const struct relation_view *view,
                      struct relations *out)
{
    enum { NAMES = 48 /* of one side's pawns */, FIRST_SQUARE = 8 };
    uint64_t left = pos->types[PAWN];
    uint64_t own = pos->colors[view->perspective];
    while (left) {
        int square = bb_pop(&left);
        int name = (own >> square & 1 ? 0 : NAMES) + (square ^ view->turn) - FIRST_SQUARE;
        uint64_t file = bb_file(square_file(square));
        for (uint64_t set = left & (file | bb_east(file) | bb_west(file)); set;) {
            int other = bb_pop(&set);
            int second = (own >> other & 1 ? 0 : NAMES) + (other ^ view->turn) - FIRST_SQUARE;
            int high = name > second ? name : second;
            add(out, RELATION_THREATS + high * (high - 1) / 2 + name + second - high);
        }
    }
}

void relations_list(const struct relation_table *table, const struct position *pos, int perspective,
                    struct relations *out)
{
    const int mirror = square_file(position_king(pos, perspective)) < 4 ? 0 : 7;
    const struct relation_view view = {perspective, (perspective == WHITE ? 0 : 56) ^ mirror};
    const uint64_t occupied = position_occupied(pos);
    const uint64_t heavy = pos->types[KNIGHT] | pos->types[ROOK];
    const uint64_t few = heavy | pos->types[PAWN] | pos->types[BISHOP];
    const uint64_t attacked[PIECE_TYPES] = {heavy, few | pos->types[QUEEN], few,
                                            few,   few | pos->types[QUEEN], 0};
    out->count = 0;
    for (int color = WHITE; color <= BLACK; color++)
        for (int type = PAWN; type <= QUEEN; type++) {
            int piece = seen_piece(&view, color, type);
            for (uint64_t set = position_pieces(pos, color, type); set;) {
                int from = bb_pop(&set);
                uint64_t reached =
                    type == PAWN ? attacks_pawn(color, from) : attacks_piece(type, from, occupied);
                add_threats(table, pos, &view, piece, from, reached & attacked[type], out);
            }
        }
    add_pairs(pos, &view, out);
}

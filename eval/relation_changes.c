#include "eval/relation_changes.h"

#include "chess/attacks.h"

/* A position whose relations are listed: those of the pieces on the squares of `changed`, and those
 * of sliders through the empty squares of `crossed`. */
struct side_of_change {
    const struct position *pos;
    uint64_t occupied, changed, crossed;
};

/* What is in relation with a piece of a type that attacks it; nothing is with a king. */
static uint64_t attacked_by(const struct position *pos, int type)
{
    const uint64_t *of = pos->types;
    const uint64_t heavy = of[KNIGHT] | of[ROOK];
    const uint64_t few = heavy | of[PAWN] | of[BISHOP];
    const uint64_t rest = type == BISHOP || type == ROOK ? few : few | of[QUEEN];
    return type == PAWN ? heavy : rest;
}

/* The same of those of another type that attack it. */
static uint64_t attackers_of(const struct position *pos, int type)
{
    const uint64_t *of = pos->types;
    const uint64_t all = ~of[type];
    const uint64_t rest = type == BISHOP ? all & ~of[PAWN] : all;
    return type == QUEEN ? of[KNIGHT] : rest;
}

static relation_fact fact_of(int piece, int from, int other, int to)
{
    static const uint8_t kinds[16] = {KIND_EQUALS, KIND_RIVALS}; /* by the bits that differ */
    int kind = kinds[piece ^ other] + piece;
    return (relation_fact)(other << 17 | kind << 12 | from << 6 | to);
}

static uint64_t files_around(int square)
{
    uint64_t file = bb_file(square_file(square));
    return file | bb_east(file) | bb_west(file);
}

/* Functions that list get where the next fact goes, and return where the one after goes. */

/* done: squares of `changed` whose relations are listed already, and this one. */
static relation_fact *list_piece(const struct side_of_change *side, int square, uint64_t done,
                                 relation_fact *next)
{
    const struct position *pos = side->pos;
    const uint64_t *of = pos->types;
    const int piece = pos->board[square];
    const int type = piece_type(piece);
    const uint64_t bishop = attacks_bishop(square, side->occupied);
    const uint64_t rook = attacks_rook(square, side->occupied);
    const uint64_t knight = attacks_knight(square);
    const uint64_t slides = (type == ROOK ? 0 : bishop) | (type == BISHOP ? 0 : rook);
    const uint64_t leaps = type == PAWN ? attacks_pawn(piece_color(piece), square) : knight;
    const uint64_t pairs = type == PAWN ? of[PAWN] & files_around(square) : 0;
    const uint64_t to = ((type <= KNIGHT ? leaps : slides) & attacked_by(pos, type)) | pairs;
    const uint64_t from = (knight & of[KNIGHT]) | (bishop & (of[BISHOP] | of[QUEEN])) |
                          (rook & (of[ROOK] | of[QUEEN])) |
                          (attacks_pawn(WHITE, square) & position_pieces(pos, BLACK, PAWN)) |
                          (attacks_pawn(BLACK, square) & position_pieces(pos, WHITE, PAWN));
    for (uint64_t set = to & ~(of[type] & done); set;) {
        int other = bb_pop(&set);
        *next++ = fact_of(piece, square, pos->board[other], other);
    }
    for (uint64_t set = from & attackers_of(pos, type) & ~side->changed; set;) {
        int other = bb_pop(&set);
        *next++ = fact_of(pos->board[other], other, piece, square);
    }
    return next;
}

/* A slider that attacks an empty square attacks what stands behind it, too. */
static relation_fact *list_crossing(const struct side_of_change *side, int square,
                                    relation_fact *next)
{
    const struct position *pos = side->pos;
    const uint64_t *of = pos->types;
    const uint64_t bishop = attacks_bishop(square, side->occupied);
    const uint64_t rook = attacks_rook(square, side->occupied);
    const uint64_t seen = (bishop | rook) & side->occupied & ~side->changed;
    const uint64_t sliders = (bishop & (of[BISHOP] | of[QUEEN])) | (rook & (of[ROOK] | of[QUEEN]));
    for (uint64_t set = sliders & seen; set;) {
        int from = bb_pop(&set);
        int piece = pos->board[from];
        uint64_t behind = attacks_line(from, square) & seen & ~bb_square(from);
        behind &= attacked_by(pos, piece_type(piece));
        if (!behind || (attacks_between(from, square) & side->crossed))
            continue; /* in the second case it was listed where the line is crossed first */
        int to = bb_first(behind);
        if (piece_type(pos->board[to]) != piece_type(piece) || from > to)
            *next++ = fact_of(piece, from, pos->board[to], to);
    }
    return next;
}

static relation_fact *list(const struct position *pos, uint64_t changed, uint64_t crossed,
                           relation_fact *next)
{
    const struct side_of_change side = {pos, position_occupied(pos), changed, crossed};
    uint64_t done = 0;
    for (uint64_t set = changed & ~pos->types[KING]; set;) {
        int square = bb_pop(&set);
        done |= bb_square(square);
        next = list_piece(&side, square, done, next);
    }
    for (uint64_t set = crossed; set;)
        next = list_crossing(&side, bb_pop(&set), next);
    return next;
}

void relation_changes_find(const struct position *before, const struct position *after,
                           struct relation_changes *out)
{
    const uint64_t old = position_occupied(before);
    const uint64_t new = position_occupied(after);
    uint64_t changed = before->colors[WHITE] ^ after->colors[WHITE];
    changed |= before->colors[BLACK] ^ after->colors[BLACK];
    for (int type = PAWN; type <= KING; type++)
        changed |= before->types[type] ^ after->types[type];
    relation_fact *come = list(before, changed & old, new & ~old, out->facts);
    relation_fact *end = list(after, changed & new, old & ~new, come);
    out->gone = (int)(come - out->facts);
    out->count = (int)(end - out->facts);
}

/* Numbers of facts -------------------------------------------------------------------------- */

/* A piece as relation_table has it, of one that is seen as 2 x type, and 1 more for an enemy. */
static int table_piece(int piece)
{
    return piece_color(piece) * PIECE_TYPES + piece_type(piece);
}

/* What squares add to the number of a threat. */
static int threat_place(const struct relation_table *table, int attacker, int from, int to)
{
    uint64_t before = table->reach[table_piece(attacker)][from] & (bb_square(to) - 1);
    return table->place[table_piece(attacker)][from] + bb_count(before);
}

/* The same of two pieces of a type. The one on the higher square is said to attack; what is added
 * makes up for that where it is not the one that the fact calls so. */
static int equals_place(const struct relation_table *table, int piece, int other, int from, int to)
{
    if (from > to)
        return threat_place(table, piece, from, to);
    return threat_place(table, other, to, from) +
           table->first[table_piece(other)][table_piece(piece)] -
           table->first[table_piece(piece)][table_piece(other)];
}

static int pair_place(int pawn, int other, int from, int to)
{
    enum { NAMES = 48 /* of one side's pawns */, FIRST_SQUARE = 8 };
    int a = from - FIRST_SQUARE + pawn * NAMES;
    int b = to - FIRST_SQUARE + other * NAMES;
    int high = a > b ? a : b;
    return high * (high - 1) / 2 + a + b - high;
}

/* The numbers of facts about two pieces. */
static void index_pieces(struct relation_index *index, const struct relation_table *table,
                         int piece, int other)
{
    const bool is_equal = piece_type(piece) == piece_type(other);
    const bool is_pair = is_equal && piece_type(piece) == PAWN;
    const relation_fact both = fact_of(piece, 0, other, 0);
    index->first[both >> 12] =
        (uint16_t)(is_pair ? RELATION_THREATS
                           : table->first[table_piece(piece)][table_piece(other)]);
    /* Which piece of another type is attacked does not matter below: once is enough. */
    if (!is_equal && other != piece_make(WHITE, piece_type(piece) == PAWN ? KNIGHT : PAWN))
        return;
    for (int squares = 0; squares < 64 * 64; squares++) {
        int from = squares >> 6;
        int to = squares & 63;
        index->place[(both | (relation_fact)squares) & 0x1FFFF] =
            (uint16_t)(is_pair    ? pair_place(piece, other, from, to)
                       : is_equal ? equals_place(table, piece, other, from, to)
                                  : threat_place(table, piece, from, to));
    }
}

void relation_index_init(struct relation_index *index)
{
    struct relation_table table;
    relations_init(&table);
    for (int piece = 0; piece < piece_make(WHITE, KING); piece++)
        for (int other = 0; other < piece_make(WHITE, KING); other++)
            index_pieces(index, &table, piece, other);
}

/* ChessBase's books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "book/formats/chessbase/ctg.h"
#include "book/open/open.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/mirror.h"
#include "tests/support/any_book.h"

enum { GREEN = 128, RED = 64, PAGES = 2, RESULTS = 33 };

static uint8_t file[PAGES * CTG_PAGE];
static size_t used;
static unsigned positions;

static void put_number(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void begin(void)
{
    static const uint8_t header[] = {0, 0x20, 0x10, 0, 0, 1, 0, 1};
    memset(file, 0, sizeof file);
    memcpy(file, header, sizeof header);
    used = 4;
    positions = 0;
}

static void put_bits(uint8_t *at, size_t *bit, unsigned value, int count)
{
    for (; count-- > 0; ++*bit)
        at[*bit / 8] |= (uint8_t)((value >> count & 1) << (7 - *bit % 8));
}

static void put_piece(uint8_t *at, size_t *bit, int piece)
{
    static const unsigned codes[] = {[KNIGHT] = 0x12, [BISHOP] = 0x14, [ROOK] = 0x16};
    if (piece == NO_PIECE) {
        put_bits(at, bit, 0, 1);
        return;
    }
    unsigned color = (unsigned)piece_color(piece);
    int type = piece_type(piece);
    if (type == PAWN)
        put_bits(at, bit, 6 | color, 3);
    else if (type == KING || type == QUEEN)
        put_bits(at, bit, (type == KING ? 0x20 : 0x22) | color, 6);
    else
        put_bits(at, bit, codes[type] | color, 5);
}

/* Writes a position with White to move; returns its length. */
static size_t put_position(uint8_t *at, const struct position *pos)
{
    size_t bit = 8;
    for (int file_ = 0; file_ < 8; file_++)
        for (int rank = 0; rank < 8; rank++)
            put_piece(at, &bit, pos->board[square_make(file_, rank)]);
    unsigned special = (pos->ep != NO_SQUARE ? 3U : 0U) + (pos->castling ? 4U : 0U);
    size_t size = (bit + special + 7) / 8;
    bit = size * 8 - special;
    if (pos->ep != NO_SQUARE)
        put_bits(at, &bit, (unsigned)square_file(pos->ep), 3);
    static const int rights[] = {2, 3, 0, 1}; /* Black's short one first */
    for (int i = 0; i < 4 && pos->castling; i++)
        put_bits(at, &bit, pos->castling >> rights[i] & 1U, 1);
    at[0] = (uint8_t)(size | (pos->ep != NO_SQUARE ? 32 : 0) | (pos->castling ? 64 : 0));
    return size;
}

/* A position that is stored as it is: White to move. moves: pairs of code and remark. */
static void add_position(const struct position *pos, const uint8_t *moves, size_t move_count,
                         unsigned games, int recommendation)
{
    uint8_t *at = file + CTG_PAGE + used;
    assert_true(used + 32 + 2 * move_count + 1 + RESULTS < CTG_PAGE);
    size_t size = put_position(at, pos);
    at[size] = (uint8_t)(1 + 2 * move_count);
    if (move_count)
        memcpy(at + size + 1, moves, 2 * move_count);
    uint8_t *results = at + size + 1 + 2 * move_count;
    put_number(results + 1, games);
    results[30] = (uint8_t)recommendation;
    used += size + 1 + 2 * move_count + RESULTS;
    put_number(file + CTG_PAGE, ++positions);
    put_number(file + CTG_PAGE + 2, (unsigned)used);
}

/* The position after these moves, with colours exchanged when Black is to move. */
static void add(const char *line, const uint8_t *moves, size_t move_count, unsigned games,
                int recommendation)
{
    struct position pos = any_position(line);
    struct position white;
    if (pos.turn == BLACK) {
        position_mirror(&pos, &white);
        pos = white;
    }
    add_position(&pos, moves, move_count, games, recommendation);
}

/* 1. e4, d4?, Nf3, c4; 1. e4 is answered by e5, which is stored as White's e4. */
static void fill_example(int recommendation)
{
    static const uint8_t first[] = {0x5f, 0, 0xe6, 2, 0xf3, 0, 0x9b, 0};
    static const uint8_t reply[] = {0x5f, 1};
    begin();
    add("", first, 4, 100, GREEN);
    add("e2e4", reply, 1, 60, recommendation);
    add("d2d4", NULL, 0, 30, 0);
    add("g1f3", NULL, 0, 10, RED);
    add("e2e4 e7e5", NULL, 0, 7, 0);
}

static void weights_are_the_games_behind_a_move(void **state)
{
    (void)state;
    fill_example(0);
    struct book *book = any_open(file, sizeof file);
    assert_string_equal(book_format_name(book), "ChessBase");
    assert_int_equal(any_weight(book, "", "e2e4"), 60);
    assert_int_equal(any_weight(book, "", "d2d4"), 0); /* "?" */
    assert_int_equal(any_weight(book, "", "g1f3"), 0); /* red */
    assert_int_equal(any_weight(book, "", "c2c4"), 1); /* nothing is known */
    assert_int_equal(any_weight(book, "", "a2a3"), -1);
    assert_int_equal(any_weight(book, "e2e4", "e7e5"), 7);
    book_close(book);
}

static void recommended_moves_are_the_ones_to_play(void **state)
{
    (void)state;
    fill_example(GREEN);
    struct book *book = any_open(file, sizeof file);
    assert_int_equal(any_weight(book, "", "e2e4"), 60);
    assert_int_equal(any_weight(book, "", "c2c4"), 0);
    book_close(book);
}

static int64_t weight_in(const struct book *book, const char *fen, const char *uci)
{
    struct position pos;
    struct book_move found[MOVES_MAX];
    move m;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    int count = book_probe(book, &pos, found, MOVES_MAX);
    for (int i = 0; i < count; i++)
        if (found[i].move == m)
            return found[i].weight;
    return -1;
}

/* Men are counted file by file; steps go round the board; a pawn becomes a queen; en passant;
 * castling. */
static void moves_of_every_man(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        uint8_t code;
        const char *uci;
    } rows[] = {
        {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 0x6b, "e1g1"},
        {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 0xf6, "e1c1"},
        {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 0x7f, "a1b1"},
        {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 0x21, "h1g1"}, /* seven to the right */
        {"r3k2r/8/8/8/8/8/8/R3K3 w Qkq - 0 1", 0x81, "a1a2"},
        {"r3k3/8/8/8/8/8/8/4KR2 w q - 0 1", 0x7a, "f1f4"},
        {"4k3/P7/8/8/8/8/8/6K1 w - - 0 1", 0xec, "a7a8q"},
        {"4k3/8/8/8/8/8/8/N5K1 w - - 0 1", 0x34, "a1b3"},
        {"4k3/8/8/2pP4/8/8/8/6K1 w - c6 0 1", 0x0c, "d5c6"},
        {"4k3/8/8/8/8/8/1B6/6K1 w - - 0 1", 0x6a, "b2f6"},
        {"4k3/8/8/8/5B2/8/8/6K1 w - - 0 1", 0x3a, "f4d2"}, /* six to the upper right, round */
        {"4k3/8/8/8/8/Q7/8/6KQ w - - 0 1", 0x69, NULL},
        {"4k3/8/8/8/8/Q7/8/6KQ w - - 0 1", 0xc9, "h1h8"},
        {"4k3/8/8/8/8/Q7/8/6KQ w - - 0 1", 0x02, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position pos;
        const uint8_t moves[] = {rows[i].code, 0, 0x13, 0, 0x97, 0};
        assert_int_equal(fen_parse(span_of(rows[i].fen), &pos, NULL), STATUS_OK);
        begin();
        add_position(&pos, moves, rows[i].uci ? 1 : 3, 1, 0);
        const struct any_faults faults = any_check(&ctg_format, file, sizeof file);
        assert_int_equal(faults.counts[BOOK_FAULT_ILLEGAL], rows[i].uci ? 0 : 1);
        if (!rows[i].uci)
            continue;
        struct book *book = any_open(file, sizeof file);
        if (weight_in(book, rows[i].fen, rows[i].uci) != 1)
            fail_msg("%s: not %s", rows[i].fen, rows[i].uci);
        book_close(book);
    }
}

/* Stored with the king on the right; what stands for it has the king on the left. */
static void a_position_and_its_mirror_image(void **state)
{
    (void)state;
    static const char right[] = "6k1/8/8/8/8/8/5P2/N5K1 w - - 0 1";
    static const char left[] = "1k6/8/8/8/8/8/2P5/1K5N w - - 0 1";
    static const char black[] = "n5k1/5p2/8/8/8/8/8/6K1 b - - 0 1";
    static const uint8_t moves[] = {0x34, 0, 0xdb, 0}; /* Nb3, f4 */
    struct position pos;
    assert_int_equal(fen_parse(span_of(right), &pos, NULL), STATUS_OK);
    begin();
    add_position(&pos, moves, 2, 1, 0);
    struct book *book = any_open(file, sizeof file);
    assert_int_equal(weight_in(book, right, "a1b3"), 1);
    assert_int_equal(weight_in(book, right, "f2f4"), 1);
    assert_int_equal(weight_in(book, left, "h1g3"), 1);
    assert_int_equal(weight_in(book, left, "c2c4"), 1);
    assert_int_equal(weight_in(book, black, "a8b6"), 1);
    book_close(book);
}

static void damaged_files(void **state)
{
    (void)state;
    fill_example(0);
    assert_int_equal(any_check(&ctg_format, file, sizeof file).sum, 0);
    /* Cut anywhere: what is whole is used, or the file is refused. */
    for (size_t size = 8; size < sizeof file; size += 37) {
        struct any_faults faults = any_check(&ctg_format, file, size);
        assert_int_equal(faults.counts[BOOK_FAULT_SIZE], size % CTG_PAGE != 0);
    }
    put_number(file + CTG_PAGE, positions + 1); /* one more than there are */
    assert_int_equal(any_check(&ctg_format, file, sizeof file).counts[BOOK_FAULT_SIZE], 1);
    put_number(file + CTG_PAGE, positions);
    put_number(file + CTG_PAGE + 2, 65535); /* more bytes than a page has */
    assert_int_equal(any_check(&ctg_format, file, sizeof file).sum, 0);
    file[CTG_PAGE + 4 + 1] ^= 0x80; /* the first bits of the first board */
    struct any_faults faults = any_check(&ctg_format, file, sizeof file);
    assert_true(faults.sum >= 1);
    assert_int_equal(faults.first.offset, CTG_PAGE + 4);
    file[CTG_PAGE + 4] = 0; /* a position of no length */
    assert_int_equal(any_check(&ctg_format, file, sizeof file).counts[BOOK_FAULT_SIZE], 1);
}

/* A person picks any of the three files that such a book consists of. */
static void the_files_beside_it_name_the_book(void **state)
{
    (void)state;
    static const char *const endings[] = {"ctg", "ctb", "cto", "CTG", "CTO"};
    char folder[] = "/tmp/caxton-ctg-XXXXXX";
    char path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/a.ctg", folder);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fill_example(0);
    assert_int_equal(fwrite(file, 1, sizeof file, out), sizeof file);
    assert_int_equal(fclose(out), 0);
    for (int i = 0; i < 5; i++) {
        char named[sizeof path];
        struct book *book;
        struct diag diag;
        (void)snprintf(named, sizeof named, "%s/a.%s", folder, endings[i]);
        enum caxton_status status = book_open(named, &book, &diag);
        if (i < 3)
            assert_int_equal(status, STATUS_OK);
        if (i < 3)
            assert_string_equal(book_name(book), path);
        if (status == STATUS_OK) {
            book_close(book);
        } else { /* another file, where letters differ by case: not so on Windows */
            assert_int_equal(status, STATUS_IO);
            assert_non_null(strstr(diag.text, ".CTG: No such file"));
        }
    }
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_the_games_behind_a_move),
        cmocka_unit_test(recommended_moves_are_the_ones_to_play),
        cmocka_unit_test(moves_of_every_man),
        cmocka_unit_test(a_position_and_its_mirror_image),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(the_files_beside_it_name_the_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

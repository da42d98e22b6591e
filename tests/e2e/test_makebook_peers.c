/* makebook verify --for and convert --for: what each program would misread is named, and the book
 * that is written is read here by the rule that the program itself was seen to follow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/formats/polyglot/peers.h"
#include "entries.h"
#include "makebook.h"

static const char *const castles = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5";
static const char *const rooks = "e2e4 e7e5 g1f3 g8f6 f1d3 f8d6 e1e2 e8e7 h1e1 h8e8";
static const char *const promotes = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 e7e6";

/* Each move of a line after the one before, and one more at its end. */
static void add_line(struct book_bytes *book, const char *moves, const char *last)
{
    for (const char *at = moves; *at; at += strcspn(at, " ") + (strchr(at, ' ') != NULL)) {
        char before[80];
        char uci[8];
        (void)snprintf(before, sizeof before, "%.*s", (int)(at - moves), moves);
        (void)snprintf(uci, sizeof uci, "%.*s", (int)strcspn(at, " "), at);
        if (weight_of(book, before, uci) < 0)
            add(book, before, uci, 10);
    }
    add(book, moves, last, 10);
}

static const char *book_of_all(void)
{
    struct book_bytes book = {.size = 0};
    add_line(&book, castles, "e1h1");
    add_line(&book, rooks, "e1h1");
    add_line(&book, promotes, "b7a8q");
    add(&book, promotes, "b7a8n", 3);
    return write_sorted("all.bin", &book);
}

/* The entries of a position in the order of the file, found as most programs do. */
static size_t find(const struct book_bytes *book, const char *moves, struct polyglot_entry *out)
{
    uint64_t key = position_by_moves(moves).key;
    size_t count = 0;
    for (size_t at = 0; at < book->size; at += ENTRY)
        if (polyglot_key(book->bytes + at) == key)
            out[count++] = polyglot_decode(book->bytes + at);
    return count;
}

/* cm-polyglot: a search by halves that never looks at the first and the last entry. */
static size_t find_between(const struct book_bytes *book, const char *moves,
                           struct polyglot_entry *out)
{
    uint64_t key = position_by_moves(moves).key;
    size_t low = 0;
    size_t high = book->size / ENTRY - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        uint64_t seen = polyglot_key(book->bytes + middle * ENTRY);
        if (seen == key)
            return find(book, moves, out);
        if (seen < key)
            low = middle;
        else
            high = middle;
    }
    return 0;
}

/* Toga II: a legal move whose squares are those of the entry, castling as the king goes; what has a
 * piece has none. GNU Chess: the same, and from e1 to h1 is to g1, whatever piece it is. */
static const char *plays(uint16_t stored, const char *moves, bool gnu)
{
    static char uci[UCI_MAX];
    static const char *const corners[][2] = {
        {"e1h1", "e1g1"}, {"e1a1", "e1c1"}, {"e8h8", "e8g8"}, {"e8a8", "e8c8"}};
    struct position pos = position_by_moves(moves);
    move list[MOVES_MAX];
    for (size_t i = 0; gnu && i < 4; i++)
        if (stored == stored_move(corners[i][0]))
            stored = stored_move(corners[i][1]);
    for (int i = movegen_legal(&pos, list); i > 0; i--) {
        bool is_minor =
            move_kind(list[i - 1]) == MOVE_PROMOTION && move_promotion(list[i - 1]) != QUEEN;
        if ((polyglot_journey(list[i - 1]) & 07777) == stored && !is_minor) {
            move_to_uci(list[i - 1], false, uci);
            return uci;
        }
    }
    return "searches";
}

static const char *first_of(const struct book_bytes *book, const char *moves, bool gnu)
{
    struct polyglot_entry entries[8];
    return find(book, moves, entries) ? plays(entries[0].move, moves, gnu) : "searches";
}

static void toga_castles_and_promotes(void **state)
{
    (void)state;
    const char *path = book_of_all();
    const char *out = path_of("toga.bin");
    struct book_bytes before = read_book(path);
    assert_string_equal(first_of(&before, castles, false), "searches");
    RUNS(1, "verify", path, "--for", "toga");
    assert_says(result.output, "e1h1, castling, is not found by Toga II: rnbqk2r/pppp1ppp/5n2/2b1p3"
                               "/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - ");
    assert_says(result.output, "b7a8q, a promotion, is not found by Toga II: ");
    assert_says(result.output, "           1  castlings that the program does not find\n");
    assert_says(result.output, "           2  promotions that it does not find\n");
    assert_says(result.output, ": 3 faults\n");
    RUNS(0, "convert", path, out, "--for", "toga");
    assert_says(result.output, "           1  castlings written as the king's journey, such as "
                               "e1g1\n");
    assert_says(result.output, "           2  promotions: to a queen written without a piece, to "
                               "others left out\n");
    struct book_bytes book = read_book(out);
    assert_string_equal(first_of(&book, castles, false), "e1g1");
    assert_string_equal(first_of(&book, rooks, false), "e1h1");
    assert_string_equal(first_of(&book, promotes, false), "b7a8q");
    assert_int_equal(book.size, before.size - ENTRY);

    /* Sound for that program; the format wants two of its entries otherwise. */
    RUNS(0, "verify", out, "--for", "toga2");
    assert_says(result.output, ": 0 faults\n");
    RUNS(1, "verify", out);
    assert_says(result.output, ": 2 faults\n");
}

static void gnuchess_moves_its_rook_nowhere_else(void **state)
{
    (void)state;
    const char *path = book_of_all();
    const char *out = path_of("gnu.bin");
    struct book_bytes before = read_book(path);
    assert_string_equal(first_of(&before, rooks, true), "e1g1");
    RUNS(1, "verify", path, "--for", "gnuchess");
    assert_says(result.output, "e1h1, of no king, is taken for castling by GNU Chess: ");
    RUNS(0, "convert", path, out, "--for", "gnuchess");
    assert_says(result.output,
                "           1  moves of rook or queen left out, which would be taken "
                "for castling\n           2  promotions: to a queen");
    assert_says(result.output, "           1  positions left without a move\n");
    struct book_bytes book = read_book(out);
    assert_string_equal(first_of(&book, castles, true), "e1g1");
    assert_string_equal(first_of(&book, rooks, true), "searches");
    assert_string_equal(first_of(&book, promotes, true), "b7a8q");
    RUNS(0, "verify", out, "--for", "gnuchess");

    /* Promotions are no matter to xboard. */
    RUNS(1, "verify", path, "--for", "xboard");
    assert_says(result.output, ": 1 fault\n");
    RUNS(0, "convert", path, path_of("x.bin"), "--for", "xboard");
    book = read_book(path_of("x.bin"));
    assert_int_equal(book.size, before.size - ENTRY);
    assert_int_equal(weight_of(&book, promotes, "b7a8n"), 3);
}

static void cm_polyglot_finds_both_ends(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    struct polyglot_entry found[8];
    add(&book, "", "e2e4", 5);
    add(&book, "", "d2d4", 0);
    add(&book, "e2e4", "e7e5", 2);
    add(&book, "d2d4", "d7d5", 2);
    add(&book, "e2e4 e7e5", "g1f3", 5);
    const char *path = write_sorted("cm.bin", &book);
    const char *const lines[] = {"", "e2e4", "d2d4", "e2e4 e7e5"};
    size_t missed = 0;
    for (size_t i = 0; i < 4; i++)
        missed += find_between(&book, lines[i], found) == 0;
    assert_int_equal(missed, 2);
    RUNS(1, "verify", path, "--for", "cm-polyglot");
    assert_says(result.output, "           2  positions at an end of the file that it does not "
                               "find\n");
    assert_says(result.output, "d2d4, of weight 0, is misread by cm-polyglot: ");
    RUNS(0, "convert", path, path_of("guards.bin"), "--for", "cm-polyglot");
    assert_says(result.output, "           2  positions are no longer at an end of the file: ");
    struct book_bytes written = read_book(path_of("guards.bin"));
    assert_int_equal(written.size, book.size + ENTRY);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(find_between(&written, lines[i], found), 1);
    RUNS(0, "verify", path_of("guards.bin"), "--for", "cm-polyglot");
    RUNS(0, "verify", path_of("guards.bin"));
}

/* PyChess ends its book at a sum of 0; it draws as it reads. */
static void pychess_finds_weights_of_0_behind(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    struct polyglot_entry found[8];
    add(&book, "", "e2e4", 0);
    add(&book, "", "d2d4", 7);
    add(&book, "e2e4", "e7e5", 0);
    const char *path = write_book("zero.bin", &book);
    RUNS(1, "verify", path, "--for", "pychess");
    assert_says(result.output, "e2e4, of weight 0, is misread by PyChess: ");
    assert_says(result.output, "           1  moves of weight 0 that it misreads\n");
    const char *out = path_of("py.bin");
    RUNS(0, "convert", path, out, "--for", "pychess");
    struct book_bytes written = read_book(out);
    assert_int_equal(written.size, book.size);
    assert_int_equal(find(&written, "", found), 2);
    assert_int_equal(found[0].weight, 7);
    RUNS(0, "verify", out, "--for", "pychess");
    RUNS(0, "convert", path, path_of("cp.bin"), "--for", "chess-polyglot");
    written = read_book(path_of("cp.bin"));
    assert_int_equal(written.size, 2 * ENTRY); /* the position of a lone 0 is gone */
}

/* Scid: a number from 0 to 99, and sums of rounded percents. */
static const struct polyglot_entry *draw(const struct polyglot_entry *entries, size_t count,
                                         unsigned number)
{
    unsigned sum = 0;
    unsigned percents = 0;
    for (size_t i = 0; i < count; i++)
        sum += entries[i].weight;
    for (size_t i = 0; i < count; i++) {
        percents += (100 * entries[i].weight + sum / 2) / sum;
        if (percents >= number)
            return &entries[i];
    }
    return &entries[count - 1];
}

static size_t count_drawn(const struct book_bytes *book)
{
    struct polyglot_entry entries[8];
    size_t count = find(book, "", entries);
    size_t drawn = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_drawn = false;
        for (unsigned number = 0; number < 100; number++)
            is_drawn = is_drawn || draw(entries, count, number) == &entries[i];
        drawn += is_drawn;
    }
    return drawn;
}

static void rare_moves(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    add(&book, "", "e2e4", 590);
    add(&book, "", "d2d4", 397);
    add(&book, "", "c2c4", 10);
    add(&book, "", "g2g3", 3); /* 0.3 percent */
    const char *path = write_book("rare.bin", &book);
    assert_int_equal(count_drawn(&book), 2);
    RUNS(1, "verify", path, "--for", "scid");
    assert_says(result.output, "c2c4, of a small weight, is never played by Scid: ");
    assert_says(result.output, "           2  moves that it never plays, for their small weight\n");
    RUNS(0, "convert", path, path_of("scid.bin"), "--for", "scid");
    assert_says(result.output, "No book cures that Scid misses a position given as FEN with an ");
    struct book_bytes written = read_book(path_of("scid.bin"));
    assert_int_equal(count_drawn(&written), 4);
    RUNS(0, "verify", path_of("scid.bin"), "--for", "scid");

    RUNS(1, "verify", path, "--for", "polyglot");
    assert_says(result.output, "g2g3, of a small weight, is never played by PolyGlot: ");
    RUNS(0, "convert", path, path_of("poly.bin"), "--for", "polyglot");
    assert_says(result.output, "           1  moves of a small weight are still never played\n");
    assert_says(result.output, "No book cures that PolyGlot plays no move of at most 0.5 percent "
                               "but with its option BookTreshold=0\nNo book cures that PolyGlot "
                               "misses a position given as FEN");
    written = read_book(path_of("poly.bin"));
    assert_int_equal(written.size, book.size);
    assert_memory_equal(written.bytes, book.bytes, book.size);
}

static void of_other_kinds_and_names(void **state)
{
    (void)state;
    const char *path = book_of_all();
    const char *out = path_of("out.bin");
    FAILS(2, "--for must be polyglot|scid|", "convert", path, out, "--for", "fritz");
    FAILS(2, "--for must be polyglot|scid|", "verify", path, "--for", "fritz");
    RUNS(0, "verify", "--help");
    struct span names = span_of(POLYGLOT_PEERS);
    while (names.size > 0) { /* each is in the text that the help has instead of the list */
        size_t size = strcspn(names.data, "|");
        char name[32];
        (void)snprintf(name, sizeof name, "%.*s", (int)size, names.data);
        assert_says(result.output, name);
        names = span_make(names.data + size + (size < names.size),
                          names.size - size - (size < names.size));
    }
    FAILS(2, "--for writes a Polyglot book", "convert", path, path_of("out.abk"), "--for", "toga");
    RUNS(0, "convert", path, path_of("all.epd"));
    FAILS(1, "--for looks at Polyglot books", "verify", path_of("all.epd"), "--for", "toga");
    assert_false(exists("out.bin"));

    /* From another kind of book, and from statistics. */
    RUNS(0, "convert", path_of("all.epd"), out, "--for", "toga");
    struct book_bytes book = read_book(out);
    assert_string_equal(first_of(&book, castles, false), "e1g1");
    write_text("a.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O 1-0\n");
    RUNS(0, "build", path_of("a.pgn"), "--stats", path_of("a.wld"));
    RUNS(0, "convert", path_of("a.wld"), out, "--for", "toga", "--min-games", "1");
    book = read_book(out);
    assert_string_equal(first_of(&book, castles, false), "e1g1");

    /* A book of which nothing is left is not written. */
    struct book_bytes zero = {.size = 0};
    add(&zero, "", "e2e4", 0);
    FAILS(1, "can use none of its moves", "convert", write_book("z.bin", &zero), path_of("n.bin"),
          "--for", "cm-polyglot");
    assert_false(exists("n.bin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(toga_castles_and_promotes),
        TEST(gnuchess_moves_its_rook_nowhere_else),
        TEST(cm_polyglot_finds_both_ends),
        TEST(pychess_finds_weights_of_0_behind),
        TEST(rare_moves),
        TEST(of_other_kinds_and_names),
    };
    return RUN_TESTS(tests);
}

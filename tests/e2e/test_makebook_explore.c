/* makebook explore: the page holds the book and nothing from elsewhere. What it does in a browser:
 * tests/clients/explore_page.py. It is long because it reads the data of a page back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/graph/graph.h"
#include "book/open/open.h"
#include "book/statistics/wld.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "makebook.h"
#include "tests/support/any_book.h"
#include "tests/support/shared_data.h"

#define BIG_BOOK SHARED_DATA_DIR "/books/gnuchess.bin"

static const char lines[] =
    "[Event \"<script>alert(1)</script>\"]\n\n"
    "1. e4 {[%weight 40] <b>x</b>} e5 {[%weight 70000]} (1... c5 {[%weight 10]} 2. Nf3 "
    "{[%weight 4000000000]}) 2. Nf3 {[%weight 20]} (2. Nc3 {[%weight 0]}) Nc6 {[%weight 9]} "
    "3. Bc4 {[%weight 3]} Bc5 {[%weight 3]} 4. O-O {[%weight 1]} *\n\n"
    "1. Nf3 {[%weight 7]} e5 {[%weight 1]} 2. e4 {[%weight 1]} *\n\n"
    "[SetUp \"1\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n"
    "1. a8=N {[%weight 2]} (1. a8=Q {[%weight 3]}) 1... Kg6 {[%weight 1]} *\n";

static const char games[] = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 1-0\n\n"
                            "[Event \"x\"]\n[Result \"0-1\"]\n\n1. e4 c5 2. Nc3 0-1\n\n"
                            "[Event \"x\"]\n[Result \"1/2-1/2\"]\n\n1. Nf3 c5 2. e4 1/2-1/2\n";

/* A page, read. */
static char *page;
static size_t page_size;

static void read_page(const char *path)
{
    free(page);
    page = NULL;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size > 0);
    page = malloc((size_t)size + 1);
    assert_non_null(page);
    rewind(file);
    page_size = fread(page, 1, (size_t)size, file);
    assert_int_equal(page_size, size);
    page[page_size] = '\0';
    assert_int_equal(fclose(file), 0);
}

static size_t count_of(const char *part)
{
    size_t count = 0;
    for (const char *at = page; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* The bytes of the element with that id, to be freed. */
static uint8_t *element_bytes(const char *id, size_t *size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char mark[80];
    (void)snprintf(mark, sizeof mark, "id=\"%s\">", id);
    const char *at = strstr(page, mark);
    assert_non_null(at);
    at += strlen(mark);
    uint8_t *bytes = malloc(strcspn(at, "<") + 3);
    assert_non_null(bytes);
    uint32_t group = 0;
    *size = 0;
    for (int count = 0; *at != '<' && *at != '='; at++) {
        const char *digit = strchr(digits, *at);
        assert_non_null(digit);
        group = group << 6 | (uint32_t)(digit - digits);
        if (++count % 4 != 1)
            bytes[(*size)++] = (uint8_t)(group >> (6 - 2 * ((count - 1) % 4)));
    }
    return bytes;
}

struct decoder {
    const uint8_t *bytes;
    size_t size;
    size_t at;
};

static uint64_t next_varint(struct decoder *decoder)
{
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        assert_true(decoder->at < decoder->size && shift < 64);
        uint8_t byte = decoder->bytes[decoder->at++];
        value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return value;
    }
}

/* Plays through the page's book and compares it with `book`, position by position. */
struct comparison {
    struct decoder decoder;
    const struct book *book;
    struct position *positions; /* by number */
    size_t announced;
    size_t known;
    size_t passages;
};

enum { LEAF, NEW, KNOWN, PASSAGE };

static void compare_position(struct comparison *with, size_t number)
{
    const struct position *pos = &with->positions[number];
    struct book_move moves[MOVES_MAX];
    int count = book_probe(with->book, pos, moves, MOVES_MAX);
    with->known += count > 0;
    for (uint64_t left = next_varint(&with->decoder); left > 0; left--) {
        assert_true(with->decoder.at + 2 < with->decoder.size);
        move m = (move)(with->decoder.bytes[with->decoder.at] |
                        with->decoder.bytes[with->decoder.at + 1] << 8);
        with->decoder.at += 2;
        uint64_t packed = next_varint(&with->decoder);
        struct position after = *pos;
        struct undo undo;
        struct book_move behind[MOVES_MAX];
        assert_true(movegen_is_legal(pos, m));
        position_make(&after, m, &undo);
        int at = 0;
        while (at < count && moves[at].move != m)
            at++;
        if (packed % 4 == PASSAGE) {
            assert_int_equal(at, count);
            with->passages++;
        } else {
            assert_true(at < count);
            assert_true(moves[at].weight == packed / 4);
            moves[at] = moves[--count];
        }
        if (packed % 4 == LEAF)
            assert_int_equal(book_probe(with->book, &after, behind, MOVES_MAX), 0);
        else if (packed % 4 == KNOWN)
            assert_true(with->positions[next_varint(&with->decoder)].key == after.key);
        else
            with->positions[with->announced++] = after;
    }
    assert_int_equal(count, 0); /* each move of the book was there */
}

/* roots: FENs up to NULL. Returns how many positions of the book the page knows. */
static size_t assert_page_holds(const struct book *book, const char *const *roots, size_t *passages)
{
    struct comparison with = {.book = book};
    uint8_t *bytes = element_bytes("book", &with.decoder.size);
    with.decoder.bytes = bytes;
    with.positions = calloc(with.decoder.size, sizeof *with.positions);
    assert_non_null(with.positions);
    size_t number = 0;
    for (; with.decoder.at < with.decoder.size; number++) {
        if (number == with.announced) {
            assert_non_null(*roots);
            assert_int_equal(fen_parse(span_of(*roots++), &with.positions[with.announced++], NULL),
                             STATUS_OK);
        }
        compare_position(&with, number);
    }
    assert_int_equal(number, with.announced);
    assert_null(*roots);
    free(with.positions);
    free(bytes);
    if (passages)
        *passages = with.passages;
    return with.known;
}

static struct book *open_book(const char *path)
{
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    if (book_open(path, &book, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return book;
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0)
        return -1;
    write_text("lines.pgn", lines);
    write_text("games.pgn", games);
    return 0;
}

static int tear_down(void **state)
{
    free(page);
    return remove_folder(state);
}

static void the_page_holds_the_book(void **state)
{
    (void)state;
    const char *const roots[] = {fen_start, "8/P6k/8/8/8/8/8/K7 w - - 0 1", NULL};
    struct book *book = open_book(path_of("lines.pgn"));
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "-o", path_of("page.html")), 0);
    assert_string_equal(result.errors, "");
    assert_says(result.output, "page.html: 12 positions, 16 moves, 5 of them the last");
    read_page(path_of("page.html"));
    assert_int_equal(assert_page_holds(book, roots, NULL), 12);
    book_close(book);
}

static void a_large_book_says_what_it_leaves_out(void **state)
{
    (void)state;
    const char *const roots[] = {fen_start, NULL};
    shared_data_want(BIG_BOOK);
    struct book *book = open_book(BIG_BOOK);
    assert_int_equal(RUN("explore", BIG_BOOK, "-q", "-o", path_of("page.html")), 0);
    assert_says(result.errors, "18561 of 149694 positions are on no line");
    assert_string_equal(result.output, "");
    read_page(path_of("page.html"));
    assert_int_equal(assert_page_holds(book, roots, NULL), 149694 - 18561);
    book_close(book);
}

/* The book of one player's moves is whole when the other side's are found between them. */
static void a_book_of_one_side_is_followed(void **state)
{
    (void)state;
    const char *const roots[] = {fen_start, NULL};
    size_t passages;
    assert_int_equal(
        MAKEBOOK("build", "games.pgn", "--color", "white", "--min-games", "1", "-o", "white.bin"),
        0);
    struct book *book = open_book(path_of("white.bin"));
    assert_int_equal(MAKEBOOK("explore", "white.bin", "-o", path_of("page.html")), 0);
    assert_string_equal(result.errors, "");
    read_page(path_of("page.html"));
    assert_int_equal(assert_page_holds(book, roots, &passages), 3);
    assert_int_equal(passages, 2);
    book_close(book);
}

static void statistics_show_results(void **state)
{
    (void)state;
    size_t size;
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--stats", "games.wld"), 0);
    assert_int_equal(MAKEBOOK("explore", "games.wld", "-o", path_of("page.html")), 0);
    read_page(path_of("page.html"));
    uint8_t *bytes = element_bytes("book", &size);
    struct decoder decoder = {bytes, size, 0};
    assert_int_equal(next_varint(&decoder), 2);
    /* 1.e4: 2 games, a new position, one won, one lost. */
    assert_int_equal(bytes[1] | bytes[2] << 8, move_make(E1 + 8, E1 + 24));
    decoder.at += 2;
    assert_int_equal(next_varint(&decoder), 2 * 4 + NEW);
    assert_int_equal(next_varint(&decoder), 1);
    assert_int_equal(next_varint(&decoder), 0);
    assert_int_equal(next_varint(&decoder), 1);
    free(bytes);
    assert_int_equal(count_of("\"parts\": 1"), 1);
    /* The move that never scored is there, too, which a book of them has not. */
    assert_says(result.output, "5 positions, 7 moves");
}

static void games_in_parts_are_hundredths(void **state)
{
    (void)state;
    write_text("dated.pgn",
               "[Event \"x\"]\n[Date \"2000.01.01\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
    assert_int_equal(MAKEBOOK("build", "dated.pgn", "--half-life", "10", "--as-of", "2010.01.01",
                              "--stats", "games.wld"),
                     0);
    assert_int_equal(MAKEBOOK("explore", "games.wld", "-o", path_of("page.html")), 0);
    read_page(path_of("page.html"));
    assert_int_equal(count_of("\"parts\": 100"), 1);
    size_t size;
    uint8_t *bytes = element_bytes("book", &size);
    struct decoder decoder = {bytes, size, 4};
    assert_in_range(next_varint(&decoder), 49, 51);
    free(bytes);
}

static void the_page_needs_nothing_else(void **state)
{
    (void)state;
    static const char *const forbidden[] = {"http:",     "https:",      " src=",       "url(",
                                            "@import",   "fetch(",      "XMLHttp",     "import(",
                                            "WebSocket", "EventSource", "sendBeacon(", "eval(",
                                            "<link",     "<iframe",     "innerHTML"};
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "-o", path_of("page.html")), 0);
    read_page(path_of("page.html"));
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        if (count_of(forbidden[i]))
            fail_msg("the page has %s", forbidden[i]);
    assert_int_equal(count_of("href=\""), count_of("href=\"#"));
    assert_int_equal(count_of("default-src 'none'"), 1);
    assert_int_equal(count_of("{{"), 0);
}

/* Whatever a book is called and says, it is text. */
static void names_are_no_markup(void **state)
{
    (void)state;
    const char *name = "'\"><img onerror=alert(1)>&amp;\\{{book}}\x80\xC3.pgn";
    write_text(name, lines);
    assert_int_equal(MAKEBOOK("explore", name, "-o", path_of("page.html")), 0);
    read_page(path_of("page.html"));
    assert_int_equal(count_of("<img"), 0);
    assert_int_equal(count_of("alert(1)"), 3); /* as text: two headings, JSON */
    assert_int_equal(count_of("&#39;&#34;&#62;&#60;img onerror=alert(1)&#62;&#38;amp;\\{{book}}"),
                     2);
    assert_int_equal(count_of("\"'\\\">\\u003cimg onerror=alert(1)>"), 1);
    assert_int_equal(count_of("<b>x"), 0);
    assert_int_equal(count_of("<script"), 6);
    assert_int_equal(count_of("</script>"), 6);
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "--title", "</title><script>\n", "-o",
                              path_of("page.html")),
                     0);
    read_page(path_of("page.html"));
    assert_int_equal(count_of("<title>&#60;/title&#62;&#60;script&#62; </title>"), 1);
}

static void lines_begin_elsewhere(void **state)
{
    (void)state;
    const char *const roots[] = {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
                                 "8/P6k/8/8/8/8/8/K7 w - - 0 1", NULL};
    struct book *book = open_book(path_of("lines.pgn"));
    assert_int_equal(
        MAKEBOOK("explore", "lines.pgn", "--start", roots[0], "-o", path_of("page.html")), 0);
    read_page(path_of("page.html"));
    assert_int_equal(assert_page_holds(book, roots, NULL), 7);
    assert_says(result.errors,
                "5 of 12 positions are not reached from there (--start): left out\n");
    assert_int_equal(
        MAKEBOOK("explore", "lines.pgn", "--start", "1.e4 e5", "-o", path_of("page.html")), 0);
    assert_says(result.output, "7 positions");
    assert_int_equal(
        MAKEBOOK("explore", "lines.pgn", "--start", "e4 e4", "-o", path_of("none.html")), 2);
    assert_false(exists("none.html"));
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "--max-ply", "1", "-o", path_of("page.html")),
                     0);
    assert_says(result.output, "5 positions");
    assert_says(result.errors, "7 positions are behind ply 1");
    book_close(book);
}

/* Any module will do: nothing looks into it. */
static void an_engine_is_on_the_page_that_asks(void **state)
{
    (void)state;
    static const char module[] = {0, 'a', 's', 'm', 1, 0, 0, 0, 'x', 'y'};
    size_t size;
    FILE *file = fopen(path_of("engine.wasm"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(module, 1, sizeof module, file), sizeof module);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "--engine", path_of("engine.wasm"), "-o",
                              path_of("page.html")),
                     0);
    read_page(path_of("page.html"));
    uint8_t *bytes = element_bytes("engine-code", &size);
    assert_int_equal(size, sizeof module);
    assert_memory_equal(bytes, module, size);
    free(bytes);
    assert_int_equal(count_of("worker-src blob:"), 1);
    assert_int_equal(count_of("<script"), 9);
    assert_int_equal(count_of("{{"), 0);
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "-o", path_of("page.html")), 0);
    read_page(path_of("page.html"));
    assert_int_equal(count_of("wasm") + count_of("worker") + count_of("engine"), 0);
}

static void assert_one_line(const char *text)
{
    const char *end = strchr(text, '\n');
    assert_non_null(end);
    assert_string_equal(end, "\n");
}

static void two_books_stand_side_by_side(void **state)
{
    (void)state;
    write_text("other.pgn", "[Event \"x\"]\n\n1. c4 {[%weight 3]} *\n");
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "other.pgn", "-o", path_of("page.html")), 0);
    assert_says(result.output, "other.pgn: 1 position, 1 move, 1 of them the last of their line\n");
    read_page(path_of("page.html"));
    assert_int_equal(count_of("<script"), 8);
    assert_int_equal(count_of("<title>lines.pgn and other.pgn</title>"), 1);
    assert_int_equal(count_of("\"title\": \"other.pgn\""), 1);
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "bad.pgn", "-o", path_of("none.html")), 1);
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "other.pgn", "--serve"), 2);
    assert_int_equal(
        RUN("explore", path_of("lines.pgn"), path_of("other.pgn"), "-o", path_of("other.pgn")), 2);
}

static void faults_leave_no_page(void **state)
{
    (void)state;
    write_text("bad.pgn", "[Event \"x\"]\n\n1. e5 *\n");
    write_text("damaged.bin", "CAXWLD\r\n and then nothing of the kind");
    static const char *const books[] = {"bad.pgn", "damaged.bin", "absent.bin"};
    for (size_t i = 0; i < sizeof books / sizeof *books; i++) {
        assert_int_equal(MAKEBOOK("explore", books[i], "-o", path_of("none.html")), 1);
        assert_one_line(result.errors);
        assert_string_equal(result.output, "");
        assert_false(exists("none.html"));
    }
    static const char *const modules[] = {"bad.pgn", "absent.wasm"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(MAKEBOOK("explore", "lines.pgn", "--engine", path_of(modules[i]), "-o",
                                  path_of("none.html")),
                         1);
        assert_one_line(result.errors);
        assert_false(exists("none.html"));
    }
    assert_int_equal(MAKEBOOK("explore", "lines.pgn"), 2);
    assert_says(result.errors, "no output given");
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "--serve", "-o", path_of("none.html")), 2);
    assert_says(result.errors, "--serve: not with --output");
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "--serve", "--port", "65536"), 2);
    assert_false(exists("none.html"));
    static const char *const useless[][3] = {{"--min-games", "3", "--min-games is for statistics"},
                                             {"--skip-damaged", "-q", "--skip-damaged is for"},
                                             {"--port", "80", "--port needs --serve"}};
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++) {
        assert_int_equal(MAKEBOOK("explore", "lines.pgn", "-o", path_of("none.html"), useless[i][0],
                                  useless[i][1]),
                         2);
        assert_says(result.errors, useless[i][2]);
        assert_one_line(result.errors);
        assert_false(exists("none.html"));
    }
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "-o", path_of("page.txt")), 2);
    assert_says(result.errors, "page.txt: what is written here is a page (.html); ");
    assert_false(exists("page.txt"));
    assert_int_equal(RUN("explore", "-", "-", "-o", path_of("none.html")), 2);
    assert_says(result.errors, "- (standard input) is named twice; ");
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "-o", path_of("absent/page.html")), 1);
    assert_one_line(result.errors);
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "-o", "-"), 0);
    assert_int_equal(strncmp(result.output, "<!DOCTYPE html>", 15), 0);
    assert_int_equal(MAKEBOOK("explore", "builtin", "-o", "-"), 0);
}

static int connect_to(unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(connection >= 0);
    assert_int_equal(connect(connection, (const struct sockaddr *)&address, sizeof address), 0);
    return connection;
}

static void send_text(int connection, const char *text)
{
    assert_int_equal(send(connection, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

enum { ANSWER_MAX = 1 << 21 };

/* What the server answers to GET `path` with these header lines. Static storage. */
static const char *ask(unsigned port, const char *path, const char *headers)
{
    static char out[ANSWER_MAX];
    char request[1000];
    int connection = connect_to(port);
    (void)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nConnection: close\r\n%s\r\n", path,
                   headers);
    send_text(connection, request);
    size_t size = 0;
    for (ssize_t got; (got = recv(connection, out + size, ANSWER_MAX - 1 - size, 0)) > 0;)
        size += (size_t)got;
    out[size] = '\0';
    assert_int_equal(close(connection), 0);
    return out;
}

#define START_QUERY "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1"

static void strangers_get_nothing(unsigned port)
{
    static const char data[] = "/moves?fen=8/8/8/8/8/8/8/K6k%20w%20-%20-%200%201";
    static const struct {
        const char *path, *headers, *says;
    } requests[] = {
        {data, "Host: 127.0.0.1\r\n", "HTTP/1.1 200 "},
        {data, "Host: localhost:80\r\nSec-Fetch-Site: same-origin\r\n", "HTTP/1.1 200 "},
        {data, "Host: 127.0.0.1\r\nSec-Fetch-Site: none\r\n", "HTTP/1.1 200 "},
        {data, "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\n", "HTTP/1.1 403 "},
        {data, "Host: 127.0.0.1\r\nSec-Fetch-Site: same-site\r\n", "HTTP/1.1 403 "},
        {"/more?fen=x", "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\n", "HTTP/1.1 403 "},
        {"/", "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\n", "HTTP/1.1 200 "}, /* a link */
        {"/", "Host: 127.0.0.1.example.org\r\n", "HTTP/1.1 400 "},
        {"/", "", "HTTP/1.1 400 "},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        assert_says(ask(port, requests[i].path, requests[i].headers), requests[i].says);
    const char *answer = ask(port, data, requests[0].headers);
    assert_says(answer, "\r\nX-Frame-Options: DENY\r\n");
    assert_says(answer, "\r\nContent-Security-Policy: frame-ancestors 'none'\r\n");
    assert_says(answer, "\r\nCross-Origin-Resource-Policy: same-origin\r\n");
    assert_says(answer, "\r\nX-Content-Type-Options: nosniff\r\n");
}

static void unfinished_requests_lock_nobody_out(unsigned port)
{
    enum { UNFINISHED = 300 };
    int connections[UNFINISHED];
    for (int i = 0; i < UNFINISHED; i++) {
        connections[i] = connect_to(port);
        send_text(connections[i], "GET /moves");
        if (i % 20 == 0)
            assert_says(ask(port, "/", "Host: localhost\r\n"), "HTTP/1.1 200 ");
    }
    for (int i = 0; i < UNFINISHED; i++)
        assert_int_equal(close(connections[i]), 0);
    assert_says(ask(port, "/", "Host: localhost\r\n"), "HTTP/1.1 200 ");
}

/* Skips where there is no server in this build. */
static struct process *start_server(const char *book, unsigned *port)
{
    const char *const words[] = {
        process_binary("MAKEBOOK_BINARY"), "explore", book, "--serve", "--port", "0", NULL};
    struct process *server = process_start(words);
    const char *address = process_read_line(server);
    if (!address || sscanf(address, "http://127.0.0.1:%u/", port) != 1) {
        (void)process_wait(server);
        assert_says(process_errors(server), "there is no server in this build");
        process_destroy(server);
        skip();
    }
    return server;
}

static void stop_server(struct process *server)
{
    process_signal(server, SIGINT);
    assert_int_equal(process_wait(server), 0);
    process_destroy(server);
}

static void a_server_answers_its_own_page(void **state)
{
    (void)state;
    unsigned port = 0;
    struct process *server = start_server("builtin", &port);
    strangers_get_nothing(port);
    unfinished_requests_lock_nobody_out(port);
    assert_says(ask(port, "/facets?fen=" START_QUERY, "Host: localhost\r\n"), " 404 ");
    stop_server(server);
}

#define FACETS(elo, control, date, moves)                                                          \
    "[White \"A\"]\n[Black \"B\"]\n[Date \"" date "\"]\n[WhiteElo \"" elo                          \
    "\"]\n[BlackElo \"1500\"]\n[TimeControl \"" control "\"]\n\n" moves "\n\n"

/* Moves are numbers of chess/types.h: 1804 is e4, 1739 d4. */
static void the_page_asks_for_some_games(void **state)
{
    (void)state;
    static const char filed[] = FACETS("1900", "180+2", "2019.03.01", "1. e4 e5 1-0")
        FACETS("1400", "60", "2024.05.09", "1. e4 c5 0-1")
            FACETS("2400", "60", "2024.??.??", "1. e4 c5 1/2-1/2")
                FACETS("?", "?", "????.??.??", "1. d4 d5 1-0");
    static const struct {
        const char *path, *says;
    } requests[] = {
        {"/moves?fen=" START_QUERY, "[[1739, 1, 0, 0, 0, 0], [1804, 1, 1, 1, 1900, 0]]"},
        {"/moves?fen=" START_QUERY "&ratings=1600,1800", "{\"moves\": [[1804, 1, 1, 0, 2150, 0]]"},
        {"/moves?fen=" START_QUERY "&speeds=bullet", "[1804, 0, 1, 1, 1900, 0]]"},
        {"/moves?fen=" START_QUERY "&since=2024-01&until=2024-12", "[1804, 0, 1, 1, 1900, 0]]"},
        {"/moves?fen=" START_QUERY "&since=2024-05", "[1804, 0, 0, 1, 1400, 0]]"},
        {"/moves?fen=" START_QUERY "&ratings=", "{\"moves\": []"},
        {"/facets?fen=" START_QUERY, "{\"moves\": [{\"move\": 1739, \"years\": [], \"groups\": "
                                     "[]}, {\"move\": 1804, \"years\": "
                                     "[[2019, 1], [2024, 2]], \"groups\": [[1400, 0, 0, 1], [1600, "
                                     "1, 0, 0], [1800, 0, 1, 0]]}]}"},
        {"/facets?fen=" START_QUERY "&speeds=blitz",
         "{\"moves\": [{\"move\": 1804, \"years\": [[2019, 1]], \"groups\": [[1600, 1, 0, 0]]}]}"},
        {"/facets?fen=8/8/8/8/8/8/8/K6k_w_-_-", "{\"moves\": []}"},
        {"/more?fen=" START_QUERY "&line=1804&speeds=blitz", "\"result\": \"1-0\""},
        {"/", "\"facets\": [\"rating\", \"speed\", \"month\"], \"years\": [2019, 2024]"},
        {"/facets", " 400 "},
        {"/facets?fen=x", "Failed to deserialize query string: fen"},
        {"/facets?fen=" START_QUERY "&ratings=high", "ratings: invalid value"},
        {"/moves?fen=" START_QUERY "&speeds=Blitz", "speeds: invalid value"},
        {"/more?fen=" START_QUERY "&since=2024", "since: invalid value"},
        {"/facets?fen=" START_QUERY "&until=2024-13", "until: invalid value"},
        {"/facets?fen=" START_QUERY "&until=2024-1&until=2024-2", "duplicate field `until`"},
        {"/facets?fen=" START_QUERY "&variant=atomic", "variant: games of chess alone"},
        {"/more?fen=" START_QUERY "&line=1804,1804", "line: no legal moves"},
    };
    unsigned port = 0;
    write_text("filed.pgn", filed);
    assert_int_equal(MAKEBOOK("build", "filed.pgn", "-o", "filed.wld", "--samples", "2", "-q"), 0);
    struct process *server = start_server(path_of("filed.wld"), &port);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const char *answer = ask(port, requests[i].path, "Host: localhost\r\n");
        assert_says(answer, requests[i].says);
        bool is_fault = requests[i].says[0] != '{' && requests[i].says[0] != '[';
        assert_true(is_fault || strstr(answer, "HTTP/1.1 200 "));
    }
    const char *blitz =
        ask(port, "/more?fen=" START_QUERY "&line=1804&speeds=blitz", "Host: localhost\r\n");
    assert_null(strstr(blitz, "0-1"));
    stop_server(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_holds_the_book),
        cmocka_unit_test(a_large_book_says_what_it_leaves_out),
        cmocka_unit_test(a_book_of_one_side_is_followed),
        cmocka_unit_test(statistics_show_results),
        cmocka_unit_test(games_in_parts_are_hundredths),
        cmocka_unit_test(the_page_needs_nothing_else),
        cmocka_unit_test(names_are_no_markup),
        cmocka_unit_test(lines_begin_elsewhere),
        cmocka_unit_test(an_engine_is_on_the_page_that_asks),
        cmocka_unit_test(two_books_stand_side_by_side),
        cmocka_unit_test(faults_leave_no_page),
        cmocka_unit_test(a_server_answers_its_own_page),
        cmocka_unit_test(the_page_asks_for_some_games),
    };
    return cmocka_run_group_tests_name("makebook explore", tests, set_up, tear_down);
}

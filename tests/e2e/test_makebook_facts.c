/* What is known of the moves of a position is one thing, whoever says it: show, the explorer, prune
 * and diff agree on random books of every kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/socket.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/position_text.h"
#include "makebook.h"

enum { SEEDS = 3, GAMES = 60, PLIES = 6, CHOICES = 4, KNOWN_MAX = 64, ANSWER_MAX = 1 << 14 };

static const char *const kinds[] = {"wld", "bin", "abk", "epd", "lines", "pgn", "tree"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A move as somebody says it: its weight, or its games. */
struct known {
    char san[SAN_MAX];
    char uci[UCI_MAX];
    uint64_t numbers[3];
};

struct answer {
    struct known moves[KNOWN_MAX];
    size_t count;
    int numbers; /* 1: weights, 3: wins, draws, losses */
};

static uint64_t value_of(const struct answer *answer, size_t i)
{
    uint64_t sum = 0;
    for (int k = 0; k < answer->numbers; k++)
        sum += answer->moves[i].numbers[k];
    return sum;
}

static uint64_t sum_of(const struct answer *answer)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < answer->count; i++)
        sum += value_of(answer, i);
    return sum;
}

/* Games of few choices, so that lines meet and moves differ in their games. */
static void write_games(struct rng *rng, const char *name)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2"};
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    for (int game = 0; game < GAMES; game++) {
        struct position pos;
        const char *ended = results[rng_below(rng, 3)];
        position_start(&pos);
        (void)fprintf(file, "[Event \"x\"]\n[Result \"%s\"]\n\n", ended);
        for (int ply = 0; ply < PLIES; ply++) {
            move moves[MOVES_MAX];
            char san[SAN_MAX];
            uint64_t most = rng_below(rng, CHOICES) + 1;
            int count = movegen_legal(&pos, moves);
            assert_true(count > CHOICES);
            move m = moves[rng_below(rng, most)];
            move_to_san(&pos, m, san);
            (void)fprintf(file, "%s ", san);
            position_play(&pos, m);
        }
        (void)fprintf(file, "%s\n\n", ended);
    }
    assert_int_equal(fclose(file), 0);
}

/* The number after `name` in JSON from `at` on. */
static uint64_t number_after(const char *at, const char *name)
{
    char wanted[40];
    uint64_t number = 0;
    (void)snprintf(wanted, sizeof wanted, "\"%s\": ", name);
    const char *found = strstr(at, wanted);
    assert_non_null(found);
    assert_int_equal(sscanf(found + strlen(wanted), "%" SCNu64, &number), 1);
    return number;
}

/* By makebook show. line: moves from the start. */
static struct answer show(const char *book, const char *line)
{
    struct answer answer = {.count = 0};
    (void)RUN("show", "--json", book, line);
    answer.numbers = strstr(result.output, "\"wins\"") ? 3 : 1;
    for (const char *at = result.output; (at = strstr(at, "{\"san\": \"")); at++) {
        struct known *known = &answer.moves[answer.count++];
        assert_true(answer.count <= KNOWN_MAX);
        assert_int_equal(
            sscanf(at, "{\"san\": \"%15[^\"]\", \"uci\": \"%5[^\"]\"", known->san, known->uci), 2);
        known->numbers[0] = number_after(at, answer.numbers == 3 ? "wins" : "weight");
        if (answer.numbers == 3) {
            known->numbers[1] = number_after(at, "draws");
            known->numbers[2] = number_after(at, "losses");
            assert_int_equal(number_after(at, "games"), value_of(&answer, answer.count - 1));
        }
    }
    return answer;
}

/* The explorer -------------------------------------------------------------------------------- */

static struct process *start_server(const char *book, unsigned *port)
{
    const char *const words[] = {
        process_binary("MAKEBOOK_BINARY"), "explore", book, "--serve", "--port", "0", NULL};
    struct process *server = process_start(words);
    const char *address = process_read_line(server);
    if (address && sscanf(address, "http://127.0.0.1:%u/", port) == 1)
        return server;
    process_destroy(server);
    return NULL; /* none in this build */
}

static void ask(unsigned port, const struct position *pos, char out[ANSWER_MAX])
{
    char fen[FEN_MAX];
    char request[400];
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    fen_format(pos, fen);
    for (char *c = fen; *c; c++)
        *c = *c == ' ' ? '+' : *c;
    assert_int_equal(connect(connection, (const struct sockaddr *)&address, sizeof address), 0);
    int length = snprintf(request, sizeof request,
                          "GET /moves?fen=%s HTTP/1.1\r\nHost: localhost\r\nConnection: "
                          "close\r\n\r\n",
                          fen);
    assert_int_equal(send(connection, request, (size_t)length, MSG_NOSIGNAL), length);
    size_t size = 0;
    for (ssize_t got; (got = recv(connection, out + size, ANSWER_MAX - 1 - size, 0)) > 0;)
        size += (size_t)got;
    out[size] = '\0';
    assert_int_equal(close(connection), 0);
}

/* Says the server the same of the position? */
static void compare_server(unsigned port, const struct position *pos, const struct answer *shown)
{
    static char text[ANSWER_MAX];
    size_t count = 0;
    ask(port, pos, text);
    const char *at = strstr(text, "{\"moves\": [");
    assert_non_null(at);
    for (at += strlen("{\"moves\": ["); *at == '['; count++) {
        unsigned number = 0;
        uint64_t numbers[3] = {0};
        char uci[UCI_MAX];
        size_t i = 0;
        if (shown->numbers == 3)
            assert_int_equal(sscanf(at, "[%u, %" SCNu64 ", %" SCNu64 ", %" SCNu64, &number,
                                    &numbers[0], &numbers[1], &numbers[2]),
                             4);
        else
            assert_int_equal(sscanf(at, "[%u, %" SCNu64, &number, &numbers[0]), 2);
        move_to_uci((move)number, false, uci);
        while (i < shown->count && strcmp(shown->moves[i].uci, uci) != 0)
            i++;
        assert_true(i < shown->count);
        assert_memory_equal(numbers, shown->moves[i].numbers, sizeof numbers);
        at = strchr(at, ']') + 1;
        at += *at == ',' ? strlen(", ") : 0;
    }
    assert_int_equal(count, shown->count);
}

/* prune --------------------------------------------------------------------------------------- */

/* Moves of the start fall by what show says of them. */
static void compare_prune(const char *book, const struct answer *shown)
{
    enum { LEAST_GAMES = 8, LEAST_PERCENT = 15 };
    bool counted = shown->numbers == 3;
    assert_int_equal(RUN("prune", book, "-o", path_of("pruned.bin"),
                         counted ? "--min-games" : "--min-share", counted ? "8" : "15"),
                     0);
    for (size_t i = 0; i < shown->count; i++) {
        char line[40];
        uint64_t value = value_of(shown, i);
        bool falls = counted ? value < LEAST_GAMES : value * 100 < sum_of(shown) * LEAST_PERCENT;
        (void)snprintf(line, sizeof line, "1. %s: ", shown->moves[i].san);
        const char *found = strstr(result.output, line);
        assert_int_equal(found != NULL, falls);
    }
}

/* diff ---------------------------------------------------------------------------------------- */

/* Its shares of the start are those of show. */
static void compare_diff(const char *book, const char *other, const struct answer *shown)
{
    size_t found = 0;
    (void)RUN("diff", "--json", "--limit", "0", "--threshold", "0", book, other);
    for (size_t i = 0; i < shown->count; i++) {
        char line[60];
        const uint64_t wide = 1000000;
        uint64_t sum = sum_of(shown);
        unsigned share = 0;
        (void)snprintf(line, sizeof line, "\"line\": [\"%s\"]", shown->moves[i].san);
        const char *at = strstr(result.output, line);
        if (!at)
            continue; /* alike */
        while (strncmp(at, "{\"kind\"", 7) != 0)
            at--;
        const char *ppm = strstr(at, "\"share_ppm\": [");
        if (!ppm || ppm > strstr(at, line))
            continue; /* a position */
        assert_int_equal(sscanf(ppm, "\"share_ppm\": [%u", &share), 1);
        uint64_t wanted = (value_of(shown, i) * wide + sum / 2) / sum;
        assert_true(share + 1 >= wanted && share <= wanted + 1);
        found++;
    }
    assert_true(found > 0);
}

static void compare_kind(const char *book, const char *other)
{
    static const char *const lines[] = {"", "a3", "a3 a6", "b3 b6", "c3 a6 a3"};
    unsigned port = 0;
    size_t known = 0;
    struct process *server = start_server(book, &port);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct position pos;
        struct diag diag;
        assert_int_equal(position_from_text(span_of(lines[i]), &pos, &diag), STATUS_OK);
        struct answer shown = show(book, lines[i]);
        known += shown.count > 0;
        if (server)
            compare_server(port, &pos, &shown);
        if (i > 0)
            continue;
        assert_true(shown.count > 1);
        compare_prune(book, &shown);
        compare_diff(book, other, &shown);
    }
    assert_true(known > 2);
    if (!server)
        return;
    process_signal(server, SIGINT);
    assert_int_equal(process_wait(server), 0);
    process_destroy(server);
}

static void all_say_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct rng rng;
        rng_seed(&rng, seed);
        write_games(&rng, "games.pgn");
        write_games(&rng, "other.pgn");
        assert_int_equal(RUN("build", path_of("games.pgn"), "-q", "-o", path_of("book.wld")), 0);
        assert_int_equal(RUN("build", path_of("other.pgn"), "-q", "-o", path_of("other.bin")), 0);
        for (int i = 1; i < KINDS; i++)
            assert_int_equal(RUN("convert", i == 1 ? path_of("book.wld") : path_of("book.bin"),
                                 file_of("book", kinds[i]), "-q"),
                             0);
        for (int i = 0; i < KINDS; i++)
            compare_kind(file_of("book", kinds[i]), path_of("other.bin"));
    }
}

/* Mirrored statistics know the same of the start as others. */
static void mirrored_ones_say_the_same(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, SEEDS + 1);
    write_games(&rng, "games.pgn");
    assert_int_equal(RUN("build", path_of("games.pgn"), "-q", "-o", path_of("book.wld")), 0);
    assert_int_equal(
        RUN("build", path_of("games.pgn"), "-q", "--mirror", "-o", path_of("both.wld")), 0);
    const struct answer file = show(path_of("book.wld"), "");
    const struct answer both = show(path_of("both.wld"), "");
    assert_int_equal(file.count, both.count);
    assert_memory_equal(file.moves, both.moves, sizeof file.moves);
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return create_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_say_the_same),
        cmocka_unit_test(mirrored_ones_say_the_same),
    };
    return cmocka_run_group_tests_name("makebook facts", tests, set_up, remove_folder);
}

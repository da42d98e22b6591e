/* It is long because all of it asks one server, whose files are made once.
 *
 * makebook serve: answers to programs that ask Lichess's opening explorer, and HTTP. What is asked
 * and what comes back: tests/data/explorer_shapes.txt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "base/text.h"
#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/shared_data.h"

#define SHAPES        TEST_DATA_DIR "/explorer_shapes.txt"
#define LICHESS_GAMES SHARED_DATA_DIR "/pgn/lichess_2025-05.pgn"

enum { ANSWER_MAX = 1 << 20, LINE_SIZE = 1 << 14 };

/* Ratings, speeds and months of all kinds; one game comes to its start again; the first two have
 * ids of their own. */
static const char games[] =
    "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/aaaaaaa1\"]\n[Date \"2025.04.10\"]\n"
    "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n[WhiteElo \"1700\"]\n[BlackElo \"1650\"]\n"
    "[TimeControl \"180+2\"]\n\n1. e4 c5 2. Nf3 d6 1-0\n\n"
    "[Event \"Casual Bullet game\"]\n[Site \"https://lichess.org/aaaaaaa2\"]\n"
    "[Date \"2025.05.01\"]\n[White \"Bob\"]\n[Black \"Cid\"]\n[Result \"0-1\"]\n"
    "[WhiteElo \"2300\"]\n[BlackElo \"2210\"]\n[TimeControl \"60+0\"]\n\n"
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 0-1\n\n"
    "[Event \"Open\"]\n[Site \"Moscow\"]\n[Date \"2025.05.02\"]\n[White \"Cid\"]\n"
    "[Black \"Ann\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"2550\"]\n[BlackElo \"2501\"]\n"
    "[TimeControl \"600+0\"]\n\n1. d4 d5 2. c4 e6 1/2-1/2\n\n"
    "[Event \"Open\"]\n[Site \"Moscow\"]\n[Date \"2025.06.03\"]\n[White \"Dan\"]\n"
    "[Black \"Ann\"]\n[Result \"1-0\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1420\"]\n"
    "[TimeControl \"1800+30\"]\n\n1. e4 c5 2. Nc3 Nc6 1-0\n\n"
    "[Event \"Open\"]\n[Site \"?\"]\n[Date \"2025.06.05\"]\n[White \"Ann\"]\n[Black \"Eve\"]\n"
    "[Result \"0-1\"]\n[WhiteElo \"1900\"]\n[BlackElo \"2050\"]\n[TimeControl \"-\"]\n\n"
    "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 c5 0-1\n\n"
    "[Event \"Match\"]\n[Site \"Moscow\"]\n[Date \"1984.??.??\"]\n[White \"Karpov, A\"]\n"
    "[Black \"Kasparov, G\"]\n[Result \"1/2-1/2\"]\n\n1. d4 Nf6 2. c4 e6 1/2-1/2\n\n"
    "[Event \"Open\"]\n[Site \"?\"]\n[Date \"2025.07.01\"]\n[White \"Bob\"]\n[Black \"Cid\"]\n"
    "[Result \"1-0\"]\n[WhiteElo \"1000\"]\n[BlackElo \"990\"]\n[TimeControl \"15+0\"]\n\n"
    "1. a4 1-0\n";

static struct process *server;
static unsigned host; /* 127.0.0.host */
static unsigned port;
static char *answer; /* of ANSWER_MAX bytes: head and body */
static size_t answer_size;

/* Starts makebook serve on a free port. Skips where there is no server in this build. */
static void start(const char *const *words)
{
    const char *all[WORDS_MAX] = {process_binary("MAKEBOOK_BINARY"), "serve", "--port", "0"};
    for (int i = 4; *words; i++)
        all[i] = *words++;
    server = process_start(all);
    const char *address = process_read_line(server);
    if (!address || sscanf(address, "http://127.0.0.%u:%u/", &host, &port) != 2) {
        (void)process_wait(server);
        assert_says(process_errors(server), "there is no server in this build");
        process_destroy(server);
        server = NULL;
        skip();
    }
}

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

/* As Ctrl-C does. */
static void stop(void)
{
    process_signal(server, SIGINT);
    assert_int_equal(process_wait(server), 0);
    process_destroy(server);
    server = NULL;
}

static int connect_to(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK - 1 + host)}};
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(connection >= 0);
    assert_int_equal(connect(connection, (const struct sockaddr *)&address, sizeof address), 0);
    return connection;
}

/* What comes back for these bytes until the server closes the connection; its body. */
static const char *converse(const char *request, size_t size)
{
    int connection = connect_to();
    for (size_t sent = 0; sent < size;) {
        ssize_t more = send(connection, request + sent, size - sent, MSG_NOSIGNAL);
        if (more <= 0)
            break; /* it may have answered already */
        sent += (size_t)more;
    }
    answer_size = 0;
    for (ssize_t got;
         (got = recv(connection, answer + answer_size, ANSWER_MAX - 1 - answer_size, 0)) > 0;)
        answer_size += (size_t)got;
    answer[answer_size] = '\0';
    assert_int_equal(close(connection), 0);
    const char *body = strstr(answer, "\r\n\r\n");
    return body ? body + 4 : "";
}

/* headers: whole lines. */
static const char *ask(const char *method, const char *path, const char *headers)
{
    static char request[LINE_SIZE + 500];
    int size = snprintf(request, sizeof request,
                        "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n", method,
                        path, headers);
    assert_in_range(size, 1, sizeof request - 1);
    return converse(request, (size_t)size);
}

static int status_of(void)
{
    int status = 0;
    (void)sscanf(answer, "HTTP/1.1 %d", &status);
    return status;
}

static const char *get(const char *path)
{
    const char *body = ask("GET", path, "");
    assert_int_equal(status_of(), 200);
    return body;
}

/* The value of a header; "" for none. */
static const char *header(const char *name)
{
    static char value[300];
    char start[80];
    (void)snprintf(start, sizeof start, "\r\n%s: ", name);
    const char *at = strstr(answer, start);
    const char *end = strstr(answer, "\r\n\r\n");
    value[0] = '\0';
    if (at && end && at <= end)
        (void)sscanf(at + strlen(start), "%299[^\r]", value);
    return value;
}

/* How often `part` is in the text. */
static int times(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

/* Shapes --------------------------------------------------------------------------------------- */

/* Is `text` the pattern, in which each '*' stands for any text? */
static bool matches(const char *text, const char *pattern)
{
    const char *star = strchr(pattern, '*');
    if (!star)
        return strcmp(text, pattern) == 0;
    size_t size = (size_t)(star - pattern);
    if (strncmp(text, pattern, size) != 0)
        return false;
    for (text += size;; text++) {
        if (matches(text, star + 1))
            return true;
        if (!*text)
            return false;
    }
}

/* Asks all requests behind the heading. Returns how many. */
static int check_shapes(const char *heading)
{
    static char line[LINE_SIZE];
    bool is_here = false;
    int count = 0;
    FILE *file = fopen(SHAPES, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char path[LINE_SIZE];
        char type[80];
        int status;
        int taken = 0;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '[')
            is_here = strcmp(line, heading) == 0;
        if (line[0] != '/' || !is_here)
            continue;
        assert_int_equal(sscanf(line, "%16383s -> %d %79s %n", path, &status, type, &taken), 3);
        const char *body = ask("GET", path, "");
        const char *found = header("Content-Type");
        if (status_of() != status || strncmp(found, type, strlen(type)) != 0 ||
            !matches(body, line + taken))
            fail_msg("%s\n%d %s %s\ninstead of\n%d %s %s", path, status_of(), found, body, status,
                     type, line + taken);
        count++;
    }
    assert_int_equal(fclose(file), 0);
    return count;
}

static int build(const char *pgn, const char *stats, const char *option, const char *value)
{
    return RUN("build", pgn, "--stats", stats, "--max-ply", "50", "--samples", "20", option, value);
}

static void answers_have_their_shapes(void **state)
{
    (void)state;
    char ann[500];
    char bob[500];
    (void)snprintf(ann, sizeof ann, "Ann=%s", path_of("ann.wld"));
    (void)snprintf(bob, sizeof bob, "Bob:white=%s", path_of("bob.wld"));
    START(path_of("tiny.wld"), "--player", ann, "--player", bob);
    assert_true(check_shapes("[tiny]") >= 200);
    /* The page asks for any year. */
    static const char start_of[] = "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-";
    char path[200];
    (void)snprintf(path, sizeof path, "/moves?%s&since=1849-01&until=1951-12", start_of);
    assert_says(get(path), "{\"moves\": [],");
    (void)snprintf(path, sizeof path, "/facets?%s&since=1849-01&until=1990-12", start_of);
    assert_says(get(path), "\"years\": [[1984, 1]]");
    (void)snprintf(path, sizeof path, "/moves?%s&since=0000-01", start_of);
    (void)ask("GET", path, "");
    assert_int_equal(status_of(), 400);
    stop();
}

/* The games of a file but for those that a bot plays in. */
static void write_without_bots(const char *from, const char *to)
{
    static char game[1 << 16];
    char line[LINE_SIZE];
    size_t size = 0;
    FILE *in = fopen(from, "r");
    FILE *out = fopen(path_of(to), "w");
    assert_true(in && out);
    for (bool more = true; more;) {
        more = fgets(line, sizeof line, in) != NULL;
        if (!more || strncmp(line, "[Event ", 7) == 0) {
            game[size] = '\0';
            if (!strstr(game, "Title \"BOT\""))
                assert_true(fputs(game, out) >= 0);
            size = 0;
        }
        assert_true(size + strlen(line) < sizeof game);
        memcpy(game + size, line, strlen(line) + 1);
        size += strlen(line);
    }
    assert_int_equal(fclose(in) | fclose(out), 0);
}

static void a_month_of_lichess(void **state)
{
    (void)state;
    shared_data_want(LICHESS_GAMES);
    write_without_bots(LICHESS_GAMES, "month.pgn");
    assert_int_equal(build(path_of("month.pgn"), path_of("month.wld"), NULL, NULL), 0);
    START("--lichess", path_of("month.wld"));
    assert_int_equal(check_shapes("[lichess_2025-05]"), 6);
    assert_string_equal(ask("GET", "/masters", ""), "no statistics are served here");
    assert_int_equal(status_of(), 404);
    assert_string_equal(ask("GET", "/player?player=x&color=white", ""),
                        "no statistics are served here");
    stop();
}

/* HTTP --------------------------------------------------------------------------------------- */

static void heads_and_methods(void)
{
    assert_string_equal(ask("HEAD", "/lichess", ""), "");
    assert_int_equal(status_of(), 200);
    unsigned long size = strtoul(header("Content-Length"), NULL, 10);
    assert_int_equal(size, strlen(get("/lichess")));
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        (void)ask(methods[i], "/lichess", "Content-Length: 0\r\n");
        assert_int_equal(status_of(), 405);
        assert_string_equal(header("Allow"), "GET, HEAD");
    }
    (void)ask("POST", "/lichess", "Content-Length: 5\r\n\r\nhello");
    assert_int_equal(status_of(), 405);
}

static void packed_and_known_answers(void)
{
    char plain[300];
    char packed[300];
    char headers[400];
    (void)get("/lichess");
    text_copy(plain, sizeof plain, span_of(header("ETag")));
    assert_int_equal(strlen(plain), 18);
    const char *body = ask("GET", "/lichess", "Accept-Encoding: deflate, gzip;q=0.5\r\n");
    assert_string_equal(header("Content-Encoding"), "gzip");
    assert_string_equal(header("Vary"), "Accept-Encoding");
    assert_string_equal(header("X-Accel-Buffering"), ""); /* nginx keeps no answer that has it */
    assert_memory_equal(body, "\x1f\x8b", 2);
    text_copy(packed, sizeof packed, span_of(header("ETag")));
    assert_string_not_equal(packed, plain);
    (void)snprintf(headers, sizeof headers, "If-None-Match: \"x\", %s\r\n", plain);
    assert_string_equal(ask("GET", "/lichess", headers), "");
    assert_int_equal(status_of(), 304);
    assert_string_equal(header("ETag"), plain);
    (void)snprintf(headers, sizeof headers, "If-None-Match: %s\r\n", packed);
    (void)ask("GET", "/lichess", headers); /* another encoding is another answer */
    assert_int_equal(status_of(), 200);
    (void)ask("GET", "/lichess?moves=1", headers);
    assert_int_equal(status_of(), 200);
    static const char *const refused[] = {
        "", "Accept-Encoding: deflate\r\n", "Accept-Encoding: gzip;q=0, deflate\r\n",
        "Accept-Encoding: gzip; q=0.0\r\n", "Accept-Encoding: gzipped, gzip;q=0.000\r\n"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        (void)ask("GET", "/lichess", refused[i]);
        assert_string_equal(header("Content-Encoding"), "");
    }
    (void)ask("GET", "/lichess", "Accept-Encoding: br,GZIP;q=0.01\r\n");
    assert_string_equal(header("Content-Encoding"), "gzip");
    (void)ask("GET", "/lichess?moves=x", "Accept-Encoding: gzip\r\n");
    assert_string_equal(header("ETag"), "");
    assert_string_equal(header("Cache-Control"), "no-store");
}

static void connections_stay(void)
{
    static const char two[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                              "GET /lichess?moves=0 HTTP/1.1\r\nHost: localhost\r\n"
                              "Authorization: Bearer x\r\nConnection: close\r\n\r\n";
    (void)converse(two, sizeof two - 1);
    assert_says(answer, "ok\n");
    assert_says(answer, "{\"white\":3,");
}

/* Whatever is sent, the server answers, and goes on. */
static void large_requests(void)
{
    enum { SIZE = 1 << 20 };
    static const char *const starts[] = {"GET /lichess?fen=",
                                         "GET /lichess?play=",
                                         "GET /",
                                         "GET /lichess HTTP/1.1\r\nHost: ",
                                         "GET /lichess HTTP/1.1\r\nHost: localhost\r\nX: ",
                                         "",
                                         "POST /lichess HTTP/1.1\r\n"};
    char *text = malloc(SIZE + 100);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        memset(text, 'a', SIZE);
        memcpy(text, starts[i], strlen(starts[i]));
        text_copy(text + SIZE, 100, span_of(" HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        (void)converse(text, strlen(text));
        assert_true(status_of() == 0 || (status_of() >= 400 && status_of() < 500));
        (void)get("/healthz");
    }
    free(text);
    static char line[LINE_SIZE];
    int size = snprintf(line, sizeof line, "/lichess?play=");
    for (int i = 0; i < 300 / 4; i++)
        size += snprintf(line + size, sizeof line - (size_t)size, "g1f3,g8f6,f3g1,f6g8,");
    (void)snprintf(line + size, sizeof line - (size_t)size, "e2e4");
    assert_says(get(line), "{\"white\":2,\"draws\":0,\"black\":2,");
    (void)snprintf(line + size, sizeof line - (size_t)size, "e2e4,e2e4");
    assert_string_equal(ask("GET", line, ""), "bad request: illegal uci");
}

/* A few hundred parameters are read. Of a line that is too long nothing stays behind, and nobody
 * waits: the leak sanitizer sees the first, the time limit of the test the second. */
static void many_parameters(void)
{
    enum { TOO_LONG = 31500 };
    static char line[LINE_SIZE];
    for (int count = 1; count <= 256; count *= 2) {
        size_t size = (size_t)snprintf(line, sizeof line, "/lichess?moves=0");
        for (int i = 0; i < count; i++)
            size += (size_t)snprintf(line + size, sizeof line - size, "&a=");
        assert_says(ask("GET", line, ""), "{\"white\":3,\"draws\":2,\"black\":2,");
    }
    static char request[TOO_LONG + 100];
    int size = snprintf(request, sizeof request,
                        "GET /lichess?a=%0*d HTTP/1.1\r\nHost: localhost\r\n\r\n", TOO_LONG, 0);
    for (int i = 0; i < 20; i++) {
        (void)converse(request, (size_t)size);
        assert_true(answer_size == 0 || (status_of() >= 400 && status_of() < 500));
    }
}

/* They ask for much and read nothing. */
static void deaf_clients(void)
{
    enum { DEAF = 200, REQUESTS = 40 };
    static const char page[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    int connections[DEAF];
    for (int i = 0; i < DEAF; i++) {
        connections[i] = connect_to();
        for (int k = 0; k < REQUESTS; k++)
            assert_int_equal(send(connections[i], page, sizeof page - 1, MSG_NOSIGNAL),
                             sizeof page - 1);
        if (i % 20 == 0)
            (void)get("/lichess");
    }
    for (int i = 0; i < DEAF; i++)
        assert_int_equal(close(connections[i]), 0);
    (void)get("/lichess");
}

/* By which names this machine is asked. */
static void hosts(void)
{
    static const struct {
        const char *name;
        bool is_ours;
    } names[] = {{"localhost", true},    {"LocalHost:1", true},
                 {"127.0.0.1", true},    {"[::1]:8064", true},
                 {"127.0.0.1:99", true}, {"", false},
                 {"localhostx", false},  {"localhost.example.org", false},
                 {"127.0.0.2", false},   {"example.org", false}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char request[200];
        int size = snprintf(request, sizeof request,
                            "GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
                            names[i].name);
        (void)converse(request, (size_t)size);
        assert_int_equal(status_of(), names[i].is_ours ? 200 : 400);
    }
}

static void slow_clients(void)
{
    enum { SLOW = 1500 };
    static int connections[SLOW];
    struct rlimit files;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
    int slow = files.rlim_cur < 2 * SLOW ? (int)files.rlim_cur / 2 : SLOW;
    for (int i = 0; i < slow; i++) {
        connections[i] = connect_to();
        (void)send(connections[i], "GET /lich", 9, MSG_NOSIGNAL);
        if (i % 50 == 0)
            (void)get("/lichess");
    }
    for (int i = 0; i < slow; i++)
        assert_int_equal(close(connections[i]), 0);
    /* They ask and do not wait for the answer. */
    for (int i = 0; i < slow; i++) {
        int connection = connect_to();
        (void)send(connection, "GET /lichess HTTP/1.1\r\nHost: localhost\r\n\r\n", 43,
                   MSG_NOSIGNAL);
        assert_int_equal(close(connection), 0);
    }
    (void)get("/lichess");
}

static void http_is_spoken(void **state)
{
    (void)state;
    START(path_of("tiny.wld"));
    heads_and_methods();
    packed_and_known_answers();
    connections_stay();
    large_requests();
    many_parameters();
    hosts();
    deaf_clients();
    slow_clients();
    (void)ask("GET", "/lichess", "Sec-Fetch-Site: cross-site\r\n");
    assert_int_equal(status_of(), 403);
    (void)ask("GET", "/lichess", "Origin: http://x\r\n");
    assert_string_equal(header("Access-Control-Allow-Origin"), "");
    assert_says(get("/metrics"), "caxton_http_requests_total{route=\"/lichess\",code=\"4xx\"} ");
    assert_says(answer, "caxton_http_connections ");
    stop();
}

static void requests_are_logged(void **state)
{
    (void)state;
    START(path_of("tiny.wld"), "--log");
    (void)ask("HEAD", "/lichess", "");
    (void)ask("GET", "/lichess?\"x\x1b", "");
    process_signal(server, SIGINT);
    assert_int_equal(process_wait(server), 0);
    const char *log = process_errors(server);
    assert_says(log, "127.0.0.1 - - [");
    assert_says(log, "\"HEAD /lichess HTTP/1.1\" 200 ");
    assert_says(log, "\"GET /lichess?'x\\x1b HTTP/1.1\" ");
    process_destroy(server);
    server = NULL;
}

static void any_page_may_ask(void **state)
{
    (void)state;
    START(path_of("tiny.wld"), "--cors");
    (void)ask("GET", "/lichess", "Sec-Fetch-Site: cross-site\r\nOrigin: http://x\r\n");
    assert_int_equal(status_of(), 200);
    assert_string_equal(header("Access-Control-Allow-Origin"), "*");
    assert_string_equal(header("Cross-Origin-Resource-Policy"), "cross-origin");
    (void)ask("OPTIONS", "/lichess", "Origin: http://x\r\n");
    assert_int_equal(status_of(), 204);
    assert_says(header("Access-Control-Allow-Headers"), "Authorization");
    stop();
}

/* By the name that --host has it can be asked, too. */
static void listens_where_told(void **state)
{
    (void)state;
    char text[20];
    START(path_of("tiny.wld"), "--host", "127.0.0.2");
    static const char request[] = "GET /healthz HTTP/1.0\r\nHost: 127.0.0.2:80\r\n\r\n";
    assert_string_equal(converse(request, sizeof request - 1), "ok\n");
    (void)snprintf(text, sizeof text, "%u", port);
    const char *words[] = {"serve", "tiny.wld", "--host", "127.0.0.2", "--port", text, NULL};
    assert_int_equal(makebook(words), 1);
    assert_says(result.errors, "cannot listen on 127.0.0.2, port ");
    assert_says(result.errors, "in use");
    stop();
}

/* Files ---------------------------------------------------------------------------------------- */

/* A position that the file is damaged at has a reason, the others are answered; and a file that is
 * replaced is served as it was. */
static void damaged_and_replaced_files(void **state)
{
    (void)state;
    shared_data_want(LICHESS_GAMES);
    enum { STEP = 20000, INDEX = 4096 };
    assert_int_equal(build(LICHESS_GAMES, path_of("bad.wld"), NULL, NULL), 0);
    FILE *file = fopen(path_of("bad.wld"), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    for (long at = STEP / 4; at < size - INDEX; at += STEP) {
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_int_equal(fwrite("damaged", 1, 7, file), 7);
    }
    assert_int_equal(fclose(file), 0);
    START(path_of("bad.wld"));
    int counts[2] = {0, 0};
    for (char letter = 'a'; letter <= 'h'; letter++)
        for (int row = 3; row <= 4; row++)
            for (int reply = 0; reply < 2; reply++) {
                char path[100];
                (void)snprintf(path, sizeof path, "/lichess?play=%c2%c%d%s", letter, letter, row,
                               reply ? ",e7e5" : "");
                const char *body = ask("GET", path, "");
                assert_true(status_of() == 200 || status_of() == 500);
                if (status_of() == 500)
                    assert_says(body, "damaged");
                counts[status_of() == 500]++;
            }
    assert_true(counts[0] > 0);
    assert_true(counts[1] > 0);
    assert_int_equal(unlink(path_of("bad.wld")), 0);
    write_text("bad.wld", "something else");
    for (int row = 3; row <= 4; row++)
        for (char letter = 'a'; letter <= 'h'; letter++) {
            char path[100];
            (void)snprintf(path, sizeof path, "/lichess?play=%c2%c%d", letter, letter, row);
            (void)ask("GET", path, "");
            counts[status_of() == 500]--;
        }
    assert_true(counts[0] >= 0 && counts[1] >= 0);
    stop();
}

static void faults_of_the_command_line(void **state)
{
    (void)state;
    static const struct {
        const char *words[5];
        int status;
        const char *says;
    } cases[] = {
        {{NULL}, 2, "no file given"},
        {{"absent.wld"}, 1, "absent.wld"},
        {{"--lichess", "tiny.pgn"}, 1, "tiny.pgn"},
        {{"--lichess", "builtin"}, 1, "no statistics"},
        {{"--player", "tiny.wld"}, 1, "NAME=FILE"},
        {{"--player", "=tiny.wld"}, 1, "NAME=FILE"},
        {{"--player", "a:green=tiny.wld"}, 1, "NAME=FILE"},
        {{"--player", "a=absent.wld"}, 1, "absent.wld"},
        {{"tiny.wld", "--host", "nowhere", "--port", "0"}, 1, "nowhere is no address"},
        {{"tiny.wld", "--port", "65536"}, 2, "65536"},
        {{"tiny.wld", "--start", "e5"}, 2, "--start"},
        {{"builtin", "--min-games", "2"}, 2, "--min-games is for statistics"},
        {{"-", "-"}, 2, "named twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *words[7] = {"serve"};
        memcpy(words + 1, cases[i].words, sizeof cases[i].words);
        int status = makebook(words);
        if (strstr(result.errors, "no server in this build"))
            skip();
        assert_int_equal(status, cases[i].status);
        assert_says(result.errors, cases[i].says);
    }
}

static void statistics_of_a_stream(void **state)
{
    (void)state;
    static char bytes[FILE_MAX];
    size_t size = read_bytes("tiny.wld", bytes);
    const char *const words[] = {process_binary("MAKEBOOK_BINARY"), "serve", "-", NULL};
    struct process *reader = process_start(words);
    process_write_bytes(reader, bytes, size);
    process_close_input(reader);
    int status = process_wait(reader);
    if (!strstr(process_errors(reader), "no server in this build")) {
        assert_says(process_errors(reader), "statistics are looked up in a file");
        assert_int_equal(status, 1);
    }
    process_destroy(reader);
}

/* A capture en passant that would bare the king makes no other position, as of Lichess's explorer,
 * although its key is another one. */
static void pinned_captures_make_no_position(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "/lichess?play=d2d4,c7c5,g1f3,c5d4,f3d4,e7e5,d4b3,d7d5,b1c3,d5d4,c3b1,e8e7,a2a4,e7d7,e2e4",
        "/lichess?play=d2d4,c7c5,g1f3,c5d4,f3d4,e7e5,d4b3,d7d5,e2e3,d5d4,e3e4,e8e7,a2a3,e7d7,a3a4",
        "/lichess?fen=rnbq1bnr/pp1k1ppp/8/4p3/P2pP3/1N6/1PP2PPP/RNBQKB1R_b_KQ_e3_0_8",
        "/lichess?fen=rnbq1bnr/pp1k1ppp/8/4p3/P2pP3/1N6/1PP2PPP/RNBQKB1R_b_KQ_-_0_8"};
    write_text("pinned.pgn", "[White \"A\"]\n[Date \"2020.01.02\"]\n[Result \"1-0\"]\n\n1. d4 c5 "
                             "2. Nf3 cxd4 3. Nxd4 e5 4. Nb3 d5 5. Nc3 "
                             "d4 6. Nb1 Ke7 7. a4 Kd7 8. e4 Nf6 1-0\n\n"
                             "[White \"C\"]\n[Date \"2020.01.03\"]\n[Result \"0-1\"]\n\n1. d4 c5 "
                             "2. Nf3 cxd4 3. Nxd4 e5 4. Nb3 d5 5. e3 "
                             "d4 6. e4 Ke7 7. a3 Kd7 8. a4 Nc6 0-1\n");
    assert_int_equal(build(path_of("pinned.pgn"), path_of("pinned.wld"), NULL, NULL), 0);
    START(path_of("pinned.wld"));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_says(get(paths[i]), "{\"white\":1,\"draws\":0,\"black\":1,\"moves\":[{");
    for (size_t i = 2; i < sizeof paths / sizeof *paths; i++) {
        /* Its games are listed in any case, and the page knows the same. */
        char path[200];
        const char *fen = strchr(paths[i], '?');
        assert_int_equal(times(get(paths[i]), "\"id\":"), 4);
        (void)snprintf(path, sizeof path, "/moves%s", fen);
        const char *body = get(path);
        assert_true(strstr(body, ", 1, 0, 0, 0, 1]") && strstr(body, ", 0, 0, 1, 0, 1]"));
        (void)snprintf(path, sizeof path, "/more%s", fen);
        assert_int_equal(times(get(path), "\"about\""), 2);
        (void)snprintf(path, sizeof path, "/facets%s", fen);
        assert_int_equal(times(get(path), "[2020, 1]"), 2);
    }
    stop();
}

/* What is on no list of games: a place inside a game, or behind the last one. */
static void ids_give_games_alone(void **state)
{
    (void)state;
    START(path_of("tiny.wld"));
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    int found = 0;
    for (size_t place = 0; place < sizeof games + 100; place++) {
        char path[40];
        (void)snprintf(path, sizeof path, "/game/00000%c%c%c", digits[place / 62 / 62],
                       digits[place / 62 % 62], digits[place % 62]);
        (void)ask("GET", path, "");
        found += status_of() == 200;
        assert_true(status_of() == 200 || status_of() == 404);
    }
    assert_int_equal(found, 7);
    stop();
}

/* The file of games is another kind of file than when it was counted: its games are gone, and
 * nobody waits for a pipe. */
static void games_become_a_pipe(void **state)
{
    (void)state;
    write_text("piped.pgn", games);
    assert_int_equal(build(path_of("piped.pgn"), path_of("piped.wld"), NULL, NULL), 0);
    START(path_of("piped.wld"));
    assert_says(get("/game/00000000"), "[White \"Ann\"]");
    assert_int_equal(unlink(path_of("piped.pgn")), 0);
    assert_int_equal(mkfifo(path_of("piped.pgn"), S_IRUSR | S_IWUSR), 0);
    assert_string_equal(ask("GET", "/game/00000000", ""), "");
    assert_int_equal(status_of(), 404);
    assert_says(get("/lichess"), "\"recentGames\":[],");
    stop();
}

/* 2,000 games, 1,900 of them by strong players; those of others are of all months. */
static void write_busy(const char *name, int first, int step)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    for (int i = first; i < 2000; i += step) {
        bool weak = i % 20 == 0;
        int elo = weak ? 1000 + i % 190 : 2400 + i % 190;
        (void)fprintf(file,
                      "[Event \"?\"]\n[Site \"https://lichess.org/busy%04d\"]\n"
                      "[Date \"%d.%02d.%02d\"]\n[White \"W%d\"]\n[Black \"B\"]\n[Result \"1-0\"]\n"
                      "[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n[TimeControl \"%s\"]\n\n"
                      "1. %s %s 1-0\n\n",
                      i, 2015 + i / 20 % 10, 1 + i / 200, 1 + i % 28, i, elo, elo,
                      i % 40 ? "180+2" : "600+0", i == 777 ? "a4" : "e4", i % 3 ? "e5" : "c5");
    }
    assert_int_equal(fclose(file), 0);
}

/* Games of every speed, rating group and year are listed, however many stronger ones there are. */
static void busy_positions_list_games_of_all_kinds(void **state)
{
    (void)state;
    write_busy("busy.pgn", 0, 1);
    assert_int_equal(
        RUN("build", path_of("busy.pgn"), "--stats", path_of("busy.wld"), "--samples", "8", "-q"),
        0);
    assert_int_equal(RUN("verify", path_of("busy.wld")), 0);
    START("--lichess", path_of("busy.wld"), "--masters", path_of("busy.wld"));
    const char *body = get("/lichess?ratings=1000&topGames=0&moves=0");
    assert_int_equal(times(body, "\"id\":"), 8);
    assert_int_equal(times(body, "\"rating\":10") + times(body, "\"rating\":11"), 16);
    assert_says(body, "\"recentGames\":[{\"uci\":\"e2e4\",\"id\":\"busy1980\","); /* 2024-10 */
    assert_int_equal(times(body, "\"month\":\"2024-"), 8);
    /* One of them is of a rapid game. */
    body = get("/lichess?ratings=1000,1200&speeds=rapid&topGames=0&moves=0&recentGames=3");
    assert_int_equal(times(body, "\"id\":"), 3);
    assert_int_equal(times(body, "\"speed\":\"rapid\""), 3);
    assert_int_equal(times(body, "\"month\":\"2023-"), 3);
    body = get("/lichess?moves=0");
    assert_int_equal(times(body, "\"id\":"), 8);
    assert_int_equal(times(body, "\"rating\":25"), 8);
    body = get("/lichess?since=2016-01&until=2016-12&moves=0");
    assert_true(times(body, "\"id\":") >= 4);
    assert_int_equal(times(body, "\"year\":2016"), times(body, "\"id\":"));
    body = get("/masters?moves=0");
    assert_true(times(body, "\"rating\":258") >= 16);     /* --samples 8 */
    body = get("/masters?moves=0&since=2017&until=2017"); /* 64 of ten years */
    assert_true(times(body, "\"year\":2017") >= 6);
    assert_int_equal(times(body, "\"year\":2017"), times(body, "\"id\":"));
    /* The only game of a rare move. */
    assert_says(get("/lichess"), "\"game\":{\"id\":\"busy0777\"");
    body = get("/more?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1&ratings=1000");
    assert_int_equal(times(body, "\"about\""), 6);
    assert_null(strstr(body, "\"elo\": 2"));
    stop();
}

static void shards_in_any_order_give_the_same_samples(void **state)
{
    (void)state;
    static const char *const orders[][3] = {{"s0.wld", "s1.wld", "s2.wld"},
                                            {"s2.wld", "s0.wld", "s1.wld"},
                                            {"s1.wld", "s2.wld", "s0.wld"}};
    for (int i = 0; i < 3; i++) {
        char name[10];
        (void)snprintf(name, sizeof name, "s%d.pgn", i);
        write_busy(name, i, 3);
        assert_int_equal(RUN("build", path_of(name), "--stats", path_of(orders[0][i]), "--samples",
                             "8", "--keep-duplicates", "-q"),
                         0);
    }
    assert_int_equal(RUN("build", path_of("s1.pgn"), path_of("s0.pgn"), path_of("s2.pgn"),
                         "--stats", path_of("whole.wld"), "--samples", "8", "--keep-duplicates",
                         "--jobs", "3", "-q"),
                     0);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        assert_int_equal(RUN("merge", path_of(orders[i][0]), path_of(orders[i][1]), "-o",
                             path_of("two.wld"), "-q"),
                         0);
        assert_int_equal(
            RUN("merge", path_of(orders[i][2]), path_of("two.wld"), "-o", path_of("sum.wld"), "-q"),
            0);
        assert_same_files("whole.wld", "sum.wld");
        assert_same_files("whole.wld.games", "sum.wld.games");
    }
    assert_int_equal(RUN("build", path_of("s0.pgn"), "--stats", path_of("none.wld"), "--samples",
                         "8", "--facets", "none", "--keep-duplicates", "-q"),
                     0);
    assert_int_equal(RUN("merge", path_of("none.wld"), path_of("s1.wld"), "--force", "-o",
                         path_of("mixed.wld"), "-q"),
                     0);
    assert_says(result.errors, "no sample games in the sum: ");
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    answer = malloc(ANSWER_MAX);
    if (!answer || create_folder() != 0)
        return -1;
    write_text("tiny.pgn", games);
    return build(path_of("tiny.pgn"), path_of("tiny.wld"), NULL, NULL) == 0 &&
                   build(path_of("tiny.pgn"), path_of("ann.wld"), "--player", "Ann") == 0 &&
                   RUN("build", path_of("tiny.pgn"), "--player-white", "Bob", "--color", "all",
                       "--stats", path_of("bob.wld"), "--max-ply", "50", "--samples", "20") == 0
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    free(answer);
    process_destroy(server);
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_have_their_shapes),
        cmocka_unit_test(a_month_of_lichess),
        cmocka_unit_test(http_is_spoken),
        cmocka_unit_test(requests_are_logged),
        cmocka_unit_test(any_page_may_ask),
        cmocka_unit_test(listens_where_told),
        cmocka_unit_test(damaged_and_replaced_files),
        cmocka_unit_test(faults_of_the_command_line),
        cmocka_unit_test(statistics_of_a_stream),
        cmocka_unit_test(pinned_captures_make_no_position),
        cmocka_unit_test(ids_give_games_alone),
        cmocka_unit_test(games_become_a_pipe),
        cmocka_unit_test(busy_positions_list_games_of_all_kinds),
        cmocka_unit_test(shards_in_any_order_give_the_same_samples),
    };
    return cmocka_run_group_tests_name("makebook serve", tests, set_up, tear_down);
}

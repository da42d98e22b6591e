#include "book/makebook/explore/serve.h"

#ifdef CAXTON_HAVE_MICROHTTPD

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/interrupt.h"
#include "base/memory_stream.h"
#include "base/thread.h"
#include "book/makebook/explore/more.h"
#include "chess/fen.h"
#include "chess/movegen.h"

/* CONNECTIONS_MAX: those that end_oldest() has ended and that are not gone yet included. */
enum { CONNECTIONS_KEPT = 32, CONNECTIONS_MAX = 64, IDLE_S = 60, QUESTION_PLIES = 1024 };

/* Until when main waits. */
struct ending {
    struct monitor monitor;
    bool wanted; /* guarded by the monitor */
};

/* An answer: `bytes` are for free(), or NULL and `text` is sent. */
struct answer {
    unsigned status;
    const char *type;
    char *bytes;
    struct span text;
};

static struct answer complain(unsigned status, const char *text)
{
    return (struct answer){.status = status, .type = "text/plain", .text = span_of(text)};
}

/* A page of another site must not read the book by a name of its own for this machine: browsers say
 * by which name they ask. */
static bool is_for_us(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i]);
        if (strncmp(host, names[i], size) == 0 && (host[size] == '\0' || host[size] == ':'))
            return true;
    }
    return false;
}

/* A page of another site, or of another port of this machine, may not even make us work: browsers
 * say who asks. What is to be open to other pages is not to be asked this. */
static bool is_own_page(struct MHD_Connection *connection)
{
    const char *site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site");
    return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
}

/* What a request asks about: /moves?fen=FEN, or /more?fen=FEN&moves=M,M,.. */
struct question {
    struct position pos; /* the start of the line */
    move moves[QUESTION_PLIES];
    size_t plies;
};

/* Reads numbers of legal moves, "1,2,..". */
static bool read_moves(const char *text, struct question *question)
{
    struct position pos = question->pos;
    struct span rest = span_of(text);
    while (rest.size > 0) {
        const char *comma = memchr(rest.data, ',', rest.size);
        size_t size = comma ? (size_t)(comma - rest.data) : rest.size;
        move legal[MOVES_MAX];
        int64_t number;
        int count = movegen_legal(&pos, legal);
        if (question->plies == QUESTION_PLIES ||
            span_to_int(span_make(rest.data, size), 0, UINT16_MAX, &number) != STATUS_OK)
            return false;
        int i = 0;
        while (i < count && legal[i] != (move)number)
            i++;
        if (i == count)
            return false;
        position_play(&pos, legal[i]);
        question->moves[question->plies++] = legal[i];
        size_t taken = comma ? size + 1 : size;
        rest = span_make(rest.data + taken, rest.size - taken);
    }
    return true;
}

static enum caxton_status write_answer(const struct explore_serving *serving, bool is_more,
                                       const struct question *question, FILE *out,
                                       struct diag *diag)
{
    return is_more ? explore_more_json(&serving->lookup, &question->pos, question->moves,
                                       question->plies, out, diag)
                   : explore_lookup_json(&serving->lookup, &question->pos, out, diag);
}

static struct answer answer_json(const struct explore_serving *serving, bool is_more,
                                 const struct question *question)
{
    struct diag diag = {.text = ""};
    struct memory_stream made;
    bool is_open = memory_stream_open(&made);
    enum caxton_status status =
        is_open ? write_answer(serving, is_more, question, made.file, &diag) : STATUS_NO_MEMORY;
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        return (struct answer){.status = MHD_HTTP_OK,
                               .type = "application/json",
                               .bytes = made.bytes,
                               .text = {made.bytes, made.size}};
    free(made.bytes);
    return complain(MHD_HTTP_INTERNAL_SERVER_ERROR,
                    status == STATUS_FORMAT ? "This part of the statistics is damaged: makebook "
                                              "verify says where."
                                            : status_name(status));
}

/* fen, moves: what the request says; moves: NULL where only the position is asked for. */
static struct answer answer_question(const struct explore_serving *serving, const char *fen,
                                     const char *moves)
{
    struct diag diag = {.text = ""};
    struct question question = {.plies = 0};
    if (!fen)
        return complain(MHD_HTTP_BAD_REQUEST, "fen is missing");
    if (fen_parse_lenient(span_of(fen), &question.pos, &diag) != STATUS_OK)
        return complain(MHD_HTTP_BAD_REQUEST, "fen is no position");
    if (moves && !read_moves(moves, &question))
        return complain(MHD_HTTP_BAD_REQUEST, "moves are no legal moves");
    return answer_json(serving, moves != NULL, &question);
}

static struct answer find_answer(const struct explore_serving *serving,
                                 struct MHD_Connection *connection, const char *url,
                                 const char *method)
{
    if (!is_for_us(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host")))
        return complain(MHD_HTTP_BAD_REQUEST, "no such host");
    if (strcmp(method, "GET") != 0)
        return complain(MHD_HTTP_METHOD_NOT_ALLOWED, "only GET");
    if (strcmp(url, "/") == 0)
        return (struct answer){
            .status = MHD_HTTP_OK, .type = "text/html; charset=utf-8", .text = serving->page};
    if (!is_own_page(connection))
        return complain(MHD_HTTP_FORBIDDEN, "not for other pages");
    if (strcmp(url, "/moves") == 0)
        return answer_question(
            serving, MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "fen"), NULL);
    if (strcmp(url, "/more") == 0) {
        const char *moves = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "moves");
        return answer_question(
            serving, MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "fen"),
            moves ? moves : "");
    }
    return complain(MHD_HTTP_NOT_FOUND, "not found");
}

static bool add_headers(struct MHD_Response *response, const char *type)
{
    const char *const headers[][2] = {
        {"Content-Type", type},
        {"X-Content-Type-Options", "nosniff"},
        {"Cache-Control", "no-store"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Content-Security-Policy", "frame-ancestors 'none'"},
        {"X-Frame-Options", "DENY"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (MHD_add_response_header(response, headers[i][0], headers[i][1]) != MHD_YES)
            return false;
    return true;
}

/* An MHD_AccessHandlerCallback: called for the head of a request and for each part of its body,
 * which nobody reads, then once more. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *body,
                              size_t *body_size, void **state)
{
    (void)version;
    (void)body;
    if (!*state) {
        *state = connection;
        return MHD_YES;
    }
    if (*body_size) {
        *body_size = 0;
        return MHD_YES;
    }
    struct answer answer = find_answer(context, connection, url, method);
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer.text.size, (void *)(uintptr_t)answer.text.data,
        answer.bytes ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) {
        free(answer.bytes);
        return MHD_NO;
    }
    enum MHD_Result queued = MHD_NO;
    if (add_headers(response, answer.type))
        queued = MHD_queue_response(connection, answer.status, response);
    MHD_destroy_response(response);
    return queued;
}

/* The last connections, in a ring; NULL: closed. Only the daemon's thread uses it. */
struct connections {
    struct MHD_Connection *list[CONNECTIONS_KEPT];
    size_t next; /* in its place is the oldest */
};

/* An MHD_NotifyConnectionCallback. The daemon refuses whoever comes when all are taken, and a byte
 * now and then keeps one for ever: those who never end their requests would lock all others out. */
static void end_oldest(void *context, struct MHD_Connection *connection, void **state,
                       enum MHD_ConnectionNotificationCode event)
{
    struct connections *open = context;
    struct MHD_Connection **place = *state;
    if (event == MHD_CONNECTION_NOTIFY_CLOSED) {
        *place = *place == connection ? NULL : *place; /* another one may have it */
        return;
    }
    struct MHD_Connection **oldest = &open->list[open->next++ % CONNECTIONS_KEPT];
    const union MHD_ConnectionInfo *info =
        *oldest ? MHD_get_connection_info(*oldest, MHD_CONNECTION_INFO_CONNECTION_FD) : NULL;
    if (info) /* the daemon sees its end and closes it */
        (void)shutdown(info->connect_fd, SHUT_RDWR);
    *oldest = connection;
    *state = oldest;
}

static void end(void *context)
{
    struct ending *ending = context;
    (void)pthread_mutex_lock(&ending->monitor.mutex);
    ending->wanted = true;
    (void)pthread_cond_broadcast(&ending->monitor.changed);
    (void)pthread_mutex_unlock(&ending->monitor.mutex);
}

static void wait_for_end(struct ending *ending)
{
    (void)pthread_mutex_lock(&ending->monitor.mutex);
    while (!ending->wanted)
        (void)pthread_cond_wait(&ending->monitor.changed, &ending->monitor.mutex);
    (void)pthread_mutex_unlock(&ending->monitor.mutex);
}

static enum caxton_status listen_until(const struct explore_serving *serving, struct ending *ending,
                                       struct diag *diag)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)serving->port),
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    struct connections open = {.next = 0};
    errno = 0;
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, (uint16_t)serving->port, NULL, NULL, handle,
        (void *)(uintptr_t)serving, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_S, MHD_OPTION_NOTIFY_CONNECTION, end_oldest, (void *)&open, MHD_OPTION_END);
    if (!daemon)
        return diag_fail(STATUS_IO, diag, "cannot listen on 127.0.0.1, port %u: %s", serving->port,
                         errno ? strerror(errno) : "no daemon");
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    (void)printf("http://127.0.0.1:%u/\n", info ? (unsigned)info->port : serving->port);
    (void)fflush(stdout);
    wait_for_end(ending);
    MHD_stop_daemon(daemon);
    return STATUS_OK;
}

enum caxton_status explore_serve(const struct explore_serving *serving, struct diag *diag)
{
    struct ending ending = {.wanted = false};
    diag_set(diag, 0, 0, "out of memory");
    if (monitor_init(&ending.monitor) != STATUS_OK)
        return STATUS_NO_MEMORY;
    struct interrupt *interrupt = interrupt_catch(end, &ending);
    enum caxton_status status = interrupt ? listen_until(serving, &ending, diag) : STATUS_NO_MEMORY;
    interrupt_release(interrupt);
    monitor_destroy(&ending.monitor);
    return status;
}

bool explore_can_serve(void)
{
    return true;
}

#else

enum caxton_status explore_serve(const struct explore_serving *serving, struct diag *diag)
{
    (void)serving;
    return diag_fail(STATUS_IO, diag, "there is no server in this build");
}

bool explore_can_serve(void)
{
    return false;
}

#endif

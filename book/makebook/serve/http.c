#include "book/makebook/serve/http.h"

#ifdef CAXTON_HAVE_MICROHTTPD

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#ifdef CAXTON_HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory_stream.h"
#include "base/thread.h"
#include "base/xxh64.h"

/* The daemon may have twice as many connections as are kept: those that end_oldest() has ended and
 * that are not gone yet. A connection's memory bounds the length of a URL: half of it. */
enum {
    CONNECTIONS_KEPT = 1024,
    FILES_LEFT = 64, /* for others than connections */
    CONNECTION_BYTES = 1 << 15,
    TARGET_MAX = 31000,   /* bytes, with ARGUMENT_BYTES for each argument */
    ARGUMENT_BYTES = 64,  /* of the connection's memory */
    SEND_BYTES = 1 << 18, /* of the system's memory for what a client does not read */
    IDLE_S = 30,
    THREADS_MAX = 8,
    PACKED_LEAST = 512 /* bytes: shorter answers are not packed */
};

/* Until when main waits. */
struct ending {
    struct monitor monitor;
    bool wanted; /* guarded by the monitor */
};

/* What there is of a connection: its request on the way, and its place in the ring of the last
 * connections. */
struct http_client {
    struct http_handling *handling; /* owned; NULL: none */
    struct MHD_Connection *connection;
    size_t place;
};

/* The last connections, in a ring; NULL: closed. */
struct http_connections {
    struct monitor monitor; /* guards the rest */
    struct http_client *list[CONNECTIONS_KEPT];
    size_t kept;
    size_t next;                 /* in its place is the oldest */
    atomic_uint_least64_t count; /* of all that are open, for the metrics */
};

/* The metrics: atomic, relaxed, any thread adds. */
enum { CLASSES = 4, BOUNDS = 5 };
static const struct {
    const char *name;
    int64_t us;
} bounds[BOUNDS] = {
    {"0.001", 1000}, {"0.005", 5000}, {"0.02", 20000}, {"0.1", 100000}, {"1", 1000000}};

struct http_daemon {
    const struct http_server *server;
    bool is_local;
    struct http_connections open;
    atomic_uint_least64_t requests[HTTP_ROUTES_MAX][CLASSES]; /* 2xx, 3xx, 4xx, 5xx */
    atomic_uint_least64_t within[BOUNDS];
    atomic_uint_least64_t us; /* in all */
    atomic_uint_least64_t bytes;
};

/* A request on its way. */
struct http_handling {
    bool has_begun;
    int64_t start_ns;
    char target[]; /* as it was sent */
};

struct http_answer http_tell(unsigned status, const char *text)
{
    return (struct http_answer){.status = status, .type = "text/plain", .text = span_of(text)};
}

const char *http_argument(const struct http_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Who may ask ------------------------------------------------------------------------------ */

/* A page of another site must not read the book by a name of its own for this machine: browsers say
 * by which name they ask. */
static bool is_for_us(const char *host, const char *own)
{
    const char *const names[] = {"127.0.0.1", "localhost", "[::1]", own};
    size_t size = host ? strcspn(host, *host == '[' ? "]" : ":") : 0;
    struct span name = span_make(host, size + (host && host[size] == ']'));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_equal_nocase(name, names[i]))
            return true;
    return false;
}

/* A page of another site, or of another port of this machine, may not even make us work: browsers
 * say who asks. What is to be open to other pages is not to be asked this. */
static bool is_own_page(struct MHD_Connection *connection)
{
    const char *site = header_of(connection, "Sec-Fetch-Site");
    return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
}

/* Metrics ---------------------------------------------------------------------------------- */

static void count_up(atomic_uint_least64_t *counter, uint64_t more)
{
    (void)atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

static unsigned long long count_read(const atomic_uint_least64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Source: the text format of Prometheus, 0.0.4. */
static void write_metrics(const struct http_daemon *daemon, FILE *out)
{
    unsigned long long sum = 0;
    (void)fputs("# TYPE caxton_http_requests_total counter\n", out);
    for (size_t i = 0; i < daemon->server->route_count; i++)
        for (int class = 0; class < CLASSES; class ++) {
            unsigned long long count = count_read(&daemon->requests[i][class]);
            if (count)
                (void)fprintf(out, "caxton_http_requests_total{route=\"%s\",code=\"%dxx\"} %llu\n",
                              daemon->server->routes[i], class + 2, count);
            sum += count;
        }
    (void)fputs("# TYPE caxton_http_request_seconds histogram\n", out);
    for (int i = 0; i < BOUNDS; i++)
        (void)fprintf(out, "caxton_http_request_seconds_bucket{le=\"%s\"} %llu\n", bounds[i].name,
                      count_read(&daemon->within[i]));
    (void)fprintf(out,
                  "caxton_http_request_seconds_bucket{le=\"+Inf\"} %llu\n"
                  "caxton_http_request_seconds_sum %.6f\n"
                  "caxton_http_request_seconds_count %llu\n"
                  "# TYPE caxton_http_response_bytes_total counter\n"
                  "caxton_http_response_bytes_total %llu\n"
                  "# TYPE caxton_http_connections gauge\n"
                  "caxton_http_connections %llu\n",
                  sum, (double)count_read(&daemon->us) / 1e6, sum, count_read(&daemon->bytes),
                  count_read(&daemon->open.count));
}

static struct http_answer answer_metrics(const struct http_daemon *daemon)
{
    struct memory_stream made;
    if (memory_stream_open(&made))
        write_metrics(daemon, made.file);
    if (memory_stream_close(&made))
        return (struct http_answer){.status = MHD_HTTP_OK,
                                    .type = "text/plain; version=0.0.4",
                                    .bytes = made.bytes,
                                    .text = {made.bytes, made.size}};
    free(made.bytes);
    return http_tell(MHD_HTTP_INTERNAL_SERVER_ERROR, status_name(STATUS_NO_MEMORY));
}

/* The common log format, and the seconds. */
static void log_request(const struct http_handling *handling, struct MHD_Connection *connection,
                        const char *method, unsigned status, size_t size, int64_t us)
{
    char target[1024];
    char address[INET6_ADDRSTRLEN] = "-";
    char date[40];
    struct tm now;
    time_t seconds = time(NULL);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info && info->client_addr->sa_family == AF_INET)
        (void)inet_ntop(AF_INET, &((const struct sockaddr_in *)info->client_addr)->sin_addr,
                        address, sizeof address);
    else if (info && info->client_addr->sa_family == AF_INET6)
        (void)inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr,
                        address, sizeof address);
    if (!gmtime_r(&seconds, &now) || !strftime(date, sizeof date, "%d/%b/%Y:%H:%M:%S +0000", &now))
        text_copy(date, sizeof date, span_of("-"));
    text_quote(target, sizeof target, span_of(handling->target));
    for (char *c = target; *c; c++)
        *c = *c == '"' ? '\'' : *c;
    (void)fprintf(stderr, "%s - - [%s] \"%s %s HTTP/1.1\" %u %zu %.6f\n", address, date,
                  text_safe(method).text, target, status, size, (double)us / 1e6);
}

/* Answers ---------------------------------------------------------------------------------- */

static struct http_answer find_answer(const struct http_daemon *daemon,
                                      struct MHD_Connection *connection,
                                      const struct http_handling *handling, const char *path,
                                      const char *method)
{
    const struct http_server *server = daemon->server;
    struct http_answer answer;
    if (daemon->is_local && !server->cors &&
        !is_for_us(header_of(connection, "Host"), server->host))
        answer = http_tell(MHD_HTTP_BAD_REQUEST, "no such host");
    else if (server->cors && strcmp(method, "OPTIONS") == 0)
        answer = http_tell(MHD_HTTP_NO_CONTENT, "");
    else if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        answer = http_tell(MHD_HTTP_METHOD_NOT_ALLOWED, "only GET");
    else if (strcmp(path, "/healthz") == 0)
        answer = http_tell(MHD_HTTP_OK, "ok\n");
    else if (!server->cors && strcmp(path, "/") != 0 && !is_own_page(connection))
        answer = http_tell(MHD_HTTP_FORBIDDEN, "not for other pages");
    else if (strcmp(path, "/metrics") == 0)
        answer = answer_metrics(daemon);
    else {
        const char *mark = strchr(handling->target, '?');
        const struct http_request request = {
            .path = path, .query = span_of(mark ? mark + 1 : ""), .connection = connection};
        return server->answer(server->context, &request);
    }
    answer.route = server->route_count - 1;
    return answer;
}

/* Is the encoding named without "q=0"? */
static bool accepts_gzip(const char *accepted)
{
    struct span rest = span_of(accepted ? accepted : "");
    for (struct span item; span_item(&rest, &item);) {
        struct span name = span_trim(item);
        struct span quality = {"", 0};
        const char *mark = item.size ? memchr(item.data, ';', item.size) : NULL;
        if (mark) {
            name = span_trim(span_make(item.data, (size_t)(mark - item.data)));
            quality = span_trim(span_from(item, (size_t)(mark - item.data) + 1));
        }
        if (!span_equal_nocase(name, "gzip"))
            continue;
        for (size_t i = 0; i < quality.size; i++) /* "q=0.000" */
            if (quality.data[i] >= '1' && quality.data[i] <= '9')
                return true;
        return quality.size == 0;
    }
    return false;
}

/* Packs the answer if that makes it smaller. */
static bool pack(struct http_answer *answer)
{
#ifdef CAXTON_HAVE_ZLIB
    enum { GZIP = 31, MEMORY = 8 };
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)answer->text.data,
                       .avail_in = (uInt)answer->text.size};
    if (answer->text.size < PACKED_LEAST || answer->text.size > UINT32_MAX / 2 ||
        deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    char *packed = malloc(answer->text.size);
    stream.next_out = (Bytef *)packed;
    stream.avail_out = packed ? stream.avail_in : 0;
    bool is_packed = packed && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    size_t size = stream.total_out;
    (void)deflateEnd(&stream);
    if (!is_packed) {
        free(packed);
        return false;
    }
    free(answer->bytes);
    answer->bytes = packed;
    answer->text = span_make(packed, size);
    return true;
#else
    return !answer;
#endif
}

static bool add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static bool add_headers(const struct http_server *server, struct MHD_Response *response,
                        const struct http_answer *answer, const char *tag, bool is_packed)
{
    const char *const headers[][2] = {
        {"Content-Type", answer->type},
        {"X-Content-Type-Options", "nosniff"},
        {"Cache-Control", *tag ? "no-cache" : "no-store"},
        {"Vary", "Accept-Encoding"},
        {"Cross-Origin-Resource-Policy", server->cors ? "cross-origin" : "same-origin"},
        {"Content-Security-Policy", "frame-ancestors 'none'"},
        {"X-Frame-Options", "DENY"},
    };
    static const char *const open[][2] = {
        {"Access-Control-Allow-Origin", "*"},
        {"Access-Control-Allow-Methods", "GET, HEAD"},
        {"Access-Control-Allow-Headers", "Authorization, *"},
        {"Access-Control-Allow-Private-Network", "true"},
        {"Access-Control-Max-Age", "86400"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (!add_header(response, headers[i][0], headers[i][1]))
            return false;
    bool is_asked = answer->status == MHD_HTTP_NO_CONTENT;
    for (size_t i = 0; server->cors && i < (is_asked ? sizeof open / sizeof *open : 1); i++)
        if (!add_header(response, open[i][0], open[i][1]))
            return false;
    return (!*tag || add_header(response, "ETag", tag)) &&
           (!is_packed || add_header(response, "Content-Encoding", "gzip")) &&
           (answer->status != MHD_HTTP_METHOD_NOT_ALLOWED ||
            add_header(response, "Allow", server->cors ? "GET, HEAD, OPTIONS" : "GET, HEAD"));
}

/* Has the client the answer already? */
static bool has_it(const char *matches, const char *tag)
{
    return matches && (strcmp(matches, "*") == 0 || strstr(matches, tag));
}

/* Takes `answer`. */
static enum MHD_Result send_answer(struct http_daemon *daemon, struct MHD_Connection *connection,
                                   struct http_answer *answer)
{
    char tag[32] = "";
    bool is_packed = false;
    if (answer->status == MHD_HTTP_OK) {
        unsigned long long hash = xxh64(answer->text.data, answer->text.size, 0);
        is_packed = accepts_gzip(header_of(connection, "Accept-Encoding")) && pack(answer);
        (void)snprintf(tag, sizeof tag, "\"%016llx%s\"", hash, is_packed ? "-gz" : "");
        if (has_it(header_of(connection, "If-None-Match"), tag)) {
            free(answer->bytes);
            answer->bytes = NULL;
            answer->text = span_of("");
            answer->status = MHD_HTTP_NOT_MODIFIED;
            is_packed = false;
        }
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer->text.size, (void *)(uintptr_t)answer->text.data,
        answer->bytes ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) {
        free(answer->bytes);
        return MHD_NO;
    }
    enum MHD_Result queued = MHD_NO;
    if (add_headers(daemon->server, response, answer, tag, is_packed))
        queued = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return queued;
}

static size_t count_arguments(const char *target)
{
    size_t count = 0;
    for (const char *mark = strchr(target, '?'); mark; mark = strchr(mark + 1, '&'))
        count++;
    return count;
}

static struct http_client *client_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static int socket_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* The daemon sees its end and closes it. */
static void hang_up(struct MHD_Connection *connection)
{
    (void)shutdown(socket_of(connection), SHUT_RDWR);
}

/* The first call about a request: what comes back is the handler's state. The library (0.9.75) does
 * not always tell that a request is over: the connection keeps what it began. */
static void *begin(void *context, const char *target, struct MHD_Connection *connection)
{
    (void)context;
    struct http_client *client = client_of(connection);
    size_t size = strlen(target) + 1;
    if (!client)
        return NULL;
    if (size + ARGUMENT_BYTES * count_arguments(target) > TARGET_MAX)
        hang_up(connection);
    free(client->handling);
    struct http_handling *handling = client->handling = malloc(sizeof *handling + size);
    if (!handling)
        return NULL;
    handling->has_begun = false;
    handling->start_ns = clock_ns();
    memcpy(handling->target, target, size);
    return handling;
}

static void finish(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)code;
    struct http_client *client = client_of(connection);
    if (client) {
        free(client->handling);
        client->handling = NULL;
    }
    *state = NULL;
}

/* An MHD_AccessHandlerCallback: called for the head of a request and for each part of its body,
 * which nobody reads, then once more. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *body,
                              size_t *body_size, void **state)
{
    struct http_daemon *daemon = context;
    struct http_handling *handling = *state;
    (void)version;
    (void)body;
    if (!handling)
        return MHD_NO;
    if (!handling->has_begun) {
        handling->has_begun = true;
        return MHD_YES;
    }
    if (*body_size) {
        *body_size = 0;
        return MHD_YES;
    }
    struct http_answer answer = find_answer(daemon, connection, handling, path, method);
    enum MHD_Result queued = send_answer(daemon, connection, &answer);
    int64_t us = (clock_ns() - handling->start_ns) / 1000;
    unsigned class = answer.status / 100 - 2;
    count_up(&daemon->requests[answer.route][class < CLASSES ? class : CLASSES - 1], 1);
    count_up(&daemon->us, (uint64_t)us);
    count_up(&daemon->bytes, answer.text.size);
    for (int i = 0; i < BOUNDS; i++)
        if (us <= bounds[i].us)
            count_up(&daemon->within[i], 1);
    if (daemon->server->log)
        log_request(handling, connection, method, answer.status, answer.text.size, us);
    return queued;
}

/* Connections ------------------------------------------------------------------------------ */

static void client_begin(struct http_connections *open, struct http_client *client)
{
    static const int bytes = SEND_BYTES;
    (void)setsockopt(socket_of(client->connection), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    struct http_client **oldest = &open->list[client->place = open->next++ % open->kept];
    if (*oldest)
        hang_up((*oldest)->connection);
    *oldest = client;
}

static void client_end(struct http_connections *open, struct http_client *client)
{
    struct http_client **place = &open->list[client->place];
    *place = *place == client ? NULL : *place; /* another one may have it */
    free(client->handling);
    free(client);
}

/* An MHD_NotifyConnectionCallback. The daemon refuses whoever comes when all are taken, and a byte
 * now and then keeps one for ever: those who never end their requests would lock all others out.
 * A socket is closed only after the call about that, so the lock keeps it open here. */
static void end_oldest(void *context, struct MHD_Connection *connection, void **state,
                       enum MHD_ConnectionNotificationCode event)
{
    struct http_connections *open = context;
    struct http_client *client = *state;
    monitor_lock(&open->monitor);
    if (event == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (client)
            client_end(open, client);
        *state = NULL;
        (void)atomic_fetch_sub_explicit(&open->count, 1, memory_order_relaxed);
    } else {
        *state = client = calloc(1, sizeof *client); /* without memory it has no answers */
        if (client) {
            client->connection = connection;
            client_begin(open, client);
        }
        (void)atomic_fetch_add_explicit(&open->count, 1, memory_order_relaxed);
    }
    monitor_unlock(&open->monitor);
}

static size_t connections_kept(void)
{
    size_t files = file_open_max();
    size_t kept = files > FILES_LEFT + 2 * CONNECTIONS_KEPT ? CONNECTIONS_KEPT
                  : files > FILES_LEFT                      ? (files - FILES_LEFT) / 2
                                                            : 0;
    return kept > 2 * THREADS_MAX ? kept : 2 * THREADS_MAX;
}

/* Beginning and end ------------------------------------------------------------------------ */

union address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

static bool read_host(const char *host, unsigned port, union address *out)
{
    memset(out, 0, sizeof *out);
    host = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
    if (inet_pton(AF_INET, host, &out->four.sin_addr) == 1) {
        out->four.sin_family = AF_INET;
        out->four.sin_port = htons((uint16_t)port);
        return true;
    }
    out->six.sin6_family = AF_INET6;
    out->six.sin6_port = htons((uint16_t)port);
    return inet_pton(AF_INET6, host, &out->six.sin6_addr) == 1;
}

bool http_is_local(const char *host)
{
    union address address;
    if (!read_host(host, 0, &address))
        return false;
    if (address.any.sa_family == AF_INET)
        return ntohl(address.four.sin_addr.s_addr) >> 24 == 127;
    return memcmp(&address.six.sin6_addr, &in6addr_loopback, sizeof in6addr_loopback) == 0;
}

static void end(void *context)
{
    struct ending *ending = context;
    monitor_lock(&ending->monitor);
    ending->wanted = true;
    monitor_wake(&ending->monitor);
    monitor_unlock(&ending->monitor);
}

static void wait_for_end(struct ending *ending)
{
    monitor_lock(&ending->monitor);
    while (!ending->wanted)
        (void)pthread_cond_wait(&ending->monitor.changed, &ending->monitor.mutex);
    monitor_unlock(&ending->monitor);
}

static enum caxton_status listen_until(struct http_daemon *daemon, struct ending *ending,
                                       struct diag *diag)
{
    const struct http_server *server = daemon->server;
    union address address;
    int threads = thread_processors(THREADS_MAX);
    if (!read_host(server->host, server->port, &address))
        return diag_fail(STATUS_IO, diag, "--host %s is no address", server->host);
    bool is_six = address.any.sa_family == AF_INET6;
    errno = 0;
    struct MHD_Daemon *mhd = MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD | (is_six ? MHD_USE_IPv6 : 0), (uint16_t)server->port, NULL,
        NULL, handle, daemon, MHD_OPTION_SOCK_ADDR, &address.any, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)(threads > 2 ? threads : 2), MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(2 * daemon->open.kept), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
        MHD_OPTION_URI_LOG_CALLBACK, begin, NULL, MHD_OPTION_NOTIFY_COMPLETED, finish, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, end_oldest, &daemon->open, MHD_OPTION_END);
    if (!mhd)
        return diag_fail(STATUS_IO, diag, "cannot listen on %s, port %u: %s", server->host,
                         server->port, errno ? strerror(errno) : "no daemon");
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(mhd, MHD_DAEMON_INFO_BIND_PORT);
    (void)printf(is_six ? "http://[%s]:%u/\n" : "http://%s:%u/\n", server->host,
                 info ? (unsigned)info->port : server->port);
    (void)fflush(stdout);
    wait_for_end(ending);
    MHD_stop_daemon(mhd);
    return STATUS_OK;
}

static enum caxton_status serve(struct http_daemon *daemon, struct diag *diag)
{
    struct ending ending = {.wanted = false};
    if (monitor_init(&ending.monitor) != STATUS_OK)
        return STATUS_NO_MEMORY;
    struct interrupt *interrupt = interrupt_catch(end, &ending);
    enum caxton_status status = interrupt ? listen_until(daemon, &ending, diag) : STATUS_NO_MEMORY;
    interrupt_release(interrupt);
    monitor_destroy(&ending.monitor);
    return status;
}

enum caxton_status http_serve(const struct http_server *server, struct diag *diag)
{
    diag_set(diag, 0, 0, "out of memory");
    struct http_daemon *daemon = calloc(1, sizeof *daemon);
    if (!daemon || monitor_init(&daemon->open.monitor) != STATUS_OK) {
        free(daemon);
        return STATUS_NO_MEMORY;
    }
    daemon->server = server;
    daemon->is_local = http_is_local(server->host);
    daemon->open.kept = connections_kept();
    enum caxton_status status = serve(daemon, diag);
    monitor_destroy(&daemon->open.monitor);
    free(daemon);
    return status;
}

bool http_can_serve(void)
{
    return true;
}

#else

struct http_answer http_tell(unsigned status, const char *text)
{
    return (struct http_answer){.status = status, .type = "text/plain", .text = span_of(text)};
}

const char *http_argument(const struct http_request *request, const char *name)
{
    return request && name ? NULL : "";
}

bool http_is_local(const char *host)
{
    return host != NULL;
}

enum caxton_status http_serve(const struct http_server *server, struct diag *diag)
{
    (void)server;
    return diag_fail(STATUS_IO, diag, "there is no server in this build");
}

bool http_can_serve(void)
{
    return false;
}

#endif

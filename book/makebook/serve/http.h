/* makebook serve over HTTP: threads, connections and their limits, compression, ETags, the log and
 * the metrics. The only file that knows libmicrohttpd; what is answered, others decide. */
#pragma once

#include "base/text.h"

/* Borrowed, for the time of the call. */
struct http_request {
    const char *path;  /* without escapes */
    struct span query; /* behind '?', with its escapes */
    void *connection;
};

/* The value of an argument of the query, without escapes; NULL: it is not there. */
const char *http_argument(const struct http_request *request, const char *name);

/* `bytes` are for free(), or NULL, and `text` stays as long as the server. */
struct http_answer {
    unsigned status;
    const char *type;
    char *bytes;
    struct span text;
    size_t route; /* under which metrics count it */
};

/* A text that stays. */
struct http_answer http_tell(unsigned status, const char *text);

enum { HTTP_ROUTES_MAX = 16 };

struct http_server {
    const char *host;          /* an address, or "localhost" */
    unsigned port;             /* 0: any that is free */
    bool cors;                 /* pages of any site may ask */
    bool log;                  /* each request, to standard error */
    const char *const *routes; /* names for metrics; the last is for all else */
    size_t route_count;
    /* Called by several threads at once, for GET and HEAD. */
    struct http_answer (*answer)(void *context, const struct http_request *request);
    void *context;
};

/* Can only programs of this machine ask a server that listens there? */
bool http_is_local(const char *host);

/* Listens, prints the address on standard output, and answers until Ctrl-C. /healthz and /metrics
 * are answered here. Errors: STATUS_IO (the port is taken, no such address, no sockets; `diag` says
 * why), STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status http_serve(const struct http_server *server, struct diag *diag);

/* Is the server part of this build? */
bool http_can_serve(void);

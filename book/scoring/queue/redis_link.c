#include "book/scoring/queue/redis_link.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef CAXTON_HAVE_HIREDIS

#include <fcntl.h>
#include <hiredis/hiredis.h>
#ifdef CAXTON_HAVE_HIREDIS_SSL
#include <hiredis/hiredis_ssl.h>
#endif

enum { CONNECT_S = 5, REPLY_S = 20, WORDS_MAX = 4096 };

struct redis_link {
    redisContext *context;
    uint64_t commands;
    char shown[sizeof((struct queue_url *)0)->shown];
#ifdef CAXTON_HAVE_HIREDIS_SSL
    redisSSLContext *tls;
#endif
};

bool redis_link_is_built(void)
{
    return true;
}

/* Errors. ------------------------------------------------------------------------------------- */

static bool begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* What an error of the server means, by its first word. */
static enum caxton_status status_of(const char *error)
{
    /* It may do it later. */
    static const char *const passing[] = {
        "OOM",      "LOADING",   "BUSY ",       "MISCONF",    "READONLY",  "MASTERDOWN",
        "TRYAGAIN", "EXECABORT", "CLUSTERDOWN", "NOREPLICAS", "UNBLOCKED", "ERR max number"};
    if (begins_with(error, "NOGROUP") || begins_with(error, "ERR no such key"))
        return STATUS_NOT_FOUND;
    if (begins_with(error, "BUSYGROUP"))
        return STATUS_AMBIGUOUS;
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        if (begins_with(error, passing[i]))
            return STATUS_IO;
    return STATUS_FORMAT;
}

static enum caxton_status fail_by_server(const struct redis_link *link, const char *error,
                                         struct diag *diag)
{
    enum caxton_status status = status_of(error);
    if (begins_with(error, "ERR unknown command") || begins_with(error, "ERR syntax"))
        diag_set(diag, 0, 0, "%s: needs Redis 6.2 or later: %s", link->shown, error);
    else
        diag_set(diag, 0, 0, "%s: %s", link->shown, error);
    return status;
}

static enum caxton_status fail_by_connection(const struct redis_link *link, struct diag *diag)
{
    return diag_fail(STATUS_IO, diag, "%s: %s", link->shown,
                     *link->context->errstr ? link->context->errstr : "no connection");
}

/* Opening. ------------------------------------------------------------------------------------ */

static enum caxton_status start_tls(struct redis_link *link, const struct queue_url *url,
                                    struct diag *diag)
{
#ifdef CAXTON_HAVE_HIREDIS_SSL
    redisSSLContextError error = REDIS_SSL_CTX_NONE;
    (void)redisInitOpenSSL();
    link->tls = redisCreateSSLContext(getenv("SSL_CERT_FILE"), "/etc/ssl/certs", NULL, NULL,
                                      url->host, &error);
    if (!link->tls)
        return diag_fail(STATUS_FORMAT, diag, "%s: no TLS: %s", link->shown,
                         redisSSLContextGetError(error));
    /* It may be a server that is about to end, or to start. */
    if (redisInitiateSSLWithContext(link->context, link->tls) != REDIS_OK)
        return diag_fail(STATUS_IO, diag, "%s: no TLS: %s", link->shown, link->context->errstr);
    return STATUS_OK;
#else
    (void)url;
    return diag_fail(STATUS_FORMAT, diag,
                     "%s: this build has no TLS: hiredis 1.0 or later was not found; a tunnel "
                     "(stunnel, ssh -L) does as well",
                     link->shown);
#endif
}

static enum caxton_status log_in(struct redis_link *link, const struct queue_url *url,
                                 struct diag *diag)
{
    if (!*url->password)
        return STATUS_OK;
    if (*url->user)
        redis_link_add(link, "AUTH %s %s", url->user, url->password);
    else
        redis_link_add(link, "AUTH %s", url->password);
    return redis_link_skip(link, diag);
}

enum caxton_status redis_link_open(const struct queue_url *url, struct redis_link **out,
                                   struct diag *diag)
{
    const struct timeval connecting = {.tv_sec = CONNECT_S};
    const struct timeval replying = {.tv_sec = REPLY_S};
    struct redis_link *link = calloc(1, sizeof *link);
    diag_set(diag, 0, 0, "out of memory");
    if (!link)
        return STATUS_NO_MEMORY;
    text_copy(link->shown, sizeof link->shown, span_of(url->shown));
    link->context = url->port ? redisConnectWithTimeout(url->host, url->port, connecting)
                              : redisConnectUnixWithTimeout(url->host, connecting);
    enum caxton_status status = link->context ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK &&
        (link->context->err || redisSetTimeout(link->context, replying) != REDIS_OK))
        status = fail_by_connection(link, diag);
    if (status == STATUS_OK) /* the engines of a worker do not speak to the server */
        (void)fcntl(link->context->fd, F_SETFD, FD_CLOEXEC);
    if (status == STATUS_OK && url->port)
        (void)redisEnableKeepAlive(link->context);
    if (status == STATUS_OK && url->tls)
        status = start_tls(link, url, diag);
    if (status == STATUS_OK)
        status = log_in(link, url, diag);
    if (status == STATUS_OK)
        *out = link;
    else
        redis_link_close(link);
    return status;
}

void redis_link_close(struct redis_link *link)
{
    if (!link)
        return;
    if (link->context)
        redisFree(link->context);
#ifdef CAXTON_HAVE_HIREDIS_SSL
    if (link->tls)
        redisFreeSSLContext(link->tls);
#endif
    free(link);
}

/* Commands and replies. ----------------------------------------------------------------------- */

void redis_link_add(struct redis_link *link, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    /* Without memory the connection fails, which the next read tells. */
    (void)redisvAppendCommand(link->context, format, arguments);
    va_end(arguments);
    link->commands++;
}

void redis_link_add_words(struct redis_link *link, const char *const *words, size_t count)
{
    /* hiredis forgot a const. */
    const char *given[WORDS_MAX];
    size_t used = count < WORDS_MAX ? count : WORDS_MAX;
    memcpy(given, words, used * sizeof *given);
    (void)redisAppendCommandArgv(link->context, (int)used, given, NULL);
    link->commands++;
}

enum caxton_status redis_link_read(struct redis_link *link, struct redis_reply **out,
                                   struct diag *diag)
{
    void *read = NULL;
    *out = NULL;
    if (link->context->err || redisGetReply(link->context, &read) != REDIS_OK || !read)
        return fail_by_connection(link, diag);
    const redisReply *reply = read;
    if (reply->type == REDIS_REPLY_ERROR) {
        enum caxton_status status = fail_by_server(link, reply->str, diag);
        freeReplyObject(read);
        return status;
    }
    *out = read;
    return STATUS_OK;
}

enum caxton_status redis_link_skip(struct redis_link *link, struct diag *diag)
{
    struct redis_reply *reply;
    enum caxton_status status = redis_link_read(link, &reply, diag);
    redis_reply_free(reply);
    return status;
}

uint64_t redis_link_commands(const struct redis_link *link)
{
    return link->commands;
}

void redis_reply_free(struct redis_reply *reply)
{
    if (reply)
        freeReplyObject(reply);
}

static const redisReply *reply_of(const struct redis_reply *reply)
{
    return (const void *)reply;
}

bool redis_reply_is_nil(const struct redis_reply *reply)
{
    return !reply || reply_of(reply)->type == REDIS_REPLY_NIL;
}

struct span redis_reply_text(const struct redis_reply *reply)
{
    if (!reply || !reply_of(reply)->str)
        return span_make("", 0);
    return span_make(reply_of(reply)->str, reply_of(reply)->len);
}

int64_t redis_reply_number(const struct redis_reply *reply)
{
    return reply && reply_of(reply)->type == REDIS_REPLY_INTEGER ? reply_of(reply)->integer : 0;
}

size_t redis_reply_count(const struct redis_reply *reply)
{
    return reply && reply_of(reply)->type == REDIS_REPLY_ARRAY ? reply_of(reply)->elements : 0;
}

const struct redis_reply *redis_reply_item(const struct redis_reply *reply, size_t index)
{
    if (index >= redis_reply_count(reply))
        return NULL;
    return (const void *)reply_of(reply)->element[index];
}

#else

bool redis_link_is_built(void)
{
    return false;
}

enum caxton_status redis_link_open(const struct queue_url *url, struct redis_link **out,
                                   struct diag *diag)
{
    (void)url;
    (void)out;
    return diag_fail(STATUS_FORMAT, diag,
                     "this build has no queue: the library hiredis was not found when it was made");
}

/* Nobody gets so far. */

void redis_link_close(struct redis_link *link)
{
    (void)link;
}

void redis_link_add(struct redis_link *link, const char *format, ...)
{
    (void)link;
    (void)format;
}

void redis_link_add_words(struct redis_link *link, const char *const *words, size_t count)
{
    (void)link;
    (void)words;
    (void)count;
}

enum caxton_status redis_link_read(struct redis_link *link, struct redis_reply **out,
                                   struct diag *diag)
{
    (void)link;
    *out = NULL;
    return diag_fail(STATUS_FORMAT, diag, "this build has no queue");
}

enum caxton_status redis_link_skip(struct redis_link *link, struct diag *diag)
{
    struct redis_reply *reply;
    return redis_link_read(link, &reply, diag);
}

uint64_t redis_link_commands(const struct redis_link *link)
{
    (void)link;
    return 0;
}

void redis_reply_free(struct redis_reply *reply)
{
    (void)reply;
}

bool redis_reply_is_nil(const struct redis_reply *reply)
{
    (void)reply;
    return true;
}

struct span redis_reply_text(const struct redis_reply *reply)
{
    (void)reply;
    return span_make("", 0);
}

int64_t redis_reply_number(const struct redis_reply *reply)
{
    (void)reply;
    return 0;
}

size_t redis_reply_count(const struct redis_reply *reply)
{
    (void)reply;
    return 0;
}

const struct redis_reply *redis_reply_item(const struct redis_reply *reply, size_t index)
{
    (void)reply;
    (void)index;
    return NULL;
}

#endif

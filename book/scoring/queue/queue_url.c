#include "book/scoring/queue/queue_url.h"

#include <string.h>

#include "book/scoring/queue/queue_message.h"

static const char *const forms = "redis://[user:password@]host[:port]/name";

/* Moves the scheme off the front. False: it is none of ours. */
static bool take_scheme(struct span *rest, const char *scheme)
{
    size_t size = strlen(scheme);
    if (rest->size < size || memcmp(rest->data, scheme, size) != 0)
        return false;
    *rest = span_from(*rest, size);
    return true;
}

/* Where the character stands last; rest.size: nowhere. */
static size_t last_of(struct span rest, char c)
{
    for (size_t i = rest.size; i > 0; i--)
        if (rest.data[i - 1] == c)
            return i - 1;
    return rest.size;
}

/* Takes "user:password@" off the front, if it is there. */
static enum caxton_status take_user(struct span *rest, struct queue_url *url, struct diag *diag)
{
    const char *end = memchr(rest->data, '@', rest->size);
    if (!end)
        return STATUS_OK;
    struct span both = span_make(rest->data, (size_t)(end - rest->data));
    *rest = span_from(*rest, both.size + 1);
    const char *colon = memchr(both.data, ':', both.size);
    size_t user = colon ? (size_t)(colon - both.data) : both.size;
    enum caxton_status status =
        percent_decode(span_make(both.data, user), url->user, sizeof url->user);
    if (status == STATUS_OK && colon)
        status = percent_decode(span_from(both, user + 1), url->password, sizeof url->password);
    if (status != STATUS_OK)
        return diag_fail(status, diag,
                         "the user or the password is too long, or has a %% that is "
                         "not followed by two hexadecimal digits (write it as %%25)");
    return STATUS_OK;
}

static bool is_name(struct span name)
{
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              (c && strchr("-_.", c))))
            return false;
    }
    return name.size > 0 && name.size < QUEUE_NAME_MAX;
}

/* Takes "/name" off the end. */
static enum caxton_status take_name(struct span *rest, struct queue_url *url, struct diag *diag)
{
    size_t slash = last_of(*rest, '/');
    struct span name = slash < rest->size ? span_from(*rest, slash + 1) : span_make("", 0);
    if (name.size == 0)
        return diag_fail(STATUS_SYNTAX, diag, "the queue has no name: %s", forms);
    if (!is_name(name))
        return diag_fail(STATUS_SYNTAX, diag,
                         "the name of a queue has up to %d letters, digits and -_.",
                         QUEUE_NAME_MAX - 1);
    text_copy(url->name, sizeof url->name, name);
    rest->size = slash;
    return STATUS_OK;
}

static enum caxton_status read_host(struct span rest, struct queue_url *url, struct diag *diag)
{
    struct span host = rest;
    struct span port = span_make("", 0);
    int64_t number = QUEUE_PORT;
    size_t bracket = rest.size > 0 && rest.data[0] == '[' ? last_of(rest, ']') : rest.size;
    size_t colon = last_of(rest, ':');
    if (colon < rest.size && (bracket == rest.size || colon > bracket)) {
        host = span_make(rest.data, colon);
        port = span_from(rest, colon + 1);
        if (span_to_int(port, 1, 65535, &number) != STATUS_OK)
            return diag_fail(STATUS_SYNTAX, diag, "the port is no number from 1 to 65535");
    }
    if (bracket < rest.size) { /* IPv6 */
        if (host.size != bracket + 1)
            return diag_fail(STATUS_SYNTAX, diag, "what is behind the ] of the host?");
        host = span_make(rest.data + 1, bracket - 1);
    }
    if (host.size == 0 || host.size >= sizeof url->host || memchr(host.data, '/', host.size) ||
        memchr(host.data, '[', host.size))
        return diag_fail(STATUS_SYNTAX, diag, "on which host? %s", forms);
    text_copy(url->host, sizeof url->host, host);
    url->port = (int)number;
    return STATUS_OK;
}

static enum caxton_status read_socket(struct span rest, struct queue_url *url, struct diag *diag)
{
    if (rest.size < 2 || rest.data[0] != '/' || rest.size >= 108) /* of struct sockaddr_un */
        return diag_fail(STATUS_SYNTAX, diag,
                         "the socket needs an absolute path of up to 107 characters: "
                         "unix:///path/of/socket/name");
    text_copy(url->host, sizeof url->host, rest);
    return STATUS_OK;
}

enum caxton_status queue_url_parse(struct span text, struct queue_url *out, struct diag *diag)
{
    struct queue_url url = {.tls = false};
    struct span rest = text;
    bool socket = take_scheme(&rest, "unix://");
    url.tls = !socket && take_scheme(&rest, "rediss://");
    if (!socket && !url.tls && !take_scheme(&rest, "redis://"))
        return diag_fail(STATUS_SYNTAX, diag, "a queue is named by %s", forms);
    for (size_t i = 0; i < text.size; i++)
        if ((unsigned char)text.data[i] <= ' ' || text.data[i] == 127)
            return diag_fail(STATUS_SYNTAX, diag, "there is a blank or a control character in it");
    enum caxton_status status = take_user(&rest, &url, diag);
    if (status == STATUS_OK)
        status = take_name(&rest, &url, diag);
    if (status == STATUS_OK)
        status = socket ? read_socket(rest, &url, diag) : read_host(rest, &url, diag);
    if (status != STATUS_OK)
        return status;
    struct text_buffer shown = text_buffer_on(url.shown, sizeof url.shown);
    if (socket)
        text_append(&shown, "unix://%s/%s", url.host, url.name);
    else
        text_append(&shown, strchr(url.host, ':') ? "%s://[%s]:%d/%s" : "%s://%s:%d/%s",
                    url.tls ? "rediss" : "redis", url.host, url.port, url.name);
    *out = url;
    return STATUS_OK;
}

enum caxton_status queue_url_set_password(struct queue_url *url, struct span text,
                                          struct diag *diag)
{
    struct span line;
    if (!span_line(&text, &line) || line.size == 0)
        return diag_fail(STATUS_SYNTAX, diag, "there is no password in it");
    if (line.size >= sizeof url->password || memchr(line.data, '\0', line.size))
        return diag_fail(STATUS_RANGE, diag, "the password in it is too long");
    text_copy(url->password, sizeof url->password, line);
    return STATUS_OK;
}

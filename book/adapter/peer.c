#include "book/adapter/peer.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "book/scoring/uci_searcher.h"

enum { LINES_MAX = 10000 };

const char peer_setoption[] = "setoption name ";

static const char prefix[] = "Engine "; /* of options of the engine whose name we have */

/* Lines. */

static enum caxton_status add_line(struct peer_lines *lines, const char *begin, struct span text)
{
    size_t size = strlen(begin) + text.size + 1;
    char *line = ARRAY_GROW(lines->lines, lines->capacity, lines->count + 1) ? malloc(size) : NULL;
    if (!line)
        return STATUS_NO_MEMORY;
    (void)snprintf(line, size, "%s%.*s", begin, (int)text.size, text.data);
    lines->lines[lines->count++] = line;
    return STATUS_OK;
}

static void free_lines(struct peer_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->lines[i]);
    free(lines->lines);
    *lines = (struct peer_lines){0};
}

static bool starts_with(struct span line, const char *word)
{
    return span_equal(span_token(&line), word);
}

/* Names are compared without case. */
static bool same_name(struct span a, struct span b)
{
    char name[256];
    text_copy(name, sizeof name, b);
    return b.size < sizeof name && span_equal_nocase(a, name);
}

/* Starting. */

/* What xboard engines answer to a word that they do not know, or write at once. */
static bool is_xboard(struct span line)
{
    struct span word = span_token(&line);
    return span_equal(word, "Error") || span_equal(word, "Illegal") || span_equal(word, "feature");
}

static enum caxton_status take_introduction(struct peer *peer, bool is_first, struct diag *diag)
{
    int64_t deadline_ms = clock_ms() + peer->start_ms;
    struct span line = span_of("");
    enum caxton_status status = child_send(peer->child, span_of("uci\n"), peer->start_ms, diag);
    for (int count = 0; status == STATUS_OK && !starts_with(line, "uciok"); count++) {
        status = child_read_line_within(peer->child, deadline_ms - clock_ms(), &line, diag);
        if (status == STATUS_NOT_FOUND || count == LINES_MAX)
            return diag_fail(STATUS_IO, diag, "%s does not say uciok: it is no UCI engine",
                             child_name(peer->child));
        if (status == STATUS_OK && is_xboard(line))
            return diag_fail(STATUS_IO, diag,
                             "%s is an xboard engine, by its answer to uci: \"%.*s\"; only UCI "
                             "engines can have a book here",
                             child_name(peer->child), report_quote_size(line), line.data);
        if (status == STATUS_OK && is_first && add_line(&peer->introduction, "", line) != STATUS_OK)
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    }
    return status;
}

enum caxton_status peer_start(struct peer *peer, const atomic_bool *stop, struct diag *diag)
{
    bool is_first = peer->introduction.count == 0;
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = child_start(peer->command, stop, &peer->child, diag);
    if (status == STATUS_OK)
        status = take_introduction(peer, is_first, diag);
    if (status != STATUS_OK)
        peer_end(peer);
    return status;
}

void peer_end(struct peer *peer)
{
    child_kill(peer->child);
    peer->child = NULL;
}

void peer_free(struct peer *peer)
{
    peer_end(peer);
    free_lines(&peer->introduction);
    free_lines(&peer->options);
}

/* Options. */

/* The option of that name in its introduction. */
static bool find_option(const struct peer *peer, struct span name, struct uci_option *out)
{
    for (size_t i = 0; i < peer->introduction.count; i++)
        if (uci_read_option(span_of(peer->introduction.lines[i]), out) &&
            same_name(out->name, name))
            return true;
    return false;
}

/* An option of the engine under another name, and OwnBook as it is set. */
static void introduce_hidden(const struct uci_option *option, struct span line, struct output *out)
{
    const char *end = option->name.data + option->name.size;
    struct span rest = span_from(line, (size_t)(end - line.data));
    if (span_equal_nocase(option->name, "OwnBook"))
        rest = span_of(" type check default false");
    report_line(out, "option name %s%.*s%.*s", prefix, (int)option->name.size, option->name.data,
                (int)rest.size, rest.data);
}

void peer_introduce(const struct peer *peer, struct output *out)
{
    bool is_listed = false; /* our options */
    for (size_t i = 0; i < peer->introduction.count; i++) {
        struct span line = span_of(peer->introduction.lines[i]);
        struct uci_option option;
        struct span rest = line;
        bool is_option = uci_read_option(line, &option);
        bool is_name = span_equal(span_token(&rest), "id") && span_equal(span_token(&rest), "name");
        if (!is_listed && (is_option || starts_with(line, "uciok"))) {
            option_list(peer->ours, out);
            is_listed = true;
        }
        if (is_option && option_find(peer->ours, option.name))
            introduce_hidden(&option, line, out);
        else if (is_name)
            report_line(out, "%.*s + book", (int)line.size, line.data);
        else
            report_raw(out, line);
    }
}

struct span peer_option_name(const struct peer *peer, struct span name)
{
    enum { SIZE = sizeof prefix - 1 };
    struct uci_option option;
    if (name.size <= SIZE || !same_name(span_make(name.data, SIZE), span_of(prefix)))
        return name;
    struct span own = span_from(name, SIZE);
    return option_find(peer->ours, own) && find_option(peer, own, &option) ? own : name;
}

enum caxton_status peer_keep_option(struct peer *peer, struct span name, struct span line)
{
    struct peer_lines *kept = &peer->options;
    for (size_t i = 0; i < kept->count; i++) {
        struct span rest = span_from(span_of(kept->lines[i]), strlen("setoption"));
        bool has_value;
        if (!same_name(option_take_name(&rest, &has_value), name))
            continue;
        free(kept->lines[i]);
        kept->count--;
        memmove(kept->lines + i, kept->lines + i + 1, (kept->count - i) * sizeof *kept->lines);
        break;
    }
    return add_line(kept, peer_setoption, line);
}

enum caxton_status peer_send_options(const struct peer *peer, int64_t most_ms, struct diag *diag)
{
    struct uci_option option;
    enum caxton_status status = STATUS_OK;
    if (find_option(peer, span_of("OwnBook"), &option))
        status =
            child_send(peer->child, span_of("setoption name OwnBook value false\n"), most_ms, diag);
    for (size_t i = 0; i < peer->options.count && status == STATUS_OK; i++)
        status = child_send(peer->child, span_of(peer->options.lines[i]), most_ms, diag);
    return status;
}

#include "book/scoring/uci_engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child_process.h"
#include "book/scoring/uci_line.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

enum {
    LINES_MAX = 1000000, /* of one answer: more is a flood */
    WORD_SHOWN = 12,     /* of a wrong move */
    QUESTION_MAX = FEN_MAX + 64,
};

struct uci_engine {
    const struct uci_settings *settings;
    struct child *child;
    bool chess960;                   /* the engine has that option, */
    bool writes_chess960;            /* and it is set */
    char name[SEARCHER_NAME_MAX];    /* as the engine says it */
    bool announced[UCI_OPTIONS_MAX]; /* the engine has that option of the settings */
};

/* Starting. ----------------------------------------------------------------------------------- */

static struct span option_name(const char *option)
{
    return span_make(option, strcspn(option, "="));
}

/* What stands behind "="; NULL: nothing does. */
static const char *option_value(const char *option)
{
    const char *equals = strchr(option, '=');
    return equals ? equals + 1 : NULL;
}

static bool is_named(struct span a, struct span b)
{
    char name[64];
    if (b.size >= sizeof name)
        return false;
    text_copy(name, sizeof name, b);
    return span_equal_nocase(a, name);
}

static bool is_given(const struct uci_settings *settings, const char *name)
{
    for (size_t i = 0; i < settings->option_count; i++)
        if (span_equal_nocase(option_name(settings->options[i]), name))
            return true;
    return false;
}

static enum caxton_status set_option(struct uci_engine *engine, struct span name, const char *value,
                                     struct diag *diag)
{
    char line[1024];
    struct text_buffer text = text_buffer_on(line, sizeof line);
    text_append(&text, "setoption name %.*s%s%s\n", (int)name.size, name.data,
                value ? " value " : "", value ? value : "");
    if (text.cut)
        return diag_fail(STATUS_RANGE, diag, "%s: the option %.*s is too long",
                         child_name(engine->child), 40, name.data);
    return child_write(engine->child, line, diag);
}

/* Does the engine take that value? */
static enum caxton_status check_range(const struct uci_engine *engine,
                                      const struct uci_option *option, const char *value,
                                      struct diag *diag)
{
    int64_t number;
    if (!option->has_range ||
        span_to_int(span_of(value ? value : ""), option->min, option->max, &number) == STATUS_OK)
        return STATUS_OK;
    return diag_fail(STATUS_RANGE, diag,
                     "%s: its option %.*s takes %" PRId64 " to %" PRId64 ", not %.20s",
                     child_name(engine->child), (int)option->name.size, option->name.data,
                     option->min, option->max, value ? value : "nothing");
}

/* Sets one of the options that every engine gets, unless it is given. */
static enum caxton_status set_usual(struct uci_engine *engine, const struct uci_option *option,
                                    const char *name, const char *value, struct diag *diag)
{
    if (!span_equal_nocase(option->name, name) || is_given(engine->settings, name))
        return STATUS_OK;
    enum caxton_status status = check_range(engine, option, value, diag);
    return status == STATUS_OK ? set_option(engine, option->name, value, diag) : status;
}

/* An option of the engine: sets it, when it is one of the usual ones; notes that it is there, when
 * it is one of those given. */
static enum caxton_status take_option(struct uci_engine *engine, const struct uci_option *option,
                                      struct diag *diag)
{
    char hash[16];
    (void)snprintf(hash, sizeof hash, "%d", engine->settings->hash_mb);
    enum caxton_status status = set_usual(engine, option, "Threads", "1", diag);
    if (status == STATUS_OK)
        status = set_usual(engine, option, "Hash", hash, diag);
    if (status == STATUS_OK)
        status = set_usual(engine, option, "OwnBook", "false", diag);
    engine->chess960 = engine->chess960 || span_equal_nocase(option->name, "UCI_Chess960");
    for (size_t i = 0; i < engine->settings->option_count && status == STATUS_OK; i++) {
        const char *given = engine->settings->options[i];
        if (!is_named(option->name, option_name(given)))
            continue;
        engine->announced[i] = true;
        status = check_range(engine, option, option_value(given), diag);
    }
    return status;
}

static enum caxton_status read_until(struct uci_engine *engine, const char *word, struct span *line,
                                     struct diag *diag)
{
    for (int count = 0; count < LINES_MAX; count++) {
        enum caxton_status status = child_read_line(engine->child, line, diag);
        if (status != STATUS_OK || uci_take_word(line, word))
            return status;
    }
    return diag_fail(STATUS_IO, diag, "%s writes without end", child_name(engine->child));
}

static enum caxton_status wait_until_ready(struct uci_engine *engine, struct diag *diag)
{
    struct span line;
    child_set_timeout(engine->child, engine->settings->ready_timeout_ms);
    enum caxton_status status = child_write(engine->child, "isready\n", diag);
    return status == STATUS_OK ? read_until(engine, "readyok", &line, diag) : status;
}

static enum caxton_status read_introduction(struct uci_engine *engine, struct diag *diag)
{
    for (int count = 0; count < LINES_MAX; count++) {
        struct span line;
        struct uci_option option;
        enum caxton_status status = child_read_line(engine->child, &line, diag);
        if (status != STATUS_OK || uci_take_word(&line, "uciok"))
            return status;
        if (uci_take_word(&line, "id") && uci_take_word(&line, "name"))
            text_copy(engine->name, sizeof engine->name, line);
        else if (uci_read_option(line, &option))
            status = take_option(engine, &option, diag);
        if (status != STATUS_OK)
            return status;
    }
    return diag_fail(STATUS_IO, diag, "%s writes without end", child_name(engine->child));
}

static enum caxton_status set_given(struct uci_engine *engine, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < engine->settings->option_count && status == STATUS_OK; i++) {
        const char *given = engine->settings->options[i];
        struct span name = option_name(given);
        if (!engine->announced[i])
            return diag_fail(STATUS_NOT_FOUND, diag, "%s has no option %.*s",
                             child_name(engine->child), (int)(name.size < 60 ? name.size : 60),
                             name.data);
        status = set_option(engine, name, option_value(given), diag);
    }
    return status;
}

static enum caxton_status introduce(struct uci_engine *engine, struct diag *diag)
{
    child_set_timeout(engine->child, engine->settings->start_timeout_ms);
    enum caxton_status status = child_write(engine->child, "uci\n", diag);
    if (status == STATUS_OK)
        status = read_introduction(engine, diag);
    if (status == STATUS_OK)
        status = set_given(engine, diag);
    return status == STATUS_OK ? wait_until_ready(engine, diag) : status;
}

enum caxton_status uci_engine_start(const struct uci_settings *settings, const atomic_bool *stop,
                                    struct uci_engine **out, struct diag *diag)
{
    struct uci_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    engine->settings = settings;
    enum caxton_status status = child_start(settings->command, stop, &engine->child, diag);
    if (status == STATUS_OK)
        status = introduce(engine, diag);
    if (status == STATUS_OK)
        *out = engine;
    else
        uci_engine_end(engine);
    return status;
}

void uci_engine_end(struct uci_engine *engine)
{
    if (engine)
        child_kill(engine->child);
    free(engine);
}

const char *uci_engine_name(const struct uci_engine *engine)
{
    return *engine->name ? engine->name : child_name(engine->child);
}

/* Searching. ---------------------------------------------------------------------------------- */

/* Castling as king takes rook is asked for only where a position needs it: old engines lack it. */
static enum caxton_status set_chess960(struct uci_engine *engine, const struct position *pos,
                                       struct diag *diag)
{
    bool needed = fen_is_chess960(pos);
    if (needed == engine->writes_chess960)
        return STATUS_OK;
    if (!engine->chess960)
        return diag_fail(STATUS_IO, diag, "%s does not play Chess960", child_name(engine->child));
    engine->writes_chess960 = needed;
    return set_option(engine, span_of("UCI_Chess960"), needed ? "true" : "false", diag);
}

/* Keeps what the last exact score says; one that is a bound only until there is an exact one. */
static void take_info(const struct uci_info *info, struct search_answer *answer,
                      enum score_bound *bound)
{
    if (info->nodes > answer->nodes)
        answer->nodes = info->nodes;
    if (!info->has_score || (info->bound != SCORE_EXACT && *bound == SCORE_EXACT))
        return;
    answer->score = info->score;
    *bound = info->bound;
    if (info->bound == SCORE_EXACT && info->depth)
        answer->depth = info->depth;
}

static enum caxton_status take_move(const struct uci_engine *engine, const struct position *pos,
                                    struct span line, move *out, struct diag *diag)
{
    struct span word = span_token(&line);
    if (word.size == 0 || span_equal(word, "(none)") || span_equal(word, "0000"))
        return diag_fail(STATUS_IO, diag, "%s answers without a move", child_name(engine->child));
    if (move_from_uci(pos, word, out) == STATUS_OK)
        return STATUS_OK;
    char shown[WORD_SHOWN];
    text_copy(shown, sizeof shown, word);
    for (char *c = shown; *c; c++)
        *c = *c > ' ' && *c <= '~' ? *c : '?';
    return diag_fail(STATUS_IO, diag, "%s answers with the illegal move %s",
                     child_name(engine->child), shown);
}

static enum caxton_status read_answer(struct uci_engine *engine, const struct position *pos,
                                      struct search_answer *out, struct diag *diag)
{
    struct search_answer answer = {.best = MOVE_NONE};
    enum score_bound bound = SCORE_NO_BOUND;
    for (int count = 0; count < LINES_MAX; count++) {
        struct span line;
        struct uci_info info;
        enum caxton_status status = child_read_line(engine->child, &line, diag);
        if (status != STATUS_OK)
            return status;
        if (uci_read_info(line, &info))
            take_info(&info, &answer, &bound);
        if (!uci_take_word(&line, "bestmove"))
            continue;
        status = take_move(engine, pos, line, &answer.best, diag);
        if (status == STATUS_OK && bound == SCORE_NO_BOUND)
            return diag_fail(STATUS_IO, diag, "%s answers without a score",
                             child_name(engine->child));
        *out = answer;
        return status;
    }
    return diag_fail(STATUS_IO, diag, "%s writes without end", child_name(engine->child));
}

/* Some engines know "go depth" only and answer after a ply. What ends a search early for good: a
 * mate, a single legal move, an end of the tree. */
static enum caxton_status refuse_few_nodes(const struct uci_engine *engine,
                                           const struct position *pos, struct search_limit limit,
                                           const struct search_answer *answer, struct diag *diag)
{
    enum { FEW = 10, DEEP = 60 };
    move moves[MOVES_MAX];
    if (limit.kind != SEARCH_NODES || answer->nodes >= limit.value / FEW ||
        score_is_mate(answer->score) || answer->depth >= DEEP || movegen_legal(pos, moves) == 1)
        return STATUS_OK;
    return diag_fail(STATUS_RANGE, diag,
                     "%s answers \"go nodes %" PRIu64 "\" after %" PRIu64
                     " nodes: it does not know that limit; --depth has another",
                     uci_engine_name(engine), limit.value, answer->nodes);
}

enum caxton_status uci_engine_ask(struct uci_engine *engine, const struct position *pos,
                                  struct search_limit limit, struct search_answer *out,
                                  struct diag *diag)
{
    char fen[FEN_MAX];
    char question[QUESTION_MAX];
    enum caxton_status status = child_write(engine->child, "ucinewgame\n", diag);
    if (status == STATUS_OK)
        status = set_chess960(engine, pos, diag);
    if (status == STATUS_OK)
        status = wait_until_ready(engine, diag);
    if (status != STATUS_OK)
        return status;
    fen_format(pos, fen);
    (void)snprintf(question, sizeof question, "position fen %s\ngo %s %" PRIu64 "\n", fen,
                   limit.kind == SEARCH_TO_DEPTH ? "depth" : "nodes", limit.value);
    child_set_timeout(engine->child, engine->settings->search_timeout_ms);
    status = child_write(engine->child, question, diag);
    struct search_answer answer;
    if (status == STATUS_OK)
        status = read_answer(engine, pos, &answer, diag);
    if (status == STATUS_OK)
        status = refuse_few_nodes(engine, pos, limit, &answer, diag);
    if (status == STATUS_OK)
        *out = answer;
    return status;
}

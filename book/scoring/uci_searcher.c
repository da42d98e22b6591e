#include "book/scoring/uci_searcher.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/child_process.h"
#include "book/scoring/packed_position.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "eval/eval.h"
#include "search/limits.h"

/* Lines that an engine writes. */

/* Is the first word of `line` that one? Then it is taken off, with the blanks behind it. */
static bool take_word(struct span *line, const char *word)
{
    struct span rest = *line;
    if (!span_equal(span_token(&rest), word))
        return false;
    *line = span_trim(rest);
    return true;
}

/* The words before the next one of `ends`, which is left in `rest`. Names of options have blanks.
 */
static struct span take_until(struct span *rest, const char *const *ends)
{
    struct span all = span_trim(*rest);
    struct span left = all;
    struct span last = span_make(all.data, 0);
    for (;;) {
        struct span before = left;
        struct span word = span_token(&left);
        bool end = word.size == 0;
        for (size_t i = 0; ends[i]; i++)
            end = end || span_equal(word, ends[i]);
        if (end) {
            *rest = before;
            return span_make(all.data, (size_t)(last.data + last.size - all.data));
        }
        last = word;
    }
}

bool uci_read_option(struct span line, struct uci_option *out)
{
    static const char *const ends[] = {"type", NULL};
    struct uci_option option = {.has_range = false};
    if (!take_word(&line, "option") || !take_word(&line, "name"))
        return false;
    option.name = take_until(&line, ends);
    if (option.name.size == 0)
        return false;
    (void)take_word(&line, "type");
    option.type = span_token(&line);
    bool has_min = false;
    bool has_max = false;
    for (struct span word; (word = span_token(&line)).size;) {
        if (span_equal(word, "min"))
            has_min =
                span_to_int(span_token(&line), INT64_MIN, INT64_MAX, &option.min) == STATUS_OK;
        else if (span_equal(word, "max"))
            has_max =
                span_to_int(span_token(&line), INT64_MIN, INT64_MAX, &option.max) == STATUS_OK;
    }
    option.has_range = has_min && has_max && span_equal(option.type, "spin");
    *out = option;
    return true;
}

/* The number that `line` goes on with, limited to -most .. most; false: there is none. */
static bool take_number(struct span *line, int64_t most, int64_t *out)
{
    struct span rest = *line;
    struct span word = span_token(&rest);
    int64_t number;
    enum caxton_status status = span_to_int(word, -most, most, &number);
    if (status == STATUS_RANGE)
        number = word.data[0] == '-' ? -most : most;
    else if (status != STATUS_OK)
        return false;
    *line = rest;
    *out = number;
    return true;
}

/* "cp 13" or "mate -2", behind "score". Engines count moves to a mate, we count plies. */
static void take_score(struct span *line, struct uci_info *info)
{
    int64_t number;
    if (take_word(line, "cp") && take_number(line, EVAL_MAX, &number)) {
        info->score = eval_of_centipawns((int)number);
        info->score = info->score > EVAL_MAX ? EVAL_MAX : info->score;
        info->score = info->score < -EVAL_MAX ? -EVAL_MAX : info->score;
        info->has_score = true;
    } else if (take_word(line, "mate") &&
               take_number(line, (SCORE_MATE - SCORE_MATE_IN_MAX) / 2, &number)) {
        info->score =
            number > 0 ? score_mate_in((int)(2 * number - 1)) : score_mated_in((int)(-2 * number));
        info->has_score = true;
    }
}

bool uci_read_info(struct span line, struct uci_info *out)
{
    struct uci_info info = {.bound = SCORE_EXACT};
    int64_t number;
    if (!take_word(&line, "info"))
        return false;
    for (struct span word; (word = span_token(&line)).size;) {
        if (span_equal(word, "string"))
            break;
        if (span_equal(word, "score"))
            take_score(&line, &info);
        else if (span_equal(word, "lowerbound"))
            info.bound = SCORE_LOWER;
        else if (span_equal(word, "upperbound"))
            info.bound = SCORE_UPPER;
        else if (span_equal(word, "multipv") && take_number(&line, INT32_MAX, &number)) {
            if (number != 1)
                return false;
        } else if (span_equal(word, "depth") && take_number(&line, SEARCH_DEPTH_MAX, &number))
            info.depth = number > 0 ? (int)number : 0;
        else if (span_equal(word, "nodes") && take_number(&line, INT64_MAX, &number))
            info.nodes = number > 0 ? (uint64_t)number : 0;
    }
    *out = info;
    return true;
}

/* One run of an engine, from its start to its end: it is introduced, gets its options and answers
 * questions. Whatever goes wrong ends the use of it: uci_engine_end(), and start another one. */

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
        if (status != STATUS_OK || take_word(line, word))
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
        if (status != STATUS_OK || take_word(&line, "uciok"))
            return status;
        if (take_word(&line, "id") && take_word(&line, "name"))
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

/* Kills it. NULL is allowed. */
static void uci_engine_end(struct uci_engine *engine)
{
    if (engine)
        child_kill(engine->child);
    free(engine);
}

/* Starts it and waits until it is ready. stop: ends every wait when it is true. Both are borrowed
 * until uci_engine_end(). Errors: STATUS_END (stopped), STATUS_NO_MEMORY, STATUS_IO,
 * STATUS_NOT_FOUND (it lacks an option of the settings), STATUS_RANGE (a value that it does not
 * take); `diag` begins with the command. */
static enum caxton_status uci_engine_start(const struct uci_settings *settings,
                                           const atomic_bool *stop, struct uci_engine **out,
                                           struct diag *diag)
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

/* Its name and version as it says them; the command when it says none. */
static const char *uci_engine_name(const struct uci_engine *engine)
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
        if (!take_word(&line, "bestmove"))
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

/* Has it forget everything and search the position, which has legal moves. Errors: STATUS_END
 * (stopped), STATUS_IO (all else); `diag` begins with the command. */
static enum caxton_status uci_engine_ask(struct uci_engine *engine, const struct position *pos,
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

/* The searcher. */

enum { SIGNATURE_DEPTH = 6 };

struct uci_search {
    struct uci_settings settings;
    struct uci_engine *engine; /* NULL: not running */
    atomic_bool stopped;       /* set by any thread, never taken back */
};

static void destroy(void *searcher)
{
    struct uci_search *uci = searcher;
    if (uci)
        uci_engine_end(uci->engine);
    free(uci);
}

static enum caxton_status create(const void *settings, void **out, struct diag *diag)
{
    const struct uci_settings *given = settings;
    struct uci_search *uci = calloc(1, sizeof *uci);
    if (!uci)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    uci->settings = *given;
    atomic_init(&uci->stopped, false);
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < given->option_count && status == STATUS_OK; i++)
        if (given->options[i][strcspn(given->options[i], "\r\n")])
            status = diag_fail(STATUS_RANGE, diag, "an option of an engine is one line");
    if (status == STATUS_OK)
        status = uci_engine_start(&uci->settings, &uci->stopped, &uci->engine, diag);
    if (status == STATUS_OK)
        *out = uci;
    else
        destroy(uci);
    return status;
}

static enum caxton_status run(void *searcher, const struct position *pos, struct search_limit limit,
                              struct search_answer *out, struct diag *diag)
{
    struct uci_search *uci = searcher;
    struct position asked = *pos;
    struct diag why = {.text = ""};
    char fen[FEN_MAX];
    position_forget_clocks(&asked);
    for (int attempt = 0; attempt < UCI_ATTEMPTS; attempt++) {
        enum caxton_status status = STATUS_OK;
        if (!uci->engine)
            status = uci_engine_start(&uci->settings, &uci->stopped, &uci->engine, &why);
        if (status == STATUS_OK)
            status = uci_engine_ask(uci->engine, &asked, limit, out, &why);
        if (atomic_load(&uci->stopped))
            return STATUS_END;
        if (status == STATUS_OK)
            return status;
        uci_engine_end(uci->engine);
        uci->engine = NULL;
    }
    fen_format(&asked, fen);
    return diag_fail(STATUS_IO, diag, "%s, %d times: %s", why.text, UCI_ATTEMPTS, fen);
}

static void stop(void *searcher)
{
    struct uci_search *uci = searcher;
    atomic_store(&uci->stopped, true);
}

const struct searcher_kind uci_searcher = {create, destroy, run, stop};

/* Identity. ----------------------------------------------------------------------------------- */

static uint64_t options_fingerprint(const struct uci_settings *settings)
{
    uint64_t sum = CHECKSUM_EMPTY;
    for (size_t i = 0; i < settings->option_count; i++)
        sum = checksum_add(sum, settings->options[i], strlen(settings->options[i]) + 1);
    return settings->option_count ? sum : 0;
}

/* What the engine answers to some short searches. */
static enum caxton_status find_signature(struct uci_search *uci, uint64_t *out, struct diag *diag)
{
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    };
    uint64_t sum = CHECKSUM_EMPTY;
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < sizeof fens / sizeof *fens && status == STATUS_OK; i++) {
        struct position pos;
        struct search_answer answer;
        char text[100];
        status = fen_parse(span_of(fens[i]), &pos, diag);
        if (status == STATUS_OK)
            status = run(uci, &pos, (struct search_limit){SEARCH_TO_DEPTH, SIGNATURE_DEPTH},
                         &answer, diag);
        if (status != STATUS_OK)
            return status;
        int size = snprintf(text, sizeof text, "%d %d %d %" PRIu64 ";", answer.best, answer.score,
                            answer.depth, answer.nodes);
        sum = checksum_add(sum, text, (size_t)size);
    }
    *out = sum >> 32;
    return status;
}

enum caxton_status uci_searcher_identity(const struct uci_settings *settings,
                                         struct searcher_identity *out, struct diag *diag)
{
    struct searcher_identity identity = {.hash_mb = (uint32_t)settings->hash_mb};
    void *searcher;
    uint64_t again = 0;
    enum caxton_status status = create(settings, &searcher, diag);
    if (status != STATUS_OK)
        return status;
    struct uci_search *uci = searcher;
    status = find_signature(uci, &identity.signature, diag);
    if (status == STATUS_OK)
        status = find_signature(uci, &again, diag);
    if (status == STATUS_OK && again != identity.signature)
        status = diag_fail(STATUS_AMBIGUOUS, diag,
                           "%s does not answer alike when it is asked twice; with one thread?",
                           settings->command);
    identity.network = options_fingerprint(settings);
    if (status == STATUS_OK)
        text_copy(identity.name, sizeof identity.name, span_of(uci_engine_name(uci->engine)));
    destroy(searcher);
    if (status == STATUS_OK)
        *out = identity;
    return status;
}

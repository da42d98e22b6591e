#include "book/scoring/queue/queue_message.h"

#include <inttypes.h>
#include <string.h>

#include "base/checksum.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "search/limits.h"
#include "search/score.h"

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("-._~", c));
}

void percent_encode(const char *text, struct text_buffer *out)
{
    for (; *text; text++)
        if (is_plain(*text))
            text_append(out, "%c", *text);
        else
            text_append(out, "%%%02X", (unsigned)(unsigned char)*text);
}

/* -1: it is no hexadecimal digit. */
static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

enum caxton_status percent_decode(struct span text, char *out, size_t capacity)
{
    char decoded[1024];
    size_t size = 0;
    if (capacity > sizeof decoded)
        capacity = sizeof decoded;
    for (size_t i = 0; i < text.size; i++) {
        int c = text.data[i];
        if (c == '%') {
            int high = text.size - i > 2 ? digit_of(text.data[i + 1]) : -1;
            int low = text.size - i > 2 ? digit_of(text.data[i + 2]) : -1;
            c = high < 0 || low < 0 ? 0 : high * 16 + low;
            i += 2;
        }
        if (c == 0)
            return STATUS_SYNTAX;
        if (size + 1 >= capacity)
            return STATUS_RANGE;
        decoded[size++] = (char)c;
    }
    memcpy(out, decoded, size);
    out[size] = '\0';
    return STATUS_OK;
}

enum { VERSION = 1, SUM_DIGITS = 16, FEN_FIELDS = 6 };

static const char *const limit_names[] = {"depth", "nodes"};

static const char *const outcome_names[] = {"found", "failed", "returned"};

enum { OUTCOMES = sizeof outcome_names / sizeof *outcome_names };

/* Writing. ------------------------------------------------------------------------------------ */

static void put_identity(const struct searcher_identity *identity, struct text_buffer *out)
{
    percent_encode(identity->name, out);
    text_append(out, "/%016" PRIx64 "/%" PRIu64 "/%" PRIu32 " ", identity->network,
                identity->signature, identity->hash_mb);
}

static void put_question(const struct scorer_question *question, struct text_buffer *out)
{
    char fen[FEN_MAX];
    struct position pos = question->pos;
    position_forget_clocks(&pos);
    fen_format(&pos, fen);
    text_append(out, "%s %" PRIu64 " %s ", limit_names[question->limit.kind], question->limit.value,
                fen);
}

static struct text_buffer begin(char *out, const char *kind,
                                const struct searcher_identity *identity)
{
    struct text_buffer buffer = text_buffer_on(out, QUEUE_MESSAGE_MAX);
    text_append(&buffer, "caxton-%s %d ", kind, VERSION);
    put_identity(identity, &buffer);
    return buffer;
}

static size_t finish(struct text_buffer *out)
{
    text_append(out, "%016" PRIx64, checksum_add(CHECKSUM_EMPTY, out->data, out->size));
    return out->size;
}

size_t queue_run_put(const struct queue_run *run, char out[QUEUE_MESSAGE_MAX])
{
    struct text_buffer buffer = begin(out, "run", &run->identity);
    percent_encode(run->owner, &buffer);
    text_append(&buffer, " %" PRId64 " ", run->lost_ms);
    return finish(&buffer);
}

size_t queue_job_put(const struct queue_job *job, char out[QUEUE_MESSAGE_MAX])
{
    struct text_buffer buffer = begin(out, "job", &job->identity);
    put_question(&job->question, &buffer);
    return finish(&buffer);
}

size_t queue_answer_put(const struct queue_answer *answer, char out[QUEUE_MESSAGE_MAX])
{
    struct text_buffer buffer = begin(out, "answer", &answer->identity);
    percent_encode(answer->worker, &buffer);
    text_append(&buffer, " ");
    put_question(&answer->question, &buffer);
    text_append(&buffer, "%s ", outcome_names[answer->outcome]);
    if (answer->outcome == QUEUE_FOUND) {
        char uci[UCI_MAX];
        move_to_uci(answer->answer.best, fen_is_chess960(&answer->question.pos), uci);
        text_append(&buffer, "%s %d %d %" PRIu64 " ", uci, answer->answer.score,
                    answer->answer.depth, answer->answer.nodes);
    } else if (answer->outcome == QUEUE_FAILED) {
        percent_encode(*answer->reason ? answer->reason : "no reason", &buffer);
        text_append(&buffer, " ");
    }
    return finish(&buffer);
}

/* Reading. ------------------------------------------------------------------------------------ */

/* A whole number without a sign. */
static bool get_number(struct span word, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < word.size; i++) {
        char c = word.data[i];
        if (c < '0' || c > '9' || value > (UINT64_MAX - (uint64_t)(c - '0')) / 10)
            return false;
        value = value * 10 + (uint64_t)(c - '0');
    }
    *out = value;
    return word.size > 0;
}

/* Exactly 16 lower-case hexadecimal digits. */
static bool get_hexadecimal(struct span word, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < word.size; i++) {
        char c = word.data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
        value = value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    *out = value;
    return word.size == SUM_DIGITS;
}

/* Takes what stands before the next slash off the front. */
static struct span take_part(struct span *rest)
{
    const char *slash = memchr(rest->data, '/', rest->size);
    struct span part = span_make(rest->data, slash ? (size_t)(slash - rest->data) : rest->size);
    *rest = span_from(*rest, part.size + (slash ? 1 : 0));
    return part;
}

static bool get_identity(struct span word, struct searcher_identity *out)
{
    uint64_t hash_mb;
    struct searcher_identity identity = {.hash_mb = 0};
    if (percent_decode(take_part(&word), identity.name, sizeof identity.name) != STATUS_OK ||
        !get_hexadecimal(take_part(&word), &identity.network) ||
        !get_number(take_part(&word), &identity.signature) || !get_number(word, &hash_mb) ||
        hash_mb > UINT32_MAX)
        return false;
    identity.hash_mb = (uint32_t)hash_mb;
    *out = identity;
    return true;
}

/* Checks the frame, and leaves in *rest what stands between the version and the checksum. */
static enum caxton_status open_message(struct span text, const char *kind, struct span *rest,
                                       struct diag *diag)
{
    char title[24];
    uint64_t sum;
    uint64_t version = 0;
    struct span all = text;
    struct text_buffer wanted = text_buffer_on(title, sizeof title);
    text_append(&wanted, "caxton-%s", kind);
    if (text.size >= QUEUE_MESSAGE_MAX || !span_equal(span_token(&text), title) ||
        !get_number(span_token(&text), &version))
        return diag_fail(STATUS_FORMAT, diag, "is no message of kind %s", title);
    if (version != VERSION)
        return diag_fail(STATUS_FORMAT, diag, "a message of version %" PRIu64 ", known is %d",
                         version, VERSION);
    if (text.size < SUM_DIGITS)
        return diag_fail(STATUS_FORMAT, diag, "a message without its end");
    size_t size = all.size - SUM_DIGITS;
    if (!get_hexadecimal(span_from(all, size), &sum) ||
        sum != checksum_add(CHECKSUM_EMPTY, all.data, size))
        return diag_fail(STATUS_FORMAT, diag, "a damaged message");
    *rest = span_make(text.data, text.size - SUM_DIGITS);
    return STATUS_OK;
}

static enum caxton_status get_position(struct span *rest, struct position *out, struct diag *diag)
{
    struct span fen = span_token(rest);
    for (int i = 1; i < FEN_FIELDS; i++) {
        struct span field = span_token(rest);
        if (field.size > 0)
            fen.size = (size_t)(field.data + field.size - fen.data);
    }
    struct diag why = {.text = ""};
    if (fen_parse(fen, out, &why) != STATUS_OK)
        return diag_fail(STATUS_FORMAT, diag, "a message with a wrong position: %s", why.text);
    position_forget_clocks(out);
    if (movegen_count(out) == 0)
        return diag_fail(STATUS_ILLEGAL, diag, "a message with a position without moves");
    return STATUS_OK;
}

static enum caxton_status get_question(struct span *rest, struct scorer_question *out,
                                       struct diag *diag)
{
    struct span limit = span_token(rest);
    if (span_equal(limit, limit_names[SEARCH_TO_DEPTH]))
        out->limit.kind = SEARCH_TO_DEPTH;
    else if (span_equal(limit, limit_names[SEARCH_NODES]))
        out->limit.kind = SEARCH_NODES;
    else
        return diag_fail(STATUS_FORMAT, diag, "a message with an unknown limit");
    if (!get_number(span_token(rest), &out->limit.value))
        return diag_fail(STATUS_FORMAT, diag, "a message with a limit that is no number");
    /* A depth beyond the search's would be no limit, and 0 is none. */
    if (out->limit.value == 0 ||
        (out->limit.kind == SEARCH_TO_DEPTH && out->limit.value > SEARCH_DEPTH_MAX))
        return diag_fail(STATUS_FORMAT, diag, "a message with a limit that no search has");
    return get_position(rest, &out->pos, diag);
}

/* A percent-encoded word that is not empty. */
static bool get_word(struct span *rest, char *out, size_t capacity)
{
    return percent_decode(span_token(rest), out, capacity) == STATUS_OK && *out;
}

static bool is_at_end(struct span rest)
{
    return span_trim(rest).size == 0;
}

enum caxton_status queue_run_get(struct span text, struct queue_run *out, struct diag *diag)
{
    struct queue_run run;
    struct span rest;
    enum caxton_status status = open_message(text, "run", &rest, diag);
    if (status != STATUS_OK)
        return status;
    if (!get_identity(span_token(&rest), &run.identity) ||
        !get_word(&rest, run.owner, sizeof run.owner) ||
        span_to_int(span_token(&rest), 1, INT32_MAX, &run.lost_ms) != STATUS_OK || !is_at_end(rest))
        return diag_fail(STATUS_FORMAT, diag, "a message about a run that makes no sense");
    *out = run;
    return STATUS_OK;
}

enum caxton_status queue_job_get(struct span text, struct queue_job *out, struct diag *diag)
{
    struct queue_job job;
    struct span rest;
    enum caxton_status status = open_message(text, "job", &rest, diag);
    if (status != STATUS_OK)
        return status;
    if (!get_identity(span_token(&rest), &job.identity))
        return diag_fail(STATUS_FORMAT, diag, "a message from nobody");
    status = get_question(&rest, &job.question, diag);
    if (status == STATUS_OK && !is_at_end(rest))
        return diag_fail(STATUS_FORMAT, diag, "a message that goes on behind its end");
    if (status == STATUS_OK)
        *out = job;
    return status;
}

/* MOVE SCORE DEPTH NODES. A move that is not legal is a failure of the worker, not of the message.
 */
static enum caxton_status get_found(struct span *rest, struct queue_answer *answer,
                                    struct diag *diag)
{
    int64_t score;
    int64_t depth;
    struct span uci = span_token(rest);
    if (span_to_int(span_token(rest), -SCORE_INFINITE, SCORE_INFINITE, &score) != STATUS_OK ||
        span_to_int(span_token(rest), 0, UINT8_MAX, &depth) != STATUS_OK ||
        !get_number(span_token(rest), &answer->answer.nodes))
        return diag_fail(STATUS_FORMAT, diag, "an answer with a wrong number");
    answer->answer.score = (int)score;
    answer->answer.depth = (int)depth;
    if (move_from_uci(&answer->question.pos, uci, &answer->answer.best) != STATUS_OK) {
        struct text_buffer reason = text_buffer_on(answer->reason, sizeof answer->reason);
        answer->outcome = QUEUE_FAILED;
        answer->answer = (struct search_answer){.best = MOVE_NONE};
        text_append(&reason, "its move %.*s is not legal", (int)(uci.size < 8 ? uci.size : 8),
                    uci.data);
    }
    return STATUS_OK;
}

static enum caxton_status get_outcome(struct span *rest, struct queue_answer *answer,
                                      struct diag *diag)
{
    struct span word = span_token(rest);
    int outcome = 0;
    while (outcome < OUTCOMES && !span_equal(word, outcome_names[outcome]))
        outcome++;
    if (outcome == OUTCOMES)
        return diag_fail(STATUS_FORMAT, diag, "an answer with an unknown outcome");
    answer->outcome = (enum queue_outcome)outcome;
    if (answer->outcome == QUEUE_FOUND)
        return get_found(rest, answer, diag);
    if (answer->outcome == QUEUE_FAILED && !get_word(rest, answer->reason, sizeof answer->reason))
        return diag_fail(STATUS_FORMAT, diag, "an answer with a wrong reason");
    return STATUS_OK;
}

enum caxton_status queue_answer_get(struct span text, struct queue_answer *out, struct diag *diag)
{
    struct queue_answer answer = {.reason = ""};
    struct span rest;
    enum caxton_status status = open_message(text, "answer", &rest, diag);
    if (status != STATUS_OK)
        return status;
    if (!get_identity(span_token(&rest), &answer.identity) ||
        !get_word(&rest, answer.worker, sizeof answer.worker))
        return diag_fail(STATUS_FORMAT, diag, "a message from nobody");
    status = get_question(&rest, &answer.question, diag);
    if (status == STATUS_OK)
        status = get_outcome(&rest, &answer, diag);
    if (status == STATUS_OK && !is_at_end(rest))
        return diag_fail(STATUS_FORMAT, diag, "a message that goes on behind its end");
    if (status == STATUS_OK)
        *out = answer;
    return status;
}

/* For people. --------------------------------------------------------------------------------- */

bool queue_identity_is_same(const struct searcher_identity *a, const struct searcher_identity *b)
{
    return strcmp(a->name, b->name) == 0 && a->network == b->network &&
           a->signature == b->signature && a->hash_mb == b->hash_mb;
}

void queue_identity_text(const struct searcher_identity *identity, char out[QUEUE_IDENTITY_TEXT])
{
    struct text_buffer text = text_buffer_on(out, QUEUE_IDENTITY_TEXT);
    text_append(&text, "%s (network %08" PRIx32 ", signature %" PRIu64 ", %" PRIu32 " MB)",
                identity->name, (uint32_t)(identity->network >> 32), identity->signature,
                identity->hash_mb);
}

void queue_question_text(const struct scorer_question *question, char out[QUEUE_QUESTION_TEXT])
{
    struct text_buffer text = text_buffer_on(out, QUEUE_QUESTION_TEXT);
    char fen[FEN_MAX];
    fen_format(&question->pos, fen);
    text_append(&text, "%s %" PRIu64 " of %s", limit_names[question->limit.kind],
                question->limit.value, fen);
}

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

/* Appends the text; all but letters, digits and -._~ as %XX. */
static void percent_encode(const char *text, struct text_buffer *out)
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

static const char *const kind_names[] = {
    [QUEUE_RUN] = "run", [QUEUE_JOB] = "job", [QUEUE_ANSWER] = "answer"};

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

static void put_outcome(const struct queue_message *message, struct text_buffer *out)
{
    const struct search_answer *answer = &message->answer;
    text_append(out, "%s ", outcome_names[message->outcome]);
    if (message->outcome == QUEUE_FOUND) {
        char uci[UCI_MAX];
        move_to_uci(answer->best, fen_is_chess960(&message->question.pos), uci);
        text_append(out, "%s %d %d %" PRIu64 " ", uci, answer->score, answer->depth, answer->nodes);
    } else if (message->outcome == QUEUE_FAILED) {
        percent_encode(*message->reason ? message->reason : "no reason", out);
        text_append(out, " ");
    }
}

size_t queue_message_put(const struct queue_message *message, char out[QUEUE_MESSAGE_MAX])
{
    struct text_buffer buffer = text_buffer_on(out, QUEUE_MESSAGE_MAX);
    text_append(&buffer, "caxton-%s %d ", kind_names[message->kind], VERSION);
    put_identity(&message->identity, &buffer);
    if (message->kind != QUEUE_JOB) {
        percent_encode(message->who, &buffer);
        text_append(&buffer, " ");
    }
    if (message->kind == QUEUE_RUN)
        text_append(&buffer, "%" PRId64 " ", message->lost_ms);
    else
        put_question(&message->question, &buffer);
    if (message->kind == QUEUE_ANSWER)
        put_outcome(message, &buffer);
    text_append(&buffer, "%016" PRIx64, checksum_add(CHECKSUM_EMPTY, buffer.data, buffer.size));
    return buffer.size;
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
    struct span word = span_token(rest);
    struct search_limit limit;
    struct position pos;
    if (span_equal(word, limit_names[SEARCH_TO_DEPTH]))
        limit.kind = SEARCH_TO_DEPTH;
    else if (span_equal(word, limit_names[SEARCH_NODES]))
        limit.kind = SEARCH_NODES;
    else
        return diag_fail(STATUS_FORMAT, diag, "a message with an unknown limit");
    if (!get_number(span_token(rest), &limit.value))
        return diag_fail(STATUS_FORMAT, diag, "a message with a limit that is no number");
    /* A depth beyond the search's would be no limit, and 0 is none. */
    if (limit.value == 0 || (limit.kind == SEARCH_TO_DEPTH && limit.value > SEARCH_DEPTH_MAX))
        return diag_fail(STATUS_FORMAT, diag, "a message with a limit that no search has");
    enum caxton_status status = get_position(rest, &pos, diag);
    if (status == STATUS_OK)
        *out = scorer_question_of(&pos, limit);
    return status;
}

/* A percent-encoded word that is not empty. */
static bool get_word(struct span *rest, char *out, size_t capacity)
{
    return percent_decode(span_token(rest), out, capacity) == STATUS_OK && *out;
}

/* MOVE SCORE DEPTH NODES. A move that is not legal is a failure of the worker, not of the message.
 */
static enum caxton_status get_found(struct span *rest, struct queue_message *answer,
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

static enum caxton_status get_outcome(struct span *rest, struct queue_message *answer,
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

enum caxton_status queue_message_get(struct span text, enum queue_kind kind,
                                     struct queue_message *out, struct diag *diag)
{
    struct queue_message message = {.kind = kind};
    struct span rest;
    enum caxton_status status = open_message(text, kind_names[kind], &rest, diag);
    if (status != STATUS_OK)
        return status;
    if (!get_identity(span_token(&rest), &message.identity) ||
        (kind != QUEUE_JOB && !get_word(&rest, message.who, sizeof message.who)))
        return diag_fail(STATUS_FORMAT, diag, "a message from nobody");
    if (kind != QUEUE_RUN)
        status = get_question(&rest, &message.question, diag);
    else if (span_to_int(span_token(&rest), 1, INT32_MAX, &message.lost_ms) != STATUS_OK)
        status = diag_fail(STATUS_FORMAT, diag, "a run that makes no sense");
    if (status == STATUS_OK && kind == QUEUE_ANSWER)
        status = get_outcome(&rest, &message, diag);
    if (status == STATUS_OK && span_trim(rest).size > 0)
        status = diag_fail(STATUS_FORMAT, diag, "a message that goes on behind its end");
    if (status == STATUS_OK)
        *out = message;
    return status;
}

/* For people. --------------------------------------------------------------------------------- */

void queue_question_text(const struct scorer_question *question, char out[QUEUE_QUESTION_TEXT])
{
    struct text_buffer text = text_buffer_on(out, QUEUE_QUESTION_TEXT);
    char fen[FEN_MAX];
    fen_format(&question->pos, fen);
    text_append(&text, "%s %" PRIu64 " of %s", limit_names[question->limit.kind],
                question->limit.value, fen);
}

#include "book/review/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/json.h"
#include "book/book.h"
#include "chess/fen.h"
#include "chess/notation.h"

#define FILE_SIZE_MAX ((uint64_t)1 << 31)
#define COST_MAX      1e12 /* points; no games cost so much */

static enum caxton_status read_san(const struct position *pos, struct span value, move *out)
{
    struct span text;
    return json_plain_text(value, &text) ? move_from_san(pos, text, out) : STATUS_SYNTAX;
}

/* Reads a list of moves: all of `pos`, or one after the other, which are played on it. */
static enum caxton_status read_moves(struct span list, struct position *pos, bool play,
                                     struct finding_moves *out)
{
    static const char *const names[] = {"move", "games"};
    for (struct span value; json_element(&list, &value);) {
        struct span at[2] = {value, {NULL, 0}};
        int64_t games = 0;
        if (!value.data)
            return STATUS_OK;
        if ((*value.data == '{' && !json_members(value, names, at, 2, false)) ||
            (at[1].data && span_to_int(at[1], 0, INT64_MAX, &games) != STATUS_OK))
            return STATUS_SYNTAX;
        if (!ARRAY_GROW(out->list, out->capacity, out->count + 1))
            return STATUS_NO_MEMORY;
        struct finding_move *found = &out->list[out->count++];
        found->games = (uint64_t)games;
        enum caxton_status status = read_san(pos, at[0], &found->move);
        if (status != STATUS_OK)
            return status;
        if (play)
            position_play(pos, found->move);
    }
    return STATUS_SYNTAX;
}

static bool read_position(struct span value, struct position *out)
{
    struct span text;
    return json_plain_text(value, &text) && fen_parse(text, out, NULL) == STATUS_OK;
}

static bool read_decimal(struct span value, double *out)
{
    char text[32];
    char *end;
    if (value.size == 0 || value.size >= sizeof text)
        return false;
    text_copy(text, sizeof text, value);
    *out = strtod(text, &end);
    return *end == '\0' && fabs(*out) < COST_MAX; /* false for what is no number, too */
}

/* Members of a finding. */
enum {
    KIND,
    COLOR,
    FEN,
    GAMES,
    COST,
    LINE,
    BOOK,
    PLAYED,
    WANTED,
    START = WANTED,
    LOST,
    BEST,
    SAMPLES,
    MEMBERS
};

static bool read_facts(const struct span at[MEMBERS], struct finding *out)
{
    struct span kind;
    struct span color;
    int64_t games;
    if (!json_plain_text(at[KIND], &kind) || !json_plain_text(at[COLOR], &color) ||
        !read_position(at[FEN], &out->pos) || !read_decimal(at[COST], &out->cost) ||
        span_to_int(at[GAMES], 0, INT64_MAX, &games) != STATUS_OK)
        return false;
    while (out->kind < REVIEW_STAYED && !span_equal(kind, review_kind_names[out->kind]))
        out->kind++;
    out->color = span_equal(color, "black") ? BLACK : WHITE;
    out->games = (uint64_t)games;
    out->searched = at[LOST].data != NULL;
    out->samples = at[SAMPLES];
    position_start(&out->start);
    return out->kind < REVIEW_STAYED &&
           out->pos.turn == (out->kind == REVIEW_ENDED ? !out->color : out->color) &&
           (!out->searched ||
            span_to_int(at[LOST], INT64_MIN, INT64_MAX, &out->lost_cp) == STATUS_OK) &&
           (!at[START].data || read_position(at[START], &out->start));
}

/* Into *out, which is {0}. Errors: STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_NO_MEMORY. */
static enum caxton_status read_finding(struct span value, struct finding *out)
{
    static const char *const names[] = {"kind", "color",  "fen",   "games",   "cost", "line",
                                        "book", "played", "start", "lost_cp", "best", "samples"};
    struct span at[MEMBERS];
    bool is_good = json_members(value, names, at, MEMBERS, false);
    for (int i = 0; i < WANTED; i++)
        is_good = is_good && at[i].data;
    if (!is_good || !read_facts(at, out))
        return STATUS_SYNTAX;
    struct position behind = out->start;
    enum caxton_status status = read_moves(at[LINE], &behind, true, &out->line);
    if (status == STATUS_OK && behind.key != out->pos.key)
        status = STATUS_ILLEGAL;
    if (status == STATUS_OK)
        status = read_moves(at[BOOK], &out->pos, false, &out->book);
    if (status == STATUS_OK)
        status = read_moves(at[PLAYED], &out->pos, false, &out->played);
    if (status == STATUS_OK && at[BEST].data)
        status = read_san(&out->pos, at[BEST], &out->best);
    return status;
}

static enum caxton_status read_list(struct findings *findings, struct span list, struct diag *diag)
{
    const char *before = (const char *)findings->text;
    for (size_t line = 1;;) {
        struct span value;
        if (!json_element(&list, &value))
            return diag_fail(STATUS_SYNTAX, diag, "%s:%zu: no list of positions", findings->path,
                             line);
        if (!value.data)
            return STATUS_OK;
        for (; before < value.data; before++)
            line += *before == '\n';
        if (!ARRAY_GROW(findings->list, findings->capacity, findings->count + 1))
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        struct finding *finding = &findings->list[findings->count++];
        *finding = (struct finding){.place = line};
        enum caxton_status status = read_finding(value, finding);
        if (status != STATUS_OK)
            return diag_fail(status, diag, "%s:%zu: %s", findings->path, line,
                             status == STATUS_SYNTAX      ? "no position of a review"
                             : status == STATUS_NO_MEMORY ? "out of memory"
                                                          : "a move that is not legal there");
    }
}

enum caxton_status findings_parse(struct findings *out, struct diag *diag)
{
    static const char *const names[] = {"white", "black", "reviewed", "positions", "black_book"};
    static const char *const games[] = {"games"};
    struct span at[5];
    struct span count;
    const char *path = out->path;
    struct span text = span_trim(span_make((const char *)out->text, out->size));
    size_t lines = 1;
    for (size_t i = 0; i < text.size; i++)
        lines += text.data[i] == '\n';
    if (text.size > 0 && *text.data == '{' && text.data[text.size - 1] != '}')
        return diag_fail(STATUS_FORMAT, diag, "%s:%zu: the file is cut off", path, lines);
    if (!json_members(text, names, at, 5, false) || !at[2].data || !at[3].data)
        return diag_fail(STATUS_FORMAT, diag,
                         "%s:1: this is not what makebook review --json writes", path);
    if (at[4].data)
        return diag_fail(STATUS_FORMAT, diag, "%s:1: a review of two books: make one of each",
                         path);
    for (int color = WHITE; color <= BLACK; color++) {
        int64_t number = 0;
        if (at[color].data && (!json_members(at[color], games, &count, 1, true) ||
                               span_to_int(count, 0, INT64_MAX, &number) != STATUS_OK))
            return diag_fail(STATUS_SYNTAX, diag, "%s:1: no number of games", path);
        out->games[color] = (uint64_t)number;
    }
    return read_list(out, at[3], diag);
}

enum caxton_status findings_read(const char *path, struct findings *out, struct diag *diag)
{
    *out = (struct findings){.path = path};
    enum caxton_status status = file_read(path, FILE_SIZE_MAX, &out->text, &out->size, diag);
    return status == STATUS_OK ? findings_parse(out, diag) : status;
}

void findings_free(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        free(findings->list[i].line.list);
        free(findings->list[i].book.list);
        free(findings->list[i].played.list);
    }
    free(findings->list);
    free(findings->text);
    *findings = (struct findings){.count = 0};
}

/* Beside a book ------------------------------------------------------------------------------- */

static bool plays_there(const struct book *book, const struct position *pos)
{
    struct book_move first;
    return book_probe(book, pos, &first, 1) > 0 && first.weight > 0;
}

static bool is_answered(const struct finding *finding, const struct book *book)
{
    size_t replies = finding->kind == REVIEW_ENDED ? finding->played.count : 0;
    if (finding->kind == REVIEW_GAP)
        return plays_there(book, &finding->pos);
    for (size_t i = 0; i < replies; i++) {
        struct position pos = position_after(&finding->pos, finding->played.list[i].move);
        if (!plays_there(book, &pos))
            return false;
    }
    return replies > 0;
}

/* The first move of the book that was reviewed which this one does not have; MOVE_NONE: none. */
static move find_misfit(const struct finding *finding, const struct book *book)
{
    struct book_move moves[MOVES_MAX];
    int count = book_probe(book, &finding->pos, moves, MOVES_MAX);
    for (size_t i = 0; i < finding->book.count; i++) {
        int at = 0;
        while (at < count && moves[at].move != finding->book.list[i].move)
            at++;
        if (at == count)
            return finding->book.list[i].move;
    }
    return MOVE_NONE;
}

enum caxton_status findings_fit(struct findings *findings, const struct book *book,
                                struct diag *diag)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->list[i];
        move misfit = find_misfit(finding, book);
        char san[SAN_MAX];
        if (misfit != MOVE_NONE) {
            move_to_san(&finding->pos, misfit, san);
            return diag_fail(STATUS_FORMAT, diag,
                             "%s:%zu: %s does not have the move %s: another book was reviewed",
                             findings->path, finding->place, book_name(book), san);
        }
        finding->answered = is_answered(finding, book);
    }
    return STATUS_OK;
}

bool findings_next(const struct findings *findings, int color, struct unanswered *at)
{
    for (; at->finding < findings->count; at->finding++, at->reply = 0) {
        const struct finding *finding = &findings->list[at->finding];
        bool is_gap = finding->kind == REVIEW_GAP;
        size_t count = is_gap ? 1 : finding->kind == REVIEW_ENDED ? finding->played.count : 0;
        if (finding->color != color || finding->answered || at->reply >= count)
            continue;
        const struct finding_move *played = is_gap ? NULL : &finding->played.list[at->reply];
        double games = (double)(is_gap ? finding->games : played->games);
        double all = (double)findings->games[color];
        at->pos = is_gap ? finding->pos : position_after(&finding->pos, played->move);
        at->share = games < all ? games / all : 1;
        at->reply++;
        return true;
    }
    return false;
}

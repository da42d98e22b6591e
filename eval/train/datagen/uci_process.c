#include "eval/train/datagen/uci_process.h"

#include <stdlib.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "eval/train/datagen/child.h"

enum { QUESTION_MAX = FEN_MAX + 64, MOVE_SHOWN = 12 };

struct uci_process {
    struct child *child;
    struct labeller_setup setup;
};

enum caxton_status uci_process_start(const struct labeller_setup *setup, struct uci_process **out,
                                     struct diag *diag)
{
    struct uci_process *engine = calloc(1, sizeof *engine);
    if (!engine)
        return STATUS_NO_MEMORY;
    engine->setup = *setup;
    enum caxton_status status = child_start(setup->command, setup->stop, &engine->child, diag);
    if (status != STATUS_OK) {
        free(engine);
        return status;
    }
    *out = engine;
    return STATUS_OK;
}

void uci_process_end(struct uci_process *engine)
{
    if (!engine)
        return;
    child_kill(engine->child);
    free(engine);
}

enum caxton_status uci_process_handshake(struct uci_process *engine, struct diag *diag)
{
    struct span line = {0};
    child_set_timeout(engine->child, engine->setup.start_ms);
    enum caxton_status status = child_write(engine->child, "uci\n", diag);
    while (status == STATUS_OK && !span_equal(line, "uciok"))
        status = child_read_line(engine->child, &line, diag);
    if (status != STATUS_OK)
        return status;
    /* OwnBook: a book move would come without a score. Engines ignore options that they lack. */
    return child_write(engine->child,
                       "setoption name UCI_Chess960 value true\nsetoption name Hash value 1\n"
                       "setoption name OwnBook value false\nucinewgame\n",
                       diag);
}

enum caxton_status uci_process_ask(struct uci_process *engine, const struct position *pos,
                                   move only, struct diag *diag)
{
    char fen[FEN_MAX];
    char question[QUESTION_MAX];
    struct text_buffer text = text_buffer_on(question, sizeof question);
    fen_format(pos, fen);
    text_append(&text, "position fen %s\n", fen);
    text_append(&text, "go nodes %llu", (unsigned long long)engine->setup.nodes);
    if (only != MOVE_NONE) {
        char name[UCI_MAX];
        move_to_uci(only, true, name);
        text_append(&text, " searchmoves %s", name);
    }
    text_append(&text, "\n");
    child_set_timeout(engine->child, engine->setup.answer_ms);
    return child_write(engine->child, question, diag);
}

/* The score of the rest of an "info" line, "cp 13" or "mate 2"; false when it is none. */
static bool read_score(struct span *line, int *score)
{
    struct span kind = span_token(line);
    bool mate = span_equal(kind, "mate");
    int64_t number;
    if (!mate && !span_equal(kind, "cp"))
        return false;
    struct span word = span_token(line);
    enum caxton_status status = span_to_int(word, -LABEL_MATE, LABEL_MATE, &number);
    if (status == STATUS_RANGE)
        number = word.data[0] == '-' ? -LABEL_MATE : LABEL_MATE;
    else if (status != STATUS_OK)
        return false;
    *score = !mate ? (int)number : number > 0 ? LABEL_MATE : -LABEL_MATE;
    return true;
}

/* Takes from an "info" line the score of the best move. */
static void read_info(struct span line, struct label *out)
{
    struct span word;
    int score = 0;
    bool has_score = false;
    while ((word = span_token(&line)).size && !span_equal(word, "pv")) {
        if (span_equal(word, "string") ||
            (span_equal(word, "multipv") && !span_equal(span_token(&line), "1")))
            return;
        if (span_equal(word, "score"))
            has_score = read_score(&line, &score);
    }
    if (has_score)
        out->score = score;
}

static void name_bad_move(const struct uci_process *engine, const struct position *pos,
                          struct span best, struct diag *diag)
{
    char shown[MOVE_SHOWN];
    char fen[FEN_MAX];
    text_copy(shown, sizeof shown, best.size ? best : span_of("(none)"));
    for (char *c = shown; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?'; /* no control characters for a terminal */
    fen_format(pos, fen);
    diag_set(diag, 0, 0, "%s answered with the illegal move %s in %s", child_name(engine->child),
             shown, fen);
}

enum caxton_status uci_process_answer(struct uci_process *engine, const struct position *pos,
                                      struct label *out, struct diag *diag)
{
    out->score = 0;
    child_set_timeout(engine->child, engine->setup.answer_ms);
    for (;;) {
        struct span line;
        enum caxton_status status = child_read_line(engine->child, &line, diag);
        if (status != STATUS_OK)
            return status;
        struct span word = span_token(&line);
        if (span_equal(word, "info"))
            read_info(line, out);
        if (!span_equal(word, "bestmove"))
            continue;
        struct span best = span_token(&line);
        if (move_from_uci(pos, best, &out->best) == STATUS_OK)
            return STATUS_OK;
        name_bad_move(engine, pos, best, diag);
        return STATUS_IO;
    }
}

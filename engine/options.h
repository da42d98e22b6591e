/* The options of the engine: one table row each, from which the answer to `uci`, the reading of
 * `setoption` and the README's table are made. */
#ifndef CAXTON_ENGINE_OPTIONS_H
#define CAXTON_ENGINE_OPTIONS_H

#include "book/book.h"
#include "engine/report.h"

struct session;

enum { OPTION_TEXT_MAX = 4096, ELO_MIN = 800, ELO_MAX = 2800 };

/* The values in force. Texts are terminated; "" stands for <empty>. */
struct options {
    int hash_mb;
    int threads;
    int multipv;
    bool ponder; /* told to us for information: pondering itself is the interface's doing */
    int overhead_ms;
    bool chess960;
    bool show_wdl;
    bool analyse;
    bool limit_strength;
    int elo;
    char eval_file[OPTION_TEXT_MAX];
    bool own_book;
    char book_file[OPTION_TEXT_MAX];
    int book_selection; /* an enum book_selection */
    bool best_book_move;
    int book_style; /* 0: any, else the place of a bit of enum book_style, from 1 */
    int book_depth_plies;
    int book_threshold_permille;
};

/* The values at start. */
void options_init(struct options *options);

/* The `option` lines of the answer to `uci`. */
void options_list(struct report *report);
/* The README's table, in Markdown. */
void options_list_markdown(struct report *report);

/* Reads what follows `setoption` and puts it into force: options of `session`, and its search and
 * books where the option concerns them. Says in one `info string` what it did not understand or
 * had to change; then the old value stays, or the nearest allowed one is taken. With `echo` also
 * says what is in force now. The session must be idle. */
void options_set(struct session *session, struct span arguments, bool echo);

#endif

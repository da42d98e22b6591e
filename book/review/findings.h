/* What makebook review --json has written, read again: the positions where games left a repertoire,
 * those that cost most first, to be shown on a page and to be answered. */
#pragma once

#include "base/text.h"
#include "book/review/review.h"

struct finding_move {
    move move;
    uint64_t games; /* of what was played */
};

struct finding_moves {
    struct finding_move *list;
    size_t count;
    size_t capacity;
};

struct finding {
    enum review_kind kind; /* REVIEW_DEVIATION, REVIEW_GAP or REVIEW_ENDED */
    int color;             /* ours */
    size_t place;          /* its line in the file */
    struct position start;
    struct position pos;
    struct finding_moves line;   /* of the first game, from `start` to the position */
    struct finding_moves book;   /* after a deviation: what the book plays there */
    struct finding_moves played; /* the most played first */
    move best;                   /* by a search, where the book has none; else MOVE_NONE */
    uint64_t games;
    double cost; /* in points */
    bool searched;
    int64_t lost_cp;     /* then */
    struct span samples; /* a JSON array of games, as listed_game_put_json() writes them */
    bool answered;       /* after findings_fit(): the book answers it by now */
};

struct findings {
    const char *path; /* borrowed */
    uint8_t *text;
    size_t size;
    struct finding *list; /* the dearest first */
    size_t count;
    size_t capacity;
    uint64_t games[2]; /* that were reviewed, by our colour */
};

/* Reads the file. Errors, with one line in `diag` that begins with the file and the line in it:
 * those of file_read(), STATUS_FORMAT (no review of one book, or cut off), STATUS_SYNTAX,
 * STATUS_ILLEGAL (moves that cannot be). Free *out then, too. */
MUST_CHECK enum caxton_status findings_read(const char *path, struct findings *out,
                                            struct diag *diag);
/* The same of path, text and size, which are there already. */
MUST_CHECK enum caxton_status findings_parse(struct findings *findings, struct diag *diag);
void findings_free(struct findings *findings); /* of {0}, too */

/* Finds what the book answers by now. Errors: STATUS_FORMAT: the book that was reviewed plays a
 * move that this one does not have; `diag` as above. */
MUST_CHECK enum caxton_status findings_fit(struct findings *findings, const struct book *book,
                                           struct diag *diag);

/* A position of ours that games came to and the book has no answer in. */
struct unanswered {
    struct position pos;
    double share;          /* of the games of that colour */
    size_t finding, reply; /* private; all begins as {0} */
};

/* The next position of `color` without an answer, the dearest first: gaps, and where a line had
 * ended what is behind the replies that were played. A position may come again. */
bool findings_next(const struct findings *findings, int color, struct unanswered *at);

/* Opening books for other languages: the functions of the shared library caxton_books.
 *
 * This header includes no other of the tree. Texts are terminated UTF-8, paths too. "-" is no file.
 * Nothing prints or exits.
 *
 * A function that returns int returns 0, or 1 after filling *fault; its other outputs are of no use
 * then. Any number of threads may use one struct book at once, until caxton_close(). */
#pragma once

#include <stdint.h>

#if defined(_WIN32)
#define CAXTON_EXPORT __declspec(dllexport)
#else
#define CAXTON_EXPORT __attribute__((visibility("default")))
#endif

/* Changes with every change of this header. */
enum { CAXTON_BOOKS_ABI = 1 };
CAXTON_EXPORT int caxton_books_abi(void);

struct caxton_fault {
    int32_t status; /* enum caxton_status of base/status.h */
    char text[508]; /* one line without its end: file, place and what is wrong, as far as known */
};

struct book;

/* Opens a file of any kind in book/formats/README.md; statistics (.wld) stay on disk. path: NULL is
 * the built-in book. */
CAXTON_EXPORT int caxton_open(const char *path, struct book **out, struct caxton_fault *fault);
CAXTON_EXPORT void caxton_close(struct book *book); /* NULL is allowed */

struct caxton_info {
    const char *name; /* these texts are the book's */
    const char *format;
    const char *warning; /* a remark about faults of the file, "" for none */
    uint64_t moves;      /* how many the book has */
    uint64_t unit;       /* it counts games, so many units each; 0: it has weights */
};
CAXTON_EXPORT void caxton_describe(const struct book *book, struct caxton_info *out);

/* What a book knows of a move. What it does not know is 0. */
struct caxton_move {
    char uci[8];
    char san[12];
    uint32_t weight;     /* of statistics the number of games */
    uint32_t learn;      /* of Polyglot books */
    uint64_t results[3]; /* of statistics: won, drawn, lost by who moves, in units */
    uint64_t ratings[2]; /* of statistics: the mean of who moves, and of the opponents */
    uint64_t record[3];  /* of Arena and ChessBase books: games, of them won, lost by who moves */
    uint64_t nodes;      /* of a store of searches; 0: there was none */
    int32_t score;       /* of that search, centipawns for who moves */
    int32_t depth;
};
enum { CAXTON_MOVES_MAX = 256 };

/* The legal moves of the book in a position; of books with weights the heaviest first. chess960:
 * castling is e1h1 whatever the position; else it is where the position needs that. out: room for
 * CAXTON_MOVES_MAX. */
CAXTON_EXPORT int caxton_look_up(const struct book *book, const char *fen, int chess960,
                                 struct caxton_move *out, int32_t *count,
                                 struct caxton_fault *fault);

struct caxton_entry {
    uint64_t key; /* Polyglot's, of the position */
    uint32_t weight;
    uint32_t learn;
    uint32_t move; /* as a Polyglot book stores it */
    char uci[8];   /* the same, legal or not; castling is e1h1 */
};

/* Entry number `index` of the book, by key; illegal ones are there, too. Returns 0 behind the last,
 * and where moves are not kept so: statistics, Thompson's tree. */
CAXTON_EXPORT int caxton_entry_at(const struct book *book, uint64_t index,
                                  struct caxton_entry *out);

/* Receives a position, and a shortest line to it: moves as UCI, separated by blanks, from `start`.
 * All of it is borrowed. Other than 0 ends the walk. */
typedef int (*caxton_visitor)(uint64_t key, const char *fen, const char *start, const char *line);

/* Gives every position that the book has moves for and that lines from its starts reach to
 * `visitor`, one before those behind it. Statistics are read into memory for it. */
CAXTON_EXPORT int caxton_walk(const struct book *book, caxton_visitor visitor,
                              struct caxton_fault *fault);

/* Options: "NAME=VALUE", or "NAME" of a flag, ended by NULL; makebook's without the dashes. Of
 * weighing: min-games, weight, uniform, min-share, min-score. */

/* Writes the book as a file of another kind, whole or not at all. kind: as makebook convert --to
 * has it; NULL: by the path. options: of weighing; for statistics only. lost: room for
 * CAXTON_LOST_MAX, what the file does not hold of the book, "" for nothing. */
enum { CAXTON_LOST_MAX = 700 };
CAXTON_EXPORT int caxton_convert(const struct book *book, const char *path, const char *kind,
                                 const char *const *options, char *lost,
                                 struct caxton_fault *fault);

struct caxton_counted {
    uint64_t games; /* read */
    uint64_t used;  /* counted */
    uint64_t plies; /* counted */
    uint64_t moves; /* written */
    uint64_t bad_games;
    char bad[5][420]; /* the first: "FILE:LINE:COLUMN: game NUMBER: what is wrong", "" for none */
};

/* Is asked now and then while games are read, and before the file is put in its place, on the
 * calling thread: other than 0 stops. */
typedef int (*caxton_asked)(uint64_t bytes, uint64_t games);

/* Counts PGN files, packed or not, as makebook build does: into statistics where `path` ends in
 * .wld, else into a Polyglot book. games: paths, ended by NULL. options: of weighing, of filters,
 * max-ply, facets, mirror, updatable, keep-duplicates, strict, memory, jobs, temp. asked: NULL is
 * allowed. Nothing is written when no move is left. */
CAXTON_EXPORT int caxton_count(const char *const *games, const char *path,
                               const char *const *options, caxton_asked asked,
                               struct caxton_counted *out, struct caxton_fault *fault);

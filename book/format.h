/* What a kind of book file can do, as data: whoever wants to know asks here, not for the kind.
 * Private to book/: users open books by open/open.h, which takes the first of the kinds in
 * open/formats.c that recognises the bytes. */
#pragma once

#include <stdio.h>

#include "base/text.h"
#include "book/entry_table.h"
#include "chess/game.h"

struct book;
struct book_graph;
struct book_format;
struct book_input;
struct wld_info;

/* The faults of a book file, by name. */
enum book_fault {
    BOOK_FAULT_SIZE,      /* the file is cut, or its size fits no whole entries */
    BOOK_FAULT_REST,      /* its last entry is cut */
    BOOK_FAULT_ORDER,     /* entries that are not where the format wants them */
    BOOK_FAULT_UNSORTED,  /* keys that do not ascend */
    BOOK_FAULT_DUPLICATE, /* a move that its position has already */
    BOOK_FAULT_SYNTAX,    /* text that is no move, no position, no number */
    BOOK_FAULT_NO_MOVE,   /* a move that no piece makes anywhere */
    BOOK_FAULT_ILLEGAL,   /* a move or position against the rules */
    BOOK_FAULT_AMBIGUOUS, /* a move that could be several */
    BOOK_FAULT_CASTLING,  /* castling not written as the format wants it */
    BOOK_FAULT_JOURNEY,   /* castling written as the king's journey, not as king takes rook */
    BOOK_FAULT_LINK,      /* a reference to something outside the file */
    BOOK_FAULT_LOOP,      /* a reference that comes back to itself */
    BOOK_FAULT_CUT_OFF,   /* lines that no game can come to */
    BOOK_FAULT_DAMAGE,    /* bytes that do not fit their checksum */

    /* Sound, but a program misreads it: formats/polyglot/peers.h. */
    BOOK_MISREAD_CASTLING,
    BOOK_MISREAD_ROOK,
    BOOK_MISREAD_PROMOTION,
    BOOK_MISREAD_ZERO,
    BOOK_MISREAD_END,
    BOOK_MISREAD_RARE,

    BOOK_REMARK_APART,    /* from here on: not worth a failure. Similar lines that stand apart */
    BOOK_REMARK_UNPLAYED, /* a move of weight 0 */
    BOOK_REMARK_LIGHTER,  /* a move behind a lighter one */
    BOOK_REMARK_IDLE,     /* what changes no answer */
    BOOK_REMARK_ORDER,    /* another order of moves to a position that could be named */
    BOOK_REMARK_GAP,      /* a move that is expected and has no answer */
    BOOK_REMARK_UNSCORED, /* records of searches that say nothing */
    BOOK_FAULTS,
    BOOK_REMARKS = BOOK_REMARK_APART
};

/* What such faults are, in the plural. */
const char *book_fault_name(enum book_fault fault);

/* Receives the faults of a file, in the order of the file. diag: place and one plain sentence
 * without the name of the file. offer: the text of a line that would mend it, NULL for none. All is
 * borrowed until the sink returns. */
typedef void (*book_fault_sink)(void *context, enum book_fault fault, const struct diag *diag,
                                const char *offer);

/* What a file lacks of the book that it was written from, by cause. */
struct book_losses {
    size_t positions;    /* of the book */
    size_t unreached;    /* left out: no line leads to them, */
    size_t other_starts; /* only lines from another start do, */
    size_t non_book;     /* only lines with moves that are not the book's do */
    size_t weights;      /* moves whose weight is not kept */
    size_t large;        /* moves whose weight is too large: scaled down or cut */
    size_t unplayed;     /* moves of weight 0 left out */
    size_t learn;        /* learn values other than 0 that are not kept */
    size_t illegal;      /* moves left out: illegal in their position, or no piece makes them */
    size_t unfollowed;   /* moves, too many to follow their lines and find illegal ones */
    size_t castlings;    /* e1g1 and the like that may be castling, as they were */
    size_t comments;     /* comments, names and marks that are not kept */
    size_t unscored;     /* moves left out: the file holds scores, and no search has scored them */
};

enum { BOOK_LOSSES_TEXT_MAX = 700 };

/* All of it in one line without a name, "" when nothing is lost. Returns `out`. */
const char *book_losses_text(const struct book_losses *losses, char out[BOOK_LOSSES_TEXT_MAX]);

/* What is known of a move in a position: every kind of book fills what it has, the rest is 0. */
struct book_move_facts {
    uint16_t stored; /* the move as book/polyglot_entry.h has it */
    move move;       /* the same; MOVE_NONE where the position is not known */
    uint32_t weight; /* as struct book_move's; of statistics the number of games */
    uint32_t learn;
    uint64_t wins; /* games of the side to move with it, in units of struct book_facts */
    uint64_t draws;
    uint64_t losses;
    uint64_t rated;      /* of these games, in the same units: both ratings are known. Then sums: */
    uint64_t ratings[2]; /* of who makes the move, of the opponent */
    uint32_t first_month; /* of the games, as month_make(); 0: no date is known */
    uint32_t last_month;
    bool searched; /* then: */
    int score;     /* as search/score.h, side to move's view */
    int depth;     /* of the search, from this position */
    uint64_t nodes;
    bool refuted;       /* it scored well in games, and searches say that it loses */
    double probability; /* that it is chosen here; below 0: not known */
    bool chosen;        /* it is to be played whatever its score */
    bool has_record;    /* the file has numbers of its own for the move, as it says them: */
    uint64_t games;
    uint64_t won;
    uint64_t lost;
    int priority;
};

struct book_facts {
    uint64_t unit; /* so many units of what is counted make one game */
    const char
        *state; /* what a search of the book made of it, "expanded"; NULL: nothing is known */
    bool own;   /* the side to move has the book */
    double probability; /* that a game reaches it */
    unsigned ply;       /* from where the book begins */
    int count;
    struct book_move_facts moves[MOVES_MAX];
};

/* Without moves, and nothing known. */
void book_facts_clear(struct book_facts *facts);

/* One more move, of which nothing is known; the list has room for it. */
struct book_move_facts *book_facts_add(struct book_facts *facts, uint16_t stored, move m);

/* NULL: the move is not in the list. */
struct book_move_facts *book_facts_find(const struct book_facts *facts, uint16_t stored);

/* Adds what another source knows of the same position. Games add up exactly, in the finer of the
 * two units. All else is the first source's that knows the move: a store says itself which of its
 * searches counts (scoring/deepest_answers.h). */
void book_facts_merge(struct book_facts *facts, const struct book_facts *more);

static inline uint64_t book_move_games(const struct book_move_facts *facts)
{
    return facts->wins + facts->draws + facts->losses;
}

/* Half points: two for a win. */
static inline uint64_t book_move_points(const struct book_move_facts *facts)
{
    return 2 * facts->wins + facts->draws;
}

/* The mean rating of who makes the move (side 0) or of the opponent (1), half rounded up; 0: not
 * known. */
static inline uint64_t book_move_rating(const struct book_move_facts *facts, int side)
{
    return facts->rated ? (facts->ratings[side] + facts->rated / 2) / facts->rated : 0;
}

/* What a file may keep of a book beside moves and positions that lines reach. */
enum book_detail {
    BOOK_WEIGHTS = 1,        /* the weight of each move */
    BOOK_CHOICE_WEIGHTS = 2, /* the weights where there is a choice; a single move has none */
    BOOK_UNPLAYED = 4,       /* moves of weight 0: known, never played */
    BOOK_LEARN = 8,          /* Polyglot's learn values */
    BOOK_UNREACHED = 16,     /* positions that no line leads to, by their keys */
    BOOK_MARKS = 32,         /* marks of moves (enum book_mark) are written, for people */
};

/* A way to write a kind of file. */
struct book_writer {
    const char *name;  /* also the extension of the file: "bin", "tree-small" */
    const char *about; /* a few words for a person */
    unsigned keeps;    /* enum book_detail */
    uint32_t
        weight_max; /* the largest weight; larger ones are scaled down or cut; 0: it has none */
    bool writes_entries; /* the file is Polyglot entries and nothing else */
    const void *options; /* for write_graph; NULL: none */
    void *context;       /* for write; NULL: none */
    /* Either: writes what lines reach from the standard start and from the positions that the book
     * names, and may order moves of equal weight anew. writer: this one. The stream stays the
     * caller's, who looks for its errors. `losses` has the positions that no line reaches and gets
     * others that are left out; the rest is counted by book_convert(). Errors: STATUS_NO_MEMORY,
     * STATUS_IO, STATUS_RANGE (larger than the format allows), STATUS_ILLEGAL, STATUS_NOT_FOUND
     * (nothing that the format can hold); `diag` says which. */
    enum caxton_status (*write_graph)(struct book_graph *graph, const struct book_writer *writer,
                                      FILE *out, struct book_losses *losses, struct diag *diag);
    /* Or: the same, by a graph of its own or without. `losses` starts as {0}. Errors: also those of
     * book_graph_create(). */
    enum caxton_status (*write)(const struct book *book, const struct book_writer *writer,
                                FILE *out, struct book_losses *losses, struct diag *diag);
};

/* A legal move of a position, and the weight that a book is to give it. */
struct book_addition {
    struct position pos;
    move m;
    uint32_t weight;
    const move *line; /* the moves from the standard start to `pos`; NULL: nobody told any */
    size_t plies;
};

struct book_format {
    const char *name;      /* as a person says it: "Polyglot", "Thompson tree" */
    const char *extension; /* of the files that are written, without the point: "bin", "tree" */

    bool is_text;       /* people write it: comments, names and marks may stand in it */
    bool holds_entries; /* the file is Polyglot entries and nothing else */
    bool is_lines;      /* a book of lines: it has no table, probe() answers */
    /* The table has each position as if White were to move: one with Black to move is found by
     * position_mirror_key(), its moves are mirrored. */
    bool mirrored;

    /* How it is written, the usual way first; none: it is read only. */
    const struct book_writer *writers;
    size_t writer_count;

    /* Are the bytes such a book, whole or damaged? By a magic number or by the first lines. */
    bool (*recognises)(const uint8_t *bytes, size_t size);

    /* Fills `book`; its name is for messages. The bytes stay valid and unchanged until close().
     * They may be anything: open() takes time and memory in proportion to `size`. Errors:
     * STATUS_FORMAT, STATUS_NO_MEMORY, then `book` stays without a state; `diag` (may be NULL) says
     * "NAME: what and where". */
    enum caxton_status (*open)(struct book *book, const uint8_t *bytes, size_t size,
                               struct diag *diag);
    void (*close)(void *state); /* NULL is allowed */

    /* What follows may be NULL. */

    /* Of a book of positions: what position_book_open() and position_book_check() read it by. */
    enum caxton_status (*read)(const uint8_t *bytes, size_t size, struct book_input *input);

    /* The legal moves that the book knows in `pos`, each once, in any order, at most MOVES_MAX;
     * returns how many. game: the moves that led to `pos`, NULL when not known; books of lines
     * follow it, books of positions ignore it. Any thread may call it at any time. NULL or -1: by
     * its table. */
    int (*probe)(const void *state, const struct position *pos, const struct game *game,
                 struct book_move *out);

    /* Writes the book again without its faults and keeps the rest, comments included. Without it a
     * repair writes the moves anew by one of the writers. As struct book_writer.write. */
    enum caxton_status (*repair)(const struct book *book, FILE *out, struct book_losses *losses,
                                 struct diag *diag);

    /* How the bytes of the file are used: a sentence for a person. */
    void (*describe)(const void *state, struct text_buffer *out);

    /* Moves in `pos` that lines of the file contain and that the book does not play (non-book
     * moves). Written and counted as by probe(). */
    int (*non_book_moves)(const void *state, const struct position *pos, const struct game *game,
                          move *out);

    /* The reply that the file expects to the legal move `m`, MOVE_NONE for none. Without it, that
     * is the heaviest that probe() has there. */
    move (*hint)(const void *state, const struct position *pos, const struct game *game, move m);

    /* What else is known of a position than its moves and their weights, which are in `out`
     * already; of statistics it is all. It may take as long as reading the file. pos: NULL where
     * the position is known by its key alone. Errors: STATUS_NO_MEMORY; of statistics on disk also
     * those of reading. */
    enum caxton_status (*facts)(const void *state, uint64_t key, const struct position *pos,
                                struct book_facts *out, struct diag *diag);

    /* Reports every fault of the bytes, also those that open() skips. NULL: open() reports all that
     * there is. root: lines also begin here; NULL: where they usually do. Errors: STATUS_NO_MEMORY,
     * STATUS_RANGE (more moves than can be walked through). */
    enum caxton_status (*check)(const struct book_format *format, const uint8_t *bytes, size_t size,
                                const struct position *root, book_fault_sink sink, void *context);

    /* For text: writes the file again with this move and weight. All else stays as it is, comments
     * and faults included. NULL: the book is written anew from its moves. Errors: STATUS_NO_MEMORY;
     * with a reason in `diag`: STATUS_NOT_FOUND (no place for the position), STATUS_RANGE (no place
     * for the weight), others for faults of the file. */
    enum caxton_status (*add)(const uint8_t *bytes, size_t size,
                              const struct book_addition *addition, FILE *out, struct diag *diag);
};

enum { BOOK_WARNING_MAX = 400 };

/* An open book. open() fills in what follows the name and is 0 before. */
struct book {
    const struct book_format *format;
    char *name;
    uint8_t *owned;           /* the bytes of the file, when they are not borrowed */
    void *state;              /* what the format keeps for its functions, given to its close() */
    struct entry_table table; /* the entries by position, but of a book of lines */
    char warning[BOOK_WARNING_MAX]; /* a one-line remark about the file, "" for none */
    size_t move_count;    /* each counts once in its position, however often the file has it */
    size_t comment_count; /* comments, names and marks that no other kind of file keeps */
    size_t
        position_count; /* of a book without a table that has some which no line may reach; or 0 */
    /* How the games were counted that its moves stand for, with exact results; NULL: they have
     * weights. The state's. */
    const struct wld_info *counts;
    /* The book that this one was made of by changing it (book_made_of()); NULL: none. Not owned. */
    const struct book *origin;
    /* Positions that the file names beside the standard start; what the book knows is reached from
     * them. The state's. */
    const struct position *roots;
    size_t root_count;
};

/* *book is `origin` with changes: what is lost is counted against that, and a writer may ask it
 * what weights do not say. `origin` must stay open as long as *book. */
static inline void book_made_of(struct book *book, const struct book *origin)
{
    book->comment_count = origin->comment_count;
    book->origin = origin->origin ? origin->origin : origin;
}

/* NULL: a book of lines. */
static inline const struct entry_table *book_table(const struct book *book)
{
    return book->format->is_lines ? NULL : &book->table;
}

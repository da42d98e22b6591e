/* Reading games in Portable Game Notation from a stream, one at a time, in bounded memory.
 *
 * A game that cannot be read loses only itself: pgn_next() reports it and the following call goes
 * on with the next game. Source: the PGN standard (Steven J. Edwards, 1994). */
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

enum pgn_result { PGN_UNKNOWN, PGN_WHITE_WINS, PGN_BLACK_WINS, PGN_DRAW };

/* What is odd about a game that can be read all the same. */
enum pgn_note {
    PGN_NOTE_TAG_TWICE,         /* the first of a name counts */
    PGN_NOTE_BAD_TAG,           /* a line among the tags that is none, and is left out */
    PGN_NOTE_FEN,               /* its FEN says what its board forbids, and is left out */
    PGN_NOTE_RESULT,            /* the Result tag says something else than the terminator */
    PGN_NOTE_NO_TERMINATOR,     /* the move text does not end with a result */
    PGN_NOTE_OPEN_VARIATION,    /* '(' without ')' after the ply limit; before it, a fault */
    PGN_NOTE_STRAY_PARENTHESIS, /* likewise ')' without '(' */
    PGN_NOTES
};

/* The beginning of a comment, without its brace, terminated. */
enum { PGN_COMMENT_KEPT = 32 };
struct pgn_comment {
    char text[PGN_COMMENT_KEPT];
};

struct pgn_tag {
    struct span name;
    struct span value; /* escapes resolved, not terminated */
};

/* One game; everything in it is borrowed from the reader until the next pgn_next(). */
struct pgn_game {
    uint64_t number; /* from 1 */
    uint64_t line;   /* of its first character, from 1 */
    uint64_t offset; /* likewise in bytes from 0 */

    const struct pgn_tag *tags;
    size_t tag_count;

    struct position start; /* from FEN/SetUp, or the standard one */
    const move *moves;     /* main line, legal one after the other */
    const uint64_t *keys;  /* per ply: the key of the position that its move is played in; after
                              the last of them that of the last position, where there are moves */
    size_t ply_count;
    size_t plies_read;        /* with those beyond the ply limit, see pgn_set_whole_games() */
    const char *beyond_fault; /* what ended them there; "" = nothing */
    const uint8_t *marks; /* per ply: the first of $1..$6 (also as ! ? !! ?? !? ?!) between it and
                             the next, else the first other NAG; 0 = none */

    const struct pgn_comment *comments; /* per ply: the first comment in braces between it and the
                                           next, but one with "[%eval " goes before others; "" =
                                           none; NULL: see pgn_set_comments() */

    uint16_t node; /* the last one of its way in pgn_nodes(); 0 = it has none */

    enum pgn_result
        result;      /* by the terminator of the move text, or the Result tag if it has none or * */
    bool unfinished; /* neither has one */
    bool chess960;   /* Variant tag or a start position that needs it */
    bool other_variant; /* neither chess nor Chess960: its moves are not read */
    unsigned notes;     /* bits 1 << enum pgn_note */
};

/* Gives up to `capacity` bytes. *size = 0 means the end. Errors: any but STATUS_END and those of
 * pgn_is_game_fault(). */
typedef enum caxton_status (*pgn_source)(void *context, char *buffer, size_t capacity,
                                         size_t *size);

struct pgn_reader;

/* A comment may hold the tags of games if there is no result before the first of them, and if it
 * closes within so many bytes after it and before another comment opens. Otherwise its closing
 * brace is missing, and the games are games. */
enum { PGN_COMMENT_AHEAD = 1 << 15 };

/* NULL when there is no memory. Destroyed by the caller. */
struct pgn_reader *pgn_create(pgn_source source, void *context);
/* Begins with another input, all settings and memory kept. */
void pgn_restart(struct pgn_reader *reader, pgn_source source, void *context);
/* Begins with text[0..size), which is read where it lies and stays valid until the next
 * pgn_restart*() or pgn_destroy(). PGN_MARGIN bytes before and after it must be writable. */
enum { PGN_MARGIN = 64 };
void pgn_restart_text(struct pgn_reader *reader, char *text, size_t size);
/* The line breaks passed so far: after STATUS_END, all of them. */
uint64_t pgn_lines(struct pgn_reader *reader);
/* Reads memory that stays valid until pgn_destroy(). */
struct pgn_reader *pgn_create_memory(const char *data, size_t size);
void pgn_destroy(struct pgn_reader *reader); /* NULL is allowed */

/* Stop looking at moves after this many plies (the rest is skipped unread, its legality
 * unchecked; ply_count stops there). Default: no limit. */
void pgn_set_ply_limit(struct pgn_reader *reader, size_t plies);

/* Read the moves beyond the ply limit, too: to the end, or to a fault there, which makes no game
 * bad. Default: off, `plies_read` is `ply_count`. */
void pgn_set_whole_games(struct pgn_reader *reader, bool wanted);

/* Keep the beginnings of comments. To be set before the first pgn_next(). Default: off. */
void pgn_set_comments(struct pgn_reader *reader, bool wanted);

/* Openings that the reader knows again by their text, as a tree: then it need not find out what a
 * move is, nor play it. PGN_NODE_START is the usual start. No position comes twice on the way to a
 * node. */
struct pgn_node {
    uint64_t key; /* of its position */
    uint16_t parent;
    uint16_t ply; /* moves from the start, the last of them is */
    move played;
};

enum { PGN_NODE_START = 1, PGN_NODE_BYTES = 224, PGN_NODES_LEAST = 16, PGN_NODES_MOST = 1 << 15 };

/* Remember up to `nodes` positions of PGN_NODE_BYTES each, PGN_NODES_LEAST to PGN_NODES_MOST of
 * them. To be set once, before the first pgn_next(). Default: none. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status pgn_set_nodes(struct pgn_reader *reader, size_t nodes);

/* nodes[1..*count) of the tree, each behind its parent; borrowed until the next call. */
const struct pgn_node *pgn_nodes(const struct pgn_reader *reader, size_t *count);

/* Begins anew with an empty tree. */
void pgn_forget_nodes(struct pgn_reader *reader);

/* Reads the next game.
 * STATUS_OK: `game` is whole. STATUS_END: nothing left. STATUS_SYNTAX, STATUS_ILLEGAL,
 * STATUS_AMBIGUOUS: this game is bad; `diag`, which may be NULL, names line, column, offset and
 * the reason (not the game, whose number `game` has), `game` holds the tags and the moves before
 * the fault, and the next call goes on with the next game.
 * Any other: reading is over; STATUS_NO_MEMORY, or what the source answered. */
MUST_CHECK enum caxton_status pgn_next(struct pgn_reader *reader, struct pgn_game *game,
                                       struct diag *diag);

/* Is this answer of pgn_next() the fault of one game, after which the next one follows? */
static inline bool pgn_is_game_fault(enum caxton_status status)
{
    return status == STATUS_SYNTAX || status == STATUS_ILLEGAL || status == STATUS_AMBIGUOUS;
}

/* A note in a few words, to follow a number of games, and a name for machines. Static storage. */
const char *pgn_note_text(enum pgn_note note);
const char *pgn_note_name(enum pgn_note note);

/* Is the value of a Variant tag chess (or Chess960), however it is written? */
bool pgn_variant_is_chess(struct span name, bool *chess960);

/* The value of a tag (exact name), or an empty span. */
struct span pgn_tag_value(const struct pgn_game *game, const char *name);

/* What ended a game, by its Termination tag. Values of cutechess-cli, fastchess, Lichess and the
 * PGN standard. */
enum pgn_end {
    PGN_END_PLAYED, /* on the board, or by a rule of the match; also where nothing is said */
    PGN_END_UNFINISHED,
    PGN_END_TIME,
    PGN_END_CRASH,   /* the player was gone, or gave no answer any more */
    PGN_END_ILLEGAL, /* against the rules: an illegal move */
    PGN_ENDS
};
enum pgn_end pgn_end_of(const struct pgn_game *game);

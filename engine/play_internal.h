/* What the sources of `caxton play` share: play.c (the command line, the course of the game,
 * a person's moves and commands), play_save.c (the game as PGN). */
#pragma once

#include "base/clock.h"
#include "base/line_input.h"
#include "engine/match.h"
#include "engine/screen.h"

enum { PLAY_PATH_MAX = 4096, PLAY_NOBODY = -1 };

/* Where a game goes without --pgn, by the time when it began; the ending is missing. */
#define PLAY_PATH_FORM "games/caxton-%s"

/* The command line. */
struct play_arguments {
    const char *time_control; /* NULL: none was asked for */
    int64_t movetime_ms;
    bool has_movetime; /* it was said */
    const char *pgn;   /* NULL: a new file in games/ */
    const char *book;
    const char *start; /* NULL: the usual one */
    bool no_book;
    int64_t seed;
    int64_t threads;
    int64_t hash_mb;
    int64_t elo; /* 0: full strength */
    int you;     /* index into the choices of --you; -1: not given */
    bool ascii;  /* letters for pieces */
    bool plain;  /* no colours, no redrawing */
};

struct play {
    struct play_arguments arguments;
    struct time_control control;
    struct options options;
    struct position start;
    struct screen screen;
    struct screen_state shown;
    struct book_set *books;
    struct match match;
    struct line_input *input; /* NULL: nobody plays but the engine */
    int person;               /* the colour that a person plays, or PLAY_NOBODY */
    int64_t turn_ms;          /* when the person's turn began, by clock_ms() */
    bool is_echoed;           /* a person sees what is typed: the input is a terminal */
    char message[1024];       /* for the person; "" = none. May have several lines */
    char started[CLOCK_TEXT_MAX];
    char path[PLAY_PATH_MAX]; /* where the game is written */
    char comment[160];        /* in it, of one move */
};

/* Writes the game to play->path, whole or not at all: after the games that --pgn's file has; else
 * to a new file, whose number is added to the path when another game has the name already. Errors:
 * STATUS_IO; diag says why. */
MUST_CHECK enum caxton_status play_save(struct play *play, const struct match_outcome *outcome,
                                        struct diag *diag);

/* A game as a list of games has it: who played, and where its text is. */
#pragma once

#include "base/command_line.h"
#include "base/json.h"
#include "chess/pgn.h"

enum { LISTED_NAME_MAX = 64, LISTED_DATE_MAX = 16, LISTED_LINK_MAX = 96 };

struct listed_player {
    char name[LISTED_NAME_MAX];
    int64_t elo; /* 0: unknown */
};

struct listed_game {
    struct listed_player players[2]; /* by colour */
    char date[LISTED_DATE_MAX];
    char link[LISTED_LINK_MAX]; /* where it can be replayed, by its Site tag; "": nowhere */
    const char *result;
    const char *path; /* borrowed */
    uint64_t number;  /* in its file, from 1; 0 where only its first byte is known */
    uint64_t line;
    uint64_t start; /* its bytes, unpacked */
    uint64_t end;   /* UINT64_MAX: to the end of the file */
};

/* What the tags of `game` say. Its end is not known. */
struct listed_game listed_game_of(const struct pgn_game *game, const char *path);

/* To standard output: "Name (Elo)", and with a line end "Name (Elo) - Name (Elo) 1-0 DATE  PLACE
 * LINK". */
void listed_player_print(const struct listed_player *player);
void listed_game_print(const struct listed_game *game);

void listed_player_print_json(struct json *json, const char *name,
                              const struct listed_player *player);
void listed_game_print_json(struct json *json, const struct listed_game *game);

/* The members of that object alone. */
void listed_game_put_json(struct json *json, const struct listed_game *game);

/* The text of the game to standard output. False after one line on standard error. */
bool listed_game_print_text(const struct command_line *line, const struct listed_game *game);

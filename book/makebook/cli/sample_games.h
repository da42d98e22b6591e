/* The sample games beside statistics (book/statistics/samples_file.h), read where they are in their
 * PGN files. */
#pragma once

#include "book/makebook/cli/listed_game.h"
#include "book/makebook/cli/source.h"
#include "book/statistics/samples_file.h"

/* Where they are: the name of the statistics and ".games". The caller's to free. NULL when there is
 * no memory. */
char *sample_games_path(const char *stats);

/* Opens the sample games of `source`; NULL: it has none. A file that is damaged, or belongs to
 * other statistics, is named in a warning. To be closed by samples_file_close(). */
struct samples_file *sample_games_open(const struct command_line *line,
                                       const struct source *source);

/* Statistics are written without sample games: says so if there are some of other statistics beside
 * them. True. */
bool sample_games_warn_of_old(const struct command_line *line, const char *stats);

/* The path of the file with this number among their names: the file that is called so, or the one
 * beside the sample games. NULL: neither is there, or there is no memory. To be freed. */
char *sample_games_file(const struct samples_file *samples, size_t number);

/* Receives a game as it was read at its place. Both are good for the time of the call. */
typedef void (*sample_game_sink)(void *context, const struct pgn_game *game,
                                 const struct listed_game *listed);

/* Reads a game where it is and gives it to `sink`. A file that is not there by its name is looked
 * for beside the statistics. Packed files are unpacked up to the game. Errors: STATUS_NOT_FOUND
 * (the file is not there, or another game is at the place), STATUS_IO, STATUS_FORMAT,
 * STATUS_NO_MEMORY; `diag` names the file. Any thread. */
MUST_CHECK enum caxton_status sample_game_read(const struct samples_file *samples,
                                               const struct sample *sample, sample_game_sink sink,
                                               void *context, struct diag *diag);

/* Reads several games of them, a packed file only once. */
struct sample_reader;

/* Borrows `samples`. NULL: there is no memory. */
struct sample_reader *sample_reader_create(const struct samples_file *samples);
void sample_reader_destroy(struct sample_reader *reader); /* NULL is allowed */

/* As sample_game_read(). Of one file games come by ascending place. */
MUST_CHECK enum caxton_status sample_reader_read(struct sample_reader *reader,
                                                 const struct sample *sample, sample_game_sink sink,
                                                 void *context, struct diag *diag);

/* Finds where the text of the game ends, which is not known after reading it. */
void sample_game_find_end(struct listed_game *listed);

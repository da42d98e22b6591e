/* Names of openings: ECO code and name of a position, transpositions included.
 * Source of the table: chess/eco/ (Lichess chess-openings, CC0). */
#pragma once

#include "base/text.h"

/* An opening name of the position with this key. */
struct eco {
    uint64_t key;
    char code[4];
    const char *name;
    const char *moves; /* the line that defines it, SAN with move numbers */
    int plies;         /* of it */
    int lines;         /* of the tables have a name that begins with this one */
};

/* All names, sorted by key, each key once: chess/eco/generate.c writes them at build time. */
extern const struct eco eco_rows[];
extern const size_t eco_row_count;

/* The opening that has reached exactly this position key, or NULL. Static storage. */
const struct eco *eco_find(uint64_t key);

/* The opening that a game with these `count` position keys, first to last, has reached last; or
 * NULL. Static storage. */
const struct eco *eco_find_last(const uint64_t *keys, size_t count);

/* The name without accents, "Grunfeld", for programs that read nothing but ASCII: terminated in
 * out[0..capacity), without quotes. */
void eco_ascii(const char *name, char *out, size_t capacity);

/* Names that are in use and not in the tables: "KID", "Petroff", "Spanish". */
struct eco_other_name {
    const char *other;
    const char *name; /* words that begin a word of names in the tables */
};
extern const struct eco_other_name eco_other_names[];
extern const size_t eco_other_name_count;

/* Finds openings by words: each begins a word of the name, its ECO code, or a word of another name
 * for words of it. A word may also go on over blanks ("carokann"). Accents, apostrophes, hyphens
 * and case make no difference, nor does e after a, o, u ("Gruenfeld"), Defence, Centre. Where no
 * opening has all words, those with the nearest spelling are given, and *exact is false.
 * The best first, each name once: where the first word begins the name, then where it begins a
 * part of it (after ":" or ","); then the opening with the most lines, then the shortest line.
 * Returns how many, at most ECO_FOUND_MAX. explore/search.js does the same: one test has both.
 * Static storage; any thread. */
enum { ECO_FOUND_MAX = 8 };
size_t eco_search(struct span text, const struct eco *out[ECO_FOUND_MAX], bool *exact);

/* A position as people name it: *line is `text`, where it is for position_from_text() or
 * line_from_text(), or else the moves of the opening that it names, the best of eco_search(), and
 * those that follow the name: "najdorf Be3", put together in `room`. Then the text of `diag` says
 * which opening that is, and which others it could be; it is "" otherwise. Errors:
 * STATUS_NOT_FOUND, and `diag` has the nearest names; STATUS_RANGE (more moves than `room` holds).
 */
enum { ECO_LINE_MAX = 4000 };
MUST_CHECK enum caxton_status eco_line(struct span text, char room[ECO_LINE_MAX], struct span *line,
                                       struct diag *diag);

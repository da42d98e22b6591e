/* The help of a program in three forms: text for people, a page for man(1), words for shells that
 * complete. All come from the same rows, so that none is forgotten. */
#pragma once

#include <stdio.h>

enum help_form {
    HELP_NONE,
    HELP_TEXT,  /* --help, -h */
    HELP_MAN,   /* --help=man: man(7), the source of a manual page */
    HELP_WORDS, /* --help=words: lines "WORD<tab>VALUES<tab>HELP"; see help_row() */
};

/* Which form the word of a command line asks for; HELP_NONE: it is none of these words. */
enum help_form help_form_of(const char *word);

/* One row: what can be typed, and what it does. As text it is indented, with `name` in `width`
 * columns. As words only the first word of `name` is given, and no line where that begins with a
 * capital, as a placeholder does. `values`: "-" when no value follows the word, "?" when anything
 * may, else the possible ones, "a|b|c". */
void help_row(FILE *out, enum help_form form, int width, const char *name, const char *values,
              const char *help);

/* The head of a page: `name` is the program's in small letters, `section` as in "6 Games Manual".
 */
void help_man_begin(FILE *out, const char *name, const char *section, const char *summary);
/* A heading: .SH, or .SS for a lower one; then `title`. */
void help_man_heading(FILE *out, const char *macro, const char *title);
/* Text: a blank line ends a paragraph, lines that begin with a space stay as they are, `word` in
 * backticks is set in bold. */
void help_man_text(FILE *out, const char *text);

/* The start of a program, and the lines that it reads from its standard input. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* "0.1.0", or "dev-20261128-9c4759f" of a commit that is no release. The programs link it, made by
 * cmake/version.cmake. */
extern const char program_version[];

/* To be called first by main(), with its arguments. On Windows they become UTF-8, as every path
 * and text of this program is; standard input and output become bytes, without another end of
 * lines; a console shows UTF-8 and obeys escape sequences until the program ends; and the clock
 * ticks every millisecond. Elsewhere there is nothing to do. */
void program_start(int *argc, char ***argv);

/* From now on, writing to a pipe that nobody reads fails and does not end the program. */
void program_outlive_reader(void);

/* A line that program_read_line() reads into. Begins as zeros; `data` is for free(). */
struct program_line {
    char *data;
    size_t size; /* its end included, where it has one */
    size_t capacity;
};

/* Reads the next line of `in`. False at the end of the input, or when there is no memory. */
bool program_read_line(FILE *in, struct program_line *line);

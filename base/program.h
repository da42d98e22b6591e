/* The start of a program, and the lines that it reads from its standard input. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* "0.1.0", or "dev-20261128-9c4759f" of a commit that is no release. The programs link it, made by
 * cmake/version.cmake. */
extern const char program_version[];

/* How a program or its command ends: done, failed with one line that says why, used wrongly, or
 * what a shell makes of SIGINT. EXIT_NONE is never used: it makes the type signed, as what main()
 * returns. */
enum exit_status { EXIT_NONE = -1, EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 130 };

/* To be called first by main(), with its arguments. On Windows they become UTF-8, as every path
 * and text of this program is; standard input and output become bytes, without another end of
 * lines; a console shows UTF-8 and obeys escape sequences until the program ends; and the clock
 * ticks every millisecond. Elsewhere there is nothing to do. */
void program_start(int *argc, char ***argv);

/* From now on, writing to a pipe that nobody reads fails and does not end the program. */
void program_outlive_reader(void);

/* Takes a variable out of the environment, which the programs that we start inherit. To be called
 * while there is one thread. */
void program_forget_variable(const char *name);

/* A line that program_read_line() reads into. Begins as zeros; `data` is for free(). */
enum { PROGRAM_LINE_MAX = 1 << 20 };
struct program_line {
    char *data;
    size_t size; /* its end included, where it has one */
    size_t capacity;
    bool is_cut; /* what is beyond PROGRAM_LINE_MAX bytes, or memory, is skipped */
};

/* Reads the next line of `in`. False at the end of the input. */
bool program_read_line(FILE *in, struct program_line *line);

/* For program_read_line(): begins a line; adds bytes to it, as far as they go. */
void program_line_begin(struct program_line *line);
void program_line_add(struct program_line *line, const char *bytes, size_t size);

/* For program_read_line(): a line of a stream that gives bytes. */
bool program_read_bytes(FILE *in, struct program_line *line);

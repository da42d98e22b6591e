/* Included before every test that is built for Windows: what tests call of POSIX. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define mkdtemp(path)              cross_mkdtemp(path)
#define mkstemp(path)              cross_mkstemp(path)
#define mkfifo(path, mode)         (-1)
#define tmpfile()                  cross_tmpfile()
#define open_memstream(text, size) cross_open_memstream(text, size)
#define fflush(file)               cross_fflush(file)
#define fclose(file)               cross_fclose(file)

/* As those of POSIX. */
char *cross_mkdtemp(char *path);
int cross_mkstemp(char *path);
FILE *cross_tmpfile(void);

/* The text is there after cross_fflush() and cross_fclose(). */
FILE *cross_open_memstream(char **text, size_t *size);
int cross_fflush(FILE *file);
int cross_fclose(FILE *file);

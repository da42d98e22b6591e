/* What a fallible function answers, and where in its input a parser found the fault. */
#pragma once

#include <stddef.h>

#define MUST_CHECK __attribute__((warn_unused_result))

enum caxton_status {
    STATUS_OK = 0,
    STATUS_END,       /* a reader has nothing more to give */
    STATUS_NOT_FOUND, /* the thing asked for is not there */
    STATUS_NO_MEMORY,
    STATUS_IO,        /* the operating system refused a read, write, sync or rename */
    STATUS_SYNTAX,    /* text that does not parse */
    STATUS_RANGE,     /* a number outside its range */
    STATUS_ILLEGAL,   /* a move or position that the rules forbid */
    STATUS_AMBIGUOUS, /* text that names more than one legal move */
    STATUS_FORMAT,    /* bytes that are not the expected file format */
    STATUS_THREAD,    /* a pthread call failed */
};

/* A fault in some input: where it lies and one plain sentence without a final newline.
 * line and column count from 1; 0 means "not known". Parsers of a single line leave line at 0.
 * offset is in bytes from the start of the input. */
struct diag {
    size_t line;
    size_t column;
    size_t offset;
    char text[200];
};

/* A short lower-case English name of `status`, for messages. Static storage. */
const char *status_name(enum caxton_status status);

/* Sets every field of `diag`; does nothing when diag is NULL. A text that is too long loses its
 * middle, so that a long path keeps its file name and the reason behind it. */
void diag_set(struct diag *diag, size_t line, size_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Says it without a place in `diag`, and is `status`: `return diag_fail(STATUS_IO, diag, ..);`. */
#define diag_fail(status, diag, ...) (diag_set((diag), 0, 0, __VA_ARGS__), (status))

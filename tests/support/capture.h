/* A stream whose lines a test can read. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/uci/report.h"

struct capture {
    char *text; /* all lines so far, terminated */
    size_t size;
    FILE *file;
    struct output out; /* writes to it */
};

static inline void capture_start(struct capture *capture)
{
    *capture = (struct capture){0};
    capture->file = open_memstream(&capture->text, &capture->size);
    assert_non_null(capture->file);
    capture->out.stream = capture->file;
    assert_int_equal(fflush(capture->file), 0);
}

static inline void capture_end(struct capture *capture)
{
    assert_int_equal(fclose(capture->file), 0);
    free(capture->text);
}

/* Forgets the lines so far. */
static inline void capture_clear(struct capture *capture)
{
    memset(capture->text, 0, strlen(capture->text));
    rewind(capture->file);
    assert_int_equal(fflush(capture->file), 0);
}

/* How often `what` occurs in `text`. */
static inline int count_of(const char *text, const char *what)
{
    int count = 0;
    for (const char *p = text; (p = strstr(p, what)) != NULL; p += strlen(what))
        count++;
    return count;
}

static inline int capture_count(const struct capture *capture, const char *what)
{
    return count_of(capture->text, what);
}

static inline int capture_lines(const struct capture *capture)
{
    return count_of(capture->text, "\n");
}

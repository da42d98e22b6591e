/* The lines of standard input, waited for with a time limit, and until another thread has something
 * more important: for a program that talks with a person.
 *
 * A thread of its own reads, since a system cannot always end a read that waits. It asks for more
 * only when what it has read was taken. Nothing else may read standard input beside it. */
#pragma once

#include "base/text.h"

struct line_input;

enum line_event {
    LINE_READ,
    LINE_LATE,  /* the time has come */
    LINE_WOKEN, /* line_input_wake() was called */
    LINE_END    /* there are no more lines */
};

/* NULL when there is no memory or no thread. */
struct line_input *line_input_create(void);
/* NULL is allowed. A thread that still waits for input is left behind until the program ends. */
void line_input_destroy(struct line_input *input);

/* Waits for the next line, which is borrowed until the next call: without its end, and cut after a
 * few hundred bytes. deadline_ms: a time of clock_ms(). */
enum line_event line_input_next(struct line_input *input, int64_t deadline_ms, struct span *line);

/* From now on each line_input_next() returns LINE_WOKEN. Any thread. */
void line_input_wake(struct line_input *input);

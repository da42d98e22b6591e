#include "base/line_input.h"

#include <stdlib.h>

#include "base/system.h"
#include "base/thread.h"

enum { CHUNK_SIZE = 4096, LINE_SIZE = 500, STANDARD_INPUT = 0 };

struct line_input {
    struct monitor monitor; /* guards all but `chunk` and `line` */
    size_t filled;          /* bytes of `chunk` */
    size_t taken;           /* of these; the thread reads more when all are */
    bool ended;             /* the thread has come to the end of the input */
    bool woken;
    bool abandoned;         /* line_input_destroy() was called: the thread frees this */
    char chunk[CHUNK_SIZE]; /* the thread's while all is taken, else the reader's of lines */
    char line[LINE_SIZE];   /* of the thread that asks for lines, as is `size` */
    size_t size;
};

static void free_input(struct line_input *input)
{
    monitor_destroy(&input->monitor);
    free(input);
}

/* Says whether to read on. */
static bool pass_on(struct line_input *input, int64_t size)
{
    (void)pthread_mutex_lock(&input->monitor.mutex);
    input->taken = 0;
    input->filled = size > 0 ? (size_t)size : 0;
    input->ended = size <= 0;
    (void)pthread_cond_broadcast(&input->monitor.changed);
    while (!input->abandoned && input->taken < input->filled)
        (void)pthread_cond_wait(&input->monitor.changed, &input->monitor.mutex);
    bool is_last = input->abandoned;
    bool goes_on = !is_last && !input->ended;
    (void)pthread_mutex_unlock(&input->monitor.mutex);
    if (is_last)
        free_input(input);
    return goes_on;
}

static void *read_input(void *argument)
{
    struct line_input *input = argument;
    while (pass_on(input, system_read(STANDARD_INPUT, input->chunk, CHUNK_SIZE)))
        continue;
    return NULL;
}

struct line_input *line_input_create(void)
{
    struct line_input *input = calloc(1, sizeof *input);
    if (!input || monitor_init(&input->monitor) != STATUS_OK) {
        free(input);
        return NULL;
    }
    pthread_t thread;
    if (thread_start(&thread, read_input, input) != STATUS_OK) {
        free_input(input);
        return NULL;
    }
    (void)pthread_detach(thread); /* fails only for a thread that is none */
    return input;
}

void line_input_destroy(struct line_input *input)
{
    if (!input)
        return;
    (void)pthread_mutex_lock(&input->monitor.mutex);
    bool is_last = input->ended;
    input->abandoned = true;
    (void)pthread_cond_broadcast(&input->monitor.changed);
    (void)pthread_mutex_unlock(&input->monitor.mutex);
    if (is_last)
        free_input(input);
}

/* Moves what there is, up to the end of a line, into `line`; says whether the line is whole. */
static bool take_bytes(struct line_input *input)
{
    while (input->taken < input->filled) {
        char c = input->chunk[input->taken++];
        if (c == '\n')
            return true;
        if (input->size < LINE_SIZE)
            input->line[input->size++] = c;
    }
    return input->ended && input->size > 0;
}

static enum line_event wait_for_line(struct line_input *input, int64_t deadline_ms)
{
    for (;;) {
        if (input->woken)
            return LINE_WOKEN;
        if (take_bytes(input))
            return LINE_READ;
        if (input->ended)
            return LINE_END;
        (void)pthread_cond_broadcast(&input->monitor.changed); /* all is taken */
        if (!monitor_wait_until(&input->monitor, deadline_ms))
            return LINE_LATE;
    }
}

enum line_event line_input_next(struct line_input *input, int64_t deadline_ms, struct span *line)
{
    (void)pthread_mutex_lock(&input->monitor.mutex);
    enum line_event event = wait_for_line(input, deadline_ms);
    (void)pthread_mutex_unlock(&input->monitor.mutex);
    if (event == LINE_READ) {
        *line = span_make(input->line, input->size);
        input->size = 0;
    }
    return event;
}

void line_input_wake(struct line_input *input)
{
    (void)pthread_mutex_lock(&input->monitor.mutex);
    input->woken = true;
    (void)pthread_cond_broadcast(&input->monitor.changed);
    (void)pthread_mutex_unlock(&input->monitor.mutex);
}

/* The program `caxton` as a child process, in the state most tests start from. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "process.h"

/* Writes a line made as printf makes it. */
static inline void engine_say(struct process *engine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void engine_say(struct process *engine, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    assert_true(size >= 0 && (size_t)size < sizeof line);
    process_write(engine, line);
}

static inline void engine_set(struct process *engine, const char *name, const char *value)
{
    engine_say(engine, "setoption name %s value %s", name, value);
}

static inline void engine_sync(struct process *engine)
{
    process_write(engine, "isready");
    (void)process_read_until(engine, "readyok");
}

/* Started and greeted, without book, with as many threads as CAXTON_TEST_THREADS says. */
static inline struct process *engine_start(void)
{
    const char *arguments[] = {process_binary("CAXTON_BINARY"), NULL};
    struct process *engine = process_start(arguments);
    process_write(engine, "uci");
    (void)process_read_until(engine, "uciok");
    engine_set(engine, "OwnBook", "false");
    const char *threads = getenv("CAXTON_TEST_THREADS");
    if (threads)
        engine_set(engine, "Threads", threads);
    engine_sync(engine);
    return engine;
}

/* Says quit; the program must end well and silently. */
static inline void engine_quit(struct process *engine)
{
    process_write(engine, "quit");
    assert_int_equal(process_wait(engine), 0);
    assert_string_equal(process_errors(engine), "");
    process_destroy(engine);
}

/* Waits without an answer, at the cost of a part of the time that passes, generous to a busy
 * machine and to sanitizers. */
static inline void engine_assert_idle(struct process *engine, int milliseconds)
{
    int64_t before = process_cpu_us(engine);
    assert_true(process_is_silent(engine, "bestmove", milliseconds));
    assert_in_range(process_cpu_us(engine) - before, 0, milliseconds * 1000 / 10);
}

/* A folder of one's own, and paths in it. */
struct scratch {
    char folder[256];
    char path[512];
};

static inline void scratch_create(struct scratch *scratch)
{
    const char *parent = getenv("TMPDIR");
    struct text_buffer text = text_buffer_on(scratch->folder, sizeof scratch->folder);
    text_append(&text, "%s/caxton-test-XXXXXX", parent && *parent ? parent : "/tmp");
    assert_false(text.cut);
    assert_non_null(mkdtemp(scratch->folder));
}

/* Valid until the next call. */
static inline const char *scratch_path(struct scratch *scratch, const char *name)
{
    struct text_buffer text = text_buffer_on(scratch->path, sizeof scratch->path);
    text_append(&text, "%s/%s", scratch->folder, name);
    assert_false(text.cut);
    return scratch->path;
}

static inline void scratch_write(struct scratch *scratch, const char *name, const void *bytes,
                                 size_t size)
{
    FILE *file = fopen(scratch_path(scratch, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* The files named are removed, then the folder. */
static inline void scratch_remove(struct scratch *scratch, const char *const *names)
{
    for (; *names; names++)
        (void)unlink(scratch_path(scratch, *names));
    (void)rmdir(scratch->folder);
}

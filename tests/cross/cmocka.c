#include "cmocka.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum outcome { PASSED, FAILED, SKIPPED };
enum { STACK_SIZE = 16 << 20 };

static enum outcome outcome; /* of the part that runs */

/* Leaves the test: each part of one has a thread of its own, which ends here. */
__attribute__((noreturn)) static void leave(enum outcome how)
{
    outcome = how;
    pthread_exit(NULL);
    abort(); /* not every header says that this is not reached */
}

void stand_in_print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vprintf(format, args);
    va_end(args);
    (void)fflush(stdout);
}

void stand_in_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    (void)printf("%s:%d: ", file, line);
    va_start(args, format);
    (void)vprintf(format, args);
    va_end(args);
    (void)printf("\n");
    leave(FAILED);
}

void stand_in_skip(void)
{
    leave(SKIPPED);
}

void stand_in_numbers(uintmax_t a, uintmax_t b, int equal, const char *file, int line)
{
    if ((a == b) != equal)
        stand_in_fail(file, line, "%lld %s %lld", (long long)a, equal ? "is not" : "is",
                      (long long)b);
}

void stand_in_range(uintmax_t value, uintmax_t min, uintmax_t max, const char *file, int line)
{
    if (value < min || value > max)
        stand_in_fail(file, line, "%lld is not in %lld..%lld", (long long)value, (long long)min,
                      (long long)max);
}

void stand_in_strings(const char *a, const char *b, int equal, const char *file, int line)
{
    if ((strcmp(a, b) == 0) != equal)
        stand_in_fail(file, line, "\"%s\" %s \"%s\"", a, equal ? "is not" : "is", b);
}

void stand_in_memory(const char *a, const char *b, size_t size, int equal, const char *file,
                     int line)
{
    size_t same = 0;
    while (same < size && a[same] == b[same])
        same++;
    if ((same == size) != equal)
        stand_in_fail(file, line, "%zu bytes: the first %zu are equal", size, same);
}

/* Either of both. */
struct part {
    int (*prepare)(void **state); /* setup or teardown */
    void (*test)(void **state);
    void **state;
};

static void *run_part(void *argument)
{
    const struct part *part = argument;
    if (part->prepare && part->prepare(part->state) != 0)
        leave(FAILED);
    if (part->test)
        part->test(part->state);
    return NULL;
}

static enum outcome run(struct part part)
{
    pthread_attr_t attributes;
    pthread_t thread;
    outcome = FAILED; /* no thread, no test */
    if (pthread_attr_init(&attributes) != 0)
        return outcome;
    if (pthread_attr_setstacksize(&attributes, STACK_SIZE) == 0) {
        outcome = PASSED;
        if (pthread_create(&thread, &attributes, run_part, &part) != 0 ||
            pthread_join(thread, NULL) != 0)
            outcome = FAILED;
    }
    (void)pthread_attr_destroy(&attributes);
    return outcome;
}

static enum outcome run_test(const struct CMUnitTest *test, void **state)
{
    enum outcome how = run((struct part){.prepare = test->setup, .state = state});
    if (how == PASSED)
        how = run((struct part){.test = test->test, .state = state});
    if (how != FAILED && run((struct part){.prepare = test->teardown, .state = state}) == FAILED)
        how = FAILED;
    stand_in_print("[ %s ] %s\n",
                   how == FAILED    ? "FAILED"
                   : how == SKIPPED ? "SKIPPED"
                                    : "OK",
                   test->name);
    return how;
}

int stand_in_run(const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
                 int (*teardown)(void **state))
{
    void *group = NULL;
    int failed = 0;
    if (run((struct part){.prepare = setup, .state = &group}) == FAILED)
        return (int)count;
    for (size_t i = 0; i < count; i++) {
        void *state = group;
        failed += run_test(&tests[i], &state) == FAILED;
    }
    failed += run((struct part){.prepare = teardown, .state = &group}) == FAILED;
    stand_in_print("%zu tests, %d failed\n", count, failed);
    return failed;
}

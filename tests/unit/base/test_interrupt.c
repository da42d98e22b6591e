/* Signals that the program catches, and those that it no longer does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"

struct calls {
    pthread_mutex_t lock;
    pthread_cond_t called;
    int count; /* lock */
};

static void count_call(void *context)
{
    struct calls *calls = context;
    (void)pthread_mutex_lock(&calls->lock);
    calls->count++;
    (void)pthread_cond_broadcast(&calls->called);
    (void)pthread_mutex_unlock(&calls->lock);
}

static void wait_for_call(struct calls *calls)
{
    (void)pthread_mutex_lock(&calls->lock);
    while (!calls->count)
        (void)pthread_cond_wait(&calls->called, &calls->lock);
    (void)pthread_mutex_unlock(&calls->lock);
}

static int count_of(struct calls *calls)
{
    (void)pthread_mutex_lock(&calls->lock);
    int count = calls->count;
    (void)pthread_mutex_unlock(&calls->lock);
    return count;
}

#define CALLS                                                                                      \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER, .called = PTHREAD_COND_INITIALIZER                      \
    }

static void each_signal_is_a_call(void **state)
{
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct calls calls = CALLS;
        struct interrupt *interrupt = interrupt_catch(count_call, &calls);
        assert_non_null(interrupt);
        assert_int_equal(kill(getpid(), numbers[i]), 0);
        wait_for_call(&calls);
        interrupt_release(interrupt);
        assert_int_equal(count_of(&calls), 1);
    }
}

/* A cluster warns its jobs by SIGUSR1: nothing comes of it, and Ctrl-C is a call as before. */
static void a_foreign_signal_is_no_release(void **state)
{
    (void)state;
    struct calls calls = CALLS;
    struct interrupt *interrupt = interrupt_catch(count_call, &calls);
    assert_non_null(interrupt);
    assert_int_equal(kill(getpid(), SIGUSR1), 0);
    sigset_t pending;
    do
        assert_int_equal(sigpending(&pending), 0);
    while (sigismember(&pending, SIGUSR1));
    assert_int_equal(count_of(&calls), 0);
    assert_int_equal(kill(getpid(), SIGINT), 0);
    wait_for_call(&calls);
    interrupt_release(interrupt);
    assert_int_equal(count_of(&calls), 1);
}

static void no_signal_is_no_call(void **state)
{
    (void)state;
    struct calls calls = CALLS;
    interrupt_release(interrupt_catch(count_call, &calls));
    assert_int_equal(count_of(&calls), 0);
    interrupt_release(NULL);
}

/* How a child of this process ends that catches a signal, and is sent another. */
static int status_of_child(bool release)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct calls calls = CALLS;
        struct interrupt *interrupt = interrupt_catch(count_call, &calls);
        if (!interrupt)
            _exit(1);
        (void)kill(getpid(), SIGINT);
        wait_for_call(&calls);
        if (release)
            interrupt_release(interrupt);
        (void)kill(getpid(), SIGINT);
        for (;;)
            (void)pause();
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void the_second_signal_ends_the_program(void **state)
{
    (void)state;
    for (int release = 0; release < 2; release++) {
        int status = status_of_child(release != 0);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGINT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_signal_is_a_call),
        cmocka_unit_test(a_foreign_signal_is_no_release),
        cmocka_unit_test(no_signal_is_no_call),
        cmocka_unit_test(the_second_signal_ends_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

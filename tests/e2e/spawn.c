#include "spawn.h"

#include <signal.h>
#include <spawn.h>

extern char **environ;

static int set_up(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                  const int ends[3])
{
    sigset_t defaults;
    int error = 0;
    for (int i = 0; i < 3 && !error; i++)
        error = posix_spawn_file_actions_adddup2(actions, ends[i], i);
    (void)sigemptyset(&defaults); /* fails only for a number that is no signal, as does the next */
    (void)sigaddset(&defaults, SIGPIPE);
    if (!error)
        error = posix_spawnattr_setsigdefault(attributes, &defaults);
    return error ? error : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
}

int spawn(const char *const *arguments, const int ends[3], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_up(&actions, &attributes, ends);
        /* The prototype of posix_spawn lacks a const: the strings are not written to. */
        union {
            const char *const *given;
            char *const *wanted;
        } argv = {.given = arguments};
        if (!error)
            error = posix_spawn(pid, arguments[0], &actions, &attributes, argv.wanted, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

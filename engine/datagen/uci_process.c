#include "engine/datagen/uci_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chess/fen.h"
#include "chess/notation.h"

enum { WORDS_MAX = 16, COMMAND_MAX = 1024 };

struct uci_process {
    pid_t pid;
    FILE *to;
    FILE *from;
    char *line; /* owned, of getline() */
    size_t capacity;
    char name[COMMAND_MAX];
};

static enum caxton_status gone(const struct uci_process *engine, struct diag *diag)
{
    diag_set(diag, 0, 0, "%s stopped answering", engine->name);
    return STATUS_IO;
}

/* The next line without its end; NULL when the engine is gone. */
static const char *read_line(struct uci_process *engine)
{
    ssize_t size = getline(&engine->line, &engine->capacity, engine->from);
    if (size < 0)
        return NULL;
    engine->line[strcspn(engine->line, "\r\n")] = '\0';
    return engine->line;
}

/* Splits `command` in place at blanks. */
static void split(char *command, char *words[WORDS_MAX + 1])
{
    int count = 0;
    char *at = command;
    while (count < WORDS_MAX) {
        at += strspn(at, " ");
        if (!*at)
            break;
        words[count++] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    words[count] = NULL;
}

extern char **environ;

static int spawn(const char *command, const int in[2], const int out[2], pid_t *pid)
{
    char copy[COMMAND_MAX];
    char *words[WORDS_MAX + 1];
    posix_spawn_file_actions_t actions;
    text_copy(copy, sizeof copy, span_of(command));
    split(copy, words);
    if (!words[0])
        return ENOENT;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (!error)
        error = posix_spawnp(pid, words[0], &actions, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

static void close_pipe(const int ends[2])
{
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* A pipe whose ends no other child inherits. */
static int open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return errno;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
        return 0;
    int error = errno;
    close_pipe(ends);
    return error;
}

static int open_pipes(int in[2], int out[2])
{
    int error = open_pipe(in);
    if (error)
        return error;
    error = open_pipe(out);
    if (error)
        close_pipe(in);
    return error;
}

static int start(struct uci_process *engine, const char *command)
{
    int in[2];
    int out[2];
    int error = open_pipes(in, out);
    if (error)
        return error;
    error = spawn(command, in, out, &engine->pid);
    if (error) {
        engine->pid = 0;
        close_pipe(in);
        close_pipe(out);
        return error;
    }
    (void)close(in[0]);
    (void)close(out[1]);
    engine->to = fdopen(in[1], "w");
    engine->from = fdopen(out[0], "r");
    if (!engine->to)
        (void)close(in[1]);
    if (!engine->from)
        (void)close(out[0]);
    return engine->to && engine->from ? 0 : ENOMEM;
}

static enum caxton_status shake_hands(struct uci_process *engine, struct diag *diag)
{
    const char *line;
    if (fputs("uci\n", engine->to) < 0 || fflush(engine->to) != 0)
        return gone(engine, diag);
    while ((line = read_line(engine)) && strcmp(line, "uciok") != 0)
        ;
    if (!line ||
        fputs("setoption name UCI_Chess960 value true\nsetoption name Hash value 1\nucinewgame\n",
              engine->to) < 0)
        return gone(engine, diag);
    return STATUS_OK;
}

enum caxton_status uci_process_start(const char *command, struct uci_process **out,
                                     struct diag *diag)
{
    struct uci_process *engine = calloc(1, sizeof *engine);
    if (!engine)
        return STATUS_NO_MEMORY;
    text_copy(engine->name, sizeof engine->name, span_of(command));
    int error = strlen(command) < COMMAND_MAX ? start(engine, command) : E2BIG;
    if (error)
        diag_set(diag, 0, 0, "%s cannot be started: %s", engine->name, strerror(error));
    enum caxton_status status = error ? STATUS_IO : shake_hands(engine, diag);
    if (status != STATUS_OK) {
        uci_process_end(engine);
        return status;
    }
    *out = engine;
    return STATUS_OK;
}

void uci_process_end(struct uci_process *engine)
{
    if (!engine)
        return;
    if (engine->to) {
        (void)fputs("quit\n", engine->to);
        (void)fclose(engine->to);
    }
    if (engine->from)
        (void)fclose(engine->from);
    /* It may be busy with a long search; what it would say is of no use any more. */
    if (engine->pid > 0 && kill(engine->pid, SIGKILL) == 0)
        (void)waitpid(engine->pid, NULL, 0);
    free(engine->line);
    free(engine);
}

enum caxton_status uci_process_ask(struct uci_process *engine, const struct position *pos,
                                   uint64_t nodes, struct diag *diag)
{
    char fen[FEN_MAX];
    fen_format(pos, fen);
    if (fprintf(engine->to, "position fen %s\ngo nodes %llu\n", fen, (unsigned long long)nodes) < 0)
        return gone(engine, diag);
    return STATUS_OK;
}

/* Takes the score of an "info" line if it has one. */
static void read_score(struct span line, int *score)
{
    struct span word;
    while ((word = span_token(&line)).size && !span_equal(word, "score"))
        ;
    bool mate = span_equal(span_token(&line), "mate");
    int64_t number;
    if (!word.size ||
        span_to_int(span_token(&line), -TEACHER_MATE, TEACHER_MATE, &number) != STATUS_OK)
        return;
    *score = !mate ? (int)number : number > 0 ? TEACHER_MATE : -TEACHER_MATE;
}

enum caxton_status uci_process_answer(struct uci_process *engine, const struct position *pos,
                                      struct lesson *out, struct diag *diag)
{
    out->score = 0;
    if (fflush(engine->to) != 0)
        return gone(engine, diag);
    for (;;) {
        const char *text = read_line(engine);
        if (!text)
            return gone(engine, diag);
        struct span line = span_of(text);
        struct span word = span_token(&line);
        if (span_equal(word, "info"))
            read_score(line, &out->score);
        if (!span_equal(word, "bestmove"))
            continue;
        struct span best = span_token(&line);
        if (move_from_uci(pos, best, &out->best) == STATUS_OK)
            return STATUS_OK;
        diag_set(diag, 0, 0, "%s answered with the illegal move %.*s", engine->name, (int)best.size,
                 best.data);
        return STATUS_IO;
    }
}

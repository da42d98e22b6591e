/* A child process under test, driven through pipes. Linux and other POSIX systems.
 *
 * Every function fails the running cmocka test, with the child's last output in the message, when
 * something goes wrong: the program is missing, a pipe breaks, or nothing comes for five minutes.
 * Strings returned are borrowed until the next call on the same process. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process;

/* The path in the environment variable `variable` (CAXTON_BINARY, MAKEBOOK_BINARY); fails without.
 */
const char *process_binary(const char *variable);

/* Starts arguments[0] with the arguments up to NULL; all three standard streams are pipes. */
struct process *process_start(const char *const *arguments);
/* The same on a pseudo terminal of its own, which shows what is typed, too. */
struct process *process_start_on_terminal(const char *const *arguments);
/* Ends the child if it still runs, waits for it, frees everything. NULL is allowed. */
void process_destroy(struct process *process);

void process_write(struct process *process, const char *line); /* a newline is added */
void process_write_bytes(struct process *process, const void *bytes, size_t size);
void process_close_input(struct process *process);

/* The next line of standard output without its end, or NULL at the end of the output. */
const char *process_read_line(struct process *process);
/* Reads lines until one starts with `prefix`, returns it; the end of output is a failure. */
const char *process_read_until(struct process *process, const char *prefix);
/* As process_read_until; returns how many lines before it start with `counted`. */
size_t process_count_until(struct process *process, const char *counted, const char *prefix);
/* Is no line that starts with `prefix` written for this long? Other lines are read and dropped. */
bool process_is_silent(struct process *process, const char *prefix, int milliseconds);

/* All standard output that is still unread, to its end. */
const char *process_read_all(struct process *process);
/* What was written to standard error so far; all of it after process_wait(). */
const char *process_errors(struct process *process);
/* Waits until standard error has `part`; its end before that is a failure. Output is kept. */
void process_wait_for_error(struct process *process, const char *part);

/* Sends a signal to the child, which must still run. */
void process_signal(struct process *process, int signal);

/* Closes the input, drops the rest of the output, waits. The exit status, or 128 + the signal. */
int process_wait(struct process *process);

/* CPU time that the child has used in all its threads; before process_wait(). */
int64_t process_cpu_us(struct process *process);

/* A whole run: `input` (may be NULL) is written, then everything is read. */
struct process_result {
    int status;
    char *output; /* of standard output; freed by process_result_free() */
    char *errors; /* of standard error */
};
struct process_result process_run(const char *const *arguments, const char *input);
void process_result_free(struct process_result *result);

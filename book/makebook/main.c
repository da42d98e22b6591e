/* makebook: builds, merges, checks and shows opening books. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/open_files.h"
#include "book/makebook/cli/command.h"
#include "chess/attacks.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"build", command_build, "count games (PGN) into a book"},
    {"merge", command_merge, "add books up, or statistics"},
    {"convert", command_convert, "make another kind of book, or a book of statistics"},
    {"add", command_add, "put one move into a book"},
    {"show", command_show, "the moves known in a position"},
    {"stats", command_stats, "a book in numbers: positions, leaves, depths, openings"},
    {"diff", command_diff, "what two books of any kinds know differently"},
    {"dump", command_dump, "a whole book as text"},
    {"explore", command_explore, "a book as a page for the browser"},
    {"verify", command_verify, "name every fault of a book, repair it"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void show_help(void)
{
    (void)printf("makebook %s: makes opening books\n\nmakebook COMMAND [options]\n\n",
                 CAXTON_VERSION);
    for (int i = 0; i < COMMAND_COUNT; i++)
        (void)printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    (void)printf("\nmakebook help COMMAND says more. Exit status: 0 done, 1 failed, 2 used "
                 "wrongly.\n");
}

/* Nothing half-written is left behind. */
static void on_signal(int number)
{
    atomic_file_remove_all();
    _exit(128 + number);
}

static void catch_signals(void)
{
    /* A reader that goes away (SIGPIPE) ends the program as quietly as the others. */
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN)
            continue; /* as nohup wants it */
        (void)sigaction(numbers[i], &action, NULL);
    }
    /* A file that grows too large (ulimit -f) is a write that fails, with its reason. */
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGXFSZ, &action, NULL);
}

static int run_command(const char *name, int argc, char **argv)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run(argc, argv);
    (void)fprintf(stderr, "makebook: unknown command %s; see makebook --help\n", name);
    return EXIT_USAGE;
}

/* "help" alone is about the program, "help build" the same as "build --help". */
static int help(const char *name)
{
    char option[] = "--help";
    char *words[] = {option, NULL};
    if (name && name[0] != '-')
        return run_command(name, 1, words);
    show_help();
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        (void)fprintf(stderr, "makebook: no command given; see makebook --help\n");
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(NULL);
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("makebook %s\n", CAXTON_VERSION);
        return EXIT_DONE;
    }
    chess_init();
    catch_signals();
    open_files_raise();
    return run_command(argv[1], argc - 2, argv + 2);
}

/* makebook: builds, merges, checks and shows opening books. */
#include <stdio.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/program.h"
#include "book/makebook/commands/commands.h"
#include "chess/attacks.h"

#define COMMAND_ADDRESS(name) &command_##name,
static const struct command *const commands[] = {COMMANDS(COMMAND_ADDRESS)};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void show_help(void)
{
    (void)printf("makebook %s: makes opening books\n\nmakebook COMMAND [options]\n\n",
                 CAXTON_VERSION);
    for (int i = 0; i < COMMAND_COUNT; i++)
        (void)printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    (void)printf("\nmakebook help COMMAND says more. Exit status: 0 done, 1 failed, 2 used "
                 "wrongly.\n");
}

static int run_command(const char *name, int argc, char **argv)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i]->run(argc, argv);
    (void)fprintf(stderr, "makebook: unknown command %s; see makebook --help\n", name);
    return EXIT_USAGE;
}

/* "help" alone prints the help of the program, "help build" is the same as "build --help". */
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
    program_start(&argc, &argv);
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
    atomic_file_catch_signals();
    file_raise_open_max();
    return run_command(argv[1], argc - 2, argv + 2);
}

/* makebook: builds, merges, checks and shows opening books. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/help.h"
#include "base/program.h"
#include "base/text.h"
#include "book/makebook/commands/commands.h"
#include "chess/attacks.h"

#define COMMAND_ROW(name, heading) {&command_##name, heading},
static const struct {
    const struct command *command;
    const char *heading;
} commands[] = {COMMANDS(COMMAND_ROW)};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands, NAME_WIDTH = 10 };

static enum exit_status run_command(const char *name, int argc, char **argv)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].command->name) == 0)
            return commands[i].command->run(argc, argv);
    struct text_nearest near = {.wanted = span_of(name)};
    for (int i = 0; i < COMMAND_COUNT; i++)
        text_nearest_try(&near, span_of(commands[i].command->name));
    text_nearest_try(&near, span_of("help"));
    text_nearest_try(&near, span_of("--help"));
    text_nearest_try(&near, span_of("--version"));
    (void)fputs("makebook: unknown command ", stderr);
    text_put_safe(stderr, span_of(name));
    if (strpbrk(name, "./"))
        (void)fputs(" (did you mean show or build? A file stands behind the command)", stderr);
    else if (near.word.data)
        (void)fprintf(stderr, " (did you mean %.*s?)", (int)near.word.size, near.word.data);
    (void)fputs("; see makebook --help\n", stderr);
    return EXIT_USAGE;
}

/* Runs `name` with --help or another form of it. */
static enum exit_status show_command_help(const char *name, const char *option)
{
    char word[sizeof "--help=words"];
    char *words[] = {word, NULL};
    text_copy(word, sizeof word, span_of(option));
    return run_command(name, 1, words);
}

static void show_commands(enum help_form form)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        bool is_new = i == 0 || strcmp(commands[i].heading, commands[i - 1].heading) != 0;
        if (is_new && form == HELP_TEXT)
            (void)printf("%s%s:\n", i ? "\n" : "", commands[i].heading);
        else if (is_new && form == HELP_MAN)
            help_man_heading(stdout, ".SS", commands[i].heading);
        help_row(stdout, form, NAME_WIDTH, commands[i].command->name, "-",
                 commands[i].command->summary);
    }
    if (form == HELP_WORDS)
        help_row(stdout, form, NAME_WIDTH, "help", "-", "what a command does");
}

static void show_text(void)
{
    (void)printf("makebook %s: makes opening books\n\nmakebook COMMAND [options]\n\n",
                 program_version);
    show_commands(HELP_TEXT);
    (void)printf("\nmakebook help COMMAND says more. Exit status: 0 done, 1 failed, 2 used "
                 "wrongly.\n");
}

/* The manual page: all commands, then the help of each. */
static void show_man(void)
{
    help_man_begin(stdout, "makebook", "1 User Commands", "makes opening books for chess");
    help_man_heading(stdout, ".SH", "SYNOPSIS");
    help_man_text(stdout, "`makebook` COMMAND [options]");
    help_man_heading(stdout, ".SH", "DESCRIPTION");
    help_man_text(stdout,
                  "Makes, shows, checks and improves opening books for chess programs: Polyglot, "
                  "Arena, ChessBase, games with variations and others. The commands are:");
    show_commands(HELP_MAN);
    help_man_heading(stdout, ".SH", "COMMANDS");
    for (int i = 0; i < COMMAND_COUNT; i++)
        (void)show_command_help(commands[i].command->name, "--help=man");
    help_man_heading(stdout, ".SH", "EXIT STATUS");
    help_man_text(stdout, "0 done, 1 failed with one line that says why, 2 used wrongly. diff is "
                          "as `diff`(1): 0 alike, 1 different, 2 trouble.");
    help_man_heading(stdout, ".SH", "SEE ALSO");
    help_man_text(stdout, "`caxton`(6); recipes are in MAKEBOOK.md, in share/doc/caxton.");
}

/* The exit status of what only prints. */
static enum exit_status end_output(void)
{
    if (!ferror(stdout) && fflush(stdout) == 0)
        return EXIT_DONE;
    (void)fprintf(stderr, "makebook: standard output: %s\n", strerror(errno));
    return EXIT_FAILED;
}

static enum exit_status show_help(enum help_form form)
{
    if (form == HELP_MAN)
        show_man();
    else if (form == HELP_WORDS)
        show_commands(HELP_WORDS);
    else
        show_text();
    return end_output();
}

/* "help" alone prints the help of the program, "help build" is the same as "build --help". */
static enum exit_status help(const char *name)
{
    return name && name[0] != '-' && strcmp(name, "help") != 0 ? show_command_help(name, "--help")
                                                               : show_help(HELP_TEXT);
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
    if (help_form_of(argv[1]) == HELP_TEXT)
        return help(argc > 2 ? argv[2] : NULL);
    if (help_form_of(argv[1]) != HELP_NONE)
        return show_help(help_form_of(argv[1]));
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("makebook %s\n", program_version);
        return end_output();
    }
    chess_init();
    atomic_file_catch_signals();
    file_raise_open_max();
    return run_command(argv[1], argc - 2, argv + 2);
}

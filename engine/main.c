/* The program `caxton`. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/help.h"
#include "base/program.h"
#include "chess/attacks.h"
#include "engine/options.h"
#include "engine/play.h"
#include "engine/uci.h"

enum { COMMAND_MAX = 8192 };

static const struct {
    const char *words;
    const char *help;
} usages[] = {
    {"", "speak UCI: for chess programs"},
    {"play [OPTIONS]", "play a game against it in the terminal; see play --help"},
    {"bench [DEPTH]", "search fixed positions, print nodes and speed"},
    {"speedtest [THREADS [MB [SECONDS]]]", "the speed with all threads, a table"},
    {"COMMAND...", "carry out one UCI command: go depth 10 (without the book), eval, help .."},
    {"options --markdown", "the table of options"},
    {"options --spsa", "the numbers of the search for a tuner; of a tuning build"},
    {"--version", "print the version"},
    {"--help", "this text"},
};

static enum exit_status fail(const char *what, enum caxton_status status)
{
    (void)fprintf(stderr, "caxton: %s: %s\n", what, status_name(status));
    return EXIT_FAILED;
}

/* The name and the version, then `rest`. */
static enum exit_status print_version(const char *rest)
{
    bool good = printf("Caxton %s%s", program_version, rest) >= 0 && fflush(stdout) == 0;
    return good ? EXIT_DONE : fail("standard output", STATUS_IO);
}

static void show_usages(enum help_form form)
{
    enum { NAME_WIDTH = 27 };
    char name[64];
    for (size_t i = 0; i < sizeof usages / sizeof *usages; i++) {
        (void)snprintf(name, sizeof name, "%s%s%s", form == HELP_WORDS ? "" : "caxton",
                       form == HELP_WORDS || !usages[i].words[0] ? "" : " ", usages[i].words);
        help_row(stdout, form, NAME_WIDTH, name, "-", usages[i].help);
    }
}

/* The manual page: the command line, `play`, UCI. */
static void show_man(void)
{
    char play[] = "play";
    char option[] = "--help=man";
    char *words[] = {NULL, play, option, NULL};
    help_man_begin(stdout, "caxton", "6 Games Manual", "a chess engine with its opening book");
    help_man_heading(stdout, ".SH", "SYNOPSIS");
    show_usages(HELP_MAN);
    help_man_heading(stdout, ".SH", "DESCRIPTION");
    help_man_text(stdout,
                  "A chess engine for chess programs that speak UCI, such as cutechess, pychess, "
                  "xboard (by polyglot) and Arena. Its network and its opening book are built in; "
                  "it needs no other file. `OwnBook` is on unless it is set to `false`.");
    (void)play_main(3, words, 0);
    help_man_heading(stdout, ".SH", "UCI OPTIONS");
    options_list_man(stdout);
    help_man_heading(stdout, ".SH", "UCI COMMANDS");
    uci_list_commands(stdout, HELP_MAN);
    help_man_heading(stdout, ".SH", "SEE ALSO");
    help_man_text(stdout, "`makebook`(1), which makes books for `BookFile`.");
}

static enum exit_status show_help(enum help_form form)
{
    if (form == HELP_MAN) {
        show_man();
    } else {
        if (form == HELP_TEXT)
            (void)print_version(", a chess engine with its opening book built in.\n\n");
        show_usages(form);
    }
    if (form == HELP_WORDS)
        uci_list_commands(stdout, HELP_WORDS);
    return ferror(stdout) || fflush(stdout) != 0 ? fail("standard output", STATUS_IO) : EXIT_DONE;
}

static enum exit_status usage(const char *what)
{
    (void)fprintf(stderr, "caxton: %s; see caxton --help\n", text_safe(what).text);
    return EXIT_USAGE;
}

static enum exit_status run_options(int argc, char **argv)
{
    bool markdown = argc == 3 && strcmp(argv[2], "--markdown") == 0;
    bool spsa = argc == 3 && strcmp(argv[2], "--spsa") == 0;
    if (!markdown && !spsa)
        return usage("options takes --markdown or --spsa");
    if (spsa && !param_table->name)
        return usage("options --spsa needs a tuning build: cmake -DCAXTON_TUNE=ON");
    if (markdown)
        options_list_markdown(stdout);
    else
        options_list_spsa(stdout, param_table);
    return ferror(stdout) ? fail("options", STATUS_IO) : EXIT_DONE;
}

/* The arguments as one line of UCI. */
static enum exit_status run_command(int argc, char **argv)
{
    char data[COMMAND_MAX];
    struct text_buffer line = text_buffer_on(data, sizeof data);
    /* For most engines each argument is a command, and OpenBench adds this one. */
    if (argc > 2 && strcmp(argv[argc - 1], "quit") == 0)
        argc--;
    for (int i = 1; i < argc; i++)
        text_append(&line, "%s%s", i > 1 ? " " : "", argv[i]);
    if (line.cut)
        return usage("the command is too long");
    struct diag diag;
    enum caxton_status status = uci_execute(data, stdout, clock_seed(), &diag);
    if (status == STATUS_NOT_FOUND || status == STATUS_SYNTAX)
        return usage(diag.text);
    if (status != STATUS_OK)
        (void)fprintf(stderr, "caxton: %s\n", text_safe(diag.text).text);
    return status == STATUS_OK ? EXIT_DONE : EXIT_FAILED;
}

int main(int argc, char **argv)
{
    program_start(&argc, &argv);
    chess_init();
    if (argc < 2) {
        if (file_is_terminal(stdin) && print_version(". Type help, or quit.\n"))
            return EXIT_FAILED;
        enum caxton_status status = uci_converse(stdin, stdout, clock_seed());
        return status == STATUS_OK   ? EXIT_DONE
               : status == STATUS_IO ? fail("standard output", status)
                                     : fail("start", status);
    }
    if (strcmp(argv[1], "--version") == 0)
        return print_version("\n");
    if (help_form_of(argv[1]) != HELP_NONE)
        return show_help(help_form_of(argv[1]));
    if (strcmp(argv[1], "options") == 0)
        return run_options(argc, argv);
    if (strcmp(argv[1], "play") == 0)
        return play_main(argc, argv, clock_seed());
    return run_command(argc, argv);
}

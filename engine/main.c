/* The program `caxton`. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/program.h"
#include "chess/attacks.h"
#include "engine/options.h"
#include "engine/play.h"
#include "engine/uci.h"

enum { EXIT_USAGE = 2, COMMAND_MAX = 8192 };

static const char help[] =
    "Caxton " CAXTON_VERSION ", a chess engine with its opening book built in.\n"
    "\n"
    "  caxton                      speak UCI: for chess programs\n"
    "  caxton play [OPTIONS]       play a game against it in the terminal; see play --help\n"
    "  caxton bench [DEPTH]        search fixed positions, print nodes and speed\n"
    "  caxton COMMAND...           carry out one UCI command: go depth 10 (without the book),\n"
    "                              go perft 6, book, eval, d, help\n"
    "  caxton options --markdown   the table of options\n"
    "  caxton options --spsa       the numbers of the search for a tuner; of a tuning build\n"
    "  caxton --version, --help\n";

static int fail(const char *what, enum caxton_status status)
{
    (void)fprintf(stderr, "caxton: %s: %s\n", what, status_name(status));
    return 1;
}

static int print(const char *text)
{
    return fputs(text, stdout) >= 0 && fflush(stdout) == 0 ? 0 : 1;
}

static int usage(const char *what)
{
    (void)fprintf(stderr, "caxton: %s; see caxton --help\n", what);
    return EXIT_USAGE;
}

static int run_options(int argc, char **argv)
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
    return ferror(stdout) ? fail("options", STATUS_IO) : 0;
}

/* The arguments as one line of UCI. */
static int run_command(int argc, char **argv)
{
    char data[COMMAND_MAX];
    struct text_buffer line = text_buffer_on(data, sizeof data);
    for (int i = 1; i < argc; i++)
        text_append(&line, "%s%s", i > 1 ? " " : "", argv[i]);
    if (line.cut)
        return usage("the command is too long");
    struct diag diag;
    enum caxton_status status = uci_execute(data, stdout, clock_seed(), &diag);
    if (status == STATUS_NOT_FOUND || status == STATUS_SYNTAX)
        return usage(diag.text);
    if (status != STATUS_OK)
        (void)fprintf(stderr, "caxton: %s\n", diag.text);
    return status == STATUS_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    program_start(&argc, &argv);
    chess_init();
    if (argc < 2) {
        if (file_is_terminal(stdin) && print("Caxton " CAXTON_VERSION ". Type help, or quit.\n"))
            return 1;
        enum caxton_status status = uci_converse(stdin, stdout, clock_seed());
        return status == STATUS_OK ? 0 : fail("start", status);
    }
    if (strcmp(argv[1], "--version") == 0)
        return print("Caxton " CAXTON_VERSION "\n");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return print(help);
    if (strcmp(argv[1], "options") == 0)
        return run_options(argc, argv);
    if (strcmp(argv[1], "play") == 0)
        return play_main(argc, argv, clock_seed());
    return run_command(argc, argv);
}

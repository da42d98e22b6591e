/* makebook as a program: help, wrong use, files that are no books, outputs that fail; merge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/program.h"
#include "entries.h"
#include "makebook.h"

static void general_help(void **state)
{
    (void)state;
    static const char *const names[] = {"build", "merge", "show", "dump", "verify"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        RUNS(0, "--help");
        assert_says(result.output, names[i]);
        RUNS(0, names[i], "--help");
        assert_says(result.output, names[i]);
        assert_string_equal(result.errors, "");
        char text[FILE_MAX];
        (void)snprintf(text, sizeof text, "%s", result.output);
        RUNS(0, "help", names[i]);
        assert_string_equal(result.output, text);
    }
    RUNS(0, "help");
    assert_says(result.output, "makebook help COMMAND says more");
    RUNS(0, "help", "convert");
    assert_says(result.output, "weights are 1, but moves of weight 0 are left out");
    FAILS(2, "unknown command sow", "help", "sow");
    RUNS(0, "help", "help");
    assert_says(result.output, "makebook help COMMAND says more");
    RUNS(0, "--help", "show");
    assert_says(result.output, "makebook show BOOK");
    RUNS(0, "--version");
    char text[64];
    (void)snprintf(text, sizeof text, "makebook %s\n", program_version);
    assert_string_equal(result.output, text);
}

/* Commands stand below what people want of them. */
static void help_by_what_people_want(void **state)
{
    static const char *const parts[] = {
        "\nMake a book:\n",      "\n  build ",  "\nLook into a book:\n", "\n  show ",
        "\nJudge a book:\n",     "\n  verify ", "\nChange a book:\n",    "\n  prune ",
        "\nPlay with a book:\n", "\n  learn "};
    (void)state;
    RUNS(0, "help");
    const char *at = result.output;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_says(at, parts[i]);
        at = strstr(at, parts[i]) + 1;
    }
}

/* What "--name VALUE" has in parentheses at the end of its line in --help. */
static void default_of(const char *command, const char *option, char out[64])
{
    char start[64];
    RUNS(0, command, "--help");
    (void)snprintf(start, sizeof start, "\n  %s ", option);
    const char *line = strstr(result.output, start);
    assert_non_null(line);
    const char *end = strchr(line + 1, '\n');
    const char *value = end;
    while (value > line && *value != '(')
        value--;
    assert_true(*value == '(' && end[-1] == ')');
    (void)snprintf(out, 64, "%.*s", (int)(end - value - 2), value + 1);
}

/* A command does the same without options and with the defaults that its help tells. */
static void help_tells_real_defaults(void **state)
{
    enum { WORDS = 8, OPTIONS = 6 };
    static const struct {
        const char *words[WORDS]; /* of a command that prints what it finds */
        const char *options[OPTIONS];
    } cases[] = {
        {{"diff", "builtin", "games.bin"}, {"--threshold", "-n, --limit"}},
        {{"plan", "--against", "games.bin", "--tsv", "--max-positions", "300"},
         {"--min-depth", "--branch", "--workers", "--seed", "--ahead"}},
        {{"plan", "--against", "games.bin", "--tsv", "--max-positions", "300"},
         {"--budget", "--speed", "--overhead", "--color"}},
        {{"build", "games.pgn", "-q", "-o", "out.bin"},
         {"--max-ply", "--min-games", "--weight", "--memory", "--bad-games", "--variant"}},
    };
    (void)state;
    write_text("games.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n"
                            "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 1-0\n\n"
                            "[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 1-0\n");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--min-games", "1", "-o", "games.bin"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *words[WORDS_MAX + 1] = {NULL};
        char values[OPTIONS][64];
        char *without = NULL;
        size_t count = 0;
        for (; count < WORDS && cases[i].words[count]; count++)
            words[count] = cases[i].words[count];
        int status = makebook(words);
        if (strcmp(words[0], "build") == 0)
            assert_int_equal(MAKEBOOK("dump", "--raw", "out.bin"), 0);
        without = strdup(result.output);
        assert_non_null(without);
        assert_true(*without);
        for (size_t j = 0; j < OPTIONS && cases[i].options[j]; j++) {
            default_of(words[0], cases[i].options[j], values[j]);
            words[count++] = strstr(cases[i].options[j], "--");
            words[count++] = values[j];
        }
        assert_int_equal(makebook(words), status);
        if (strcmp(words[0], "build") == 0)
            assert_int_equal(MAKEBOOK("dump", "--raw", "out.bin"), 0);
        assert_string_equal(result.output, without);
        free(without);
    }
}

static void wrong_use(void **state)
{
    (void)state;
    runs(2, (const char *const[]){NULL});
    assert_says(result.errors, "no command");
    FAILS(2, "unknown command sow (did you mean show?)", "sow");
    FAILS(2, "unknown command hlep (did you mean help?)", "hlep");
    FAILS(2, "unknown command version (did you mean --version?)", "version");
    FAILS(2, "unknown command mine.bin (did you mean show or build?", "mine.bin");
    FAILS(2, "unknown command frobnicate; see", "frobnicate");
    FAILS(2, "unknown option --jsn (did you mean --json?)", "show", "builtin", "--jsn");
    FAILS(2, "unknown option --elo (did you mean --min-elo?)", "build", "x.pgn", "--elo", "2000");
    FAILS(2, "not summ (did you mean sum?)", "merge", "a", "-o", "b", "--policy", "summ");
    FAILS(2, "not xy; see", "merge", "a", "-o", "b", "--policy", "xy");
    FAILS(2, "not \"\"; see", "show", "builtin", "--samples=");
    FAILS(2, "x.bin is too much; wanted: BOOK -o OUT", "prune", "builtin", "x.bin", "-o", "y.bin");
    FAILS(1, "e4: No such file", "show", "e4", "builtin");
    FAILS(2, "unknown option --frobnicate", "show", "builtin", "--frobnicate");
    FAILS(2, "no value is wanted", "show", "builtin", "--json=yes");
    FAILS(2, "wanted: BOOK", "show");
    FAILS(2, "wanted: BOOK", "dump", "builtin", "builtin");
    FAILS(2, "a value is missing after --start", "dump", "builtin", "--start");
    FAILS(2, "no output given", "merge", "builtin");
    FAILS(2, "wanted: BOOKS", "merge", "-o", "x");
    FAILS(2, "--repair needs --output", "verify", "builtin", "--repair");
    FAILS(2, "--output needs --repair", "verify", "builtin", "-o", path_of("x"));
    assert_int_equal(count_files(), 0);
}

/* What every command that reads a book answers to what is none. */
static void bad_books(void **state)
{
    (void)state;
    static const char *const commands[] = {"show", "dump", "merge", "verify"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        bool merge = strcmp(commands[i], "merge") == 0;
        const char *words[] = {commands[i], NULL, merge ? "-o" : NULL, path_of("out.bin"), NULL};
        words[1] = path_of("missing.bin");
        fails(1, "missing.bin: No such file", words);
        words[1] = folder;
        fails(1, folder, words);
        words[1] = write_bytes("empty.bin", "", 0);
        fails(1, "empty.bin: the file is empty", words);
        words[1] = write_bytes("list.csv", "name,site\nA,Hastings\n", 21);
        fails(1, "list.csv: a text of no kind that is known", words);
        words[1] = "-"; /* nothing arrives */
        fails(1, "standard input: the file is empty", words);
        assert_false(exists("out.bin"));
    }
}

/* Of a file that ends within an entry the others are used, with one warning; verify mends it. */
static void books_that_are_cut(void **state)
{
    (void)state;
    const char *cut = write_bytes("cut.bin",
                                  "\x01"
                                  "1234567\x03\x1C\0\1\0\0\0\0" /* e2e4 */
                                  "\n",
                                  ENTRY + 1);
    const char *mended = path_of("mended.bin");
    RUNS(0, "dump", cut);
    assert_says(result.output, "e2e4");
    assert_says(result.errors, "warning: ");
    assert_says(result.errors, "cut.bin: the file ends within an entry, at byte 16");
    RUNS(0, "merge", cut, "-o", mended);
    assert_int_equal(read_book(mended).size, ENTRY);
    RUNS(1, "verify", cut);
    assert_line(result.output, "byte 16: the file ends within an entry, which has 16 bytes");
    RUNS(0, "verify", cut, "--repair", "-o", mended);
    assert_int_equal(read_book(mended).size, ENTRY);
    RUNS(0, "verify", mended);
    assert_int_equal(remove(cut) | remove(mended), 0);
}

/* What has no end, or would keep a reader waiting, is refused at once. */
static void readers_do_not_wait(void **state)
{
    (void)state;
    static const char *const commands[] = {"show",   "stats", "dump",    "merge",
                                           "verify", "diff",  "convert", "explore"};
    const char *sparse = write_bytes("sparse.bin", "\x01", 1);
    const char *fifo = path_of("fifo");
    const char *out = path_of("out");
    struct book_bytes bytes = small_book();
    const char *book = write_sorted("book.bin", &bytes);
    assert_int_equal(truncate(sparse, (off_t)100 << 30), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const char *const names[][2] = {{"/dev/zero", "is a pipe or a device"},
                                    {fifo, "is a pipe or a device"},
                                    {folder, "is a folder"},
                                    {sparse, "too large"}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            bool diff = strcmp(commands[i], "diff") == 0;
            bool names_output = strchr("me", commands[i][0]) != NULL;
            const char *words[] = {commands[i], names[j][0], NULL, NULL, NULL};
            if (diff || strcmp(commands[i], "convert") == 0)
                words[2] = diff ? book : out;
            if (names_output) {
                words[2] = "-o";
                words[3] = out;
            }
            fails(diff ? 2 : 1, names[j][1], words);
        }
    FAILS(1, "is a pipe or a device", "add", fifo, "startpos", "e4", "3");
    FAILS(1, "is a pipe or a device", "add", "/dev/zero", "startpos", "e4", "3");
    assert_false(exists("out"));
}

static void merge_adds(void **state)
{
    (void)state;
    struct book_bytes a = small_book();
    struct book_bytes b = {.size = 0};
    add(&b, "e2e4", "e7e5", 3);
    add(&b, "", "e2e4", 65535);
    add(&b, "", "c2c4", 1);
    add(&b, "", "a2a3", 0);
    const char *first = write_sorted("a.bin", &a);
    const char *second = write_book("b.bin", &b); /* not sorted */
    const char *forth = path_of("forth.bin");
    const char *back = path_of("back.bin");
    RUNS(0, "merge", first, second, "-o", forth);
    assert_says(result.output, "10 entries read, 8 written for 4 positions; 1 positions scaled");
    RUNS(0, "merge", "-o", back, "-q", second, first);
    assert_string_equal(result.output, "");

    struct book_bytes merged = read_book(forth);
    struct book_bytes other = read_book(back);
    assert_int_equal(merged.size, other.size);
    assert_memory_equal(merged.bytes, other.bytes, merged.size);
    assert_int_equal(weight_of(&merged, "", "e2e4"), 65535);
    assert_int_equal(weight_of(&merged, "", "d2d4"), 10);
    assert_int_equal(weight_of(&merged, "", "c2c4"), 1);
    assert_int_equal(weight_of(&merged, "", "a2a3"), 0);
    assert_int_equal(weight_of(&merged, "e2e4", "e7e5"), 5);
    assert_int_equal(weight_of(&merged, "e2e4", "c7c5"), 2);
    assert_int_equal(weight_of(&merged, "e2e4 e7e5", "g1f3"), 5);
    assert_int_equal(count_files(), 4);
}

static void merge_scales(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    add(&book, "", "e2e4", 60000);
    add(&book, "", "d2d4", 30000);
    add(&book, "", "a2a3", 1);
    add(&book, "e2e4", "e7e5", 20000);
    const char *path = write_book("a.bin", &book);
    const char *output = path_of("out.bin");
    RUNS(0, "merge", path, path, path, "-o", output);
    struct book_bytes merged = read_book(output);
    assert_int_equal(weight_of(&merged, "", "e2e4"), 65535);
    assert_in_range(weight_of(&merged, "", "d2d4"), 32767, 32768);
    assert_int_equal(weight_of(&merged, "", "a2a3"), 1);
    assert_int_equal(weight_of(&merged, "e2e4", "e7e5"), 60000);
    /* To standard output, but not into its own input. */
    FAILS(2, "out.bin is read: it would be lost", "merge", path, output, "-o", output);
    struct book_bytes again = read_book(output);
    assert_memory_equal(again.bytes, merged.bytes, merged.size);
    RUNS(0, "merge", path, "-o", "-");
    assert_says(result.errors, "4 entries read, 4 written");
}

static const char two_games[] = "[Event \"1\"]\n\n1. e4 1-0\n\n[Event \"2\"]\n\n1. d4 0-1\n";

/* What a command reads is never what it writes, unless that is of the same kind. */
static void nothing_read_is_lost(void **state)
{
    (void)state;
    char kept[FILE_MAX];
    char again[400];
    struct book_bytes book = small_book();
    const char *games = write_bytes("games", two_games, sizeof two_games - 1);
    const char *path = write_sorted("a.bin", &book);
    (void)snprintf(again, sizeof again, "%s/./games", folder);
    FAILS(2, "is read: it would be lost", "build", games, "-o", again);
    FAILS(2, "is read: it would be lost", "build", games, "--stats", games);
    assert_int_equal(link(games, path_of("other")), 0);
    FAILS(2, "is read: it would be lost", "build", games, "-o", path_of("other"));
    FAILS(2, "is read: it would be lost", "explore", path, "-o", path);
    FAILS(2, "is read: it would be lost", "convert", path, path, "--to", "abk");
    (void)snprintf(again, sizeof again, "%s/./both", folder);
    FAILS(2, "both go to one file", "build", games, "-o", path_of("both"), "--stats", again);
    assert_int_equal(read_bytes("games", kept), sizeof two_games - 1);
    assert_int_equal(read_book(path).size, book.size);
    assert_false(exists("both"));
}

/* What a name promises and the command does not write. */
static void names_that_promise_another_kind(void **state)
{
    (void)state;
    const char *games = write_bytes("games.pgn", two_games, sizeof two_games - 1);
    FAILS(2, "makebook convert makes other kinds", "build", games, "-o", path_of("b.abk"));
    FAILS(2, "makebook convert makes other kinds", "build", games, "-o", path_of("b.PGN"));
    FAILS(2, "makebook convert makes books", "build", games, "--stats", path_of("b.bin"));
    RUNS(0, "build", games, "-o", path_of("c.WLD"), "--min-games", "1", "-q");
    RUNS(0, "verify", path_of("c.WLD"));
    assert_says(result.output, "statistics, 2 moves");
    FAILS(2, "makebook convert makes books", "merge", path_of("c.WLD"), "-o", path_of("b.tree"));
    FAILS(2, "c.WLD is read: it would be lost", "merge", path_of("c.WLD"), "-o", path_of("c.WLD"));
    assert_int_equal(count_files(), 2);
}

/* Polyglot's bytes do not go under a name that promises what nobody can write. */
static void names_that_no_kind_has(void **state)
{
    (void)state;
    struct book_bytes book = small_book();
    const char *games = write_bytes("games.pgn", two_games, sizeof two_games - 1);
    const char *path = write_sorted("a.bin", &book);
    const char *wrong = path_of("b.ctg");
    RUNS(0, "build", games, "--stats", path_of("c.wld"), "-q");
    FAILS(2, "b.ctg: no book that can be written ends in .ctg", "build", games, "-o", wrong);
    FAILS(2, "b.ctg: no book that can be written ends in .ctg", "merge", path, "-o", wrong);
    FAILS(2, "b.ctg: no book", "convert", path_of("c.wld"), wrong, "--min-games", "1");
    FAILS(2, "b.ctg: this kind of book (ChessBase) is only read", "convert", path, wrong);
    FAILS(2, "what kind of book?", "convert", path, path_of("b.xyz"));
    RUNS(2, "verify", path, "--repair", "-o", wrong);
    assert_says(result.errors, "b.ctg: no book that can be written ends in .ctg");
    RUNS(2, "verify", path, "--repair", "-o", path_of("b.abk"));
    assert_says(result.errors, "what is written here is Polyglot (.bin)");
    RUNS(2, "verify", games, "--repair", "-o", path_of("b.bin"));
    assert_says(result.errors, "what is written here is PGN");
    assert_int_equal(count_files(), 3);
    RUNS(0, "convert", path_of("c.wld"), path_of("b"), "--min-games", "1");
    RUNS(0, "convert", path, wrong, "--to", "bin");
}

/* Nothing is read for settings that no game can fit, and a book is no file of games. */
static void builds_that_count_nothing(void **state)
{
    (void)state;
    struct book_bytes book = small_book();
    const char *games = write_bytes("games.pgn", two_games, sizeof two_games - 1);
    const char *path = write_sorted("a.bin", &book);
    const char *out = path_of("b.bin");
    FAILS(2, "no game lies between --min-elo and --max-elo", "build", games, "-o", out, "--min-elo",
          "2500", "--max-elo", "2000");
    FAILS(2, "no game lies between --since and --until", "build", games, "-o", out, "--since",
          "2000", "--until", "1990");
    RUNS(1, "build", games, "-o", out, "--since", "1990", "--until", "1990");
    assert_says(result.errors, "no move is left");
    FAILS(2, "--player: the name is empty", "build", games, "-o", out, "--player", "");
    FAILS(2, ": --max-ply wants a number from 1", "build", games, "-o", out, "--max-ply", "x");
    FAILS(2, "a.bin: named as a book (Polyglot), not as games: -o ", "build", games, path);
    FAILS(2, "small.bin: named as a book (Polyglot), not as games", "build", games, "small.bin");
    /* Games that were played are no repertoire, for no command; with a variation they are one. */
    static char many[1 << 14];
    struct text_buffer text = text_buffer_on(many, sizeof many);
    for (int i = 0; i < 100; i++)
        text_append(&text, "[Event \"?\"]\n[Result \"%s\"]\n\n1. e4 e5 %s\n\n",
                    i % 2 ? "1-0" : "0-1", i % 2 ? "1-0" : "0-1");
    (void)write_bytes("played.pgn", many, text.size);
    static const char no_book[] =
        "played.pgn: games with results, no repertoire: makebook build makes a book of them\n";
    static const char *const commands[][5] = {{"convert", "played.pgn", "out.bin"},
                                              {"merge", "played.pgn", "-o", "out.bin"},
                                              {"stats", "played.pgn"},
                                              {"show", "played.pgn"},
                                              {"dump", "played.pgn"},
                                              {"diff", "played.pgn", "builtin"},
                                              {"prune", "played.pgn", "-o", "out.bin"}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *words[6] = {NULL};
        for (size_t j = 0; commands[i][j]; j++)
            words[j] = strchr(commands[i][j], '.') ? path_of(commands[i][j]) : commands[i][j];
        fails(strcmp(words[0], "diff") == 0 ? 2 : 1, no_book, words);
    }
    RUNS(1, "verify", path_of("played.pgn"));
    assert_says(result.output, "byte 0: games with results, no repertoire: makebook build");
    static char annotated[1 << 14];
    struct text_buffer more = text_buffer_on(annotated, sizeof annotated);
    text_append(&more, "[Event \"?\"]\n\n1. e4 e5 (1... c5) *\n\n%s", many);
    RUNS(0, "convert", write_bytes("played.pgn", annotated, more.size), out);
}

/* 463b96181691fc9c is the start; e2e5 is no move there. */
static void positions_without_a_legal_move(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c,
                                    0x03, 0x24, 0x00, 0x01, 0,    0,    0,    0};
    const char *path = write_bytes("a.bin", bytes, sizeof bytes);
    const char *page = path_of("page.html");
    RUNS(0, "stats", path);
    assert_says(result.output, "longest line                  0  plies\n");
    RUNS(0, "stats", path, "--json", "--probe");
    assert_says(result.output, "\"longest_line\": []");
    RUNS(0, "dump", path);
    RUNS(0, "diff", path, path);
    RUNS(1, "verify", path);
    RUNS(0, "explore", path, "-o", page);
    static const char *const kinds[] = {"abk", "epd", "fen", "lines", "pgn", "tree", "tree-pure"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        (void)run((const char *const[]){"convert", path, path_of("b"), "--to", kinds[i], NULL});
        assert_true(result.status <= 1);
    }
}

static void outputs_that_fail(void **state)
{
    (void)state;
    struct book_bytes book = small_book();
    const char *path = write_sorted("a.bin", &book);
    FAILS(1, "nowhere/out.bin", "merge", path, "-o", path_of("nowhere/out.bin"));
    FAILS(1, folder, "merge", path, "-o", folder);
    /* One bad book: the output is neither there in part nor touched. */
    const char *old = write_bytes("old.bin", "old", 3);
    FAILS(1, "missing.bin", "merge", path, path_of("missing.bin"), "-o", old);
    assert_int_equal(read_book(old).size, 3);
    if (access("/dev/full", W_OK) == 0) {
        const char *games = write_bytes("games.pgn", two_games, sizeof two_games - 1);
        char command[1000];
        (void)snprintf(command, sizeof command, "%s build --min-games 1 --json -o %s %s >/dev/full",
                       process_binary("MAKEBOOK_BINARY"), path_of("x.bin"), games);
        struct process_result shell =
            process_run((const char *const[]){"/bin/sh", "-c", command, NULL}, NULL);
        assert_int_equal(shell.status, 1);
        assert_says(shell.errors, "makebook build: standard output: ");
        process_result_free(&shell);
        (void)snprintf(command, sizeof command, "%s --version >/dev/full",
                       process_binary("MAKEBOOK_BINARY"));
        shell = process_run((const char *const[]){"/bin/sh", "-c", command, NULL}, NULL);
        assert_int_equal(shell.status, 1);
        process_result_free(&shell);
        (void)unlink(games);
        (void)unlink(path_of("x.bin"));
        /* No statistics either. */
        FAILS(1, "/dev/full", "build", write_bytes("games.pgn", two_games, sizeof two_games - 1),
              "-q", "--min-games", "1", "-o", "/dev/full", "--stats", path_of("x.wld"));
        (void)unlink(path_of("games.pgn"));
        FAILS(1, "/dev/full", "merge", path, "-q", "-o", "/dev/full");
        struct stat info;
        assert_int_equal(stat("/dev/full", &info), 0);
        assert_true(S_ISCHR(info.st_mode));
    }
    assert_int_equal(count_files(), 2);
}

/* Lines from another start of Chess960 begin with its FEN. */
static void dump_of_chess960(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    struct position start;
    fen_chess960(0, &start);
    add(&book, "", "d2d4", 1);
    put(&book, start.key, "e2e4", 2);
    RUNS(0, "dump", write_sorted("mixed.bin", &book));
    assert_line(result.output, "start: d4 1 100.0%");
    assert_line(result.output,
                "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1: e4 2 100.0%");
}

/* No byte of a terminal's commands, and no line that only a name began. */
static void assert_tame(const char *text)
{
    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;
        unsigned char next = (unsigned char)at[1];
        if ((c < ' ' && c != '\n') || c == 0x7F || (c == 0xC2 && next < 0xA0) ||
            strncmp(at, "\u202E", 3) == 0 || strncmp(at, "\nEVIL", 5) == 0)
            fail_msg("a terminal would obey: %s", text);
    }
}

/* Names of files and texts inside them do nothing to a terminal, whatever command prints them. */
static void names_that_command_a_terminal(void **state)
{
    (void)state;
#define EVIL "\033[31m\u00FC\u202E\nEVIL\xC2\x9B"
#define GAME "[White \"" EVIL "\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
    static const char *const commands[][14] = {
        {"build", EVIL ".pgn", "-o", EVIL ".bin", "--min-games", "1", "--stats", EVIL ".wld",
         "--samples", "2"},
        {"build", EVIL ".pgn", "--add-to", EVIL ".wld"},
        {"build", EVIL ".pgn", "-o", "x.bin", "--override", EVIL ".txt"},
        {"build", EVIL ".pgn", "-o", "x.bin", "--min-elo", EVIL},
        {"show", EVIL ".bin"},
        {"show", EVIL ".bin", "--json"},
        {"show", EVIL ".wld", "--samples=2"},
        {"show", EVIL ".bin", "--" EVIL},
        {"stats", EVIL ".bin"},
        {"stats", EVIL ".wld", "--counts"},
        {"verify", EVIL ".bin", "--repair", "-o", EVIL ".txt.bin"},
        {"verify", EVIL ".pgn", "--repair", "-o", EVIL ".txt.pgn"},
        {"verify", EVIL ".wld"},
        {"diff", EVIL ".bin", EVIL ".pgn"},
        {"convert", EVIL ".bin", "c" EVIL ".pgn"},
        {"suite", EVIL ".bin", "-o", "s" EVIL ".bin.epd", "--plies", "2"},
        {"explore", EVIL ".bin", "-o", EVIL ".bin.html"},
        {"vet", EVIL ".bin", "--depth", "1", "-o", EVIL "v.bin"},
        {"prune", EVIL ".bin", "-o", EVIL "p.bin"},
        {"add", EVIL ".bin", "startpos", "a3", "5"},
        {"merge", EVIL ".bin", "c" EVIL ".pgn", "-o", EVIL "m.bin"},
        {"merge", EVIL ".bin", "c" EVIL ".pgn", "--policy", "repertoire", "-o", EVIL "m.bin"},
        {"grow", "--against", EVIL ".pgn", "-o", EVIL "g.bin", "--depth", "2", "--min-depth", "1",
         "--store", EVIL ".store"},
        {"merge", EVIL ".store", EVIL ".store", "-o", "2" EVIL ".store"},
        {"dropout", "-o", EVIL "d.bin", "--positions", "3", "--depth", "1"},
        {"learn", EVIL ".pgn", "--book", EVIL ".bin", "--name", "B", "-o", EVIL "l.bin", "--depth",
         "1"},
        {"plan", "--against", EVIL ".bin", "--depth", "2", "--min-depth", "1"},
    };
    write_text(EVIL ".pgn", GAME "[White \"W\"]\n\n1. e4 Q" EVIL " 1-0\n");
    write_text(EVIL ".txt", "e4 " EVIL "\n");
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        (void)run(commands[i]);
        assert_tame(result.output);
        assert_tame(result.errors);
    }
    RUNS(0, "stats", EVIL ".bin"); /* what is no command stays readable */
    assert_says(result.output, "?[31m\u00FC??EVIL?.bin: Polyglot\n");
    assert_int_equal(chdir("/"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(general_help),
        TEST(help_by_what_people_want),
        TEST(help_tells_real_defaults),
        TEST(wrong_use),
        TEST(bad_books),
        TEST(books_that_are_cut),
        TEST(readers_do_not_wait),
        TEST(merge_adds),
        TEST(merge_scales),
        TEST(dump_of_chess960),
        TEST(outputs_that_fail),
        TEST(nothing_read_is_lost),
        TEST(names_that_promise_another_kind),
        TEST(names_that_no_kind_has),
        TEST(builds_that_count_nothing),
        TEST(positions_without_a_legal_move),
        TEST(names_that_command_a_terminal),
    };
    return RUN_TESTS(tests);
}

/* makebook show: what a book knows of one position. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/makebook/ageing.h"
#include "book/makebook/command.h"
#include "book/makebook/source.h"
#include "book/polyglot.h"
#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/notation.h"

struct show_command {
    bool json;
    struct command_line line;
    struct position pos;
    struct source source;
    struct book_move moves[MOVES_MAX];
    struct tally tallies[MOVES_MAX]; /* of the moves, when the source is statistics */
    int count;
};

static bool has_counts(const struct show_command *command)
{
    return command->source.stats != NULL;
}

/* Reads what the user writes for a move, the move number before it included: "1.e4", "12...". */
static bool play_word(struct show_command *command, struct span word, int *played)
{
    size_t digits = 0;
    while (digits < word.size && isdigit((unsigned char)word.data[digits]))
        digits++;
    if (digits < word.size && word.data[digits] == '.') {
        while (digits < word.size && word.data[digits] == '.')
            digits++;
        word = span_make(word.data + digits, word.size - digits);
    }
    if (word.size == 0)
        return true;
    move m;
    enum caxton_status status = move_from_uci(&command->pos, word, &m);
    if (status != STATUS_OK)
        status = move_from_san(&command->pos, word, &m);
    if (status != STATUS_OK) {
        const char *why = status == STATUS_ILLEGAL     ? "is not legal here"
                          : status == STATUS_AMBIGUOUS ? "can be more than one move"
                                                       : "is no move";
        (void)command_fail(&command->line, "ply %d: %.*s %s", *played + 1, (int)word.size,
                           word.data, why);
        return false;
    }
    struct undo undo;
    position_make(&command->pos, m, &undo);
    ++*played;
    return true;
}

/* All operands after the book as one text, to be freed; NULL when there is no memory. */
static char *join_operands(const struct command_line *line)
{
    size_t size = 1;
    for (int i = 1; i < line->operand_count; i++)
        size += strlen(line->operands[i]) + 1;
    char *text = malloc(size);
    if (!text)
        return NULL;
    struct text_buffer buffer = text_buffer_on(text, size);
    text[0] = '\0';
    for (int i = 1; i < line->operand_count; i++)
        text_append(&buffer, "%s ", line->operands[i]);
    return text;
}

/* A FEN, moves from the start, or a FEN and moves from there. */
static bool find_position(struct show_command *command)
{
    char *text = join_operands(&command->line);
    if (!text) {
        (void)command_fail(&command->line, "out of memory");
        return false;
    }
    struct span rest = span_of(text);
    struct diag diag = {.text = ""};
    bool good = true;
    position_start(&command->pos);
    if (strchr(text, '/') && fen_parse_epd(rest, &command->pos, &rest, &diag) != STATUS_OK) {
        (void)command_fail(&command->line, "FEN, column %zu: %s", diag.column, diag.text);
        good = false;
    }
    int played = 0;
    for (struct span word; good && (word = span_token(&rest)).size;)
        good = span_equal(word, "moves") || play_word(command, word, &played);
    free(text);
    return good;
}

static const struct eco *name_after(const struct position *pos, move m)
{
    struct position after = *pos;
    struct undo undo;
    position_make(&after, m, &undo);
    return eco_find(after.key);
}

static const char *name_of(const struct show_command *command)
{
    return has_counts(command) ? command->source.name : book_name(command->source.book);
}

/* The unit of the tallies. */
static uint64_t unit_of(const struct show_command *command)
{
    return has_counts(command) ? wld_reader_unit(command->source.stats) : 1;
}

static uint64_t all_games(const struct show_command *command)
{
    uint64_t sum = 0;
    for (int i = 0; i < command->count; i++)
        sum += tally_games(&command->tallies[i]);
    return sum;
}

/* Of the games in statistics, of the weight in a book. */
static int share_permille(const struct show_command *command, int i)
{
    if (!has_counts(command))
        return book_share_permille(command->moves, command->count, i);
    uint64_t all = all_games(command);
    __extension__ typedef unsigned __int128 wide;
    return (int)(((wide)tally_games(&command->tallies[i]) * 1000 + all / 2) / all);
}

/* The share of the points, (2w + d) / 2n. */
static int score_permille(const struct tally *tally)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t games = tally_games(tally);
    wide points = (wide)2 * tally->counts[OUTCOME_WIN] + tally->counts[OUTCOME_DRAW];
    return (int)((points * 1000 + games) / 2 / games);
}

/* The columns that say how many games there were and how they ended; a Polyglot book does not. */
struct counts_text {
    char games[GAMES_TEXT_MAX];
    char results[OUTCOMES * GAMES_TEXT_MAX];
    char weight[12];
    char score[24];
};

static struct counts_text counts_text(const struct show_command *command, int i)
{
    struct counts_text text = {"-", "-", "-", "-"};
    const struct tally *tally = &command->tallies[i];
    if (!has_counts(command)) {
        (void)snprintf(text.weight, sizeof text.weight, "%u", command->moves[i].weight);
        return text;
    }
    int score = score_permille(tally);
    enum { DECIMALS = 2 };
    uint64_t unit = unit_of(command);
    char results[OUTCOMES][GAMES_TEXT_MAX];
    (void)ageing_games_text(tally_games(tally), unit, DECIMALS, text.games);
    for (int outcome = 0; outcome < OUTCOMES; outcome++)
        (void)ageing_games_text(tally->counts[outcome], unit, DECIMALS, results[outcome]);
    (void)snprintf(text.results, sizeof text.results, "%s/%s/%s", results[OUTCOME_WIN],
                   results[OUTCOME_DRAW], results[OUTCOME_LOSS]);
    (void)snprintf(text.score, sizeof text.score, "%d.%d%%", score / 10, score % 10);
    return text;
}

static void print_table(const struct show_command *command)
{
    char fen[FEN_MAX];
    const struct eco *eco = eco_find(command->pos.key);
    fen_format(&command->pos, fen);
    if (eco)
        (void)printf("%s %s\n", eco->code, eco->name);
    (void)printf("%s\nkey %016llx, %d move%s in %s\n\n", fen, (unsigned long long)command->pos.key,
                 command->count, command->count == 1 ? "" : "s", name_of(command));
    int width = unit_of(command) == 1 ? 14 : 26; /* parts of games take more room */
    (void)printf("%-8s %8s %*s %8s %7s %7s  %s\n", "move", "games", width, "win/draw/loss",
                 "weight", "share", "score", "opening");
    for (int i = 0; i < command->count; i++) {
        const struct book_move *m = &command->moves[i];
        char san[SAN_MAX];
        move_to_san(&command->pos, m->move, san);
        int share = share_permille(command, i);
        struct counts_text counts = counts_text(command, i);
        eco = name_after(&command->pos, m->move);
        (void)printf("%-8s %8s %*s %8s %5d.%d%% %7s%s%s%s%s\n", san, counts.games, width,
                     counts.results, counts.weight, share / 10, share % 10, counts.score,
                     eco ? "  " : "", eco ? eco->code : "", eco ? " " : "", eco ? eco->name : "");
    }
}

static void print_json_text(const char *text)
{
    (void)putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            (void)printf("\\%c", c);
        else if (c < 0x20)
            (void)printf("\\u%04x", c);
        else
            (void)putchar(c);
    }
    (void)putchar('"');
}

static void print_json_opening(const struct eco *eco)
{
    if (!eco) {
        (void)printf("\"eco\": null, \"opening\": null");
        return;
    }
    (void)printf("\"eco\": \"%s\", \"opening\": ", eco->code);
    print_json_text(eco->name);
}

static void print_json_games(const char *name, uint64_t count, uint64_t unit)
{
    enum { DECIMALS = 5 }; /* so that no count but 0 is 0 */
    char text[GAMES_TEXT_MAX];
    (void)printf("\"%s\": %s, ", name, ageing_games_text(count, unit, DECIMALS, text));
}

static void print_json_numbers(const struct show_command *command, int i)
{
    const struct tally *tally = &command->tallies[i];
    uint64_t unit = unit_of(command);
    if (has_counts(command)) {
        print_json_games("games", tally_games(tally), unit);
        print_json_games("wins", tally->counts[OUTCOME_WIN], unit);
        print_json_games("draws", tally->counts[OUTCOME_DRAW], unit);
        print_json_games("losses", tally->counts[OUTCOME_LOSS], unit);
        (void)printf("\"share_permille\": %d, \"score_permille\": %d, ", share_permille(command, i),
                     score_permille(tally));
    } else
        (void)printf("\"weight\": %u, \"share_permille\": %d, \"learn\": %u, ",
                     command->moves[i].weight, share_permille(command, i), command->moves[i].learn);
}

static void print_json(const struct show_command *command)
{
    char fen[FEN_MAX];
    bool chess960 = fen_is_chess960(&command->pos);
    fen_format(&command->pos, fen);
    (void)printf("{\"book\": ");
    print_json_text(name_of(command));
    (void)printf(", \"fen\": \"%s\", \"key\": \"%016llx\", ", fen,
                 (unsigned long long)command->pos.key);
    print_json_opening(eco_find(command->pos.key));
    (void)printf(", \"moves\": [");
    for (int i = 0; i < command->count; i++) {
        const struct book_move *m = &command->moves[i];
        char san[SAN_MAX];
        char uci[UCI_MAX];
        move_to_san(&command->pos, m->move, san);
        move_to_uci(m->move, chess960, uci);
        (void)printf("%s\n  {\"san\": \"%s\", \"uci\": \"%s\", ", i ? "," : "", san, uci);
        print_json_numbers(command, i);
        print_json_opening(name_after(&command->pos, m->move));
        (void)putchar('}');
    }
    (void)printf("%s]}\n", command->count ? "\n" : "");
}

/* Most games first, then by move. */
static int compare_games(const void *a, const void *b)
{
    uint64_t x = tally_games(a);
    uint64_t y = tally_games(b);
    return x != y ? (x < y) - (x > y) : tally_compare(a, b);
}

/* Finds the position in the statistics, all of which are read, so that their checksums are. */
static bool probe_stats(struct show_command *command)
{
    struct tally tally;
    struct diag diag = {.text = ""};
    enum caxton_status status;
    while ((status = wld_reader_next(command->source.stats, &tally, &diag)) == STATUS_OK)
        if (tally.key == command->pos.key && command->count < MOVES_MAX &&
            polyglot_to_move(&command->pos, tally.move) != MOVE_NONE)
            command->tallies[command->count++] = tally;
    if (status != STATUS_END) {
        const char *fault = source_input_fault(&command->source);
        (void)command_fail(&command->line, "%s%s%s", fault ? command->source.name : diag.text,
                           fault ? ": " : "", fault ? fault : "");
        return false;
    }
    qsort(command->tallies, (size_t)command->count, sizeof *command->tallies, compare_games);
    for (int i = 0; i < command->count; i++)
        command->moves[i] =
            (struct book_move){.move = polyglot_to_move(&command->pos, command->tallies[i].move)};
    return true;
}

static bool probe(struct show_command *command)
{
    if (has_counts(command))
        return probe_stats(command);
    command->count = book_probe(command->source.book, &command->pos, command->moves, MOVES_MAX);
    return true;
}

static int run(struct show_command *command)
{
    if (!find_position(command) ||
        !source_open(&command->line, command->line.operands[0], &command->source))
        return EXIT_FAILED;
    if (!probe(command)) {
        source_close(&command->source);
        return EXIT_FAILED;
    }
    int status = EXIT_DONE;
    if (command->json)
        print_json(command);
    else if (command->count)
        print_table(command);
    if (command->count == 0) {
        char fen[FEN_MAX];
        fen_format(&command->pos, fen);
        status = command_fail(&command->line, "%s knows no move here: %s", name_of(command), fen);
    }
    source_close(&command->source);
    return command_end(&command->line, status);
}

static const char about[] =
    "The moves that a book knows in a position: weight, share of all the weight, and the opening\n"
    "that each leads to. BOOK is a file, \"-\" for standard input or \"builtin\" for the book "
    "that\n"
    "is part of Caxton. The position is a FEN, or moves (SAN or UCI) from the start position, or "
    "a\n"
    "FEN and moves from there. Where the book knows nothing the exit status is 1.\n\n"
    "Of statistics (.wld): games, their results for the side to move, share of the games, and the\n"
    "share of the points that the move scored. Where they were aged or weighted by Elo a game\n"
    "counts as much as it did there.";

int command_show(int argc, char **argv)
{
    struct show_command command = {.json = false};
    const struct option_row rows[] = {
        {"json", 0, OPTION_FLAG, NULL, "as JSON", &command.json, 0, 0},
    };
    command.line = (struct command_line){.command = "show",
                                         .synopsis = "BOOK [FEN] [MOVES...]",
                                         .about = about,
                                         .rows = rows,
                                         .row_count = sizeof rows / sizeof *rows,
                                         .operands_min = 1,
                                         .operands_max = argc};
    int status;
    if (!command_start(&command.line, argc, argv, &status))
        return status;
    status = run(&command);
    free(command.line.operands);
    return status;
}

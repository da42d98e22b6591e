#include "book/makebook/commands/grow_own.h"

#include <string.h>

#include "book/book.h"
#include "chess/position_text.h"
#include "eval/eval.h"

enum {
    PERCENT_DECIMALS = 2,
    PERCENT_MAX = 10000, /* 100 percent */
    PRIOR_DEFAULT = 30,
    OFTEN_DEFAULT = 10,
    GAMES_MAX = 1000000,
    LEAVE_MAX = 1000,
};

void grow_own_rows(struct grow_own *own, struct option_row *rows)
{
    const struct option_row all[GROW_OWN_ROWS] = {
        TEXTS_ROW("start", 0, "FEN|MOVES|ECO|NAME", "where the book starts; may be given again",
                  &own->starts),
        TEXT_ROW("keep", 0, "BOOK", "play and keep the moves of this book: only fill its gaps",
                 &own->keep),
        TEXT_ROW("practical", 0, "PERCENT", "so much of a move's value is what people score",
                 &own->practical),
        NUMBER_ROW("prior", 0, "GAMES", "the engine's opinion counts as so many games (30)",
                   &own->prior, 1, GAMES_MAX),
        NUMBER_ROW("often", 0, "GAMES", "consider moves that people have played so often (10)",
                   &own->often, 1, GAMES_MAX),
        NUMBER_ROW("leave", 0, "CP", "of moves so little worse, one out of the opponent's book",
                   &own->leave, 1, LEAVE_MAX),
    };
    memcpy(rows, all, sizeof all);
}

static int read_lines(const struct command_line *line, const struct option_texts *texts,
                      move (*moves)[DAG_PLIES_MAX], struct start *out)
{
    for (size_t i = 0; i < texts->count; i++) {
        struct diag diag = {.text = ""};
        struct span text;
        out[i].line = moves[i];
        if (command_words(line, texts->items[i], &text, &diag) != STATUS_OK ||
            line_from_text(text, &out[i].root, moves[i], DAG_PLIES_MAX, &out[i].plies, &diag) !=
                STATUS_OK)
            return command_misuse(line, "--start \"%s\": %s", texts->items[i], diag.text);
    }
    return EXIT_DONE;
}

static int read_starts(const struct command_line *line, struct grow_own *own)
{
    move moves[OPTION_TEXTS_MAX][DAG_PLIES_MAX];
    struct start list[OPTION_TEXTS_MAX];
    struct diag diag = {.text = ""};
    size_t fault = 0;
    int answer = read_lines(line, &own->starts, moves, list);
    if (answer != EXIT_DONE || own->starts.count == 0)
        return answer;
    enum caxton_status status =
        starts_create(list, own->starts.count, &own->read_starts, &fault, &diag);
    if (status == STATUS_NO_MEMORY)
        return command_fail(line, "out of memory");
    if (status != STATUS_OK)
        return command_misuse(line, "--start \"%s\": %s", own->starts.items[fault], diag.text);
    return EXIT_DONE;
}

static int read_practical(const struct command_line *line, struct grow_own *own,
                          const struct results *results)
{
    int64_t share = 0;
    if (!own->practical && (own->prior || own->often))
        return command_misuse(line, "--prior and --often need --practical");
    if (!own->practical)
        return EXIT_DONE;
    if (!options_read_percent(own->practical, PERCENT_DECIMALS, PERCENT_MAX, &share))
        return command_misuse(line, "--practical %s is no percentage from 0 to 100",
                              own->practical);
    own->rule = (struct practical){.results = results,
                                   .share = (double)share / PERCENT_MAX,
                                   .prior = (double)(own->prior ? own->prior : PRIOR_DEFAULT),
                                   .least = (double)(own->often ? own->often : OFTEN_DEFAULT)};
    return EXIT_DONE;
}

int grow_own_read(const struct command_line *line, struct grow_own *own,
                  const struct results *results, struct grow_options *out)
{
    int answer = read_starts(line, own);
    if (answer == EXIT_DONE)
        answer = read_practical(line, own, results);
    if (answer != EXIT_DONE)
        return answer;
    out->starts = own->read_starts;
    if ((own->practical || own->leave) && (out->own.margin || out->own.most))
        return command_misuse(line, "--%s chooses one move: not with --margin and --moves",
                              own->practical ? "practical" : "leave");
    if (own->practical && own->leave)
        return command_misuse(line, "--practical and --leave cannot both choose");
    if (own->leave && out->opponent.source_count == 0)
        return command_misuse(line, "--leave wants the opponent's book: --against");
    if (own->practical)
        own->preference = preference_practical(&own->rule);
    if (own->leave) {
        own->preference = preference_leave(&out->opponent);
        out->own.margin = (int)own->leave * EVAL_HALF / 100;
    }
    if (own->practical || own->leave)
        out->own.preference = &own->preference;
    return EXIT_DONE;
}

int grow_own_open(const struct command_line *line, struct grow_own *own, struct grow_options *out)
{
    if (own->keep && !source_open_walk(line, own->keep, WLD_WEIGHTS_GAMES, &own->kept))
        return EXIT_FAILED;
    out->kept = own->kept.book;
    return EXIT_DONE;
}

enum caxton_status grow_own_gather(const struct grow_own *own, int side,
                                   struct gathering *gathering, struct diag *diag)
{
    return own->kept.book ? gather_color(gathering, own->kept.book, side, diag) : STATUS_OK;
}

void grow_own_close(struct grow_own *own)
{
    starts_destroy(own->read_starts);
    source_close(&own->kept);
}

#include "engine/option_table.h"
#include "book/book_move.h"

#include <stddef.h>
#include <string.h>

#include "engine/session.h"

static bool apply_hash(struct session *session, const struct option_value *value)
{
    return session_set_hash(session, value->number);
}

static bool apply_threads(struct session *session, const struct option_value *value)
{
    return session_set_threads(session, value->number);
}

static bool apply_clear(struct session *session, const struct option_value *value)
{
    (void)value;
    session_clear_hash(session);
    return true;
}

static bool apply_book_file(struct session *session, const struct option_value *value)
{
    return session_set_book(session, value->text);
}

static bool apply_eval_file(struct session *session, const struct option_value *value)
{
    return session_set_network(session, value->text);
}

#define CHECK(NAME, FIELD, INITIAL, HELP)                                                          \
    {                                                                                              \
        .name = NAME, .kind = OPTION_CHECK, .offset = offsetof(struct options, FIELD),             \
        .initial = INITIAL, .max = 1, .help = HELP                                                 \
    }

#define SPIN(NAME, ALIAS, FIELD, INITIAL, MIN, MAX, APPLY, HELP)                                   \
    {                                                                                              \
        .name = NAME, .alias = ALIAS, .kind = OPTION_SPIN,                                         \
        .offset = offsetof(struct options, FIELD), .initial = INITIAL, .min = MIN, .max = MAX,     \
        .apply = APPLY, .help = HELP                                                               \
    }

const struct option option_table[] = {
    SPIN("Hash", NULL, hash_mb, 16, 1, SEARCH_HASH_MB_MAX, apply_hash,
         "size of the transposition table in MB"),
    SPIN("Threads", NULL, threads, 1, 1, SEARCH_THREADS_MAX, apply_threads,
         "number of threads that search"),
    SPIN("MultiPV", NULL, multipv, 1, 1, MOVES_MAX, NULL, "number of best lines to show"),
    CHECK("Ponder", ponder, false, "the interface lets the engine think on the opponent's time"),
    SPIN("Move Overhead", NULL, overhead_ms, 10, 0, 5000, NULL,
         "milliseconds of each move kept back for the interface and the network"),
    {.name = "Clear Hash",
     .kind = OPTION_BUTTON,
     .apply = apply_clear,
     .help = "forget everything the search has learnt"},
    CHECK("UCI_Chess960", chess960, false, "write castling as king takes rook"),
    CHECK("UCI_ShowWDL", show_wdl, false, "show the chances to win, draw and lose with each score"),
    CHECK("UCI_AnalyseMode", analyse, false,
          "the position is being analysed: full strength, and no book"),
    CHECK("UCI_LimitStrength", limit_strength, false, "play about as well as UCI_Elo says"),
    SPIN("UCI_Elo", NULL, elo, 1600, ELO_MIN, ELO_MAX, NULL,
         "the strength meant by UCI_LimitStrength; a rough scale"),
    {.name = "EvalFile",
     .kind = OPTION_STRING,
     .offset = offsetof(struct options, eval_file),
     .apply = apply_eval_file,
     .help = "the network that scores positions; `<empty>` is the built-in one"},
    CHECK("OwnBook", own_book, true, "play from the opening book"),
    {.name = "BookFile",
     .alias = "Book File",
     .kind = OPTION_STRING,
     .offset = offsetof(struct options, book_file),
     .apply = apply_book_file,
     .help =
         "book (Polyglot, Arena, `.tree`, `.lines`, EPD, PGN, `.wld`), several separated by `;`: "
         "the first that knows the position answers; `<empty>` is the built-in book"},
    {.name = "BookSelection",
     .kind = OPTION_COMBO,
     .offset = offsetof(struct options, book_selection),
     .initial = BOOK_WEIGHTED,
     .choices = {[BOOK_BEST] = "best", [BOOK_WEIGHTED] = "weighted", [BOOK_UNIFORM] = "uniform"},
     .help = "how one of several book moves is chosen"},
    {.name = "BestBookMove",
     .alias = "Best Book Move",
     .kind = OPTION_CHECK,
     .offset = offsetof(struct options, best_book_move),
     .max = 1,
     .help = "always the heaviest book move, whatever BookSelection says"},
    {.name = "BookStyle",
     .kind = OPTION_COMBO,
     .offset = offsetof(struct options, book_style),
     .choices = {"any", "open", "half-open", "closed", "half-closed", "flank", "gambit"},
     .help = "the character of opening wished for; of use with a book that marks its moves so, "
             "a `.tree` of `makebook convert --to tree-style`"},
    SPIN("BookDepth", "Book Depth", book_depth_plies, 255, 0, 255, NULL,
         "leave the book after this many plies from the start of the game"),
    SPIN("BookThreshold", NULL, book_threshold_permille, 0, 0, 1000, NULL,
         "ignore book moves with a smaller share of the position's weight, in permille"),
    {0},
};

const struct option *option_find(struct span name)
{
    for (const struct option *option = option_table; option->name; option++)
        if (span_equal_nocase(name, option->name) ||
            (option->alias && span_equal_nocase(name, option->alias)))
            return option;
    return NULL;
}

void option_store(struct options *options, const struct option *option,
                  const struct option_value *value)
{
    char *field = (char *)options + option->offset;
    switch (option->kind) {
    case OPTION_CHECK:
        *(bool *)field = value->number != 0;
        break;
    case OPTION_SPIN:
    case OPTION_COMBO: {
        memcpy(field, &value->number, sizeof value->number);
        break;
    }
    case OPTION_STRING:
        text_copy(field, OPTION_TEXT_MAX, span_of(value->text));
        break;
    case OPTION_BUTTON:
        break;
    }
}

void options_init(struct options *options)
{
    for (const struct option *option = option_table; option->name; option++)
        option_store(options, option, &(struct option_value){option->initial, ""});
}

const char *option_kind_name(enum option_kind kind)
{
    static const char *const names[] = {"check", "spin", "combo", "string", "button"};
    return names[kind];
}

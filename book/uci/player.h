/* When and how books answer a `go`, for every program that speaks UCI: the engine, and the adapter
 * in front of other engines. */
#pragma once

#include "book/open/book_set.h"
#include "book/uci/option.h"
#include "chess/game.h"

/* Rows as in book/uci/option.h. OPEN: what puts the value of BookFile into force. */
/* clang-format off */
#define BOOK_OPTION_ROWS(CHECK, SPIN, COMBO, STRING, OPEN)                                         \
    CHECK(own_book, "OwnBook", NULL, true, "play from the opening book")                           \
    STRING(file, "BookFile", "Book File", OPEN,                                                    \
           "book (Polyglot, Arena, ChessBase, `.tree`, `.lines`, EPD, PGN, `.wld`, `.store`, "      \
           "`.exp`), "                                                                             \
           "several separated by `;` or a vertical bar: the first that knows the position "        \
           "answers; `<empty>`, in a list also `<builtin>`, is the built-in book, which does not " \
           "replace a file that is missing")                                                       \
    COMBO(selection, "BookSelection", NULL,                                                        \
          "how one of several book moves is chosen",                                               \
          [BOOK_WEIGHTED] = "weighted", [BOOK_BEST] = "best", [BOOK_UNIFORM] = "uniform")          \
    CHECK(best_move, "BestBookMove", "Best Book Move", false,                                      \
          "always the heaviest book move, whatever BookSelection says")                            \
    /* 0: any, else the place of a bit of enum style, from 1 */                                    \
    COMBO(style, "BookStyle", NULL,                                                                \
          "the character of opening wished for; of use with a book that marks its moves so, a "    \
          "`.tree` of `makebook convert --to tree-style`",                                         \
          "any", "open", "half-open", "closed", "half-closed", "flank", "gambit")                  \
    SPIN(depth_plies, "BookDepth", "Book Depth", 255, 0, 255, NULL,                                \
         "leave the book after this many plies from the start of the game")                        \
    SPIN(threshold_permille, "BookThreshold", NULL, 0, 0, 1000, NULL,                              \
         "ignore book moves with a smaller share of the position's weight, in permille")
/* clang-format on */

/* The values in force. Texts are terminated; "" stands for <empty>. */
struct book_options {
    BOOK_OPTION_ROWS(OPTION_CHECK_FIELD, OPTION_SPIN_FIELD, OPTION_COMBO_FIELD, OPTION_STRING_FIELD,
                     NULL)
};

/* Do the books answer this request by a move that is legal? They are not asked when the position is
 * to be analysed (is_analysis, infinite, mate), nor after `plies` of the game, and a move that
 * repeats a position is none: whether a repetition is wanted a search decides. With searchmoves
 * they choose among these. books: NULL is no book. */
bool player_ask(const struct book_set *books, const struct game *game,
                const struct book_options *options, const struct search_request *request,
                bool is_analysis, int plies, struct rng *rng, struct book_answer *answer);

enum { BOOK_INFO_MAX = 10 };

struct book_info {
    struct search_info info;
    move line[BOOK_INFO_MAX]; /* of `info` */
};

/* Writes what goes with a book move: an `info string` (book, move, share, opening), and the info
 * line of a search to depth 1, which is left in `info`: the line that the books expect, and the
 * network's score from the view of the side that plays the move. The network scores only quiet
 * positions well: the score is that of the first position of the line after a move that is no
 * capture and gives no check; if there is none, of the position after the book move. */
void player_report(const struct book_set *books, struct eval *eval, const struct game *game,
                   const struct book_answer *answer, struct report_style style, struct output *out,
                   struct book_info *info);

/* Opens the books of the option BookFile instead of *books, which are closed, and says which they
 * are and what is wrong with them. *books is NULL without memory, which is no book. */
void player_open(const char *files, struct book_set **books, struct output *out);
void player_report_books(const struct book_set *books, struct output *out);
/* What is wrong with them; only_failures: only those that could not be opened. */
void player_report_faults(const struct book_set *books, bool only_failures, struct output *out);

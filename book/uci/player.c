#include "book/uci/player.h"

#include "base/file.h"
#include "base/terminal.h"
#include "book/open/open.h"
#include "chess/eco.h"
#include "chess/notation.h"

/* Plies from the start of the game, also of one that began in the middle. */
static int plies_played(const struct position *pos)
{
    return 2 * (pos->fullmove - 1) + pos->turn;
}

bool player_ask(const struct book_set *books, const struct game *game,
                const struct book_options *options, const struct search_request *request,
                bool is_analysis, int plies, struct rng *rng, struct book_answer *answer)
{
    int played = plies_played(game_position(game));
    if (!books || !options->own_book || is_analysis || request->infinite || request->mate)
        return false;
    const struct book_settings settings = {
        .selection = options->best_move ? BOOK_BEST : (enum book_selection)options->selection,
        .threshold_permille = options->threshold_permille,
        .styles = (uint8_t)(options->style ? 1U << (options->style - 1) : 0U),
        .plies = played,
        .is_over = played >= plies,
        .moves = request->moves,
        .move_count = request->move_count,
    };
    return book_set_choose(books, game, &settings, rng, answer) == STATUS_OK &&
           !game_would_repeat(game, answer->move);
}

static void describe(struct text_buffer *text, const struct game *game,
                     const struct book_answer *answer, bool chess960)
{
    char uci[UCI_MAX];
    move_to_uci(answer->move, chess960, uci);
    /* A book's name may be a whole path: the file's name is enough. */
    text_append(text, "book %s %s %d.%d%%", file_name_of(answer->name), uci,
                answer->share_permille / 10, answer->share_permille % 10);
    struct position after = *game_position(game);
    position_play(&after, answer->move);
    const struct eco *eco = eco_find(after.key);
    if (eco)
        text_append(text, " ECO %s %s", eco->code, eco->name);
}

static int score_after(struct eval *eval, const struct position *pos)
{
    eval_reset(eval);
    return -eval_score(eval, pos);
}

/* The score of the line from the view of the side that plays its first move. */
static int line_score(struct eval *eval, struct position pos, const move *line, int length)
{
    int score = 0;
    for (int i = 0; i < length; i++) {
        bool is_quiet = !position_is_capture(&pos, line[i]);
        position_play(&pos, line[i]);
        is_quiet = is_quiet && !position_in_check(&pos);
        if (i == 0 || is_quiet)
            score = i % 2 ? -score_after(eval, &pos) : score_after(eval, &pos);
        if (is_quiet)
            break;
    }
    return score;
}

void player_report(const struct book_set *books, struct eval *eval, const struct game *game,
                   const struct book_answer *answer, struct report_style style, struct output *out,
                   struct book_info *info)
{
    char data[512];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    describe(&text, game, answer, style.chess960);
    report_string(out, "%s", data);
    int length = book_set_line(books, game, answer->move, info->line, BOOK_INFO_MAX);
    info->info = (struct search_info){
        .depth = 1,
        .seldepth = 1,
        .multipv = 1,
        .score = line_score(eval, *game_position(game), info->line, length),
        .bound = SCORE_EXACT,
        .nodes = 1,
        .pv = info->line,
        .pv_length = length,
    };
    report_info(out, style, &info->info);
}

void player_report_faults(const struct book_set *books, bool only_failures, struct output *out)
{
    for (int i = 0; books && i < book_set_remark_count(books); i++)
        if (!only_failures || book_set_is_failure(books, i))
            report_string(out, "BookFile: %s", book_set_remark(books, i));
}

/* Says which books are in use, so that a user sees that the path was right. */
static void report_opened(const struct book_set *books, struct output *out)
{
    for (int i = 0; books && i < book_set_count(books); i++) {
        const struct book *book = book_set_book(books, i);
        char number[THOUSANDS_MAX];
        size_t entries = book_entry_count(book);
        if (!book_is_builtin(book))
            report_string(out, "BookFile: %s, %s %s", file_name_of(book_name(book)),
                          terminal_thousands(entries, number), entries == 1 ? "entry" : "entries");
    }
}

void player_report_books(const struct book_set *books, struct output *out)
{
    report_opened(books, out);
    player_report_faults(books, false, out);
}

void player_open(const char *files, struct book_set **books, struct output *out)
{
    book_set_close(*books);
    if (book_set_open(files, books) != STATUS_OK) {
        report_string(out, "out of memory; playing on without a book");
        *books = NULL;
    }
    player_report_books(*books, out);
}

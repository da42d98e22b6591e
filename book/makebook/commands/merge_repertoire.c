/* Merging a repertoire with the replies of a database, a part of makebook merge. */
#include "book/makebook/commands/merge.h"

#include "book/graph/replies.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/weighing.h"

/* Whose repertoire it is, as it was said or as its moves show. Returns an exit status. */
static int find_own(const struct merge_command *merge, const struct source *mine, int *own)
{
    bool sides[2];
    struct diag diag = {.text = ""};
    *own = merge->own - 1;
    if (merge->own)
        return EXIT_DONE;
    if (replies_sides(mine->book, sides, &diag) != STATUS_OK)
        return command_fail(&merge->line, "%s", diag.text);
    if (sides[WHITE] && sides[BLACK])
        return command_misuse(&merge->line, "%s plays moves of both sides: --own says whose it is",
                              mine->name);
    *own = sides[BLACK] ? BLACK : WHITE;
    return EXIT_DONE;
}

static void print_report(const struct merge_command *merge, const struct book_writer *writer,
                         const struct replies_report *report)
{
    FILE *out = outputs_report(merge->output);
    report_count(out, "own moves", report->own, "");
    report_part(out, "  left out", report->left_out, "positions that no line reaches");
    report_count(out, "replies", report->replies, "");
    report_part(out, "  of them", report->unanswered, "to which the repertoire has no answer");
    (void)fprintf(out, "%s: %s\n", text_safe(merge->output).text, writer->about);
}

static int join(const struct merge_command *merge, const struct book_writer *writer,
                const struct source *mine, const struct source *database, int own)
{
    struct gathering gathering = {.root_count = 0};
    struct replies_report report;
    struct diag diag = {.text = ""};
    enum caxton_status status =
        replies_join(mine->book, database->book, own, &gathering.list, &report, &diag);
    if (status == STATUS_OK)
        status = gather_roots(&gathering, mine->book, &diag);
    if (status == STATUS_OK && report.own == 0) {
        diag_set(&diag, 0, 0, "%s: no move of %s", mine->name, own == WHITE ? "White" : "Black");
        status = STATUS_NOT_FOUND;
    }
    int answer =
        save_gathered(&merge->line, &gathering, status, &diag, NULL, writer, merge->output);
    if (answer == EXIT_DONE && !merge->quiet)
        print_report(merge, writer, &report);
    return answer;
}

int merge_repertoire(const struct merge_command *merge, const struct book_writer *writer)
{
    struct source mine;
    struct source database;
    int own = WHITE;
    if (!source_open_walk(&merge->line, merge->repertoire, WLD_WEIGHTS_GAMES, &mine))
        return EXIT_FAILED;
    int answer = find_own(merge, &mine, &own);
    if (answer == EXIT_DONE &&
        !source_open_walk(&merge->line, merge->replies, WLD_WEIGHTS_GAMES, &database)) {
        answer = EXIT_FAILED;
    } else if (answer == EXIT_DONE) {
        answer = join(merge, writer, &mine, &database, own);
        source_close(&database);
    }
    source_close(&mine);
    return answer;
}

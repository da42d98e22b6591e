#include "book/open/convert.h"

#include "book/book.h"
#include "book/entry_table.h"
#include "book/graph/graph.h"

/* Counts what the writer does not keep of one position: entries with the same key. */
static void count_position(const struct book_writer *writer, const struct book_entry *entries,
                           size_t count, struct book_losses *losses)
{
    bool choices = writer->keeps & BOOK_CHOICE_WEIGHTS && count > 1;
    bool weights = writer->keeps & BOOK_WEIGHTS || choices;
    for (size_t i = 0; i < count; i++) {
        const struct book_entry *entry = &entries[i];
        losses->learn += entry->learn && !(writer->keeps & BOOK_LEARN);
        losses->unplayed += !entry->weight && !(writer->keeps & BOOK_UNPLAYED);
        losses->weights += entry->weight > 1 && !weights; /* without one, a move has the weight 1 */
        losses->large += weights && entry->weight > writer->weight_max;
    }
}

/* Entries that are sorted by key, all moves of a position together. */
static void count_details(const struct book_writer *writer, const struct entry_table *table,
                          struct book_losses *losses)
{
    struct book_entry entries[MOVES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        struct book_entry entry = entry_table_at(table, i);
        if (count == MOVES_MAX || (count && entries[0].key != entry.key)) {
            count_position(writer, entries, count, losses);
            count = 0;
        }
        entries[count++] = entry;
    }
    count_position(writer, entries, count, losses);
}

static bool keeps_all(const struct book_writer *writer)
{
    const unsigned all = BOOK_WEIGHTS | BOOK_UNPLAYED | BOOK_LEARN;
    return (writer->keeps & all) == all && writer->weight_max == UINT32_MAX;
}

/* Does a kind that repairs itself write its own text again, comments included? */
static bool copies_text(const struct book_format *format, const struct book_writer *writer)
{
    for (size_t i = 0; format->repair && i < format->writer_count; i++)
        if (writer == &format->writers[i])
            return true;
    return false;
}

/* Of a book of lines the moves are found by walking. */
static enum caxton_status count_losses(const struct book *book, const struct book_writer *writer,
                                       struct book_losses *losses, struct diag *diag)
{
    bool mirrored;
    const struct book_format *format = book_format(book);
    const struct entry_table *table = book_graph_table(book, &mirrored);
    if (format->comment_count && !copies_text(format, writer))
        losses->comments = format->comment_count(book_state(book));
    if (keeps_all(writer))
        return STATUS_OK;
    if (table) {
        count_details(writer, table, losses);
        return STATUS_OK;
    }
    struct entry_list list = {0};
    enum caxton_status status = book_graph_entries(book, &list, NULL, diag);
    struct entry_table made = entry_table_from_list(&list);
    if (status == STATUS_OK)
        count_details(writer, &made, losses);
    entry_table_free(&made);
    return status;
}

enum caxton_status book_convert(const struct book *book, const struct book_writer *writer,
                                FILE *out, struct book_losses *losses, struct diag *diag)
{
    struct book_losses counted = {0};
    enum caxton_status status = writer->write(book, out, &counted, diag);
    if (status == STATUS_OK && losses)
        status = count_losses(book, writer, &counted, diag);
    if (status == STATUS_OK && losses)
        *losses = counted;
    return status;
}

enum caxton_status book_repair(const struct book *book, const struct book_writer *writer, FILE *out,
                               struct book_losses *losses, struct diag *diag)
{
    struct book_losses counted = {0};
    const struct book_format *format = book_format(book);
    if (!format->repair)
        return book_convert(book, writer, out, losses, diag);
    enum caxton_status status = format->repair(book, out, &counted, diag);
    if (status == STATUS_OK && losses)
        *losses = counted;
    return status;
}

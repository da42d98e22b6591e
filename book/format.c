#include "book/format.h"

#include "base/text.h"

const char *book_losses_text(const struct book_losses *losses, char out[BOOK_LOSSES_TEXT_MAX])
{
    const struct {
        size_t positions;
        const char *why;
    } causes[] = {
        {losses->unreached, "no line reaches them, as where rare moves were left out"},
        {losses->other_starts, "only lines from another start reach them"},
        {losses->non_book, "only moves that are not the book's lead to them"},
    };
    const struct {
        size_t count;
        const char *one;
        const char *many;
    } details[] = {
        {losses->weights, "weight not kept", "weights not kept"},
        {losses->large, "weight too large: scaled down or cut",
         "weights too large: scaled down or cut"},
        {losses->unplayed, "move of weight 0 left out", "moves of weight 0 left out"},
        {losses->learn, "learn value not kept", "learn values not kept"},
        {losses->illegal, "illegal move left out", "illegal moves left out"},
        {losses->unfollowed, "", "moves are too many to look for illegal ones"},
        {losses->castlings, "move such as e1g1, castling or not, as it is: no line reaches it",
         "moves such as e1g1, castling or not, as they are: no line reaches them"},
        {losses->comments, "comment, name or mark not kept", "comments, names and marks not kept"},
    };
    struct text_buffer text = text_buffer_on(out, BOOK_LOSSES_TEXT_MAX);
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i].positions)
            text_append(&text, "%s%zu of %zu positions left out: %s", text.size ? "; " : "",
                        causes[i].positions, losses->positions, causes[i].why);
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        if (details[i].count)
            text_append(&text, "%s%zu %s", text.size ? "; " : "", details[i].count,
                        details[i].count == 1 ? details[i].one : details[i].many);
    return out;
}

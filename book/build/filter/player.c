#include "book/build/filter/player.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool parts_words(char c)
{
    return c == ' ' || c == ',' || c == '.';
}

/* Takes the next word off the front of `rest`; an empty one means that none is left. */
static struct span next_word(struct span *rest)
{
    while (rest->size && parts_words(rest->data[0]))
        *rest = span_from(*rest, 1);
    struct span word = span_make(rest->data, 0);
    while (rest->size && !parts_words(rest->data[0])) {
        *rest = span_from(*rest, 1);
        word.size++;
    }
    return word;
}

static bool starts_with(struct span word, struct span start)
{
    if (word.size < start.size)
        return false;
    for (size_t i = 0; i < start.size; i++)
        if (lower(word.data[i]) != lower(start.data[i]))
            return false;
    return true;
}

bool player_matches(struct span name, const char *wanted)
{
    struct span rest = span_of(wanted);
    bool first = true;
    for (struct span want; (want = next_word(&rest)).size; first = false) {
        struct span word = next_word(&name);
        if (!starts_with(word, want) || (first && word.size != want.size))
            return false;
    }
    return !first;
}

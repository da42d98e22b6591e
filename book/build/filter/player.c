#include "book/build/filter/player.h"

#include <string.h>

enum { WORDS_MAX = 8 };

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

/* The words of a name, the family name first. */
struct words {
    struct span list[WORDS_MAX];
    size_t count;
    bool is_sure; /* a comma says which is the family name */
};

static struct words read_words(struct span text)
{
    struct words words = {.count = 0};
    words.is_sure = text.size && memchr(text.data, ',', text.size);
    for (struct span word; words.count < WORDS_MAX && (word = next_word(&text)).size;)
        words.list[words.count++] = word;
    return words;
}

/* The same name, if its family name stood last. */
static struct words turn_round(const struct words *words)
{
    struct words turned = *words;
    for (size_t i = 1; i < words->count; i++)
        turned.list[i] = words->list[i - 1];
    turned.list[0] = words->list[words->count - 1];
    return turned;
}

static bool fits_given(struct span word, struct span want)
{
    return starts_with(word, want) || (word.size == 1 && starts_with(want, word));
}

static bool fits(const struct words *name, const struct words *wanted)
{
    if (name->count < wanted->count || name->list[0].size != wanted->list[0].size ||
        !starts_with(name->list[0], wanted->list[0]))
        return false;
    for (size_t i = 1; i < wanted->count; i++)
        if (!fits_given(name->list[i], wanted->list[i]))
            return false;
    return true;
}

bool player_matches(struct span name, const char *wanted)
{
    const struct words want = read_words(span_of(wanted));
    const struct words words = read_words(name);
    if (want.count == 0)
        return false;
    if (fits(&words, &want))
        return true;
    if (want.count < 2 || words.count < 2)
        return false;
    const struct words other_want = turn_round(&want);
    const struct words other_words = turn_round(&words);
    bool last = !want.is_sure && other_want.list[0].size > 1;
    return (last && fits(&words, &other_want)) ||
           (!words.is_sure &&
            (fits(&other_words, &want) || (last && fits(&other_words, &other_want))));
}

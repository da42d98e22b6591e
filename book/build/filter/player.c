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

/* Near ones ---------------------------------------------------------------------------------- */

enum { LETTERS_MAX = 24 };

/* A word by its letters, those of UTF-8 included: "Müller" has six. */
struct letters {
    uint32_t list[LETTERS_MAX];
    size_t count; /* of a longer word: LETTERS_MAX + 1 */
};

static struct letters read_letters(struct span word)
{
    struct letters letters = {.count = 0};
    for (size_t i = 0; i < word.size && letters.count <= LETTERS_MAX; i++) {
        uint8_t byte = (uint8_t)lower(word.data[i]);
        bool goes_on = letters.count > 0 && (byte & 0xc0) == 0x80;
        if (goes_on)
            letters.list[letters.count - 1] = letters.list[letters.count - 1] << 6 | byte;
        else if (letters.count++ < LETTERS_MAX)
            letters.list[letters.count - 1] = byte;
    }
    return letters;
}

/* So many letters may be wrong in a family name of that length. */
static int wrong_letters_max(size_t count)
{
    enum { SHORT = 3, MIDDLE = 6, LONG = 11 };
    return count <= SHORT ? 0 : count <= MIDDLE ? 1 : count <= LONG ? 2 : 3;
}

/* The fewest letters of `wanted` to put in, take out or change (Levenshtein), row by row; -1: too
 * many. */
static int wrong_letters(struct span name, struct span wanted)
{
    const struct letters a = read_letters(name);
    const struct letters b = read_letters(wanted);
    int row[LETTERS_MAX + 1];
    size_t most = (size_t)wrong_letters_max(b.count);
    if (a.count > LETTERS_MAX || b.count > LETTERS_MAX || a.count > b.count + most ||
        b.count > a.count + most)
        return -1;
    for (size_t i = 0; i <= b.count; i++)
        row[i] = (int)i;
    for (size_t i = 0; i < a.count; i++) {
        int corner = row[0];
        row[0] = (int)i + 1;
        for (size_t k = 0; k < b.count; k++) {
            int change = corner + (a.list[i] != b.list[k]);
            corner = row[k + 1];
            int less = (row[k] < corner ? row[k] : corner) + 1;
            row[k + 1] = change < less ? change : less;
        }
    }
    return row[b.count] <= (int)most ? row[b.count] : -1;
}

/* `best`, or less where these orders of words are nearer. */
static int nearer(const struct words *name, const struct words *want, int best)
{
    int distance = wrong_letters(name->list[0], want->list[0]);
    if (distance < 0)
        return best;
    if (want->count > 1 && name->count > 1 &&
        lower(name->list[1].data[0]) != lower(want->list[1].data[0]))
        distance += PLAYER_OTHER_INITIAL;
    else if (want->count > 1 && (name->count == 1 || !fits_given(name->list[1], want->list[1])))
        distance++;
    return best < 0 || distance < best ? distance : best;
}

int player_distance(struct span name, const char *wanted)
{
    const struct words want = read_words(span_of(wanted));
    const struct words words = read_words(name);
    if (want.count == 0 || words.count == 0)
        return -1;
    int best = nearer(&words, &want, -1);
    const struct words turned = turn_round(&want);
    if (want.count > 1 && !want.is_sure)
        best = nearer(&words, &turned, best);
    const struct words other = turn_round(&words);
    if (words.count > 1 && !words.is_sure)
        best = nearer(&other, &want, best);
    return best;
}

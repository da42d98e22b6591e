#include "book/count/filter/player.h"

#include <stdlib.h>
#include <string.h>

/* Does `a` come before `b` in the report? */
static int compare(const void *left, const void *right)
{
    const struct near_name *a = left;
    const struct near_name *b = right;
    if (a->distance != b->distance)
        return a->distance - b->distance;
    if (a->games != b->games)
        return a->games > b->games ? -1 : 1;
    return strcmp(a->text, b->text);
}

void near_names_add(struct near_names *names, struct span name, int distance, uint64_t games)
{
    struct near_name added = {.games = games, .distance = distance};
    text_copy_utf8(added.text, sizeof added.text, name);
    for (size_t i = 0; i < names->count; i++) {
        struct near_name *known = &names->list[i];
        if (strcmp(known->text, added.text) != 0)
            continue;
        known->games += games;
        if (distance < known->distance)
            known->distance = distance;
        return;
    }
    if (names->count < NEAR_NAMES_MAX) {
        names->list[names->count++] = added;
        return;
    }
    struct near_name *last = &names->list[0];
    for (size_t i = 1; i < names->count; i++)
        if (compare(&names->list[i], last) > 0)
            last = &names->list[i];
    if (compare(&added, last) < 0)
        *last = added;
}

void near_names_merge(struct near_names *names, const struct near_names *more)
{
    for (size_t i = 0; i < more->count; i++) {
        const struct near_name *name = &more->list[i];
        near_names_add(names, span_of(name->text), name->distance, name->games);
    }
}

void near_names_sort(struct near_names *names)
{
    qsort(names->list, names->count, sizeof *names->list, compare);
}

enum { WORDS_MAX = 8 };

/* A blank, or one of , - . which stand side by side in ASCII: letters cost one comparison. */
static bool parts_words(char c)
{
    return c <= '.' && (c == ' ' || c >= ',');
}

/* Takes the next word off the front of `rest`; an empty one means that none is left. */
static struct span next_word(struct span *rest)
{
    size_t start = 0;
    while (start < rest->size && parts_words(rest->data[start]))
        start++;
    size_t end = start;
    while (end < rest->size && !parts_words(rest->data[end]))
        end++;
    struct span word = span_make(rest->data + start, end - start);
    *rest = span_from(*rest, end);
    return word;
}

/* Takes a letter off the front of a word, without its case. */
static uint32_t next_letter(struct span *word)
{
    return text_small_letter(span_take_letter(word));
}

/* Takes the letters of `start` off the front of `word`; false when it begins with others. */
static bool take_start(struct span *word, struct span start)
{
    while (start.size)
        if (!word->size || next_letter(word) != next_letter(&start))
            return false;
    return true;
}

static bool starts_with(struct span word, struct span start)
{
    return take_start(&word, start);
}

static bool is_same(struct span word, struct span other)
{
    return take_start(&word, other) && !word.size;
}

static bool is_initial(struct span word)
{
    (void)span_take_letter(&word);
    return !word.size;
}

/* The words of a name, the family name first. */
struct words {
    struct span list[WORDS_MAX];
    bool joined[WORDS_MAX]; /* by '-' to the word before it */
    size_t count;
    size_t before_comma;
    bool is_sure; /* a comma says which is the family name */
};

static struct words read_words(struct span text)
{
    struct words words = {.count = 0};
    if (!text.size) /* a missing tag has no data */
        return words;
    const char *comma = memchr(text.data, ',', text.size);
    words.is_sure = comma;
    for (struct span word; words.count < WORDS_MAX && (word = next_word(&text)).size;) {
        words.joined[words.count] = words.count && word.data[-1] == '-';
        words.list[words.count++] = word;
        words.before_comma += comma && word.data < comma;
    }
    return words;
}

/* How many words '-' joins to the first one, itself included. */
static size_t count_joined(const struct words *words)
{
    size_t count = 1;
    while (count < words->count && words->joined[count])
        count++;
    return count;
}

/* The same name, if its family name stood last. */
static struct words turn_round(const struct words *words)
{
    struct words turned = *words;
    size_t first = words->count - 1;
    while (words->joined[first])
        first--;
    for (size_t i = 0; i < words->count; i++) {
        size_t from = (first + i) % words->count;
        turned.list[i] = words->list[from];
        turned.joined[i] = words->joined[from];
    }
    return turned;
}

static bool fits_given(struct span word, struct span want)
{
    return starts_with(word, want) || (is_initial(word) && starts_with(want, word));
}

/* What '-' joins to the family name belongs to it. Of first names that are joined the initial of
 * one is enough. */
static bool fits(const struct words *name, const struct words *wanted)
{
    if (name->count == 0 || !is_same(name->list[0], wanted->list[0]))
        return false;
    size_t name_joined = count_joined(name);
    size_t wanted_joined = count_joined(wanted);
    size_t family = name_joined > wanted_joined ? name_joined : wanted_joined;
    size_t at = 1;
    for (size_t i = 1; i < wanted->count; i++) {
        struct span want = wanted->list[i];
        if (at < name->count &&
            (i < family ? is_same(name->list[at], want) : fits_given(name->list[at], want)))
            at++;
        else if (!wanted->joined[i] || !is_initial(name->list[at - 1]))
            return false;
    }
    return at >= family;
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
    bool last = !want.is_sure && !is_initial(other_want.list[0]);
    return (last && fits(&words, &other_want)) ||
           (!words.is_sure &&
            (fits(&other_words, &want) || (last && fits(&other_words, &other_want))));
}

/* Near ones ---------------------------------------------------------------------------------- */

/* How many letters of a family name are wrong; -1: too many. */
static int wrong_letters(struct span name, struct span wanted)
{
    size_t most = text_wrong_letters_max(wanted);
    size_t wrong = text_distance(name, wanted, false);
    return wrong <= most ? (int)wrong : -1;
}

static bool has_same_initial(struct span a, struct span b)
{
    return next_letter(&a) == next_letter(&b);
}

/* `best`, or less where these orders of words are nearer. */
static int nearer(const struct words *name, const struct words *want, int best)
{
    int distance = wrong_letters(name->list[0], want->list[0]);
    if (distance < 0)
        return best;
    if (want->count > 1 && name->count > 1 && !has_same_initial(name->list[1], want->list[1]))
        distance += PLAYER_OTHER_INITIAL;
    else if (want->count > 1 && (name->count == 1 || !fits_given(name->list[1], want->list[1])))
        distance++;
    return best < 0 || distance < best ? distance : best;
}

/* The name without its first word. */
static struct words next_words(const struct words *name)
{
    struct words next = {.count = name->count - 1};
    memcpy(next.list, name->list + 1, next.count * sizeof *next.list);
    return next;
}

/* `best`, or less where an order of the name's words is nearer, or a later word of its family name,
 * as in "van der Wiel, John". */
static int nearest(const struct words *name, const struct words *want, int best)
{
    best = nearer(name, want, best);
    if (name->count < 2)
        return best;
    size_t left = name->is_sure ? name->before_comma : name->count - 1;
    struct words next = *name;
    for (; left > 1; left--) {
        next = next_words(&next);
        best = nearer(&next, want, best);
    }
    if (name->is_sure)
        return best;
    const struct words turned = turn_round(name);
    return nearer(&turned, want, best);
}

int player_distance(struct span name, const char *wanted)
{
    const struct words want = read_words(span_of(wanted));
    const struct words words = read_words(name);
    if (want.count == 0 || words.count == 0)
        return -1;
    int best = nearest(&words, &want, -1);
    if (want.count < 2 || want.is_sure)
        return best;
    const struct words turned = turn_round(&want);
    return nearest(&words, &turned, best);
}

#include "book/build/filter/player.h"

#include <string.h>

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

enum { LETTERS_MAX = 24 };

/* A word by its letters: "Müller" has six. */
struct letters {
    uint32_t list[LETTERS_MAX];
    size_t count; /* of a longer word: LETTERS_MAX + 1 */
};

static struct letters read_letters(struct span word)
{
    struct letters letters;
    letters.count = 0;
    while (word.size && letters.count <= LETTERS_MAX) {
        uint32_t letter = next_letter(&word);
        if (letters.count++ < LETTERS_MAX)
            letters.list[letters.count - 1] = letter;
    }
    return letters;
}

/* So many letters may be wrong in a family name of that length. */
static int wrong_letters_max(size_t count)
{
    enum { SHORT = 3, MIDDLE = 6, LONG = 11 };
    return count <= SHORT ? 0 : count <= MIDDLE ? 1 : count <= LONG ? 2 : 3;
}

/* The fewest letters of the name to put in, take out or change (Levenshtein), row by row, to have
 * those of `wanted`; -1: too many. */
static int wrong_letters(struct span name, const struct letters *wanted)
{
    size_t most = (size_t)wrong_letters_max(wanted->count);
    if (name.size + most < wanted->count) /* it has at most as many letters as bytes */
        return -1;
    const struct letters a = read_letters(name);
    int row[LETTERS_MAX + 1];
    if (a.count > LETTERS_MAX || wanted->count > LETTERS_MAX || a.count > wanted->count + most ||
        wanted->count > a.count + most)
        return -1;
    for (size_t i = 0; i <= wanted->count; i++)
        row[i] = (int)i;
    for (size_t i = 0; i < a.count; i++) {
        int corner = row[0];
        int least = row[0] = (int)i + 1;
        for (size_t k = 0; k < wanted->count; k++) {
            int change = corner + (a.list[i] != wanted->list[k]);
            corner = row[k + 1];
            int less = (row[k] < corner ? row[k] : corner) + 1;
            row[k + 1] = change < less ? change : less;
            least = row[k + 1] < least ? row[k + 1] : least;
        }
        if (least > (int)most)
            return -1; /* no row can have less than the row before it */
    }
    return row[wanted->count] <= (int)most ? row[wanted->count] : -1;
}

static bool has_same_initial(struct span a, struct span b)
{
    return next_letter(&a) == next_letter(&b);
}

/* `best`, or less where these orders of words are nearer. family: the letters of want->list[0]. */
static int nearer(const struct words *name, const struct words *want, const struct letters *family,
                  int best)
{
    int distance = wrong_letters(name->list[0], family);
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
    const struct letters family = read_letters(want->list[0]);
    best = nearer(name, want, &family, best);
    if (name->count < 2)
        return best;
    size_t left = name->is_sure ? name->before_comma : name->count - 1;
    struct words next = *name;
    for (; left > 1; left--) {
        next = next_words(&next);
        best = nearer(&next, want, &family, best);
    }
    if (name->is_sure)
        return best;
    const struct words turned = turn_round(name);
    return nearer(&turned, want, &family, best);
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

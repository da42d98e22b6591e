#include "chess/eco.h"

#include <stdlib.h>
#include <string.h>

#include "chess/position_text.h"

static int compare(const void *key, const void *row)
{
    uint64_t wanted = *(const uint64_t *)key;
    uint64_t found = ((const struct eco *)row)->key;
    return wanted < found ? -1 : wanted > found;
}

const struct eco *eco_find(uint64_t key)
{
    return bsearch(&key, eco_rows, eco_row_count, sizeof *eco_rows, compare);
}

const struct eco *eco_find_last(const uint64_t *keys, size_t count)
{
    const struct eco *found = NULL;
    while (!found && count > 0)
        found = eco_find(keys[--count]);
    return found;
}

/* Search ------------------------------------------------------------------------------------- */

/* clang-format off */
const struct eco_other_name eco_other_names[] = {
    {"KID", "King's Indian Defense"}, {"KIA", "King's Indian Attack"}, {"QID", "Queen's Indian"},
    {"NID", "Nimzo-Indian"}, {"BID", "Bogo-Indian"}, {"QG", "Queen's Gambit"},
    {"QGD", "Queen's Gambit Declined"}, {"QGA", "Queen's Gambit Accepted"},
    {"KG", "King's Gambit"}, {"KGA", "King's Gambit Accepted"}, {"KGD", "King's Gambit Declined"},
    {"Petroff", "Petrov"}, {"Russian", "Petrov"}, {"Spanish", "Ruy Lopez"}, {"Volga", "Benko"},
    {"Centre Counter", "Scandinavian"}, {"Sveshnikov", "Lasker-Pelikan"}, {"Ufimtsev", "Pirc"},
    {"Sokolsky", "Polish Opening"}, {"Orangutan", "Polish Opening"}, {"Spike", "Grob"},
    {"Jaenisch", "Schliemann"}, {"Janisch", "Schliemann"},
    {"Alekhin", "Alekhine"}, {"Aljechin", "Alekhine"}, {"Tschigorin", "Chigorin"},
    {"Nimzovich", "Nimzowitsch"}, {"Nimzovitch", "Nimzowitsch"}, {"Rauser", "Rauzer"},
    {"Jobava London", "Rapport-Jobava"}, {"Robatsch", "Modern Defense"}, {"Winaver", "Winawer"},
    {"Gambit", "Countergambit"}, {"Attack", "Counterattack"},
    {"Accelerated Dragon", "Hyperaccelerated Dragon"},
};
/* clang-format on */
const size_t eco_other_name_count = sizeof eco_other_names / sizeof *eco_other_names;

/* Words as they are compared: small letters without accents. Each begins after a blank, the first
 * one of a part of a name after a line feed. */
enum { FOLDED_MAX = 192, WORDS_MAX = 8 };
struct folded {
    char text[FOLDED_MAX];
};

/* 0: no letter, and it parts no words. ' ': it does. */
static char plain_letter(uint32_t letter)
{
    static const char bases[] = /* of U+00C0 to U+017F */
        "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
        "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
        "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
    letter = letter < 0x80 ? text_small_letter(letter) : letter;
    if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'))
        return (char)letter;
    if (letter >= 0xC0 && letter <= 0x17F)
        return bases[letter - 0xC0];
    bool is_apostrophe = letter == '\'' || letter == '`' || letter == 0xB4 || letter == 0x2BC ||
                         letter == 0x2018 || letter == 0x2019;
    return is_apostrophe || (letter >= 0x300 && letter <= 0x36F) ? 0 : ' '; /* accents alone */
}

void eco_ascii(const char *name, char *out, size_t capacity)
{
    struct text_buffer text = text_buffer_on(out, capacity);
    for (struct span rest = span_of(name); rest.size;) {
        uint32_t letter = span_take_letter(&rest);
        char plain = letter < 0x80 ? (char)letter : plain_letter(letter);
        bool capital = letter >= 0x80 && text_small_letter(letter) != letter && plain >= 'a';
        if (plain && plain != '"')
            text_append(&text, "%c", capital ? plain - 'a' + 'A' : plain);
    }
}

/* Is an e left out after these letters of a word? */
static bool drops_e(struct span word)
{
    char last = word.size ? word.data[word.size - 1] : 'x';
    return last == 'a' || last == 'o' || last == 'u' || span_equal(word, "cent") ||
           span_equal(word, "centr");
}

static struct folded fold(struct span text)
{
    struct folded folded;
    char *const out = folded.text;
    char gap = '\n';
    size_t size = 0;
    size_t start = 0;
    while (text.size && size + 3 < FOLDED_MAX) {
        uint32_t letter = span_take_letter(&text);
        char c = plain_letter(letter);
        if (c == ' ')
            gap = gap == '\n' || letter == ':' || letter == ',' ? '\n' : ' ';
        if (c == ' ' || !c)
            continue;
        if (gap) {
            out[size++] = gap;
            start = size;
        }
        gap = '\0';
        struct span word = span_make(out + start, size - start);
        if (c != 'e' || !drops_e(word))
            out[size++] = c == 'c' && span_equal(word, "defen") ? 's' : c;
    }
    out[size] = '\0';
    return folded;
}

/* How well a word fits. */
struct fit {
    size_t wrong; /* letters; more than may be: not at all */
    int place;    /* 0: begins the name, 1: a part of it, 2: another word */
};

static bool is_better(const struct fit *a, const struct fit *b)
{
    return a->wrong != b->wrong ? a->wrong < b->wrong : a->place < b->place;
}

static bool goes_on(const char *at, struct span word)
{
    for (; word.size; at++)
        if (*at == word.data[0])
            word = span_from(word, 1);
        else if (*at != ' ')
            return false;
    return true;
}

/* Makes *best better where `word` begins a word of `text` with at most `most` wrong letters. */
static void fit_word(const char *text, struct span word, size_t most, struct fit *best)
{
    for (const char *at = text; *at; at += 1 + strcspn(at + 1, " \n")) {
        struct fit fit = {0, at == text ? 0 : *at == '\n' ? 1 : 2};
        if (!goes_on(at + 1, word))
            fit.wrong = most ? text_distance(word, span_make(at + 1, strcspn(at + 1, " \n")), true)
                             : most + 1;
        if (fit.wrong <= most && is_better(&fit, best))
            *best = fit;
    }
}

/* What is asked for, and all other names, folded. */
struct query {
    struct folded others[64];
    struct folded names[64];
    struct folded text;
    bool near;
};
_Static_assert(sizeof eco_other_names / sizeof *eco_other_names <= 64, "struct query");

static void fit_other_names(const struct query *query, const char *name, struct span word,
                            size_t most, struct fit *best)
{
    for (size_t i = 0; i < eco_other_name_count; i++) {
        const char *meant = query->names[i].text + 1;
        struct fit fit = {most + 1, 0};
        struct fit place = {1, 0};
        fit_word(query->others[i].text, word, most, &fit);
        if (fit.wrong <= most)
            fit_word(name, span_of(meant), 0, &place);
        fit.place += place.place + (strchr(query->others[i].text, ' ') != NULL);
        if (fit.wrong <= most && !place.wrong && is_better(&fit, best))
            *best = fit;
    }
}

/* Where the first word fits, and how many letters of all are wrong. False: one does not fit. */
static bool fit_row(const struct query *query, const struct eco *row, struct fit *out)
{
    const struct folded name = fold(span_of(row->name));
    const struct folded code = fold(span_of(row->code));
    struct span rest = span_of(query->text.text);
    bool first = true;
    *out = (struct fit){0, 0};
    for (struct span word; (word = span_token(&rest)).size; first = false) {
        size_t most = query->near ? text_wrong_letters_max(word) : 0;
        struct fit fit = {most + 1, 0};
        fit_word(name.text, word, most, &fit);
        if (word.size > 1)
            fit_word(code.text, word, 0, &fit);
        fit_other_names(query, name.text, word, most, &fit);
        if (fit.wrong > most)
            return false;
        out->wrong += fit.wrong;
        out->place = first ? fit.place : out->place;
    }
    return !first;
}

struct eco_match {
    const struct eco *eco;
    struct fit fit;
};

static bool comes_before(const struct eco_match *a, const struct eco_match *b)
{
    if (is_better(&a->fit, &b->fit) || is_better(&b->fit, &a->fit))
        return is_better(&a->fit, &b->fit);
    if (a->eco->lines != b->eco->lines)
        return a->eco->lines > b->eco->lines;
    if (a->eco->plies != b->eco->plies)
        return a->eco->plies < b->eco->plies;
    return strcmp(a->eco->name, b->eco->name) < 0;
}

/* Puts `more` into its place of the list, which has each name once. Returns the new length. */
static size_t keep(struct eco_match *list, size_t count, struct eco_match more)
{
    size_t at = 0;
    while (at < count && strcmp(list[at].eco->name, more.eco->name) != 0)
        at++;
    if (at < count ? !comes_before(&more, &list[at])
                   : at == ECO_FOUND_MAX && !comes_before(&more, &list[--at]))
        return count;
    count += at == count;
    for (; at > 0 && comes_before(&more, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = more;
    return count;
}

size_t eco_search(struct span text, const struct eco *out[ECO_FOUND_MAX], bool *exact)
{
    struct query query = {.text = fold(text)};
    struct eco_match list[ECO_FOUND_MAX];
    size_t count = 0;
    for (size_t i = 0; i < eco_other_name_count; i++) {
        query.others[i] = fold(span_of(eco_other_names[i].other));
        query.names[i] = fold(span_of(eco_other_names[i].name));
    }
    for (int pass = 0; pass < 2 && count == 0; pass++) {
        query.near = pass > 0;
        for (size_t i = 0; i < eco_row_count; i++) {
            struct eco_match more = {&eco_rows[i], {0, 0}};
            if (fit_row(&query, &eco_rows[i], &more.fit))
                count = keep(list, count, more);
        }
    }
    for (size_t i = 0; i < count; i++)
        out[i] = list[i].eco;
    *exact = count > 0 && !query.near;
    return count;
}

static bool names_square(struct span word)
{
    return word.size > 1 && memchr("abcdefgh", word.data[word.size - 2], 8) &&
           memchr("12345678", word.data[word.size - 1], 8);
}

static bool is_move(struct span word)
{
    struct position pos;
    return names_square(word) || position_from_text(word, &pos, NULL) != STATUS_SYNTAX;
}

/* The moves that follow a name. exact: the whole text is one. Then words such as "bd3" belong to it
 * ("london bd3"), but squares do not, which begin ECO codes, nor castling. */
static struct span moves_behind(struct span text, bool exact)
{
    struct span rest = text;
    for (struct span word; (word = span_token(&rest)).size;)
        if (is_move(word) &&
            (!exact ||
             (names_square(word) ? word.size == 2 : memchr("Oo0", word.data[0], 3) != NULL)))
            return span_make(word.data, word.size + rest.size);
    return rest;
}

enum caxton_status eco_line(struct span text, char room[ECO_LINE_MAX], struct span *line,
                            struct diag *diag)
{
    const struct eco *found[ECO_FOUND_MAX];
    bool exact;
    struct span rest = text;
    struct span first = span_token(&rest);
    diag_set(diag, 0, 0, "%s", "");
    *line = text;
    if (!first.size || memchr(first.data, '/', first.size) || is_move(first))
        return STATUS_OK;
    size_t count = eco_search(text, found, &exact);
    struct span moves = moves_behind(rest, exact);
    text = span_trim(span_make(text.data, text.size - moves.size));
    if (moves.size)
        count = eco_search(text, found, &exact);
    char said[sizeof(struct diag)] = "";
    struct text_buffer buffer = text_buffer_on(said, sizeof said);
    for (size_t i = exact, said_of = 0; i < count && said_of < 2; i++)
        if (i == 0 || strncmp(found[i]->name, found[0]->name, strlen(found[0]->name)) != 0)
            text_append(&buffer, "%s%s", said_of++ ? " or " : "", found[i]->name);
    int size = text.size < 40 ? (int)text.size : 40;
    if (!exact)
        return diag_fail(STATUS_NOT_FOUND, diag,
                         "ply 1: %.*s is no move, and no opening is called so%s%s", size, text.data,
                         count ? "; did you mean " : "", said);
    struct text_buffer joined = text_buffer_on(room, ECO_LINE_MAX);
    text_append(&joined, "%s ", found[0]->moves);
    if (joined.size + moves.size >= ECO_LINE_MAX)
        return diag_fail(STATUS_RANGE, diag, "too many moves behind %.*s", size, text.data);
    text_append(&joined, "%.*s", (int)moves.size, moves.data);
    *line = span_trim(span_make(room, joined.size));
    diag_set(diag, 0, 0, "%.*s is %s %s, %s%s%s", size, text.data, found[0]->code, found[0]->name,
             found[0]->moves, buffer.size ? "; not " : "", said);
    return STATUS_OK;
}

#include "chess/annotation.h"

#include <string.h>

/* Characters that no move is written with. Source: Unicode's names of blocks. */
static const struct {
    uint32_t first, last;
} signs[] = {
    {0xA0, 0xA0},     /* no-break space, as text from web pages has it */
    {0xB1, 0xB1},     /* plus-minus */
    {0x394, 0x394},   /* the Greek letter of "with the idea" */
    {0x2000, 0x200F}, /* spaces of other widths, marks of direction */
    {0x2026, 0x2026}, /* ellipsis */
    {0x202F, 0x202F}, /* narrow no-break space */
    {0x203C, 0x203C}, /* !! as one character; */
    {0x2047, 0x2049}, /* ??, ?! and !? */
    {0x2190, 0x2211}, /* arrows, operators without the minus (0x2212) */
    {0x2213, 0x23FF}, /* operators, technical signs */
    {0x25A0, 0x25FF}, /* geometric shapes */
    {0x27C0, 0x27FF}, /* more signs of mathematics, arrows */
    {0x2900, 0x2BFF}, /* more arrows and signs */
    {0xFEFF, 0xFEFF}, /* a byte order mark, or a space without width */
};

static bool is_sign(uint32_t letter)
{
    for (size_t i = 0; letter >= 0x80 && i < sizeof signs / sizeof *signs; i++)
        if (letter >= signs[i].first && letter <= signs[i].last)
            return true;
    return false;
}

struct span annotation_cut(struct span word)
{
    struct span rest = word;
    while (rest.size) {
        struct span here = rest;
        if (is_sign(span_take_letter(&rest)))
            return span_make(word.data, word.size - here.size);
    }
    return word;
}

/* Plus, minus and equals signs, with strokes between. A minus needs a plus: "--" is a null move. Or
 * the sign of check or mate after a blank. */
static bool is_evaluation(struct span word)
{
    bool mate = word.size > 0 && word.data[word.size - 1] == '#';
    if (mate)
        word.size--;
    if (mate && word.size == 0)
        return true;
    bool plus = false;
    bool minus = false;
    bool equal = false;
    while (word.size) {
        uint32_t letter = span_take_letter(&word);
        plus |= letter == '+';
        equal |= letter == '=';
        if (letter == '-' || letter == 0x2212 || letter == 0x2013) /* a minus, an en dash */
            minus = true;
        else if (letter != '+' && letter != '=' && letter != '/')
            return false;
    }
    return plus || (equal && !minus);
}

/* An N that may as well be a knight whose square follows is none. */
static bool is_novelty(struct span word, const char *end)
{
    const char *at = word.data + 1;
    if (word.size != 1 || *word.data != 'N')
        return false;
    if (end - at > ANNOTATION_AHEAD)
        end = at + ANNOTATION_AHEAD;
    const char *next = at;
    while (next < end && memchr(" \t\r\n", *next, 4))
        next++;
    return next == end ? end - at < ANNOTATION_AHEAD : !memchr("abcdefghx", *next, 9);
}

size_t annotation_size(struct span word, const char *end)
{
    struct span rest = word;
    if (is_sign(span_take_letter(&rest)))
        return word.size - rest.size;
    word = annotation_cut(word);
    return is_evaluation(word) || is_novelty(word, end) ? word.size : 0;
}

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

struct span span_of(const char *terminated)
{
    return span_make(terminated, strlen(terminated));
}

bool span_equal(struct span a, const char *b)
{
    return strlen(b) == a.size && (a.size == 0 || memcmp(a.data, b, a.size) == 0);
}

bool span_equal_nocase(struct span a, const char *b)
{
    if (strlen(b) != a.size)
        return false;
    for (size_t i = 0; i < a.size; i++)
        if (to_lower(a.data[i]) != to_lower(b[i]))
            return false;
    return true;
}

bool span_is_text(struct span text)
{
    for (size_t i = 0; i < text.size; i++)
        if ((unsigned char)text.data[i] < ' ' && !memchr("\t\r\n", text.data[i], 3))
            return false;
    return true;
}

struct span span_trim(struct span text)
{
    while (text.size && is_blank(text.data[0]))
        text = span_from(text, 1);
    while (text.size && is_blank(text.data[text.size - 1]))
        text.size--;
    return text;
}

struct span span_skip_bom(struct span text)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t size = sizeof mark - 1;
    while (text.size >= size && memcmp(text.data, mark, size) == 0)
        text = span_from(text, size);
    return text;
}

bool span_line(struct span *rest, struct span *line)
{
    if (!rest->size)
        return false;
    const char *end = memchr(rest->data, '\n', rest->size);
    size_t size = end ? (size_t)(end - rest->data) : rest->size;
    *line = span_make(rest->data, size);
    *rest = span_from(*rest, end ? size + 1 : size);
    while (line->size && line->data[line->size - 1] == '\r')
        line->size--;
    return true;
}

bool span_item(struct span *list, struct span *item)
{
    if (!list->data)
        return false;
    const char *comma = list->size ? memchr(list->data, ',', list->size) : NULL;
    *item = span_make(list->data, comma ? (size_t)(comma - list->data) : list->size);
    *list = comma ? span_from(*list, item->size + 1) : span_make(NULL, 0);
    return true;
}

enum caxton_status span_read(void *span, char *buffer, size_t capacity, size_t *size)
{
    struct span *rest = span;
    *size = rest->size < capacity ? rest->size : capacity;
    if (*size > 0)
        memcpy(buffer, rest->data, *size);
    *rest = span_from(*rest, *size);
    return STATUS_OK;
}

struct span span_token(struct span *rest)
{
    while (rest->size && is_blank(rest->data[0]))
        *rest = span_from(*rest, 1);
    size_t size = 0;
    while (size < rest->size && !is_blank(rest->data[size]))
        size++;
    struct span token = span_make(rest->data, size);
    *rest = span_from(*rest, size);
    return token;
}

enum caxton_status span_to_int(struct span text, int64_t min, int64_t max, int64_t *out)
{
    bool negative = text.size && text.data[0] == '-';
    size_t i = negative || (text.size && text.data[0] == '+');
    if (i == text.size)
        return STATUS_SYNTAX;

    bool too_long = false;
    int64_t value = 0; /* kept negative: INT64_MIN has no positive twin */
    for (; i < text.size; i++) {
        char c = text.data[i];
        if (c < '0' || c > '9')
            return STATUS_SYNTAX;
        if (value < (INT64_MIN + (c - '0')) / 10)
            too_long = true;
        else
            value = value * 10 - (c - '0');
    }
    if (too_long || (!negative && value == INT64_MIN))
        return STATUS_RANGE;
    value = negative ? value : -value;
    if (value < min || value > max)
        return STATUS_RANGE;
    *out = value;
    return STATUS_OK;
}

char *span_duplicate(struct span text)
{
    char *copy = malloc(text.size + 1);
    if (copy)
        text_copy(copy, text.size + 1, text);
    return copy;
}

void text_copy(char *out, size_t capacity, struct span text)
{
    if (!capacity)
        return;
    size_t size = text.size < capacity - 1 ? text.size : capacity - 1;
    if (size)
        memcpy(out, text.data, size);
    out[size] = '\0';
}

int text_utf8_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    int length = *at < 0x80   ? 1
                 : *at < 0xC2 ? 0
                 : *at < 0xE0 ? 2
                 : *at < 0xF0 ? 3
                 : *at < 0xF5 ? 4
                              : 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool is_too_long = (*at == 0xE0 && at[1] < 0xA0) || (*at == 0xF0 && at[1] < 0x90);
    bool is_no_letter = (*at == 0xED && at[1] >= 0xA0) || (*at == 0xF4 && at[1] >= 0x90);
    return is_too_long || is_no_letter ? 0 : length;
}

/* Of the sequence that `text` begins with, which is not empty. */
static int utf8_length(struct span text)
{
    char next[5] = ""; /* terminated, so that a cut sequence is none */
    memcpy(next, text.data, text.size < 4 ? text.size : 4);
    return text_utf8_length(next);
}

uint32_t span_take_letter(struct span *text)
{
    uint32_t letter = (uint8_t)text->data[0];
    size_t length = letter < 0x80 ? 1 : (size_t)utf8_length(*text);
    if (length > 1)
        letter &= 0x7Fu >> length; /* the first byte has as many leading ones */
    for (size_t i = 1; i < length; i++)
        letter = letter << 6 | ((uint8_t)text->data[i] & 0x3F);
    *text = span_from(*text, length ? length : 1);
    return letter;
}

/* Capitals of Latin, Greek and Cyrillic: each one, or every second one where the small letter is
 * the next. */
static const struct {
    uint16_t first, last, step;
    int16_t to_small;
} capitals[] = {
    {0xC0, 0xD6, 1, 0x20},    {0xD8, 0xDE, 1, 0x20},    {0x100, 0x12E, 2, 1},
    {0x130, 0x130, 1, -0xC7}, {0x132, 0x136, 2, 1},     {0x139, 0x147, 2, 1},
    {0x14A, 0x176, 2, 1},     {0x178, 0x178, 1, -0x79}, {0x179, 0x17D, 2, 1},
    {0x386, 0x386, 1, 0x26},  {0x388, 0x38A, 1, 0x25},  {0x38C, 0x38C, 1, 0x40},
    {0x38E, 0x38F, 1, 0x3F},  {0x391, 0x3A1, 1, 0x20},  {0x3A3, 0x3AB, 1, 0x20},
    {0x3C2, 0x3C2, 1, 1},     {0x400, 0x40F, 1, 0x50},  {0x410, 0x42F, 1, 0x20},
    {0x48A, 0x4BE, 2, 1},     {0x4D0, 0x52E, 2, 1},
};

uint32_t text_small_letter(uint32_t letter)
{
    if (letter < 0x80)
        return (uint8_t)to_lower((char)letter);
    for (size_t i = 0; i < sizeof capitals / sizeof *capitals; i++)
        if (letter >= capitals[i].first && letter <= capitals[i].last)
            return (letter - capitals[i].first) % capitals[i].step
                       ? letter
                       : (uint32_t)((int32_t)letter + capitals[i].to_small);
    return letter;
}

void text_copy_utf8(char *out, size_t capacity, struct span text)
{
    size_t size = 0;
    while (text.size && capacity) {
        int length = utf8_length(text);
        size_t wanted = length ? (size_t)length : 2; /* Latin-1 has two bytes in UTF-8 */
        uint8_t byte = (uint8_t)text.data[0];
        if (size + wanted >= capacity)
            break;
        if (length) {
            memcpy(out + size, text.data, wanted);
        } else {
            out[size] = (char)(0xC0 | byte >> 6);
            out[size + 1] = (char)(0x80 | (byte & 0x3F));
        }
        size += wanted;
        text = span_from(text, length ? wanted : 1);
    }
    if (capacity)
        out[size] = '\0';
}

/* Line and paragraph separators, and what turns the direction of the text around it: a name could
 * else show as another one. Source: Unicode Standard Annex 9, "Bidirectional Character Types". */
bool text_is_control(uint32_t letter)
{
    return letter < 0x20 || (letter >= 0x7F && letter < 0xA0) || letter == 0x061C ||
           letter == 0x200E || letter == 0x200F || (letter >= 0x2028 && letter <= 0x202E) ||
           (letter >= 0x2066 && letter <= 0x2069);
}

/* Would a terminal just show the first `length` bytes, one character of UTF-8? Of 0 bytes: no. */
static bool is_shown(struct span text, size_t length)
{
    return length && !text_is_control(span_take_letter(&text));
}

void text_quote(char *out, size_t capacity, struct span text)
{
    size_t size = 0;
    size_t whole = 0; /* of it, what leaves room for the points */
    while (text.size) {
        char escape[5];
        size_t length = (size_t)utf8_length(text);
        bool shown = is_shown(text, length);
        size_t wanted = shown ? length : sizeof escape - 1;
        if (size + wanted >= capacity) {
            memcpy(out + whole, "...", 3);
            size = whole + 3;
            break;
        }
        if (!shown)
            (void)snprintf(escape, sizeof escape, "\\x%02x", (unsigned)(uint8_t)text.data[0]);
        memcpy(out + size, shown ? text.data : escape, wanted);
        size += wanted;
        if (size + 3 < capacity)
            whole = size;
        text = span_from(text, shown ? length : 1);
    }
    out[size] = '\0';
}

/* Takes the next character off the front of `text`, which is not empty: "?" for what is not shown.
 */
static struct span take_safe(struct span *text)
{
    size_t length = (size_t)utf8_length(*text);
    struct span safe = is_shown(*text, length) ? span_make(text->data, length) : span_of("?");
    *text = span_from(*text, length ? length : 1);
    return safe;
}

void text_put_safe(FILE *out, struct span text)
{
    while (text.size) {
        struct span safe = take_safe(&text);
        (void)fwrite(safe.data, 1, safe.size, out);
    }
}

void text_make_safe(char *text)
{
    for (struct span rest = span_of(text); rest.size;) {
        struct span safe = take_safe(&rest);
        memmove(text, safe.data, safe.size);
        text += safe.size;
    }
    *text = '\0';
}

struct safe_text text_safe(const char *text)
{
    struct safe_text safe;
    text_copy(safe.text, sizeof safe.text, span_of(text));
    text_make_safe(safe.text);
    return safe;
}

const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

struct text_buffer text_buffer_on(char *data, size_t capacity)
{
    if (capacity)
        data[0] = '\0';
    return (struct text_buffer){.data = data, .capacity = capacity};
}

void text_append(struct text_buffer *buffer, const char *format, ...)
{
    size_t room = buffer->capacity - buffer->size;
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(room ? buffer->data + buffer->size : NULL, room, format, args);
    va_end(args);
    if (wanted < 0) {
        buffer->cut = true;
    } else if ((size_t)wanted >= room) {
        buffer->cut = true;
        buffer->size = buffer->capacity ? buffer->capacity - 1 : 0;
    } else {
        buffer->size += (size_t)wanted;
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

enum { LETTERS_MAX = 31 };

/* The letters of a word, small: "Müller" has six. Returns how many; LETTERS_MAX + 1: more. */
static size_t read_letters(struct span word, uint32_t letters[LETTERS_MAX + 1])
{
    size_t count = 0;
    while (word.size && count <= LETTERS_MAX)
        letters[count++] = text_small_letter(span_take_letter(&word));
    return count;
}

size_t text_distance(struct span a, struct span b, bool beginning)
{
    uint32_t x[LETTERS_MAX + 1];
    uint32_t y[LETTERS_MAX + 1];
    size_t cost[LETTERS_MAX + 1][LETTERS_MAX + 1];
    size_t x_count = read_letters(a, x);
    size_t y_count = read_letters(b, y);
    if (x_count > LETTERS_MAX || y_count > LETTERS_MAX)
        return SIZE_MAX;
    for (size_t i = 0; i <= x_count; i++)
        for (size_t k = 0; k <= y_count; k++) {
            cost[i][k] = i + k; /* right where i or k is 0 */
            if (!i || !k)
                continue;
            cost[i][k] = least(least(cost[i - 1][k], cost[i][k - 1]) + 1,
                               cost[i - 1][k - 1] + (x[i - 1] != y[k - 1]));
            if (i > 1 && k > 1 && x[i - 1] == y[k - 2] && x[i - 2] == y[k - 1])
                cost[i][k] = least(cost[i][k], cost[i - 2][k - 2] + 1);
        }
    size_t best = cost[x_count][y_count];
    for (size_t k = 0; beginning && k < y_count; k++)
        best = least(best, cost[x_count][k]);
    return best;
}

size_t text_wrong_letters_max(struct span word)
{
    enum { SHORT = 3, MIDDLE = 6, LONG = 11 };
    uint32_t letters[LETTERS_MAX + 1];
    size_t count = read_letters(word, letters);
    return count <= SHORT ? 0 : count <= MIDDLE ? 1 : count <= LONG ? 2 : 3;
}

void text_nearest_try(struct text_nearest *nearest, struct span word)
{
    struct span wanted = nearest->wanted;
    size_t distance = text_distance(wanted, word, false);
    for (size_t i = 0; i + wanted.size <= word.size && wanted.size > 1; i++)
        if ((!i || word.data[i - 1] == '-') &&
            text_distance(wanted, span_make(word.data + i, wanted.size), false) == 0)
            distance = least(distance, 1);
    bool is_short =
        wanted.size == 2 || wanted.size == 3; /* one letter may be wrong in these, too */
    if (distance <= text_wrong_letters_max(wanted) + is_short &&
        (!nearest->word.data || distance < nearest->distance)) {
        nearest->word = word;
        nearest->distance = distance;
    }
}

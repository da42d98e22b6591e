#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static bool names_utf8(const char *locale)
{
    for (; *locale; locale++)
        if (span_equal_nocase(span_make(locale, strnlen(locale, 5)), "utf-8") ||
            span_equal_nocase(span_make(locale, strnlen(locale, 4)), "utf8"))
            return true;
    return false;
}

enum terminal_bars terminal_bars_of(FILE *out)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    if (!isatty(fileno(out)))
        return BARS_NONE;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return names_utf8(locale) ? BARS_BLOCKS : BARS_ASCII;
    }
    return BARS_ASCII;
}

const char *terminal_bar(enum terminal_bars bars, uint64_t part, uint64_t whole, int cells,
                         char out[BAR_TEXT_MAX])
{
    enum { EIGHTHS = 8 };
    __extension__ typedef unsigned __int128 wide;
    struct text_buffer text = text_buffer_on(out, BAR_TEXT_MAX);
    out[0] = '\0';
    if (bars == BARS_NONE || part == 0 || whole == 0)
        return out;
    unsigned parts = bars == BARS_BLOCKS ? EIGHTHS : 1;
    wide most = (wide)parts * (unsigned)cells;
    unsigned filled = (unsigned)(((wide)part * most + whole / 2) / whole);
    filled = filled ? filled : 1;
    for (; filled >= parts; filled -= parts)
        text_append(&text, "%s", bars == BARS_BLOCKS ? "\xE2\x96\x88" : "#");
    if (filled) /* U+258F is one eighth, U+2589 seven */
        text_append(&text, "\xE2\x96%c", (char)(0x90 - (int)filled));
    return out;
}

const char *terminal_thousands(uint64_t number, char out[THOUSANDS_MAX])
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    char *to = out;
    for (int i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}

int terminal_permille(uint64_t part, uint64_t whole)
{
    __extension__ typedef unsigned __int128 wide;
    return whole ? (int)(((wide)part * 1000 + whole / 2) / whole) : 0;
}

int terminal_utf8_length(const char *text)
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

void terminal_json_text(FILE *out, const char *text)
{
    (void)fputc('"', out);
    while (*text) {
        int length = terminal_utf8_length(text);
        if (!length)
            (void)fputs("\\ufffd", out);
        else if (*text == '"' || *text == '\\')
            (void)fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20 || *text == 0x7F || *text == '<')
            (void)fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            (void)fprintf(out, "%.*s", length, text);
        text += length ? length : 1;
    }
    (void)fputc('"', out);
}

const char *terminal_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

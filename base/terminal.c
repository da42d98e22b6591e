#include "base/terminal.h"

#include "base/system.h"
#include "base/text.h"

bool terminal_is_utf8(void)
{
    return system_terminal_is_utf8();
}

bool terminal_obeys(FILE *out)
{
    return system_terminal_obeys(out);
}

enum terminal_bars terminal_bars_of(FILE *out)
{
    if (!system_is_terminal(out))
        return BARS_NONE;
    return terminal_is_utf8() ? BARS_BLOCKS : BARS_ASCII;
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

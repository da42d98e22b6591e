#include "book/build/filter/eco_codes.h"

#include "book/build/filter/name_list.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int eco_code_read(struct span text)
{
    if (text.size < 3 || text.data[0] < 'A' || text.data[0] > 'E' || !is_digit(text.data[1]) ||
        !is_digit(text.data[2]))
        return -1;
    return 100 * (text.data[0] - 'A') + 10 * (text.data[1] - '0') + text.data[2] - '0';
}

bool eco_codes_have(const struct eco_codes *codes, int code)
{
    return codes->words[code / 64] >> code % 64 & 1;
}

enum caxton_status eco_codes_read(struct span text, struct eco_codes *codes, struct diag *diag)
{
    struct eco_codes found = {{0}};
    for (struct span part; name_list_next(&text, &part);) {
        bool is_range = part.size == 7 && part.data[3] == '-';
        int first = eco_code_read(part);
        int last = is_range ? eco_code_read(span_from(part, 4)) : first;
        if (first < 0 || last < first || (!is_range && part.size != 3))
            return diag_fail(STATUS_SYNTAX, diag,
                             "\"%.*s\" is no ECO code or range such as C42 or B20-B99",
                             (int)(part.size < 40 ? part.size : 40), part.data);
        for (int code = first; code <= last; code++)
            found.words[code / 64] |= UINT64_C(1) << code % 64;
    }
    *codes = found;
    return STATUS_OK;
}

void eco_codes_describe(struct text_buffer *out, const char *option, const struct eco_codes *codes)
{
    const char *before = " ";
    text_append(out, "%s", option);
    for (int first = 0; first < ECO_CODES; first++) {
        int last = first;
        if (!eco_codes_have(codes, first))
            continue;
        while (last + 1 < ECO_CODES && eco_codes_have(codes, last + 1))
            last++;
        text_append(out, "%s%c%02d", before, 'A' + first / 100, first % 100);
        if (last > first)
            text_append(out, "-%c%02d", 'A' + last / 100, last % 100);
        before = ",";
        first = last;
    }
    text_append(out, "\n");
}

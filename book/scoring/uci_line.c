#include "book/scoring/uci_line.h"

#include "eval/eval.h"
#include "search/limits.h"

bool uci_take_word(struct span *line, const char *word)
{
    struct span rest = *line;
    if (!span_equal(span_token(&rest), word))
        return false;
    *line = span_trim(rest);
    return true;
}

/* The words before the next one of `ends`, which is left in `rest`. Names of options have blanks.
 */
static struct span take_until(struct span *rest, const char *const *ends)
{
    struct span all = span_trim(*rest);
    struct span left = all;
    struct span last = span_make(all.data, 0);
    for (;;) {
        struct span before = left;
        struct span word = span_token(&left);
        bool end = word.size == 0;
        for (size_t i = 0; ends[i]; i++)
            end = end || span_equal(word, ends[i]);
        if (end) {
            *rest = before;
            return span_make(all.data, (size_t)(last.data + last.size - all.data));
        }
        last = word;
    }
}

bool uci_read_option(struct span line, struct uci_option *out)
{
    static const char *const ends[] = {"type", NULL};
    struct uci_option option = {.has_range = false};
    if (!uci_take_word(&line, "option") || !uci_take_word(&line, "name"))
        return false;
    option.name = take_until(&line, ends);
    if (option.name.size == 0)
        return false;
    (void)uci_take_word(&line, "type");
    option.type = span_token(&line);
    bool has_min = false;
    bool has_max = false;
    for (struct span word; (word = span_token(&line)).size;) {
        if (span_equal(word, "min"))
            has_min =
                span_to_int(span_token(&line), INT64_MIN, INT64_MAX, &option.min) == STATUS_OK;
        else if (span_equal(word, "max"))
            has_max =
                span_to_int(span_token(&line), INT64_MIN, INT64_MAX, &option.max) == STATUS_OK;
    }
    option.has_range = has_min && has_max && span_equal(option.type, "spin");
    *out = option;
    return true;
}

/* The number that `line` goes on with, limited to -most .. most; false: there is none. */
static bool take_number(struct span *line, int64_t most, int64_t *out)
{
    struct span rest = *line;
    struct span word = span_token(&rest);
    int64_t number;
    enum caxton_status status = span_to_int(word, -most, most, &number);
    if (status == STATUS_RANGE)
        number = word.data[0] == '-' ? -most : most;
    else if (status != STATUS_OK)
        return false;
    *line = rest;
    *out = number;
    return true;
}

/* "cp 13" or "mate -2", behind "score". Engines count moves to a mate, we count plies. */
static void take_score(struct span *line, struct uci_info *info)
{
    int64_t number;
    if (uci_take_word(line, "cp") && take_number(line, EVAL_MAX, &number)) {
        info->score = eval_of_centipawns((int)number);
        info->score = info->score > EVAL_MAX ? EVAL_MAX : info->score;
        info->score = info->score < -EVAL_MAX ? -EVAL_MAX : info->score;
        info->has_score = true;
    } else if (uci_take_word(line, "mate") &&
               take_number(line, (SCORE_MATE - SCORE_MATE_IN_MAX) / 2, &number)) {
        info->score =
            number > 0 ? score_mate_in((int)(2 * number - 1)) : score_mated_in((int)(-2 * number));
        info->has_score = true;
    }
}

bool uci_read_info(struct span line, struct uci_info *out)
{
    struct uci_info info = {.bound = SCORE_EXACT};
    int64_t number;
    if (!uci_take_word(&line, "info"))
        return false;
    for (struct span word; (word = span_token(&line)).size;) {
        if (span_equal(word, "string"))
            break;
        if (span_equal(word, "score"))
            take_score(&line, &info);
        else if (span_equal(word, "lowerbound"))
            info.bound = SCORE_LOWER;
        else if (span_equal(word, "upperbound"))
            info.bound = SCORE_UPPER;
        else if (span_equal(word, "multipv") && take_number(&line, INT32_MAX, &number)) {
            if (number != 1)
                return false;
        } else if (span_equal(word, "depth") && take_number(&line, SEARCH_DEPTH_MAX, &number))
            info.depth = number > 0 ? (int)number : 0;
        else if (span_equal(word, "nodes") && take_number(&line, INT64_MAX, &number))
            info.nodes = number > 0 ? (uint64_t)number : 0;
    }
    *out = info;
    return true;
}

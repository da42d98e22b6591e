#include "base/json.h"

#include <string.h>

#include "base/text.h"

struct json json_start(FILE *out)
{
    return (struct json){.out = out};
}

/* False: nothing is written. */
static bool put_name(struct json *json, const char *name)
{
    if (!json->out)
        return false;
    if (json->more)
        (void)fputs(json->line || json->tight ? "," : ", ", json->out);
    if (json->line)
        (void)fputs("\n  ", json->out);
    json->line = false;
    if (name)
        (void)fprintf(json->out, json->tight ? "\"%s\":" : "\"%s\": ", name);
    json->more = true;
    return true;
}

static void begin(struct json *json, const char *name, char start, char end)
{
    if (!put_name(json, name))
        return;
    (void)fputc(start, json->out);
    if (json->depth < JSON_DEPTH_MAX)
        json->ends[json->depth++] = end;
    json->more = false;
}

void json_object(struct json *json, const char *name)
{
    begin(json, name, '{', '}');
}

void json_array(struct json *json, const char *name)
{
    begin(json, name, '[', ']');
}

void json_line(struct json *json)
{
    json->line = true;
}

void json_end(struct json *json)
{
    if (!json->out)
        return;
    if (json->line)
        (void)fputc('\n', json->out);
    json->line = false;
    if (json->depth > 0)
        (void)fputc(json->ends[--json->depth], json->out);
    json->more = true;
}

void json_text(struct json *json, const char *name, const char *text)
{
    if (!text) {
        json_literal(json, name, "null");
        return;
    }
    if (put_name(json, name))
        json_put_text(json->out, text);
}

void json_number(struct json *json, const char *name, int64_t value)
{
    if (put_name(json, name))
        (void)fprintf(json->out, "%lld", (long long)value);
}

void json_unsigned(struct json *json, const char *name, uint64_t value)
{
    if (put_name(json, name))
        (void)fprintf(json->out, "%llu", (unsigned long long)value);
}

void json_decimal(struct json *json, const char *name, double value, int digits)
{
    if (put_name(json, name))
        (void)fprintf(json->out, "%.*f", digits, value);
}

void json_literal(struct json *json, const char *name, const char *literal)
{
    if (put_name(json, name))
        (void)fputs(literal, json->out);
}

void json_put_text(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (struct span rest = span_of(text); rest.size;) {
        const char *at = rest.data;
        int length = text_utf8_length(at);
        uint32_t letter = span_take_letter(&rest);
        if (!length)
            (void)fputs("\\ufffd", out);
        else if (letter == '"' || letter == '\\')
            (void)fprintf(out, "\\%c", *at);
        else if (text_is_control(letter) || letter == '<')
            (void)fprintf(out, "\\u%04x", (unsigned)letter);
        else
            (void)fprintf(out, "%.*s", length, at);
    }
    (void)fputc('"', out);
}

/* Reading ------------------------------------------------------------------------------------- */

static void skip_blanks(struct span *rest)
{
    while (rest->size && strchr(" \t\r\n", *rest->data) && *rest->data)
        *rest = span_from(*rest, 1);
}

/* Takes a character, and the blanks before and behind it. */
static bool take_sign(struct span *rest, char sign)
{
    skip_blanks(rest);
    if (rest->size == 0 || *rest->data != sign)
        return false;
    *rest = span_from(*rest, 1);
    skip_blanks(rest);
    return true;
}

/* The bytes of the string, number or word that `text` begins with; 0: there is none. */
static size_t scalar_size(struct span text)
{
    size_t size = 0;
    if (text.size == 0 || *text.data != '"') {
        while (size < text.size && !strchr(" \t\r\n,:{}[]\"", text.data[size]))
            size++;
        return size;
    }
    for (size = 1; size < text.size && text.data[size] != '"'; size++)
        size += text.data[size] == '\\';
    return size < text.size ? size + 1 : 0;
}

/* Takes any value: its brackets are matched, what stands between them is looked at when it is read.
 */
static bool take_value(struct span *rest, struct span *out)
{
    char ends[JSON_DEPTH_MAX];
    int depth = 0;
    const char *start = rest->data;
    do {
        skip_blanks(rest);
        char next = rest->size ? *rest->data : '\0';
        size_t size = 1;
        if (next == '{' || next == '[') {
            if (depth == JSON_DEPTH_MAX)
                return false;
            ends[depth++] = next == '{' ? '}' : ']';
        } else if (next == '}' || next == ']') {
            if (depth == 0 || ends[--depth] != next)
                return false;
        } else if (depth == 0 || (next != ',' && next != ':')) {
            size = scalar_size(*rest);
        }
        if (size == 0)
            return false;
        *rest = span_from(*rest, size);
    } while (depth > 0);
    *out = span_make(start, (size_t)(rest->data - start));
    return true;
}

bool json_members(struct span text, const char *const *names, struct span *values, int count,
                  bool partly)
{
    int left = count;
    memset(values, 0, (size_t)count * sizeof *values);
    if (!take_sign(&text, '{'))
        return false;
    bool more = !take_sign(&text, '}');
    while (more) {
        struct span name;
        struct span value;
        if (text.size == 0 || *text.data != '"' || !take_value(&text, &name) ||
            !take_sign(&text, ':') || !take_value(&text, &value))
            return false;
        name = span_make(name.data + 1, name.size - 2);
        for (int i = 0; i < count; i++)
            if (!values[i].data && span_equal(name, names[i])) {
                values[i] = value;
                left--;
            }
        if (partly && left == 0)
            return true;
        more = take_sign(&text, ',');
        if (!more && !take_sign(&text, '}'))
            return false;
    }
    return text.size == 0;
}

bool json_element(struct span *rest, struct span *value)
{
    *value = span_make(NULL, 0);
    bool first = take_sign(rest, '[');
    if (take_sign(rest, ']'))
        return rest->size == 0;
    return (first || take_sign(rest, ',')) && take_value(rest, value);
}

bool json_plain_text(struct span value, struct span *out)
{
    if (value.size < 2 || *value.data != '"' || memchr(value.data, '\\', value.size))
        return false;
    *out = span_make(value.data + 1, value.size - 2);
    return true;
}

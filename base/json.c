#include "base/json.h"

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

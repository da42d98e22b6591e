/* JSON (RFC 8259): writing it, one value after the other, to a stream; reading it.
 *
 *     struct json json = json_start(stdout);
 *     json_object(&json, NULL);
 *     json_text(&json, "book", name);
 *     json_array(&json, "moves");
 *     json_number(&json, NULL, 3);
 *     json_end(&json);
 *     json_end(&json);                 {"book": "b.bin", "moves": [3]}
 *
 * name: of the member, in an object; NULL in an array and at the top. Names are plain ASCII. The
 * caller asks for errors of the stream. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

enum { JSON_DEPTH_MAX = 16 };

struct json {
    FILE *out;
    int depth;
    bool more;                 /* a comma stands before the next value */
    bool line;                 /* and it begins a line */
    bool tight;                /* no blanks: to be set behind json_start() */
    char ends[JSON_DEPTH_MAX]; /* what closes each that is open */
};

struct json json_start(FILE *out); /* NULL: nothing is written */
void json_object(struct json *json, const char *name);
void json_array(struct json *json, const char *name);
void json_end(struct json *json); /* of the object or array begun last */

/* The next value, or the end of the array or object, begins a new line. */
void json_line(struct json *json);

/* NULL becomes null. What is not UTF-8 becomes U+FFFD, the replacement character. It can stand in a
 * script element. */
void json_text(struct json *json, const char *name, const char *text);
void json_number(struct json *json, const char *name, int64_t value);
void json_unsigned(struct json *json, const char *name, uint64_t value);
void json_decimal(struct json *json, const char *name, double value, int digits);
void json_literal(struct json *json, const char *name, const char *literal); /* as it stands */

/* Writes only the text, between quotation marks. */
void json_put_text(FILE *out, const char *text);

/* Reading JSON: a value is a span of its text, and read further where it is wanted. -------------
 */

/* Reads the object that `text` begins with: values[i] becomes that of the member names[i], as it
 * stands there; no data: there is none. Of a name that comes twice the first counts. partly: stops
 * as soon as all of them are found; else the object is all of `text`. False: that is no JSON. */
MUST_CHECK bool json_members(struct span text, const char *const *names, struct span *values,
                             int count, bool partly);

/* Takes the next element off the front of `rest`, an array at first, which gets shorter; no data
 * behind the last one. False: that is no array. */
MUST_CHECK bool json_element(struct span *rest, struct span *value);

/* The text of a string without escapes, and without its quotation marks; false: it is none. */
MUST_CHECK bool json_plain_text(struct span value, struct span *out);

/* Text and errors of Windows calls: UTF-16 there, UTF-8 and errno in the rest of the program. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/* A copy in UTF-16, for free(). NULL with errno set: it is no UTF-8, or there is no memory. */
wchar_t *wide_text(const char *text);

/* The same of a path, as a file call takes it: '/' becomes '\', and a path that is too long for
 * most of Windows gets the prefix \\?\ that lifts the limit. */
wchar_t *wide_path(const char *path);

/* UTF-8 in out[0..capacity), terminated. False with errno set: it does not fit. */
bool wide_to_text(const wchar_t *wide, char *out, size_t capacity);

/* A copy in UTF-8, for free(). NULL with errno set: there is no memory. */
char *wide_duplicate(const wchar_t *wide);

/* The absolute path of `path`, for free(). NULL with errno set. */
wchar_t *wide_full_path(const wchar_t *path);

/* Sets errno by GetLastError(). Returns false. */
bool wide_fault(void);

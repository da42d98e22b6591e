#include "base/file_type.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *magic;
    size_t size;
    const char *name;
} types[] = {
    {"\x1F\x8B", 2, "packed by gzip: unpack it first"},
    {"BZh", 3, "packed by bzip2: unpack it first"},
    {"\xFD"
     "7zXZ\0",
     6, "packed by xz: unpack it first"},
    {"\x28\xB5\x2F\xFD", 4, "packed by zstd: unpack it first"},
    {"PK\3\4", 4, "a ZIP archive: unpack it first"},
    {"PK\5\6", 4, "an empty ZIP archive"},
    {"7z\xBC\xAF\x27\x1C", 6, "a 7z archive: unpack it first"},
    {"Rar!\x1A\7", 6, "a RAR archive: unpack it first"},
    {"\x7F"
     "ELF",
     4, "a program (ELF)"},
    {"MZ", 2, "a program (EXE)"},
    {"\xFF\xFE", 2, "text in UTF-16: save it as UTF-8"},
    {"\xFE\xFF", 2, "text in UTF-16: save it as UTF-8"},
    {"%PDF-", 5, "a PDF document"},
    {"\x89PNG", 4, "a PNG picture"},
    {"\xFF\xD8\xFF", 3, "a JPEG picture"},
    {"SQLite format 3", 16, "an SQLite database"},
};

/* Text in UTF-16 without a mark has a 0 beside each of its characters. */
static bool is_utf16(const uint8_t *bytes, size_t size)
{
    enum { LOOKED_AT = 32 };
    size_t zeros[2] = {0};
    for (size_t i = 0; i < LOOKED_AT && i < size; i++)
        zeros[i & 1] += bytes[i] == 0;
    return size >= LOOKED_AT && zeros[0] + zeros[1] == LOOKED_AT / 2 &&
           (zeros[0] == 0 || zeros[1] == 0);
}

const char *file_type_name(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (size >= types[i].size && memcmp(bytes, types[i].magic, types[i].size) == 0)
            return types[i].name;
    return is_utf16(bytes, size) ? "text in UTF-16: save it as UTF-8" : NULL;
}

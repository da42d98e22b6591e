/* Any bytes as an endgame table: two bytes choose the pieces, one the kind, the rest is the file.
 */
#include <stdlib.h>

#include "base/text.h"
#include "search/table_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct table_material material;
    if (size < 3)
        return 0;
    table_material_first(&material);
    for (int i = data[0] | data[1] << 8; i > 0; i--)
        if (!table_material_next(&material))
            table_material_first(&material);
    struct span rest = span_make((const char *)data + 3, size - 3);
    (void)table_bytes_fault(span_read, &rest, rest.size, data[2] & 1 ? TABLE_DTZ : TABLE_WDL,
                            &material);
    return 0;
}

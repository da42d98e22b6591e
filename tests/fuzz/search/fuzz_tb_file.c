/* Any bytes as an endgame table: two bytes choose the pieces, one the kind, the rest is the file.
 */
#include <stdlib.h>

#include "base/text.h"
#include "search/tb_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tb_material material;
    if (size < 3)
        return 0;
    tb_material_first(&material);
    for (int i = data[0] | data[1] << 8; i > 0; i--)
        if (!tb_material_next(&material))
            tb_material_first(&material);
    struct span rest = span_make((const char *)data + 3, size - 3);
    (void)tb_bytes_fault(span_read, &rest, rest.size, data[2] & 1 ? TB_FILE_DTZ : TB_FILE_WDL,
                         &material);
    return 0;
}

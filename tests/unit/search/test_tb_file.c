/* Which tables there are, and which files are whole ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/text.h"
#include "search/tb_file.h"
#include "tests/support/shared_data.h"

#define FOLDER SHARED_DATA_DIR "/syzygy/"

static struct tb_material find(const char *name)
{
    struct tb_material material;
    char found[TB_NAME_MAX];
    tb_material_first(&material);
    do
        tb_material_name(&material, found);
    while (strcmp(found, name) != 0 && tb_material_next(&material));
    assert_string_equal(found, name);
    return material;
}

static void every_set_of_pieces_has_one_table(void **state)
{
    (void)state;
    int counts[TB_PIECES_MAX + 1] = {0};
    int last = 0;
    struct tb_material material;
    tb_material_first(&material);
    do {
        int men = tb_material_pieces(&material);
        assert_true(men >= last && men <= TB_PIECES_MAX);
        last = men;
        counts[men]++;
    } while (tb_material_next(&material));
    assert_int_equal(counts[3], 5);
    assert_int_equal(counts[4], 30);
    assert_int_equal(counts[5], 110);
    assert_int_equal(counts[6], 365);
    assert_int_equal(counts[7], 1001);
    (void)find("KQvKR");
    (void)find("KRPvKBP");
    (void)find("KQRBNPvK");
}

static const char *fault(const uint8_t *bytes, size_t size, enum tb_file_kind kind,
                         const char *name)
{
    struct tb_material material = find(name);
    struct span rest = span_make((const char *)bytes, size);
    return tb_bytes_fault(span_read, &rest, size, kind, &material);
}

static void assert_fault(const char *fault, const char *expected)
{
    assert_non_null(fault);
    assert_string_equal(fault, expected);
}

static void foreign_bytes_are_no_table(void **state)
{
    (void)state;
    static const char foreign[] = "is not a table of this name";
    static const uint8_t text[] = "<html>404 Not Found</html>";
    assert_fault(fault(text, 0, TB_FILE_WDL, "KQvK"), foreign);
    assert_fault(fault(text, sizeof text, TB_FILE_WDL, "KQvK"), foreign);
    assert_fault(fault(text, sizeof text, TB_FILE_DTZ, "KQvK"), foreign);
}

static void a_table_is_whole_or_it_is_not(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *name;
        enum tb_file_kind kind;
    } cases[] = {
        {FOLDER "KPvK.rtbw", "KPvK", TB_FILE_WDL},
        {FOLDER "KPvKP.rtbz", "KPvKP", TB_FILE_DTZ},
        {FOLDER "KBNvK.rtbz", "KBNvK", TB_FILE_DTZ},
        {FOLDER "KQvKQ.rtbw", "KQvKQ", TB_FILE_WDL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *bytes;
        size_t size;
        struct diag diag;
        shared_data_want(cases[i].file);
        assert_int_equal(file_read(cases[i].file, UINT32_MAX, &bytes, &size, &diag), STATUS_OK);
        assert_null(fault(bytes, size, cases[i].kind, cases[i].name));
        assert_fault(fault(bytes, size, !cases[i].kind, cases[i].name),
                     "is not a table of this name");
        assert_fault(fault(bytes, size, cases[i].kind, "KRvKN"), "is not a table of this name");
        for (size_t cut = 1; cut < size; cut += 1 + size / 100)
            assert_non_null(fault(bytes, size - cut, cases[i].kind, cases[i].name));
        assert_fault(fault(bytes, size - 1, cases[i].kind, cases[i].name), "is cut off");
        free(bytes);
    }
}

/* A reader that trusts such a code runs in circles or beyond its end. */
static void a_code_that_leads_nowhere_is_broken(void **state)
{
    (void)state;
    enum { PARTS_AT = 384, MORE_PARTS_AT = 722 }; /* where the parts of symbols stand */
    uint8_t *bytes;
    size_t size;
    struct diag diag;
    shared_data_want(FOLDER "KQvKR.rtbw");
    assert_int_equal(file_read(FOLDER "KQvKR.rtbw", UINT32_MAX, &bytes, &size, &diag), STATUS_OK);
    assert_null(fault(bytes, size, TB_FILE_WDL, "KQvKR"));
    static const size_t places[] = {PARTS_AT, MORE_PARTS_AT};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint8_t before = bytes[places[i]];
        bytes[places[i]] = 0xFF;
        assert_fault(fault(bytes, size, TB_FILE_WDL, "KQvKR"), "has a broken header");
        bytes[places[i]] = before;
    }
    free(bytes);
}

static void a_file_that_is_not_there_is_no_fault(void **state)
{
    (void)state;
    struct diag diag;
    struct tb_material material = find("KQvK");
    assert_int_equal(tb_file_check("/nowhere/KQvK.rtbw", TB_FILE_WDL, &material, &diag),
                     STATUS_NOT_FOUND);
    assert_int_equal(tb_file_check(TEST_DATA_DIR, TB_FILE_WDL, &material, &diag), STATUS_FORMAT);
    assert_non_null(strstr(diag.text, ": is a folder"));
    assert_int_equal(tb_file_check("/dev/null", TB_FILE_WDL, &material, &diag), STATUS_FORMAT);
    assert_non_null(strstr(diag.text, ": is a pipe or a device"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_of_pieces_has_one_table),
        cmocka_unit_test(foreign_bytes_are_no_table),
        cmocka_unit_test(a_table_is_whole_or_it_is_not),
        cmocka_unit_test(a_code_that_leads_nowhere_is_broken),
        cmocka_unit_test(a_file_that_is_not_there_is_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

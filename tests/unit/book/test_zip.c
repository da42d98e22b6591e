/* ZIP archives made byte by byte: which members are read, and what is refused or damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "base/bytes.h"
#include "book/count/input/input.h"

enum { ARCHIVE_MAX = 1 << 12, STORED = 0, DEFLATED = 8, ENCRYPTED = 1, SIZES_FOLLOW = 8 };

/* The archive that a test makes, and its list. */
static uint8_t archive[ARCHIVE_MAX];
static size_t size;
static unsigned members;
static char path[] = "/tmp/caxton_zip_XXXXXX";

static void put(uint64_t value, int bytes)
{
    bytes_put_le(archive + size, value, bytes);
    size += (size_t)bytes;
}

static void put_bytes(const void *bytes, size_t count)
{
    memcpy(archive + size, bytes, count);
    size += count;
}

static uint32_t crc_of(const char *text)
{
    uint32_t crc = UINT32_MAX;
    for (; *text; text++) {
        crc ^= (uint8_t)*text;
        for (int i = 0; i < 8; i++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* A member of this text; deflated, it is one block that is not compressed. */
struct member {
    const char *name;
    const char *text;
    unsigned method;
    unsigned flags;
    bool zip64;      /* has the field of ZIP64 */
    bool no_mark;    /* no signature before the sizes behind it */
    uint32_t damage; /* of its CRC-32 */
};

static size_t packed_size(const struct member *member)
{
    return strlen(member->text) + (member->method == DEFLATED ? 5 : 0);
}

/* The CRC-32 and the sizes, which the field of ZIP64 has where all their bits are set. */
static void put_sums(const struct member *member, int width, bool are_known, bool are_elsewhere)
{
    const uint64_t sizes[] = {packed_size(member), strlen(member->text)};
    put(are_known ? crc_of(member->text) ^ member->damage : 0, 4);
    for (int i = 0; i < 2; i++)
        put(!are_known ? 0 : are_elsewhere ? UINT32_MAX : sizes[i], width);
}

static void put_member(struct member member)
{
    size_t length = strlen(member.text);
    put(0x04034B50, 4);
    put(20, 2);
    put(member.flags, 2);
    put(member.method, 2);
    put(0, 4);
    put_sums(&member, 4, !(member.flags & SIZES_FOLLOW), member.zip64);
    put(strlen(member.name), 2);
    put(member.zip64 ? 5 + 20 : 5, 2);
    put_bytes(member.name, strlen(member.name));
    put(0x9999, 2); /* a field that nobody knows */
    put(1, 2);
    put(0, 1);
    if (member.zip64) {
        put(1, 2);
        put(16, 2);
        put(length, 8);
        put(packed_size(&member), 8);
    }
    if (member.method == DEFLATED) {
        put(1, 1); /* the last block, not compressed */
        put(length, 2);
        put(~length & 0xFFFF, 2);
    }
    put_bytes(member.text, length);
    if (member.flags & SIZES_FOLLOW) {
        if (!member.no_mark)
            put(0x08074B50, 4);
        put_sums(&member, member.zip64 ? 8 : 4, true, false);
    }
    members++;
}

static void put_list(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        put(0x02014B50, 4);
        for (int k = 4; k < 46; k++)
            put(k == 32 ? 3 : 0, 1); /* a comment of three bytes */
        put_bytes("PK\5", 3);
    }
    put(0x06054B50, 4);
    put(0, 8);
    put(0, 8);
    put(2, 2);
    put_bytes("hi", 2);
}

static int begin(void **state)
{
    (void)state;
    size = 0;
    members = 0;
    return 0;
}

/* Reads the first `end` bytes of the archive `step` bytes at a time. */
static enum caxton_status read_part(size_t end, size_t step, char *text, char fault[200])
{
    struct input *input;
    struct diag diag;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(archive, 1, end, file), end);
    assert_int_equal(fclose(file), 0);
    enum caxton_status status = input_open(path, &input, &diag);
    if (status != STATUS_OK) {
        assert_non_null(strstr(diag.text, "built without"));
        skip();
    }
    size_t used = 0;
    for (size_t got = 1; status == STATUS_OK && got > 0; used += got) {
        got = 0;
        status = input_read(input, text + used, step, &got);
    }
    text[used] = '\0';
    (void)snprintf(fault, 200, "%s", input_fault(input));
    input_close(input);
    return status;
}

static void expect_text(const char *expected)
{
    char text[ARCHIVE_MAX + 1024];
    char fault[200];
    for (size_t step = 1; step <= 1024; step += 1023) {
        assert_int_equal(read_part(size, step, text, fault), STATUS_OK);
        assert_string_equal(text, expected);
    }
}

static void expect_fault(const char *expected)
{
    char text[ARCHIVE_MAX + 1024];
    char fault[200];
    assert_int_equal(read_part(size, 1024, text, fault), STATUS_FORMAT);
    if (!strstr(fault, expected))
        fail_msg("no \"%s\" in: %s", expected, fault);
}

static void members_are_read_in_order(void **state)
{
    (void)state;
    put_member((struct member){.name = "a.pgn", .text = "one\n"});
    put_member((struct member){.name = "sub/B.Pgn", .text = "two", .method = DEFLATED});
    put_member((struct member){.name = "empty.pgn", .text = ""});
    put_member((struct member){.name = "c.pgn", .text = "three"});
    put_list(members);
    expect_text("one\ntwo\nthree"); /* a line end where one is missing */
}

static void other_members_are_passed_over(void **state)
{
    (void)state;
    put_member((struct member){.name = "sub/", .text = ""});
    put_member((struct member){.name = "read.me", .text = "x", .method = 14, .flags = ENCRYPTED});
    put_member((struct member){.name = "pgn", .text = "x", .method = DEFLATED});
    put_member((struct member){.name = "__MACOSX/._a.pgn", .text = "x", .damage = 1});
    put_member((struct member){.name = "a.pgn.txt", .text = "PK\3\4", .zip64 = true});
    put_member((struct member){
        .name = "b", .text = "x", .method = DEFLATED, .flags = SIZES_FOLLOW, .no_mark = true});
    put_member((struct member){.name = ".pgn", .text = "games"});
    put_list(members);
    expect_text("games");
}

static void sizes_may_follow_or_have_64_bits(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        put_member((struct member){.name = "a.pgn",
                                   .text = "12\n",
                                   .method = DEFLATED,
                                   .flags = i & 1 ? SIZES_FOLLOW : 0,
                                   .zip64 = i & 2,
                                   .no_mark = i & 4});
    put_member((struct member){.name = "b.pgn", .text = "3", .zip64 = true});
    put_list(members);
    expect_text("12\n12\n12\n12\n12\n12\n12\n12\n3");
}

static void archives_may_follow_each_other(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        put_member((struct member){.name = "a.pgn", .text = "x\n"});
        put_list(1);
    }
    expect_text("x\nx\n");
}

static void what_cannot_be_read_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        struct member member;
        const char *fault;
    } cases[] = {
        {{.name = "a.pgn", .text = "x", .flags = ENCRYPTED}, "a.pgn is encrypted"},
        {{.name = "a.pgn", .text = "x", .method = 12}, "a.pgn is packed by method 12, not"},
        {{.name = "a.pgn", .text = "x", .flags = SIZES_FOLLOW}, "the size of a.pgn is not given"},
        {{.name = "b", .text = "x", .flags = SIZES_FOLLOW}, "the size of b is not given"},
        {{.name = "b", .text = "x", .flags = SIZES_FOLLOW | ENCRYPTED, .method = DEFLATED},
         "the size of b is not given"},
        {{.name = "b", .text = "x"}, "no member whose name ends in .pgn"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(begin(NULL), 0);
        put_member(cases[i].member);
        put_list(1);
        expect_fault(cases[i].fault);
    }
    assert_int_equal(begin(NULL), 0);
    put_list(0);
    expect_fault("no member whose name ends in .pgn");
    assert_int_equal(begin(NULL), 0);
    put_member((struct member){.name = "old.pgn", .text = "x"});
    put_member((struct member){.name = "new.pgn", .text = "x"});
    put_list(1);
    expect_fault("it has 2 members, but its list 1");
}

static void damage_is_named(void **state)
{
    (void)state;
    static const struct member damaged[] = {
        {.name = "a.pgn", .text = "x", .damage = 1},
        {.name = "a.pgn", .text = "x", .method = DEFLATED, .damage = 1},
        {.name = "a.pgn", .text = "x", .method = DEFLATED, .flags = SIZES_FOLLOW, .damage = 1},
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        assert_int_equal(begin(NULL), 0);
        put_member(damaged[i]);
        put_list(1);
        expect_fault("damaged ZIP data near byte");
        expect_fault(", in a.pgn");
    }
    for (size_t at = 18; at <= 22; at += 4) { /* its sizes */
        assert_int_equal(begin(NULL), 0);
        put_member((struct member){.name = "a.pgn", .text = "x", .method = DEFLATED});
        put_list(1);
        archive[at]--;
        expect_fault("damaged ZIP data near byte");
        bytes_put_le(archive + at, UINT32_MAX, 4); /* without the field of ZIP64 */
        expect_fault(", in a.pgn");
    }
}

/* Wherever it ends but behind the list. */
static void a_cut_archive_is_told(void **state)
{
    (void)state;
    char text[ARCHIVE_MAX + 1024];
    char fault[200];
    put_member((struct member){.name = "a.pgn", .text = "stored"});
    put_member((struct member){.name = "b", .text = "other", .zip64 = true});
    put_member((struct member){
        .name = "c.pgn", .text = "deflated", .method = DEFLATED, .flags = SIZES_FOLLOW});
    put_list(members);
    for (size_t end = 4; end < size; end++) {
        assert_int_equal(read_part(end, 1024, text, fault), STATUS_FORMAT);
        assert_ptr_equal(strstr(fault, "cut ZIP data near byte"), fault);
    }
    expect_text("stored\ndeflated");
}

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(members_are_read_in_order, begin),
        cmocka_unit_test_setup(other_members_are_passed_over, begin),
        cmocka_unit_test_setup(sizes_may_follow_or_have_64_bits, begin),
        cmocka_unit_test_setup(archives_may_follow_each_other, begin),
        cmocka_unit_test(what_cannot_be_read_is_refused_by_name),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test_setup(a_cut_archive_is_told, begin),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}

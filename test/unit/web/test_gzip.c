/* SPDX-License-Identifier: Apache-2.0 */
#include "web/gzip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <zlib.h>

#include <cmocka.h>

static void what_is_accepted(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        bool want;
    } cases[] = {
        {"gzip", true},           {"GZip", true},
        {"deflate, gzip", true},  {"gzip;q=0", false},
        {"gzip; q=0", false},     {"gzip;q=0.0", false},
        {"gzip;Q=0.000 ", false}, {"gzip;q=0.001", true},
        {"gzip;q=1", true},       {"*", false},
        {"deflate", false},       {"", false},
        {"xgzip", false},         {"gzip;q=0, gzip", false}, /* the first decides */
        {"gzip, gzip;q=0", true}, {" gzip ", true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (yk_gzip_accepted(yk_str_from(cases[i].header)) != cases[i].want)
            fail_msg("'%s'", cases[i].header);
    }
    assert_false(yk_gzip_accepted((struct yk_str){0}));
}

static void unpack(const struct yk_buf *packed, struct yk_buf *plain)
{
    z_stream stream = {0};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = (Bytef *)packed->p;
    stream.avail_in = (uInt)packed->len;
    int result = Z_OK;
    while (result == Z_OK) {
        char *room = yk_buf_reserve(plain, 65536);
        stream.next_out = (Bytef *)room;
        stream.avail_out = 65536;
        result = inflate(&stream, Z_NO_FLUSH);
        plain->len += 65536 - stream.avail_out;
    }
    assert_int_equal(result, Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    (void)inflateEnd(&stream);
}

/* Whatever the pieces, the result unpacks to what went in. */
static void there_and_back(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 1400, 70000, 1000000}, pieces[] = {1, 1000, 65536, SIZE_MAX};
    for (size_t i = 0; i < YK_COUNT(sizes) * YK_COUNT(pieces); i++) {
        size_t size = sizes[i % YK_COUNT(sizes)], piece = pieces[i / YK_COUNT(sizes)];
        if (piece == 1 && size > 1400)
            continue;
        YK_CLEANUP(yk_buf_done) struct yk_buf plain = {0}, packed = {0}, back = {0}, copy = {0};
        uint64_t noise = 88172645463325252;
        for (size_t at = 0; at < size; at++) {
            noise ^= noise << 13, noise ^= noise >> 7, noise ^= noise << 17;
            yk_buf_char(&plain, at % 3 == 0 ? (char)noise : 'a');
        }
        yk_buf_str(&copy, yk_buf_view(&plain));
        struct yk_gzip *gzip = yk_gzip_new(&plain);
        assert_non_null(gzip);
        while (!yk_gzip_run(gzip, piece))
            ;
        yk_gzip_take(gzip, &packed);
        yk_gzip_free(gzip);
        unpack(&packed, &back);
        assert_true(yk_str_eq(yk_buf_view(&back), yk_buf_view(&copy)));
    }
}

/* A buffer without space says so. */
static void a_full_buffer_fails(void **state)
{
    (void)state;
    static const char bytes[1000];
    YK_CLEANUP(yk_gzip_freep) struct yk_gzip *gzip = yk_gzip_open();
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {.max = 10};
    assert_non_null(gzip);
    yk_gzip_add(gzip, (struct yk_str){bytes, sizeof(bytes)}, true, &out);
    assert_true(out.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_accepted),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(a_full_buffer_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

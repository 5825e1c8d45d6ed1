/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a long answer, and what part of the scheduling thread it may take. */
#include "web/gzip.h"
#include "web/pour_priv.h"
#include "web/renderer.h"
#include "web/shelf_priv.h"
#include "web/web.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void add(struct yk_pour *pour, const char *text, bool last)
{
    struct yk_buf body = {0};
    yk_buf_text(&body, text);
    yk_pour_add(pour, &body, last);
    assert_int_equal(body.len, 0);
    yk_buf_done(&body);
}

/* The validator depends on the bytes, not on where they were cut. */
static void one_validator_for_the_same_bytes(void **state)
{
    (void)state;
    char one[YK_ETAG_MAX], two[YK_ETAG_MAX], other[YK_ETAG_MAX];
    struct yk_pour *pour = yk_pour_new(false);
    add(pour, "abcdef", true);
    yk_pour_etag(pour, one, sizeof(one));
    yk_pour_free(pour);
    pour = yk_pour_new(true);
    add(pour, "ab", false);
    add(pour, "", false);
    add(pour, "cdef", true);
    yk_pour_etag(pour, two, sizeof(two));
    yk_pour_free(pour);
    pour = yk_pour_new(false);
    add(pour, "abcdeg", true);
    yk_pour_etag(pour, other, sizeof(other));
    yk_pour_free(pour);
    assert_string_equal(one, two);
    assert_string_not_equal(one, other);
}

static void few_bytes_are_not_compressed(void **state)
{
    (void)state;
    char text[2 * YK_GZIP_FROM] = {0};
    struct yk_pour *pour = yk_pour_new(true);
    add(pour, "{}", true);
    assert_false(pour->gzipped);
    assert_string_equal(yk_buf_cstr(&pour->held), "{}");
    yk_pour_free(pour);
    memset(text, 'x', sizeof(text) - 1);
    pour = yk_pour_new(true);
    add(pour, text, true);
    assert_true(pour->gzipped);
    assert_true(pour->held.len > 0 && pour->held.len < 200);
    yk_pour_free(pour);
}

static void a_twentieth_of_the_thread(void **state)
{
    (void)state;
    int64_t slice_ns = YK_NS_PER_MS / 4;
    assert_int_equal(yk_renderer_pause_ns(slice_ns, true), 19 * slice_ns);
    assert_int_equal(yk_renderer_pause_ns(slice_ns, false), 0);
}

static void a_twentieth_of_the_io_thread(void **state)
{
    (void)state;
    assert_int_equal(yk_web_pause_ns(0), 1900 * 1000);
    assert_int_equal(yk_web_pause_ns(50 * 1000), 3800 * 1000);
    assert_int_equal(yk_web_pause_ns((size_t)512 << 20), yk_web_pause_ns(1 << 20)); /* in pieces */
    assert_true(yk_web_pause_ns(SIZE_MAX) < YK_WEB_PAUSE_MAX_NS);
}

static void a_shelf_has_bounds(void **state)
{
    (void)state;
    struct yk_shelf shelf = {0};
    char key[16];
    for (int i = 0; i < YK_SHELF_MAX; i++) {
        (void)snprintf(key, sizeof(key), "key-%d", i);
        struct yk_shared *shared = yk_shelf_begin(&shelf, yk_str_from(key), NULL);
        assert_non_null(shared);
        shared->ready_mono_ns = i;
    }
    assert_null(yk_shelf_begin(&shelf, YK_STR("more"), NULL));
    assert_non_null(yk_shelf_find(&shelf, YK_STR("key-3"), YK_SHELF_AGE_NS));
    assert_null(yk_shelf_find(&shelf, YK_STR("key"), YK_SHELF_AGE_NS));
    assert_null(yk_shelf_find(&shelf, YK_STR("key-3"), YK_SHELF_AGE_NS + 4)); /* too old: they go */
    assert_non_null(yk_shelf_begin(&shelf, YK_STR("more"), NULL));
    yk_shelf_done(&shelf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_validator_for_the_same_bytes),
        cmocka_unit_test(few_bytes_are_not_compressed),
        cmocka_unit_test(a_twentieth_of_the_thread),
        cmocka_unit_test(a_twentieth_of_the_io_thread),
        cmocka_unit_test(a_shelf_has_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

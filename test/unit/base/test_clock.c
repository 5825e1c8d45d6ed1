/* SPDX-License-Identifier: Apache-2.0 */
/* Times and durations as texts. */
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define S YK_NS_PER_S

static void times_print_and_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int digits;
        int64_t ns;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0, 0},
        {"2026-03-04T05:06:07Z", 0, 1772600767 * S},
        {"2026-03-04T05:06:07.008Z", 3, 1772600767 * S + 8000000},
        {"2026-03-04T05:06:07.008900Z", 6, 1772600767 * S + 8900000},
        {"2026-03-04T05:06:07.000000001Z", 9, 1772600767 * S + 1},
        {"1969-12-31T23:59:59.999999Z", 6, -1000},
        {"2024-02-29T12:00:00Z", 0, 1709208000 * S},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char text[YK_TIME_TEXT_MAX];
        int64_t ns = -7;
        yk_time_format(cases[i].ns, cases[i].digits, text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(yk_time_parse(yk_str_from(text), &ns), YK_OK);
        assert_int_equal(ns, cases[i].ns);
    }
}

struct reading {
    const char *text;
    int64_t ns;
    bool ok;
};

static void check_readings(enum yk_status (*parse)(struct yk_str text, int64_t *ret_ns),
                           const struct reading *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t ns = 0;
        bool ok = parse(yk_str_from(cases[i].text), &ns) == YK_OK;
        if (ok != cases[i].ok || ns != cases[i].ns)
            fail_msg("'%s': %d %lld", cases[i].text, ok, (long long)ns);
    }
}

static void times_of_other_zones_parse(void **state)
{
    (void)state;
    static const struct reading cases[] = {
        {"2026-03-04T06:36:07+01:30", 1772600767 * S, true},
        {"2026-03-03T21:06:07-08:00", 1772600767 * S, true},
        {"2026-03-04t05:06:07.5z", 1772600767 * S + S / 2, true},
        {"2026-03-04T05:06:07.1234567891Z", 1772600767 * S + 123456789, true}, /* finer than ns is cut */
        {"2026-03-04T05:06:07.Z", 0, false},
        {"2026-03-04", 0, false},
        {"2026-03-04T05:06:07", 0, false},
        {"2026-13-04T05:06:07Z", 0, false},
        {"2026-03-04T25:06:07Z", 0, false},
        {"2026-03-04T05:06:07Zx", 0, false},
        {"2026-03-05T05:05:07+23:59", 1772600767 * S, true},
        {"2026-03-04T05:06:07+24:00", 0, false},
        {"2026-03-04T05:06:07-01:60", 0, false},
        {"2026-03-04T05:06:07+99:99", 0, false},
        {"2026-03-04T05:05:60Z", 1772600760 * S, true}, /* a leap second */
        {"2026-02-31T05:06:07Z", 0, false},
        {"2026-04-31T05:06:07Z", 0, false},
        {"2026-02-29T05:06:07Z", 0, false},
        {"2100-02-29T00:00:00Z", 0, false},
        {"2000-02-29T00:00:00Z", 951782400 * S, true},
        {"0001-01-01T00:00:00Z", 0, false},
        {"9999-01-01T00:00:00Z", 0, false},
        {"", 0, false},
    };
    check_readings(yk_time_parse, cases, YK_COUNT(cases));
}

static void durations_print_like_go(void **state)
{
    (void)state;
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0, "0s"},
        {1, "1ns"},
        {1100, "1.1µs"},
        {2200000, "2.2ms"},
        {S, "1s"},
        {3 * S + 300000000, "3.3s"},
        {60 * S, "1m0s"},
        {305 * S, "5m5s"},
        {3600 * S, "1h0m0s"},
        {90 * 60 * S + S / 2, "1h30m0.5s"},
        {-S, "-1s"},
        {INT64_MAX, "2562047h47m16.854775807s"},
        {INT64_MIN, "-2562047h47m16.854775808s"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char text[YK_TIME_TEXT_MAX];
        int64_t ns = 0;
        yk_duration_format(cases[i].ns, text);
        assert_string_equal(text, cases[i].text);
        if (cases[i].ns != INT64_MIN) {
            assert_int_equal(yk_duration_parse(yk_str_from(text), &ns), YK_OK);
            assert_int_equal(ns, cases[i].ns);
        }
    }
}

static void durations_parse_like_go(void **state)
{
    (void)state;
    static const struct reading cases[] = {
        {"0", 0, true},
        {"+0", 0, true},
        {"1.5h", 5400 * S, true},
        {"1h1m1s1ms1us1ns", 3661 * S + 1001001, true},
        {"-1.5s", -1500000000, true},
        {".5s", S / 2, true},
        {"5.s", 5 * S, true},
        {"1s1s", 2 * S, true},
        {"1.5ns", 1, true},
        {"0.9999999999s", 999999999, true},
        {"0.3s", 300000000, true},
        {"100", 0, false},
        {"", 0, false},
        {"-", 0, false},
        {".s", 0, false},
        {"1d", 0, false},
        {"1 s", 0, false},
        {"1s ", 0, false},
        {"9223372037s", 0, false},
        {"99999999999999999999s", 0, false},
    };
    check_readings(yk_duration_parse, cases, YK_COUNT(cases));
}

/* A zero byte is no sign. */
static void zero_bytes_are_refused(void **state)
{
    (void)state;
    static const char duration[] = "\0001s", time[] = "2026-03-04T05:06:07\00001:00";
    int64_t ns;
    assert_int_equal(yk_duration_parse((struct yk_str){duration, sizeof(duration) - 1}, &ns), YK_ERR_INVALID);
    assert_int_equal(yk_time_parse((struct yk_str){time, sizeof(time) - 1}, &ns), YK_ERR_INVALID);
}

static void http_dates(void **state)
{
    (void)state;
    static const struct {
        int64_t seconds;
        const char *want;
    } cases[] = {
        {784111777, "Sun, 06 Nov 1994 08:49:37 GMT"},
        {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
        {-1, "Wed, 31 Dec 1969 23:59:59 GMT"},
        {1709164800, "Thu, 29 Feb 2024 00:00:00 GMT"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char text[YK_TIME_TEXT_MAX];
        yk_time_format_http(cases[i].seconds * YK_NS_PER_S, text);
        assert_string_equal(text, cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(http_dates),
        cmocka_unit_test(times_print_and_parse),
        cmocka_unit_test(times_of_other_zones_parse),
        cmocka_unit_test(durations_print_like_go),
        cmocka_unit_test(durations_parse_like_go),
        cmocka_unit_test(zero_bytes_are_refused),
    };
    return cmocka_run_group_tests_name("base/clock", tests, NULL, NULL);
}

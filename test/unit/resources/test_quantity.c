/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/quantity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define Z10 "0000000000"

/* docs/reference/predicates.md 3: every form of the grammar, by its two roundings. */
static void kubernetes_quantities(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        int64_t value, milli;
    } cases[] = {
        {"zero", "0", 0, 0},
        {"plain", "5", 5, 5000},
        {"plus sign", "+5", 5, 5000},
        {"minus sign", "-5", -5, -5000},
        {"leading zeros", "005", 5, 5000},
        {"fraction rounds up", "0.5", 1, 500},
        {"no digits before the point", ".5", 1, 500},
        {"no digits behind the point", "5.", 5, 5000},
        {"negative rounds towards zero", "-0.5", 0, -500},
        {"negative below milli", "-0.0001", 0, 0},
        {"n", "1n", 1, 1},
        {"u", "1500u", 1, 2},
        {"m", "100m", 1, 100},
        {"m above one", "1500m", 2, 1500},
        {"k", "2k", 2000, 2000000},
        {"M", "3M", 3000000, INT64_C(3000000000)},
        {"G", "1G", 1000000000, INT64_C(1000000000000)},
        {"T", "1T", INT64_C(1000000000000), INT64_C(1000000000000000)},
        {"P", "1P", INT64_C(1000000000000000), INT64_C(1000000000000000000)},
        {"E", "1E", INT64_C(1000000000000000000), INT64_MAX},
        {"Ki", "1Ki", 1024, 1024000},
        {"Mi", "1Mi", 1048576, INT64_C(1048576000)},
        {"Gi", "1Gi", 1073741824, INT64_C(1073741824000)},
        {"Ti", "1Ti", INT64_C(1099511627776), INT64_C(1099511627776000)},
        {"Pi", "1Pi", INT64_C(1) << 50, (INT64_C(1) << 50) * 1000},
        {"Ei", "1Ei", INT64_C(1) << 60, INT64_MAX},
        {"binary with a fraction is exact", "0.5Gi", 536870912, INT64_C(536870912000)},
        {"binary with a fraction that is not", "0.1Ki", 103, 102400},
        {"exponent", "1e3", 1000, 1000000},
        {"exponent, capital", "1E3", 1000, 1000000},
        {"exponent with plus", "1e+3", 1000, 1000000},
        {"exponent with minus", "1500e-3", 2, 1500},
        {"exponent and fraction", "1.25e1", 13, 12500},
        {"exponent 0", "7e0", 7, 7000},
        {"exponent far below zero is 1n", "1e-100", 1, 1},
        {"exponent far above", "1e100", INT64_MAX, INT64_MAX},
        {"negative far below", "-1e100", INT64_MIN, INT64_MIN},
        {"zero with a large exponent", "0e30", 0, 0},
        {"many digits against the exponent", "0." Z10 Z10 Z10 Z10 Z10 "1e54", 1000, 1000000},
        {"many digits before a small exponent", "1" Z10 Z10 Z10 Z10 Z10 "e-47", 1000, 1000000},
        {"finer than a nano rounds away from zero", "0.0000000001", 1, 1},
        {"ten digits behind the point", "1.0000000001", 2, 1001},
        {"2^63-1", "9223372036854775807", INT64_MAX, INT64_MAX},
        {"2^63 saturates", "9223372036854775808", INT64_MAX, INT64_MAX},
        {"-2^63", "-9223372036854775808", INT64_MIN, INT64_MIN},
        {"8Ei saturates", "8Ei", INT64_MAX, INT64_MAX},
        {"forty digits saturate", "1234567890123456789012345678901234567890", INT64_MAX, INT64_MAX},
        {"forty digits behind the point", "0.1234567890123456789012345678901234567890", 1, 124},
        {"zeros beyond what is held", "1.00000000000000000000000000000000000000000", 1, 1000},
        {"lenient: only a sign", "+", 0, 0},
        {"lenient: only minus", "-", 0, 0},
        {"lenient: only a point", ".", 0, 0},
        {"lenient: only a binary suffix", "Ki", 0, 0},
        {"lenient: only a decimal suffix", "m", 0, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        yk_quantity quantity = 0;
        if (yk_quantity_parse(yk_str_from(cases[i].text), &quantity, &err) != YK_OK)
            fail_msg("%s: '%s': %s", cases[i].what, cases[i].text, err.text);
        int64_t value = yk_quantity_value(quantity), milli = yk_quantity_milli(quantity);
        if (value != cases[i].value || milli != cases[i].milli)
            fail_msg("%s: '%s': value %lld, milli %lld", cases[i].what, cases[i].text, (long long)value,
                     (long long)milli);
        assert_int_equal(yk_quantity_amount(YK_STR("cpu"), quantity), milli);
        assert_int_equal(yk_quantity_amount(YK_STR("memory"), quantity), value);
    }
}

static void kubernetes_quantities_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "1K",
        "1ki",
        "1mi",
        "1g",
        "1e",
        "1E+",
        "1e1.5",
        "1.2.3",
        "1,5",
        " 1",
        "1 ",
        "1 Ki",
        "Kii",
        "1KiB",
        "0x10",
        "1e3Ki",
        "1m m",
        "--1",
        "+-1",
        "1-",
        "one",
        "1\n",
        "NaN",
        "inf",
        "1Ei1",
        "1mm",
        "1h",
        "1e99999999999999999999",
        "\xc2\xb5",
        "1\xc2\xb5",
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        yk_quantity quantity = 42;
        if (yk_quantity_parse(yk_str_from(cases[i]), &quantity, &err) != YK_ERR_INVALID || quantity != 42 ||
            err.text[0] == '\0')
            fail_msg("'%s' was accepted", cases[i]);
    }
}

static void quantities_add_exactly(void **state)
{
    (void)state;
    yk_quantity a, b;
    assert_int_equal(yk_quantity_parse(YK_STR("100m"), &a, NULL), YK_OK);
    assert_int_equal(yk_quantity_value(yk_quantity_add(a, a)), 1); /* 200m of a byte: 1, not 2 */
    assert_int_equal(yk_quantity_parse(YK_STR("1e60"), &a, NULL), YK_OK);
    assert_int_equal(yk_quantity_parse(YK_STR("-1e60"), &b, NULL), YK_OK);
    assert_int_equal(yk_quantity_value(yk_quantity_add(a, a)), INT64_MAX);
    assert_int_equal(yk_quantity_value(yk_quantity_add(b, b)), INT64_MIN);
    assert_int_equal(yk_quantity_value(yk_quantity_add(a, b)), 0);
    for (int i = 0; i < 300; i++) /* never wraps */
        a = yk_quantity_add(a, a);
    assert_int_equal(yk_quantity_value(a), INT64_MAX);
}

/* docs/reference/queues.md 2.1 */
static void configured_quantities(void **state)
{
    (void)state;
    static const struct {
        const char *what, *type, *text;
        int64_t want;
        enum yk_status status;
    } cases[] = {
        {"plain", "memory", "10", 10, YK_OK},
        {"white space around and before the suffix", "memory", " 10  Mi\t", 10485760, YK_OK},
        {"k", "memory", "2k", 2000, YK_OK},
        {"M", "memory", "2M", 2000000, YK_OK},
        {"G", "memory", "2G", 2000000000, YK_OK},
        {"T", "memory", "2T", INT64_C(2000000000000), YK_OK},
        {"P", "memory", "2P", INT64_C(2000000000000000), YK_OK},
        {"E", "memory", "2E", INT64_C(2000000000000000000), YK_OK},
        {"Ki", "memory", "2Ki", 2048, YK_OK},
        {"Gi", "memory", "2Gi", INT64_C(2147483648), YK_OK},
        {"Ti", "memory", "2Ti", INT64_C(2) << 40, YK_OK},
        {"Pi", "memory", "2Pi", INT64_C(2) << 50, YK_OK},
        {"Ei", "memory", "2Ei", INT64_C(2) << 60, YK_OK},
        {"2^63-1", "memory", "9223372036854775807", INT64_MAX, YK_OK},
        {"vcore counts cores", "vcore", "10", 10000, YK_OK},
        {"vcore in milli", "vcore", "500m", 500, YK_OK},
        {"vcore with a suffix", "vcore", "2k", 2000000, YK_OK},
        {"milli is for vcore only", "memory", "500m", 0, YK_ERR_INVALID},
        {"capital K", "memory", "1K", 0, YK_ERR_INVALID},
        {"ki", "memory", "1ki", 0, YK_ERR_INVALID},
        {"mi", "memory", "1mi", 0, YK_ERR_INVALID},
        {"sign", "memory", "+1", 0, YK_ERR_INVALID},
        {"minus", "memory", "-1", 0, YK_ERR_INVALID},
        {"decimals", "memory", "1.5", 0, YK_ERR_INVALID},
        {"exponent", "memory", "1e3", 0, YK_ERR_INVALID},
        {"empty", "memory", "", 0, YK_ERR_INVALID},
        {"only a suffix", "memory", "Gi", 0, YK_ERR_INVALID},
        {"unknown suffix", "memory", "1Zi", 0, YK_ERR_INVALID},
        {"white space inside the suffix", "memory", "1M i", 0, YK_ERR_INVALID},
        {"2^63", "memory", "9223372036854775808", 0, YK_ERR_LIMIT},
        {"overflow by suffix", "memory", "16Ei", 0, YK_ERR_LIMIT},
        {"overflow of the core count", "vcore", "9223372036854775807", 0, YK_ERR_LIMIT},
        {"digits beyond 64 bits", "memory", "99999999999999999999999", 0, YK_ERR_LIMIT},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        int64_t got = 0;
        enum yk_status st =
            yk_quantity_parse_config(yk_str_from(cases[i].type), yk_str_from(cases[i].text), &got, &err);
        if (st != cases[i].status || got != cases[i].want)
            fail_msg("%s: '%s' for %s: %s %lld", cases[i].what, cases[i].text, cases[i].type,
                     yk_status_word(st), (long long)got);
        if (st != YK_OK &&
            (strstr(err.text, cases[i].type) == NULL || strstr(err.text, cases[i].text) == NULL))
            fail_msg("%s: '%s' does not name type and value", cases[i].what, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kubernetes_quantities),
        cmocka_unit_test(kubernetes_quantities_refused),
        cmocka_unit_test(quantities_add_exactly),
        cmocka_unit_test(configured_quantities),
    };
    return cmocka_run_group_tests_name("resources/quantity", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/amount_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define GI (INT64_C(1) << 30)

static void one_amount(void **state)
{
    (void)state;
    static const struct {
        int type;
        int64_t amount;
        const char *want;
    } cases[] = {
        {YK_RESTYPE_VCORE, 20000, "20 cores"},
        {YK_RESTYPE_VCORE, 1000, "1 core"},
        {YK_RESTYPE_VCORE, 250, "0.25 cores"},
        {YK_RESTYPE_VCORE, 0, "0 cores"},
        {YK_RESTYPE_VCORE, -1500, "-1.5 cores"},
        {YK_RESTYPE_MEMORY, 4 * GI, "4 Gi"},
        {YK_RESTYPE_MEMORY, 3 * GI / 2, "1.5 Gi"},
        {YK_RESTYPE_MEMORY, GI / 2, "512 Mi"},
        {YK_RESTYPE_MEMORY, 20000 * GI, "19.531 Ti"},
        {YK_RESTYPE_MEMORY, 2000 * GI, "2000 Gi"},
        {YK_RESTYPE_MEMORY, 10, "10 bytes"},
        {YK_RESTYPE_MEMORY, INT64_C(1) << 48, "256 Ti"},
        {YK_RESTYPE_MEMORY, INT64_C(9) << 50, "9216 Ti"},
        {YK_RESTYPE_MEMORY, INT64_C(25) << 49, "12.5 Pi"},
        {YK_RESTYPE_MEMORY, INT64_C(3) << 59, "1.5 Ei"},
        {YK_RESTYPE_MEMORY, INT64_MAX, "8 Ei"},
        {YK_RESTYPE_VCORE, INT64_MAX, "9223372036854776 cores"},
        {YK_RESTYPE_PODS, 1, "1 pod"},
        {YK_RESTYPE_PODS, 110, "110 pods"},
        {YK_RESTYPE_EPHEMERAL_STORAGE, 10 * GI, "10 Gi of ephemeral-storage"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_amount_text(&text, cases[i].type, cases[i].amount);
        assert_string_equal(yk_buf_cstr(&text), cases[i].want);
    }
}

static void a_part_has_the_unit_of_the_whole(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_amount_text_of(&text, YK_RESTYPE_VCORE, 500, 40000);
    yk_buf_text(&text, "; ");
    yk_amount_text_of(&text, YK_RESTYPE_MEMORY, GI / 2, 8 * GI);
    assert_string_equal(yk_buf_cstr(&text), "0.5 of 40 cores; 0.5 of 8 Gi");
}

static void several_amounts(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    YK_RESVEC(amounts);
    YK_RESVEC(only);
    int gpu;
    yk_amounts_text(&text, &amounts, NULL);
    assert_string_equal(yk_buf_cstr(&text), "nothing");
    assert_int_equal(yk_restype_add(YK_STR("nvidia.com/gpu"), &gpu, NULL), YK_OK);
    yk_resvec_put(&amounts, YK_RESTYPE_VCORE, 2000);
    yk_resvec_put(&amounts, YK_RESTYPE_PODS, 1);
    yk_resvec_put(&amounts, YK_RESTYPE_MEMORY, GI);
    yk_resvec_put(&amounts, gpu, 2);
    yk_buf_clear(&text);
    yk_amounts_text(&text, &amounts, NULL);
    assert_string_equal(yk_buf_cstr(&text), "2 cores, 1 Gi and 2 nvidia.com/gpu");
    yk_resvec_put(&only, YK_RESTYPE_PODS, 0);
    yk_buf_clear(&text);
    yk_amounts_text(&text, &amounts, &only);
    assert_string_equal(yk_buf_cstr(&text), "1 pod");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_amount),
        cmocka_unit_test(a_part_has_the_unit_of_the_whole),
        cmocka_unit_test(several_amounts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Answers to what-if questions as `yunikorn whatif`, `kubectl yunikorn whatif` and `validate --diff` print them. */
#include "cmd/whatif_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* The caller frees the text. */
static char *printed(const char *answer, bool *ret_good)
{
    char *text = NULL;
    size_t len;
    struct yk_err err = {0};
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    assert_int_equal(yk_whatif_print(yk_str_from(answer), false, out, ret_good, &err), YK_OK);
    (void)fclose(out);
    return text;
}

static void amounts_are_cores_and_binary_units(void **state)
{
    bool good;
    (void)state;
    char *text = printed(
        "{\"kind\": \"queues\", \"verdict\": \"accepted\", \"message\": \"the configuration is accepted\","
        " \"impact\": {\"queuesAdded\": [\"root.c\"], \"queuesChanged\": ["
        "{\"queueName\": \"root.a\", \"maxBefore\": null, \"max\": {\"vcore\": 1500, \"memory\": 8589934592},"
        " \"guaranteedBefore\": {\"vcore\": 2000}, \"guaranteed\": null,"
        " \"maxApplicationsBefore\": 0, \"maxApplications\": 3},"
        "{\"queueName\": \"root.b\", \"maxBefore\": {\"vcore\": 1000}, \"max\": {\"vcore\": 1000},"
        " \"guaranteedBefore\": null, \"guaranteed\": null, \"maxApplicationsBefore\": 3, "
        "\"maxApplications\": 0}],"
        " \"above\": [{\"kind\": \"user\", \"name\": \"bob\", \"queueName\": \"root.a\","
        " \"used\": {\"memory\": 4294967296, \"pods\": 4, \"vcore\": 8000}, \"max\": {\"vcore\": 1500}}]}}",
        &good);
    assert_true(good);
    assert_string_equal(
        text, "the configuration is accepted\n"
              "  + queue root.c\n"
              "  ~ queue root.a: max none -> cpu 1.5, memory 8Gi; guaranteed cpu 2 -> none; "
              "maxApplications none -> 3\n"
              "  ~ queue root.b: maxApplications 3 -> none\n"
              "  above its maximum: user bob in root.a: uses cpu 8, memory 4Gi, pods 4 of cpu 1.5\n");
    free(text);
}

static void where_applications_would_go(void **state)
{
    bool good;
    (void)state;
    char *text = printed(
        "{\"kind\": \"queues\", \"verdict\": \"accepted\", \"message\": \"the configuration is accepted\","
        " \"impact\": {\"placements\": ["
        "{\"applicationID\": \"etl\", \"queueName\": \"root.a\", \"newQueueName\": \"root.b\", \"message\": "
        "\"\"},"
        "{\"applicationID\": \"lab\", \"queueName\": \"root.c\", \"newQueueName\": \"root.@recovery@\","
        " \"message\": \"\"}]}}",
        &good);
    assert_string_equal(text, "the configuration is accepted\n"
                              "  if submitted again: application etl of root.a goes to root.b\n"
                              "  if submitted again: application lab of root.c goes to the recovery queue\n");
    free(text);
}

static void victims_are_below_their_pod(void **state)
{
    bool good;
    (void)state;
    char *text = printed("{\"kind\": \"pod\", \"verdict\": \"waits\", \"message\": \"waits\", \"pods\": "
                         "[{\"namespace\": \"lab\","
                         " \"name\": \"try\", \"message\": \"would preempt 1 pod and then start on n1, after "
                         "31 s\", \"victims\": ["
                         "{\"namespace\": \"lab\", \"podName\": \"etl-3\", \"applicationID\": \"etl\", "
                         "\"queueName\": \"root.b\","
                         " \"nodeID\": \"n1\"}]}], \"impact\": {\"preempted\": [{}]}}",
                         &good);
    assert_false(good);
    assert_string_equal(text, "waits\n"
                              "  lab/try would preempt 1 pod and then start on n1, after 31 s\n"
                              "    preempts lab/etl-3 of application etl in root.b on n1\n");
    free(text);
}

static void pods_that_do_not_fit(void **state)
{
    bool good;
    (void)state;
    char *text =
        printed("{\"kind\": \"node\", \"verdict\": \"accepted\", \"message\": \"overcommitted\", \"impact\": "
                "{\"notFitting\": [{\"namespace\": \"lab\", \"podName\": \"etl-3\", \"applicationID\": "
                "\"etl\", \"queueName\": \"root.b\", \"nodeID\": \"n1\"}, {\"namespace\": \"sys\", "
                "\"podName\": \"agent\", \"applicationID\": \"\", \"queueName\": \"\", \"nodeID\": "
                "\"n1\"}]}}",
                &good);
    assert_true(good);
    assert_string_equal(text, "overcommitted\n"
                              "  does not fit: lab/etl-3 (application etl, root.b) on n1\n"
                              "  does not fit: sys/agent on n1\n");
    free(text);
}

static void what_is_no_answer(void **state)
{
    struct yk_err err = {0};
    bool good = false;
    (void)state;
    assert_int_equal(yk_whatif_print(YK_STR("[]"), false, stdout, &good, &err), YK_ERR_INVALID);
    assert_int_equal(yk_whatif_print((struct yk_str){0}, false, stdout, &good, &err), YK_ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_are_cores_and_binary_units),
        cmocka_unit_test(where_applications_would_go),
        cmocka_unit_test(victims_are_below_their_pod),
        cmocka_unit_test(pods_that_do_not_fit),
        cmocka_unit_test(what_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

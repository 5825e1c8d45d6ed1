/* SPDX-License-Identifier: Apache-2.0 */
#include "app/task_groups.h"

#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* P10: what is valid, and which sentence says why not. */
static void groups_are_whole_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        const char *why; /* part of the sentence; NULL: valid */
        size_t count;
    } cases[] = {
        {"two groups",
         "[{\"name\":\"a\",\"minMember\":2,\"minResource\":{\"cpu\":\"1\"}},"
         "{\"name\":\"b\",\"minMember\":1,\"minResource\":{\"memory\":\"1Gi\"}}]",
         NULL, 2},
        {"field names in any case", "[{\"NAME\":\"a\",\"minmember\":2,\"MinResource\":{}}]", NULL, 1},
        {"the last of two spellings counts",
         "[{\"name\":\"\",\"minMember\":1,\"minResource\":{},\"Name\":\"a\"}]", NULL, 1},
        {"unknown fields", "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{},\"more\":[[]]}]", NULL, 1},
        {"a quantity without quotes", "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{\"cpu\":0.5}}]",
         NULL, 1},
        {"no groups", "[]", NULL, 0},
        {"null", "null", NULL, 0},
        {"not JSON", "[{", "byte", 0},
        {"nothing", "", "task groups", 0},
        {"an object", "{}", "not a list", 0},
        {"a group that is none", "[1]", "not an object", 0},
        {"no name", "[{\"minMember\":1,\"minResource\":{}}]", "no name", 0},
        {"an empty name", "[{\"name\":\"\",\"minMember\":1,\"minResource\":{}}]", "no name", 0},
        {"a name that is none", "[{\"name\":7,\"minMember\":1,\"minResource\":{}}]", "'name' is not a text",
         0},
        {"no members", "[{\"name\":\"a\",\"minResource\":{}}]", "'minMember' is 0", 0},
        {"members below zero", "[{\"name\":\"a\",\"minMember\":-1,\"minResource\":{}}]", "'minMember' is -1",
         0},
        {"half a member", "[{\"name\":\"a\",\"minMember\":1.5,\"minResource\":{}}]", "not an integer", 0},
        {"too many members", "[{\"name\":\"a\",\"minMember\":100001,\"minResource\":{}}]", "at most 100000",
         0},
        {"too many in all",
         "[{\"name\":\"a\",\"minMember\":100000,\"minResource\":{}},{\"name\":\"b\",\"minMember\":1,"
         "\"minResource\":{}}]",
         "there are 100001 members", 0},
        {"no resources", "[{\"name\":\"a\",\"minMember\":1}]", "no 'minResource'", 0},
        {"resources null", "[{\"name\":\"a\",\"minMember\":1,\"minResource\":null}]", "no 'minResource'", 0},
        {"not a quantity", "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{\"cpu\":\"x\"}}]", "'cpu'", 0},
        {"a list as quantity", "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{\"cpu\":[]}}]",
         "not a quantity", 0},
        {"a negative quantity", "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{\"cpu\":\"-1\"}}]", "'-1'",
         0},
        {"beyond what a number holds",
         "[{\"name\":\"a\",\"minMember\":100,\"minResource\":{\"memory\":\"8Ei\"}}]", "too much 'memory'", 0},
        {"cpu and vcore are one",
         "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{\"cpu\":1,\"vcore\":1}}]", "which are the same",
         0},
        {"pods are counted by us", "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{\"pods\":1}}]",
         "may not name 'pods'", 0},
        {"two of one name",
         "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{}},{\"name\":\"a\",\"minMember\":1,"
         "\"minResource\":{}}]",
         "of that name already", 0},
        {"tolerations that are none",
         "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{},\"tolerations\":[1]}]", "a list of objects", 0},
        {"affinity that is none", "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{},\"affinity\":[]}]",
         "'affinity' is not an object", 0},
        {"a label that is none", "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{},\"labels\":{\"x\":1}}]",
         "'x' of 'labels'", 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_task_groups groups = {.count = 77};
        struct yk_err err = {0};
        enum yk_status st = yk_task_groups_parse(yk_str_from(cases[i].text), YK_STR("a"), &groups, &err);
        if (cases[i].why == NULL && (st != YK_OK || groups.count != cases[i].count))
            fail_msg("%s: status %d, %zu groups, '%s'", cases[i].what, st, groups.count, err.text);
        if (cases[i].why != NULL &&
            (st == YK_OK || strstr(err.text, cases[i].why) == NULL || groups.count != 77))
            fail_msg("%s: '%s'", cases[i].what, err.text);
        if (st == YK_OK)
            yk_task_groups_done(&groups);
    }
}

/* P10: the sum over groups of members times resources, one of "pods" each. */
static void everything_of_a_group_is_kept(void **state)
{
    (void)state;
    struct yk_task_groups groups;
    struct yk_err err = {0};
    static const char text[] =
        "[{\"name\":\"a\",\"minMember\":3,\"minResource\":{\"cpu\":\"500m\",\"memory\":\"1Ki\"},"
        "\"labels\":{\"l\":\"1\"},\"annotations\":{\"n\":\"2\"},\"nodeSelector\":{\"zone\":\"z\"},"
        "\"tolerations\":[{\"key\":\"k\"}],\"affinity\":{\"nodeAffinity\":{}},"
        "\"topologySpreadConstraints\":[{\"maxSkew\":1}]},"
        "{\"name\":\"b\",\"minMember\":2,\"minResource\":{\"cpu\":2}}]";
    if (yk_task_groups_parse(YK_STR(text), YK_STR("a"), &groups, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_int_equal(groups.members, 5);
    assert_int_equal(yk_resvec_get(&groups.total, YK_RESTYPE_VCORE), 3 * 500 + 2 * 2000);
    assert_int_equal(yk_resvec_get(&groups.total, YK_RESTYPE_MEMORY), 3 * 1024);
    assert_int_equal(yk_resvec_get(&groups.total, YK_RESTYPE_PODS), 5);
    const struct yk_gang_group *a = yk_task_groups_find(&groups, "a");
    assert_non_null(a);
    assert_null(yk_task_groups_find(&groups, "c"));
    assert_string_equal(yk_pairs_get(&a->labels, "l").p, "1");
    assert_string_equal(yk_pairs_get(&a->annotations, "n").p, "2");
    assert_string_equal(yk_pairs_get(&a->node_selector, "zone").p, "z");
    assert_string_equal(yk_pairs_get(&a->resources, "cpu").p, "500m");
    assert_string_equal(a->tolerations.p, "[{\"key\":\"k\"}]");
    assert_string_equal(a->affinity.p, "{\"nodeAffinity\":{}}");
    assert_string_equal(a->spread.p, "[{\"maxSkew\":1}]");
    assert_null(yk_task_groups_find(&groups, "b")->affinity.p);
    yk_task_groups_done(&groups);
}

/* What nothing offers has its name in the total, also before and after a node offers it. */
static void an_unknown_resource_has_its_name(void **state)
{
    (void)state;
    struct yk_task_groups groups;
    struct yk_err err = {0};
    int type;
    static const char text[] =
        "[{\"name\":\"a\",\"minMember\":3,\"minResource\":{\"cpu\":1,\"card.example/x\":2}}]";
    if (yk_task_groups_parse(YK_STR(text), YK_STR("ns"), &groups, &err) != YK_OK)
        fail_msg("%s", err.text);
    int asked = yk_restype_asked(YK_STR("card.example/x"), YK_STR("ns"));
    assert_string_equal(yk_restype_name(asked), "card.example/x");
    assert_int_equal(yk_resvec_get(&groups.total, asked), 6);
    assert_false(yk_resvec_has(&groups.total, YK_RESTYPE_UNKNOWN));
    assert_false(yk_task_groups_resolve(&groups, YK_STR("ns")));
    assert_int_equal(yk_restype_add(YK_STR("card.example/x"), &type, NULL), YK_OK);
    assert_true(yk_task_groups_resolve(&groups, YK_STR("ns")));
    assert_int_equal(yk_resvec_get(&groups.total, type), 6);
    assert_false(yk_resvec_has(&groups.total, asked));
    assert_int_equal(yk_resvec_get(&groups.total, YK_RESTYPE_VCORE), 3000);
    assert_int_equal(yk_resvec_get(&groups.total, YK_RESTYPE_PODS), 3);
    assert_false(yk_task_groups_resolve(&groups, YK_STR("ns")));
    yk_task_groups_done(&groups);
}

/* A number without quotes is the number that was written, not its nearest neighbour in binary. */
static void numbers_as_written(void **state)
{
    (void)state;
    static const struct {
        const char *written;
        int64_t vcore;
    } cases[] = {{"0.1", 100}, {"0.7", 700}, {"1.1", 1100}, {"2", 2000}, {"1e-1", 100}, {"2.3e0", 2300}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_task_groups groups = {.count = 0};
        struct yk_err err = {0};
        char text[128];
        (void)snprintf(text, sizeof(text), "[{\"name\":\"a\",\"minMember\":1,\"minResource\":{\"cpu\":%s}}]",
                       cases[i].written);
        if (yk_task_groups_parse(yk_str_from(text), YK_STR("a"), &groups, &err) != YK_OK)
            fail_msg("%s: %s", cases[i].written, err.text);
        assert_int_equal(yk_resvec_get(&groups.total, YK_RESTYPE_VCORE), cases[i].vcore);
        yk_task_groups_done(&groups);
    }
}

/* P11 */
static void policy_parameters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t timeout_s;
        bool is_hard;
        const char *wrong; /* part of what is said of it; NULL: nothing */
    } cases[] = {
        {"", 0, false, NULL},
        {"placeholderTimeoutInSeconds=60", 60, false, NULL},
        {"placeholderTimeoutInSeconds=60 gangSchedulingStyle=Hard", 60, true, NULL},
        {"gangSchedulingStyle=Hard other=1", 0, true, NULL},
        {"gangSchedulingStyle=hard", 0, false,
         "gangSchedulingStyle is 'hard', not Hard or Soft, so it is Soft"},
        {"gangSchedulingStyle=Hard gangSchedulingStyle=Soft", 0, false, NULL},
        {"placeholderTimeoutInSeconds=0", 0, false, NULL},
        {"placeholderTimeoutInSeconds=-5", 0, false, "placeholderTimeoutInSeconds is '-5', not a number"},
        {"placeholderTimeoutInSeconds=abc", 0, false,
         "is 'abc', not a number of seconds from 0 to 9223372036"},
        {"placeholderTimeoutInSeconds=9223372036", 9223372036, false, NULL}, /* the longest time */
        {"placeholderTimeoutInSeconds=9223372037", 0, false, "so the timeout is 15 minutes"},
        {"placeholderTimeoutInSeconds=9223372036854775807", 0, false, "so the timeout is 15 minutes"},
        {"placeholderTimeoutInSeconds=1=2 nonsense  gangSchedulingStyle=Hard", 0, true,
         "there is 'placeholderTimeoutInSeconds=1=2', which is not of the form key=value; there is "
         "'nonsense', "},
        {"=", 0, false, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_gang_policy policy;
        YK_CLEANUP(yk_buf_done) struct yk_buf wrong = {0};
        yk_gang_policy_parse(yk_str_from(cases[i].text), &policy, &wrong);
        bool is_told = cases[i].wrong != NULL && strstr(yk_buf_cstr(&wrong), cases[i].wrong) != NULL;
        if (cases[i].wrong != NULL ? !is_told : wrong.len > 0)
            fail_msg("'%s': %s", cases[i].text, yk_buf_cstr(&wrong));
        if (policy.timeout_ns != cases[i].timeout_s * YK_NS_PER_S || policy.is_hard != cases[i].is_hard)
            fail_msg("'%s': %lld ns, hard %d", cases[i].text, (long long)policy.timeout_ns, policy.is_hard);
    }
}

/* What is said of a long value fits into an Event, and is cut between characters. */
static void a_long_parameter(void **state)
{
    struct yk_gang_policy policy;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, wrong = {.max = 1024};
    (void)state;
    yk_buf_text(&text, "gangSchedulingStyle=x");
    for (int i = 0; i < 1100; i++)
        yk_buf_text(&text, "\xc3\xbc");
    yk_gang_policy_parse(yk_buf_view(&text), &policy, &wrong);
    assert_true(wrong.len > 0);
    assert_non_null(strstr(yk_buf_cstr(&wrong), "\xc3\xbc...', not Hard or Soft, so it is Soft"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_whole_or_refused),
        cmocka_unit_test(everything_of_a_group_is_kept),
        cmocka_unit_test(an_unknown_resource_has_its_name),
        cmocka_unit_test(numbers_as_written),
        cmocka_unit_test(policy_parameters),
        cmocka_unit_test(a_long_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

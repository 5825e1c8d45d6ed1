/* SPDX-License-Identifier: Apache-2.0 */
/* From what rules say to where an application goes: docs/reference/queues.md 5.2, and the examples of the
 * founding documents. */
#include "placement/place.h"

#define ACLS                                                                                                 \
    "    queues:\n"                                                                                          \
    "    - {name: open, submitacl: '*'}\n"                                                                   \
    "    - {name: joes, submitacl: joe}\n"                                                                   \
    "    - {name: devs, submitacl: ' dev'}\n"                                                                \
    "    - {name: boss, adminacl: joe, queues: [{name: below}, {name: par, parent: true, submitacl: "        \
    "jim}]}\n"                                                                                               \
    "    - {name: fallback, submitacl: 'joe,jim'}\n"                                                         \
    "    - {name: par, parent: true, submitacl: 'joe'}\n"
#define FALLBACK  "  - {name: provided, create: true}\n  - {name: fixed, value: fallback}\n"
#define PLACED(q) .queue = (q)

static void access(void **state)
{
    (void)state;
    static const struct place_case cases[] = {
        {"A4: by name", PLACE_CONFIG(FALLBACK, ACLS), "joe", PLACED("root.joes"), .want = "root.joes"},
        {"P6: no access is no match", PLACE_CONFIG(FALLBACK, ACLS), "jim", PLACED("root.joes"),
         .want = "root.fallback"},
        {"no access anywhere", PLACE_CONFIG(FALLBACK, ACLS), "zoe", PLACED("root.joes"),
         .reason = NO_RULE_MATCHED ", queue 'root.joes' does not accept user 'zoe'"},
        {"A4: by group", PLACE_CONFIG(FALLBACK, ACLS), "zoe", "a,dev", "root.devs", .want = "root.devs"},
        {"A4: users are case-sensitive", PLACE_CONFIG(FALLBACK, ACLS), "Joe", PLACED("root.joes")},
        {"A5: an administrator of a queue above", PLACE_CONFIG(FALLBACK, ACLS), "joe",
         PLACED("root.boss.below"), .want = "root.boss.below"},
        {"A5: the list of a queue beside does not count", PLACE_CONFIG(FALLBACK, ACLS), "jim",
         PLACED("root.boss.below"), .want = "root.fallback"},
        {"A5: the root's list is for all", PLACE_CONFIG(FALLBACK, "    submitacl: zoe\n" ACLS), "zoe",
         PLACED("root.joes"), .want = "root.joes"},
        {"P6: to be created, access to the nearest that exists", PLACE_CONFIG(FALLBACK, ACLS), "jim",
         PLACED("root.boss.par.x.y"), .want = "root.boss.par.x.y"},
        {"P6: to be created, no access there", PLACE_CONFIG(FALLBACK, ACLS), "jim", PLACED("root.par.x"),
         .want = "root.fallback"},
        {"P6: to be created below the root", PLACE_CONFIG(FALLBACK, ACLS), "joe", PLACED("root.new"),
         .want = "root.fallback"},
        {"P7: forced applications need access, too, and are recovered", PLACE_CONFIG(FALLBACK, ACLS), "zoe",
         PLACED("root.joes"), .forced = true, .want = "root.@recovery@"},
    };
    check_places(cases, YK_COUNT(cases));
}

#define OPEN "    submitacl: '*'\n"

static void order(void **state)
{
    (void)state;
    static const struct place_case cases[] = {
        {"P6: a parent takes no applications", PLACE_CONFIG(FALLBACK, OPEN ACLS), PLACED("root.boss"),
         .want = "root.fallback"},
        {"P6: nor the root", PLACE_CONFIG("  - {name: provided}\n", OPEN ACLS), PLACED("root"),
         .reason = NO_RULE_MATCHED ", queue 'root' has queues below it"},
        {"P8: nothing is created below a leaf", PLACE_CONFIG(FALLBACK, OPEN ACLS), PLACED("root.open.x"),
         .want = "root.fallback"},
        {"P5: an error ends it", PLACE_CONFIG(FALLBACK, OPEN ACLS), PLACED("root.a b"),
         .reason = "invalid queue name"},
        {"P1: the first rule that matches",
         PLACE_CONFIG("  - {name: fixed, value: open}\n" FALLBACK, OPEN ACLS), PLACED("root.joes"),
         .want = "root.open"},
        {"P7: root.default", PLACE_CONFIG("  - name: provided\n", OPEN "    queues: [{name: Default}]\n"),
         PLACED("root.nope"), .want = "root.default"},
        {"P7: root.default is a parent",
         PLACE_CONFIG("  - name: provided\n", OPEN "    queues: [{name: default, parent: true}]\n"),
         PLACED("root.nope")},
        {"P7: no access to root.default",
         PLACE_CONFIG("  - name: provided\n", "    queues: [{name: default, submitacl: bob}]\n"),
         PLACED("root.nope")},
        {"P7: root.default is not made", PLACE_CONFIG("  - name: provided\n", OPEN), PLACED("root.nope"),
         .reason = NO_RULE_MATCHED ", queue 'root.nope' does not exist"},
        {"P7: forced applications never get that far",
         PLACE_CONFIG("  - name: provided\n", OPEN "    queues: [{name: default}]\n"), PLACED("root.nope"),
         .forced = true, .want = "root.@recovery@"},
        {"P1: without rules the submitted queue, if it is there",
         "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues: [{name: "
         "a}]\n",
         PLACED("a"), .want = "root.a"},
        {"P1: without rules nothing is made",
         "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n", PLACED("a")},
        {"P1: without rules and without a queue",
         "partitions:\n- name: default\n  queues:\n  - name: root\n "
         "   submitacl: '*'\n    queues: [{name: a}]\n",
         .want = NULL},
    };
    check_places(cases, YK_COUNT(cases));
}

static void draining(void **state)
{
    (void)state;
    static const struct {
        const char *what, *drain, *queue, *want;
    } cases[] = {
        {"P6: the queue itself", "root.open", "root.open", "root.fallback"},
        {"R20: a queue above", "root.boss", "root.boss.below", "root.fallback"},
        {"P8: created below it", "root.par", "root.par.x", "root.fallback"},
        {"BUG-11: created far below it", "root.boss", "root.boss.par.x", "root.fallback"},
        {"another queue", "root.par", "root.open", "root.open"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct place_world world;
        place_world_init(&world, PLACE_CONFIG(FALLBACK, OPEN ACLS));
        yk_queue_find(world.root, yk_str_from(cases[i].drain))->state = YK_STATE_DRAINING;
        bool placed;
        char *got = place_in(&world, &(struct place_case){.queue = cases[i].queue}, &placed);
        if (!placed || strcmp(got, cases[i].want) != 0)
            fail_msg("%s: got '%s'", cases[i].what, got);
        free(got);
        place_world_done(&world);
    }
}

/* The founding document's chain of three rules, with its parent written as a list as it stands there. */
#define S3_CHAIN                                                                                             \
    "  - name: user\n    create: true\n    filter:\n      type: allow\n      groups:\n      - dev*\n"        \
    "    parent:\n    - name: tag\n      value: namespace\n"                                                 \
    "  - name: tag\n    value: namespace\n    create: true\n    parent:\n    - name: fixed\n"                \
    "      value: root.namespaces\n      filter:\n        type: allow\n        users:\n        - john\n"     \
    "  - name: fixed\n    value: root.default\n"
#define S3_QUEUES OPEN "    queues: [{name: namespaces, parent: true}, {name: default}"
#define S3        PLACE_CONFIG(S3_CHAIN, S3_QUEUES "]\n")
#define S3_NEWAPP PLACE_CONFIG(S3_CHAIN, S3_QUEUES ", {name: newapp, parent: true}]\n")

/* Mary's queue is there: who may create it below the root may submit to production as well (A5). */
#define S3_PRODUCTION(acl)                                                                                   \
    PLACE_CONFIG("  - {name: fixed, value: root.production}\n  - {name: user, create: true}\n", acl          \
                 "    queues: [{name: production, submitacl: 'john,bob'}, {name: mary, submitacl: mary}]\n")

static void worked_cases(void **state)
{
    (void)state;
    static const struct place_case cases[] = {
        {"S3: john", S3, "john", "john", .tags = "namespace=testing", .want = "root.namespaces.testing"},
        {"S3: sarah, whose namespace has a queue", S3_NEWAPP, "sarah", "sarah,test_app,dev_app",
         .tags = "namespace=newapp", .want = "root.newapp.sarah"},
        {"S3: sarah, whose namespace has none", S3, "sarah", "test_app,dev_app", .tags = "namespace=newapp",
         .want = "root.default"},
        {"S3: bob", S3, "bob", "bob", .tags = "namespace=testapp", .want = "root.default"},
        {"S3: a provided name below the user",
         PLACE_CONFIG("  - {name: provided, create: true, parent: {name: user, create: true}}\n", OPEN),
         "developer", PLACED("my_special_queue"), .want = "root.developer.my_special_queue"},
        {"S3: a provided path as it is",
         PLACE_CONFIG("  - {name: provided, create: true, parent: {name: user, create: true}}\n", OPEN),
         "developer", PLACED("root.dev_queue"), .want = "root.dev_queue"},
        {"S3: production is for john and bob", S3_PRODUCTION(""), "john", .want = "root.production"},
        {"S3: mary has a queue of her own", S3_PRODUCTION(""), "mary", .want = "root.mary"},
        {"S3: a stranger has none", S3_PRODUCTION(""), "jane", .want = NULL},
        {"A5: who may submit to the root may do so everywhere", S3_PRODUCTION("    submitacl: mary\n"),
         "mary", .want = "root.production"},
        {"S3: finance.test", PLACE_CONFIG("  - {name: user, create: true}\n", OPEN), "finance.test",
         .want = "root.finance_dot_test"},
        {"S3: finance.test, whose queue is configured",
         PLACE_CONFIG("  - name: user\n", OPEN "    queues: [{name: finance_dot_test}]\n"), "finance.test",
         .want = "root.finance_dot_test"},
        {"S3: a last resort",
         PLACE_CONFIG("  - {name: fixed, value: last_resort}\n", OPEN "    queues: [{name: last_resort}]\n"),
         "developer", PLACED("my_special_queue"), .want = "root.last_resort"},
        {"S3: a namespace", PLACE_CONFIG("  - {name: tag, value: namespace, create: true}\n", OPEN),
         .tags = "namespace=default", .queue = "my_special_queue", .want = "root.default"},
        {"S3: not from Kubernetes", PLACE_CONFIG("  - {name: tag, value: namespace, create: true}\n", OPEN),
         .want = NULL},
        {"no rules, no queue, root.default",
         "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues: [{name: "
         "default}]\n",
         .want = "root.default"},
    };
    check_places(cases, YK_COUNT(cases));
}

/* The buffer of the caller is all that grows: the second placement finds room in it. */
static void buffer_is_kept(void **state)
{
    (void)state;
    struct place_world world;
    place_world_init(&world, S3);
    struct yk_si_new_app request = {.application_id = "app-1"};
    struct yk_app *app = yk_app_new(&request, "ann", NULL, 0, 0);
    struct yk_buf path = {.max = 256};
    const char *bytes = NULL;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(yk_placement_place(world.placement, world.root, app, &path, NULL), YK_OK);
        assert_string_equal(yk_buf_cstr(&path), "root.default");
        assert_true(i == 0 || path.p == bytes);
        bytes = path.p;
    }
    yk_buf_done(&path);
    yk_app_free(app);
    place_world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(access),       cmocka_unit_test(order),          cmocka_unit_test(draining),
        cmocka_unit_test(worked_cases), cmocka_unit_test(buffer_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

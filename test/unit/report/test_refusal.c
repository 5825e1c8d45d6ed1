/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a reason are about one object: what refuses the ask, the token, and the sentence. */
#include "lib/core_world.h"
#include "report/outstanding.h"
#include "report/reason.h"
#include "si.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"        \
    "    submitacl: '*'\n    queues:\n"
#define OF_JOE "limits: [{limit: x, users: [joe], "
#define OF_DEV "limits: [{limit: x, groups: [dev], "

static void begin(struct world *world, const char *queue)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf config = {0};
    yk_buf_printf(&config, HEAD "    - {name: q, %s}\n", queue);
    world_init(world, yk_buf_cstr(&config));
    world_node(world, "n1", 10000, 1000000);
}

static void says(struct world *world, const char *key, const char *token, const char *refusal,
                 const char *sentence)
{
    YK_CLEANUP(yk_si_why_text_done) struct yk_si_why_text text = {0};
    struct yk_si_why why = yk_core_why(world->core, "rm", key, key, &text);
    assert_string_equal(yk_si_reason_token(why.reason), token);
    assert_string_equal(yk_buf_cstr(&text.refusal), refusal);
    if (!yk_str_starts(yk_buf_view(&text.sentence), sentence))
        fail_msg("'%s' does not begin with '%s'", yk_buf_cstr(&text.sentence), sentence);
}

/* An application with one ask, both called `id`. */
static void submit(struct world *world, const char *id, const char *user, int64_t vcore)
{
    world_submit_in_group(world, id, "root.q", user, "dev");
    world_ask(world, id, id, vcore, 1);
    (void)world_schedule(world);
}

static void each_limit(void **state)
{
    static const struct {
        const char *queue;
        int64_t vcore; /* of the ask that waits; another one runs with 1500 */
        const char *token, *refusal, *sentence;
    } cases[] = {
        {"resources: {max: {vcore: 2}}", 1000, "QueueQuota", "quota of queue 'root.q' has been exceeded",
         "needs 1 core, queue root.q has 0.5 of 2 cores free"},
        {OF_JOE "maxresources: {vcore: 2}}]", 1000, "UserQuota",
         "limit of user 'joe' in queue 'root.q' has been exceeded",
         "needs 1 core, user joe has 0.5 of 2 cores free in queue root.q"},
        {OF_DEV "maxresources: {vcore: 2}}]", 1000, "GroupQuota",
         "limit of group 'dev' in queue 'root.q' has been exceeded",
         "needs 1 core, group dev has 0.5 of 2 cores free in queue root.q"},
        {"resources: {max: {vcore: 2}}", 3000, "ExceedsMaxCapacity",
         "quota of queue 'root.q' has been exceeded", "needs 3 cores, queue root.q may have 2 cores in all"},
        {OF_JOE "maxresources: {vcore: 2}}]", 3000, "ExceedsMaxCapacity",
         "limit of user 'joe' in queue 'root.q' has been exceeded",
         "needs 3 cores, user joe may have 2 cores"},
        {"maxapplications: 1", 1000, "QueueMaxApplications",
         "maximum of running applications of queue 'root.q' has been reached",
         "queue root.q runs 1 of at most 1"},
        {OF_JOE "maxapplications: 1}]", 1000, "UserMaxApplications",
         "maximum of running applications of user 'joe' in queue 'root.q' has been reached",
         "user joe runs 1 of at most 1"},
        {OF_DEV "maxapplications: 1}]", 1000, "GroupMaxApplications",
         "maximum of running applications of group 'dev' in queue 'root.q' has been reached",
         "group dev runs 1 of at most 1"},
        {"maxapplications: 9", 9000, "InsufficientNodeResources", "", "needs 9 cores"},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, cases[i].queue);
        submit(&world, "runs", "joe", 1500);
        submit(&world, "waits", "joe", cases[i].vcore);
        says(&world, "waits", cases[i].token, cases[i].refusal, cases[i].sentence);
        world_done(&world);
    }
}

static void one_application_at_a_time(void **state)
{
    struct world world;
    (void)state;
    begin(&world, "properties: {application.sort.policy: stateaware}");
    submit(&world, "runs", "joe", 9500);
    submit(&world, "first", "joe", 5000);
    submit(&world, "waits", "joe", 1000);
    says(&world, "waits", "QueueMaxApplications", "queue 'root.q' starts one application at a time",
         "queue root.q starts one application at a time");
    world_done(&world);
}

/* The limit of a user refused the ask when it was tried last, and nothing tries it again while that limit is
 * full. Then the queue fills as well, and is named, in all three texts. */
static void a_limit_that_was_reached_later(void **state)
{
    struct world world;
    (void)state;
    begin(&world, "resources: {max: {vcore: 4}}, " OF_JOE "maxresources: {vcore: 2}}]");
    submit(&world, "runs", "joe", 1500);
    submit(&world, "waits", "joe", 1000);
    says(&world, "waits", "UserQuota", "limit of user 'joe' in queue 'root.q' has been exceeded",
         "needs 1 core");
    submit(&world, "other", "ann", 2500);
    says(&world, "waits", "QueueQuota", "quota of queue 'root.q' has been exceeded",
         "needs 1 core, queue root.q has 0 of 4 cores free");
    world_done(&world);
}

/* Asks that lack nodes, as the ones before them do, which need all that the queue has left: a larger maximum
 * does not help as long as there is no node, so it is not the reason. */
static void a_limit_behind_the_nodes(void **state)
{
    static const char claimed[] = "; pods that come first need what queue root.q has free";
    struct world world;
    YK_CLEANUP(yk_si_why_text_done) struct yk_si_why_text text = {0};
    (void)state;
    begin(&world, "resources: {max: {vcore: 14}}");
    submit(&world, "runs", "joe", 9500);
    submit(&world, "first", "joe", 2000);
    submit(&world, "second", "joe", 2000);
    submit(&world, "third", "joe", 2000);
    for (int step = 0; step < 8; step++)
        yk_outstanding_report(world_partition(&world));
    says(&world, "first", "InsufficientNodeResources", "", "needs 2 cores; the only node that it may use, ");
    says(&world, "third", "InsufficientNodeResources",
         "rest of the limit is needed by pods that come first, and no node takes it now",
         "needs 2 cores; the only node that it may use, ");
    (void)yk_core_why(world.core, "rm", "third", "third", &text);
    assert_true(yk_str_ends(yk_buf_view(&text.sentence), claimed));
    const struct yk_why why = yk_why_claimed(yk_app_find_ask(world_app(&world, "third"), YK_STR("third")));
    assert_int_equal(why.reason, YK_REASON_QUEUE_QUOTA);
    assert_true(why.is_shared);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_limit),
        cmocka_unit_test(one_application_at_a_time),
        cmocka_unit_test(a_limit_that_was_reached_later),
        cmocka_unit_test(a_limit_behind_the_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* preemption.min.runtime and preemption.budget (scheduling.md 6.0). */
#include "lib/preemption_stage.h"

#define A "    - {name: a, resources: {guaranteed: {vcore: 4}}}\n"
#define B(properties)                                                                                        \
    "    - {name: p, properties: {" properties "}, queues: [{name: b}, {name: c}, {name: d, properties: {"   \
    "preemption.min.runtime: '0', preemption.budget: '0'}}]}\n"

static void start(struct stage *stage, const char *partition, const char *queues)
{
    stage_init(stage, partition, queues);
    world_node(&stage->world, "n1", 4000, 4096);
    world_node(&stage->world, "n2", 100, 100); /* too small for all */
}

/* x1 is 40 s younger than x2. */
static void not_before_it_has_run(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", A B("preemption.min.runtime: 60s"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.p.b", 2000, 10, "n1"));
    stage_wait(&stage, 40);
    stage_pod(&stage, &(struct pod)POD("x1", "root.p.b", 2000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 1000, 10, NULL, .age_s = 40));
    stage_wait(&stage, 10);
    stage_expect(&stage, "both have run for too short a time", "");
    stage_wait(&stage, 9);
    stage_expect(&stage, "one second short", "");
    stage_wait(&stage, 1);
    stage_expect(&stage, "the older one", "x2");
    stage_done(&stage);
}

static void it_is_inherited_and_can_be_switched_off(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", A B("preemption.min.runtime: 60s, preemption.budget: '1'"));
    stage_pod(&stage, &(struct pod)POD("x1", "root.p.c", 2000, 10, "n1", .age_s = 1));
    stage_pod(&stage, &(struct pod)POD("x2", "root.p.d", 2000, 10, "n1", .age_s = 50));
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 1000, 10, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    stage_expect(&stage, "d has switched it off", "x2");
    stage_done(&stage);
}

/* The branch of p may lose one in a minute, of whichever leaf; d counts, too. */
static void a_budget_per_minute(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", A B("preemption.budget: '1'"));
    stage_pod(&stage, &(struct pod)POD("x1", "root.p.b", 2000, 10, "n1", .age_s = 1));
    stage_pod(&stage, &(struct pod)POD("x2", "root.p.d", 2000, 10, "n1", .age_s = 2));
    stage_pod(&stage, &(struct pod)POD("one", "root.a", 2000, 10, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    stage_expect(&stage, "the first", "x1");
    stage_confirm(&stage);
    stage_wait(&stage, 1);
    stage_pod(&stage, &(struct pod)POD("two", "root.a", 2000, 10, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    for (int i = 0; i < 58; i++)
        stage_wait(&stage, 1);
    stage_expect(&stage, "not within the minute", "");
    for (int i = 0; i < 15; i++)
        stage_wait(&stage, 1);
    stage_expect(&stage, "after it", "x2");
    stage_done(&stage);
}

/* A plan that needs two is no plan. */
static void a_plan_keeps_to_the_budget(void **state)
{
    (void)state;
    for (int budget = 1; budget <= 2; budget++) {
        struct stage stage;
        start(&stage, "", budget == 1 ? A B("preemption.budget: '1'") : A B("preemption.budget: '2'"));
        stage_pod(&stage, &(struct pod)POD("x1", "root.p.b", 2000, 10, "n1", .age_s = 1));
        stage_pod(&stage, &(struct pod)POD("x2", "root.p.b", 2000, 10, "n1", .age_s = 2));
        stage_pod(&stage, &(struct pod)POD("ask", "root.a", 4000, 10, NULL, .age_s = 40));
        stage_wait(&stage, 0);
        stage_expect(&stage, "two", budget == 1 ? "" : "x1 x2");
        stage_wait(&stage, 200);
        stage_expect(&stage, "nor later", "");
        stage_done(&stage);
    }
}

#define Q(max, more)                                                                                         \
    "    - {name: q, resources: {max: {vcore: " max "}}, properties: {quota.preemption.delay: 10s" more "}}" \
    "\n"

/* A lowered maximum is enforced bit by bit. */
static void quotas_keep_to_it(void **state)
{
    (void)state;
    static const char on[] = "  preemption: {quotapreemptionenabled: true}\n";
    struct stage stage;
    start(&stage, on, Q("4", ", preemption.budget: '1'"));
    stage_pod(&stage, &(struct pod)POD("1", "root.q", 1000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("2", "root.q", 1000, 10, "n1"));
    stage_pod(&stage, &(struct pod)POD("3", "root.q", 1000, 10, "n1"));
    stage_reload(&stage, on, Q("1", ", preemption.budget: '1'"));
    stage_wait(&stage, 11);
    stage_expect(&stage, "one", "1");
    stage_confirm(&stage);
    stage_wait(&stage, 50);
    stage_expect(&stage, "not within the minute", "");
    stage_wait(&stage, 15);
    stage_expect(&stage, "the next", "2");
    stage_confirm(&stage);
    stage_wait(&stage, 200);
    stage_expect(&stage, "it is within its maximum", "");
    stage_done(&stage);
}

static void daemon_sets_do_not_but_count(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "", A B("preemption.min.runtime: 60s, preemption.budget: '1'"));
    world_node(&stage.world, "n3", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.p.b", 2000, 10, "n1", .age_s = 1));
    stage_pod(&stage, &(struct pod)POD("x2", "root.p.b", 2000, 10, "n1", .age_s = 99));
    stage_pod(&stage, &(struct pod)POD("x3", "root.p.b", 4000, 10, "n3", .required_node = "n3"));
    stage_pod(&stage, &(struct pod)POD("daemon", "root.a", 100, 10, NULL, .required_node = "n1", .app = "d"));
    stage_wait(&stage, 1);
    stage_expect(&stage, "the young one, for the daemon set", "x1");
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 2000, 10, NULL, .age_s = 40));
    stage_wait(&stage, 1);
    stage_expect(&stage, "the budget is used up", "");
    stage_done(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_before_it_has_run), cmocka_unit_test(it_is_inherited_and_can_be_switched_off),
        cmocka_unit_test(a_budget_per_minute),   cmocka_unit_test(a_plan_keeps_to_the_budget),
        cmocka_unit_test(quotas_keep_to_it),     cmocka_unit_test(daemon_sets_do_not_but_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

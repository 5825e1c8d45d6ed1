/* SPDX-License-Identifier: Apache-2.0 */
/* What victims give up is kept for whom they end for (scheduling.md 6.1 step 10, 6.4, D09). */
#include "lib/preemption_stage.h"
#include "reservation/reservations.h"
#include "reservation/use_reservation.h"

#define A2 "    - {name: a, resources: {guaranteed: {vcore: 2}}}\n"
#define B  "    - {name: b}\n    - {name: c}\n"
#define P                                                                                                    \
    "    - {name: p, resources: {max: {vcore: 2}}, queues: [{name: a, resources: {guaranteed: {vcore: "      \
    "1}}}, {name: b}, "                                                                                      \
    "{name: c}]}\n"

/* n1 is full of b: two of 2 cores. */
static void start(struct stage *stage)
{
    stage_init(stage, "", A2 B);
    world_node(&stage->world, "n1", 4000, 4096);
    stage_pod(stage, &(struct pod)POD("x1", "root.b", 1000, 100, "n1"));
    stage_pod(stage, &(struct pod)POD("x2", "root.b", 1000, 100, "n1", .age_s = 1));
    stage_pod(stage, &(struct pod)POD("x3", "root.b", 1000, 100, "n1", .age_s = 2));
    stage_pod(stage, &(struct pod)POD("x4", "root.b", 1000, 100, "n1", .age_s = 3));
    stage_pod(stage, &(struct pod)POD("ask", "root.a", 2000, 100, NULL, .age_s = 40));
    stage_wait(stage, 0);
    stage_expect(stage, "start", "x1 x2");
}

static bool has_nominated(struct stage *stage, const char *key)
{
    return (stage_ask(stage, key)->flags & YK_ASK_PREEMPTION_TRIGGERED) != 0;
}

static int64_t nominated(struct stage *stage, const char *queue)
{
    return yk_resvec_get(&world_queue(&stage->world, queue)->nominated, YK_RESTYPE_VCORE);
}

static void the_node_is_kept(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage);
    assert_int_equal(nominated(&stage, "root.a"), 2000);
    assert_int_equal(nominated(&stage, "root"), 2000);
    stage_pod(&stage, &(struct pod)POD("c1", "root.c", 1000, 100, NULL, .priority = 100));
    stage_confirm_one(&stage, "x1");
    stage_wait(&stage, 1);
    assert_string_equal(stage_where(&stage, "c1"), ""); /* it would fit */
    stage_confirm_one(&stage, "x2");
    stage_wait(&stage, 1);
    assert_string_equal(stage_where(&stage, "ask"), "n1");
    assert_string_equal(stage_where(&stage, "c1"), "");
    assert_int_equal(nominated(&stage, "root"), 0);
    stage_done(&stage);
}

/* A plan without victims: the node has capacity that is kept for an ask without a guarantee. */
static void a_reservation_is_displaced(void **state)
{
    (void)state;
    struct stage stage;
    /* An ask of a leaf with a guarantee of its own would use the node at once (scheduling.md 4.3). */
    stage_init(&stage, "", "    - {name: p, resources: {guaranteed: {vcore: 2}}, queues: [{name: a}]}\n" B);
    struct yk_partition *partition = world_partition(&stage.world);
    world_node(&stage.world, "n1", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 2000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("large", "root.c", 4000, 100, NULL, .priority = 10));
    assert_true(yk_reserve(partition, stage_ask(&stage, "large"), yk_partition_find_node(partition, "n1"),
                           YK_RESERVE_WAITING));
    stage_pod(&stage, &(struct pod)POD("ask", "root.p.a", 2000, 100, NULL));
    stage_wait(&stage, 0);
    assert_string_equal(stage_where(&stage, "ask"), ""); /* not before the delay */
    stage_wait(&stage, 30);
    stage_expect(&stage, "no pod has to end", "");
    assert_string_equal(stage_where(&stage, "ask"), "n1");
    assert_int_equal(nominated(&stage, "root"), 0);
    stage_done(&stage);
}

/* The maximum of p is the shortage: what is freed there is for a only. */
static void room_in_the_queue_is_kept(void **state)
{
    (void)state;
    struct stage stage;
    YK_RESVEC(room);
    stage_init(&stage, "", P);
    world_node(&stage.world, "n1", 4000, 4096);
    world_node(&stage.world, "n2", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.p.b", 1000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.p.b", 1000, 100, "n1", .age_s = 1));
    stage_pod(&stage, &(struct pod)POD("ask", "root.p.a", 1000, 100, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    stage_expect(&stage, "queue", "x1");
    stage_pod(&stage, &(struct pod)POD("c1", "root.p.c", 1000, 100, NULL, .priority = 100));
    stage_wait(&stage, 1);
    assert_true(yk_queue_headroom(world_queue(&stage.world, "root.p.c"), false, &room));
    assert_int_equal(yk_resvec_get(&room, YK_RESTYPE_VCORE), 0);
    world_release(&stage.world, "root.p.b", "x1", YK_SI_PREEMPTED_BY_SCHEDULER);
    assert_true(yk_queue_headroom(world_queue(&stage.world, "root.p.c"), false, &room));
    assert_int_equal(yk_resvec_get(&room, YK_RESTYPE_VCORE), 0);
    stage_wait(&stage, 0);
    assert_string_not_equal(stage_where(&stage, "ask"), "");
    assert_string_equal(stage_where(&stage, "c1"), "");
    world_release(&stage.world, "root.p.b", "x2", YK_SI_STOPPED_BY_RM);
    stage_wait(&stage, 0);
    assert_string_not_equal(stage_where(&stage, "c1"), "");
    stage_done(&stage);
}

/* A limit of the user has room for one of two asks: nothing ends for the second one. */
static void a_limit_of_the_user_counts_who_is_promised(void **state)
{
    static const char limited[] =
        "    - {name: a, resources: {guaranteed: {vcore: 2}}, limits: [{limit: one, users: ['*'], "
        "maxresources: {vcore: 1}}]}\n";
    (void)state;
    struct stage stage;
    char queues[512];
    (void)snprintf(queues, sizeof(queues), "%s" B, limited);
    stage_init(&stage, "", queues);
    world_node(&stage.world, "n1", 2000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 1000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.b", 1000, 100, "n1", .age_s = 1));
    stage_pod(&stage, &(struct pod)POD("first", "root.a", 1000, 100, NULL, .age_s = 40));
    stage_pod(&stage, &(struct pod)POD("second", "root.a", 1000, 100, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    stage_expect(&stage, "for the first one", "x1");
    stage_wait(&stage, 60);
    stage_expect(&stage, "no other pod, as long as the first one waits", "");
    stage_confirm(&stage);
    stage_wait(&stage, 60);
    stage_expect(&stage, "no other pod, once the limit is reached", "");
    assert_string_equal(stage_where(&stage, "first"), "n1");
    assert_string_equal(stage_where(&stage, "second"), "");
    stage_done(&stage);
}

/* The group's limit refuses an ask that was not tried so far, for another of its shape found no node. */
static void a_limit_of_the_group_counts_before_the_first_try(void **state)
{
    static const char limited[] =
        "    - {name: a, resources: {guaranteed: {vcore: 2}}, limits: [{limit: one, groups: [small], "
        "maxresources: {vcore: 500m}}]}\n";
    (void)state;
    struct stage stage;
    char queues[512];
    (void)snprintf(queues, sizeof(queues), "%s" B, limited);
    stage_init(&stage, "", queues);
    world_node(&stage.world, "n1", 2000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 1000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.b", 1000, 100, "n1", .age_s = 1));
    stage_pod(&stage, &(struct pod)POD("modest", "root.a", 1000, 100, NULL, .never = true));
    stage_wait(&stage, 60);
    stage_expect(&stage, "it preempts no pod", "");
    world_submit_in_group(&stage.world, "grouped", "root.a", "ann", "small");
    stage_pod(&stage, &(struct pod)POD("beyond", "root.a", 1000, 100, NULL, .app = "grouped"));
    stage_wait(&stage, 60);
    stage_expect(&stage, "nothing ends for an ask that its limit refuses", "");
    stage_done(&stage);
}

/* D09. */
/* What gives room need not be its own victim: for others of its size there is none, for it there is. */
static void room_that_others_give_is_used(void **state)
{
    static const char queues[] =
        "    - {name: p, resources: {max: {vcore: 4}}, queues: [{name: a, resources: "
        "{guaranteed: {vcore: 2}}}, {name: b}]}\n";
    (void)state;
    struct stage stage;
    stage_init(&stage, "", queues);
    world_node(&stage.world, "n1", 4000, 4096);
    world_node(&stage.world, "n2", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("x1", "root.p.b", 1000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("x2", "root.p.b", 1000, 100, "n2", .age_s = 1));
    stage_pod(&stage, &(struct pod)POD("x3", "root.p.b", 1000, 100, "n2", .age_s = 2));
    stage_pod(&stage, &(struct pod)POD("ask", "root.p.a", 2000, 100, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    stage_expect(&stage, "queue", "x1");
    world_release(&stage.world, "root.p.b", "x2", YK_SI_STOPPED_BY_RM);
    stage_wait(&stage, 0);
    assert_string_equal(stage_where(&stage, "ask"), "n1");
    stage_done(&stage);
}

static void a_lost_node_frees_the_ask(void **state)
{
    (void)state;
    for (int removed = 0; removed < 2; removed++) {
        struct stage stage;
        start(&stage);
        world_node(&stage.world, "n2", 2000, 100);
        stage_pod(&stage, &(struct pod)POD("y1", "root.b", 2000, 100, "n2"));
        world_node_action(&stage.world, "n1", removed ? YK_SI_NODE_DECOMMISSION : YK_SI_NODE_DRAIN);
        assert_false(has_nominated(&stage, "ask"));
        assert_int_equal(nominated(&stage, "root"), 0);
        stage_wait(&stage, 14);
        stage_expect(&stage, "14 s later", "");
        stage_wait(&stage, 1);
        stage_expect(&stage, "15 s later", "y1");
        stage_confirm(&stage);
        stage_wait(&stage, 0);
        assert_string_equal(stage_where(&stage, "ask"), "n2");
        stage_done(&stage);
    }
}

static void victims_in_vain_free_the_ask(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage);
    struct yk_resvec size = world_size(1000, 100); /* a pod of others takes what the first one gave */
    stage_confirm_one(&stage, "x1");
    struct yk_si_allocation other = {.key = "other", .node_id = "n1", .resource = &size, .foreign = true};
    assert_int_equal(yk_core_update_allocation(stage.world.core, "rm", &other), YK_OK);
    assert_true(has_nominated(&stage, "ask"));
    stage_confirm_one(&stage, "x2");
    assert_false(has_nominated(&stage, "ask"));
    world_check(&stage.world);
    stage_wait(&stage, 14);
    stage_expect(&stage, "14 s later", "");
    stage_wait(&stage, 1);
    stage_expect(&stage, "15 s later", "x3");
    stage_confirm(&stage);
    stage_wait(&stage, 0);
    assert_string_equal(stage_where(&stage, "ask"), "n1");
    stage_done(&stage);
}

static void victims_may_end_in_any_way(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage);
    world_release(&stage.world, "root.b", "x1", YK_SI_STOPPED_BY_RM);
    world_release(&stage.world, "root.b", "x2", YK_SI_SCHEDULING_FAILED_ON_RM);
    stage_wait(&stage, 0);
    assert_string_equal(stage_where(&stage, "ask"), "n1");
    stage_done(&stage);
}

static void what_the_ask_does_not_need_the_next_one_gets(void **state)
{
    (void)state;
    for (int starts = 0; starts < 2; starts++) {
        struct stage stage;
        start(&stage);
        stage_pod(&stage, &(struct pod)POD("ask2", "root.a", 2000, 100, NULL, .age_s = 2));
        if (starts) /* it starts elsewhere */
            world_node(&stage.world, "n2", 2000, 100);
        else
            world_release(&stage.world, "root.a", "ask", YK_SI_STOPPED_BY_RM);
        stage_wait(&stage, 0);
        if (starts)
            assert_string_equal(stage_where(&stage, "ask"), "n2");
        assert_true(has_nominated(&stage, "ask2"));
        assert_int_equal(nominated(&stage, "root.a"), 2000);
        stage_confirm(&stage);
        stage_wait(&stage, 0);
        assert_string_equal(stage_where(&stage, "ask2"), "n1");
        stage_expect(&stage, "no other pod", "");
        stage_done(&stage);
    }
}

static void nobody_left_to_inherit(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage);
    world_release(&stage.world, "root.a", "ask", YK_SI_STOPPED_BY_RM);
    assert_int_equal(nominated(&stage, "root"), 0);
    world_check(&stage.world);
    stage_confirm(&stage);
    stage_pod(&stage, &(struct pod)POD("c1", "root.c", 2000, 100, NULL));
    stage_wait(&stage, 0);
    assert_string_equal(stage_where(&stage, "c1"), "n1");
    stage_done(&stage);
}

/* What is promised counts as used: two asks do not share one guarantee. */
static void promises_count_for_the_guarantee(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage);
    world_node(&stage.world, "n2", 2000, 100);
    stage_pod(&stage, &(struct pod)POD("y1", "root.b", 2000, 100, "n2"));
    stage_pod(&stage, &(struct pod)POD("second", "root.a", 1000, 100, NULL, .age_s = 40, .app = "other"));
    stage_wait(&stage, 1);
    stage_expect(&stage, "above the guarantee", "");
    stage_done(&stage);
}

static void a_preempted_placeholder_is_not_replaced(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", A2 B);
    world_node(&stage.world, "n1", 2000, 4096);
    stage_pod(&stage, &(struct pod)POD("hold", "root.b", 2000, 100, "n1", .is_placeholder = true));
    stage_pod(&stage, &(struct pod)POD("ask", "root.a", 2000, 100, NULL, .age_s = 40));
    stage_wait(&stage, 0);
    stage_expect(&stage, "placeholder", "hold");
    struct yk_resvec size = world_size(1000, 100);
    struct yk_si_allocation real = {
        .key = "real", .application_id = "root.b", .resource = &size, .task_group = "group"};
    assert_int_equal(yk_core_update_allocation(stage.world.core, "rm", &real), YK_OK);
    stage_wait(&stage, 1);
    assert_int_equal(stage_ask(&stage, "real")->flags & YK_ASK_REPLACING, 0);
    stage_confirm(&stage);
    stage_wait(&stage, 0);
    assert_string_equal(stage_where(&stage, "ask"), "n1");
    stage_done(&stage);
}

/* A preempted pod does not preempt its preemptor: an ask that preempts stays within its guarantee. */
static void no_mutual_eviction(void **state)
{
    (void)state;
    struct stage stage;
    size_t victims = 0;
    stage_init(&stage, "",
               "    - {name: a, resources: {guaranteed: {vcore: 2}}}\n    - {name: b, resources: "
               "{guaranteed: {vcore: 2}}}\n");
    world_node(&stage.world, "n1", 4000, 4096);
    for (int i = 0; i < 4; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "b%d", i);
        stage_pod(&stage, &(struct pod)POD(key, "root.b", 1000, 100, "n1"));
        key[0] = 'a';
        stage_pod(&stage, &(struct pod)POD(key, "root.a", 1000, 100, NULL, .age_s = 40));
    }
    for (int round = 0; round < 20; round++) {
        stage_wait(&stage, 40);
        while (stage.waiting_count > 0) { /* each victim comes back as another pod */
            char key[32], again[40];
            memcpy(key, stage.waiting[0], sizeof(key));
            (void)snprintf(again, sizeof(again), "%.20s+", key);
            stage_confirm_one(&stage, key);
            stage_pod(&stage, &(struct pod)POD(again, key[0] == 'a' ? "root.a" : "root.b", 1000, 100, NULL));
            victims++;
        }
    }
    assert_int_equal(victims, 2);
    assert_int_equal(yk_resvec_get(&world_queue(&stage.world, "root.a")->allocated, YK_RESTYPE_VCORE), 2000);
    stage_done(&stage);
}

/* `count` asks of one core wait in `leaf`, and allocations of `other` on n1 are ended for them. */
static void nominate(struct stage *stage, const char *leaf, const char *other, int count)
{
    for (int i = 0; i < count; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "x%02d", i);
        stage_pod(stage, &(struct pod)POD(key, other, 1000, 100, "n1"));
        key[0] = 'a';
        stage_pod(stage, &(struct pod)POD(key, leaf, 1000, 100, NULL, .age_s = 40));
    }
    for (int i = 0; i < count; i++)
        stage_wait(stage, 1);
}

/* Equal asks of an application are compared with a freed node as one. */
static void a_freed_node_is_compared_with_groups(void **state)
{
    enum { ASKS = 20 };
    (void)state;
    struct stage stage;
    stage_init(&stage, "", "    - {name: a, resources: {guaranteed: {vcore: 20}}}\n" B);
    struct yk_partition *partition = world_partition(&stage.world);
    world_node(&stage.world, "n1", ASKS * 1000, 100000);
    nominate(&stage, "root.a", "root.b", ASKS);
    assert_int_equal(nominated(&stage, "root.a"), ASKS * 1000);
    world_node(&stage.world, "n2", 100, 100); /* too small, and free */
    assert_int_equal(yk_use_reservation_node_freed(partition, yk_partition_find_node(partition, "n2")), 1);
    assert_int_equal(partition->reservation.active.count, 0);
    world_node(&stage.world, "n3", 1000, 100); /* could take any of them */
    assert_int_equal(yk_use_reservation_node_freed(partition, yk_partition_find_node(partition, "n3")), 1);
    assert_int_equal(partition->reservation.active.count, ASKS);
    stage_confirm(&stage);
    stage_wait(&stage, 1);
    assert_int_equal(yk_use_reservation_node_freed(partition, yk_partition_find_node(partition, "n2")), 0);
    stage_done(&stage);
}

/* Of equal asks that a queue holds up, one is tried when a node comes free, and the others follow it. */
static void one_that_a_queue_holds_up_is_tried(void **state)
{
    enum { ASKS = 20 };
    (void)state;
    struct stage stage;
    stage_init(&stage, "",
               "    - {name: p, resources: {max: {vcore: 20}}, queues: [{name: a, resources: {guaranteed: "
               "{vcore: 20}}}, {name: b}]}\n");
    struct yk_partition *partition = world_partition(&stage.world);
    world_node(&stage.world, "n1", 2 * ASKS * 1000, 100000);
    nominate(&stage, "root.p.a", "root.p.b", ASKS);
    assert_int_equal(nominated(&stage, "root.p.a"), ASKS * 1000);
    world_node(&stage.world, "n2", 1000, 100);
    stage_wait(&stage, 1);
    assert_int_equal(yk_use_reservation_node_freed(partition, yk_partition_find_node(partition, "n2")), 1);
    assert_int_equal(partition->reservation.active.count, 1);
    stage_confirm(&stage);
    stage_wait(&stage, 1);
    assert_int_equal(yk_resvec_get(&world_queue(&stage.world, "root.p.a")->allocated, YK_RESTYPE_VCORE),
                     ASKS * 1000);
    stage_done(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_node_is_kept),
        cmocka_unit_test(a_reservation_is_displaced),
        cmocka_unit_test(room_in_the_queue_is_kept),
        cmocka_unit_test(a_limit_of_the_user_counts_who_is_promised),
        cmocka_unit_test(a_limit_of_the_group_counts_before_the_first_try),
        cmocka_unit_test(room_that_others_give_is_used),
        cmocka_unit_test(a_lost_node_frees_the_ask),
        cmocka_unit_test(victims_in_vain_free_the_ask),
        cmocka_unit_test(victims_may_end_in_any_way),
        cmocka_unit_test(what_the_ask_does_not_need_the_next_one_gets),
        cmocka_unit_test(nobody_left_to_inherit),
        cmocka_unit_test(promises_count_for_the_guarantee),
        cmocka_unit_test(a_preempted_placeholder_is_not_replaced),
        cmocka_unit_test(no_mutual_eviction),
        cmocka_unit_test(a_freed_node_is_compared_with_groups),
        cmocka_unit_test(one_that_a_queue_holds_up_is_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

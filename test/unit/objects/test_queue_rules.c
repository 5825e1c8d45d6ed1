/* SPDX-License-Identifier: Apache-2.0 */
/* One queue path, rule by rule (queues.md R1, R20, R23 to R35), with the worked example of R26. */
#include "lib/amounts.h"
#include "objects/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct path {
    struct yk_queue *root, *a, *b;
};

/* Below 0: the type is absent. */
static struct yk_resvec amounts(int64_t vcore, int64_t memory)
{
    struct yk_resvec r = {0};
    if (vcore >= 0)
        yk_resvec_put(&r, YK_RESTYPE_VCORE, vcore);
    if (memory >= 0)
        yk_resvec_put(&r, YK_RESTYPE_MEMORY, memory);
    return r;
}

static void limit(struct yk_queue *queue, int64_t vcore, int64_t memory)
{
    set_amounts(&queue->max, amounts(vcore, memory));
    queue->has_max = !yk_resvec_is_empty(&queue->max);
    yk_queue_update_fair_max(queue);
}

/* root {vcore 10000, memory 100}, root.a {vcore 4000}, root.a.b without maximum. */
static struct path example(void)
{
    struct path path;
    path.root = yk_queue_new(NULL, YK_STR("root"), false, true, 1);
    path.a = yk_queue_new(path.root, YK_STR("A"), false, true, 1);
    path.b = yk_queue_new(path.a, YK_STR("b"), true, true, 1);
    limit(path.root, 10000, 100);
    limit(path.a, 4000, -1);
    limit(path.b, -1, -1);
    return path;
}

static void expect(const struct yk_resvec *got, int64_t vcore, int64_t memory, const char *what)
{
    struct yk_resvec want = amounts(vcore, memory);
    if (!yk_resvec_same(got, &want))
        fail_msg("%s: vcore %lld, memory %lld", what, (long long)yk_resvec_get(got, YK_RESTYPE_VCORE),
                 (long long)yk_resvec_get(got, YK_RESTYPE_MEMORY));
}

static void limits_over_the_path(void **state)
{
    (void)state;
    struct path path = example();
    YK_RESVEC(got);
    set_amounts(&path.a->allocated, amounts(1000, 30));
    set_amounts(&path.root->allocated, amounts(2000, 60));
    assert_string_equal(path.b->path, "root.a.b"); /* R5: lower case */
    assert_true(yk_queue_effective_max(path.b, true, &got));
    expect(&got, 4000, 100, "R23: effective max");
    assert_true(yk_queue_effective_max(path.b, false, &got));
    expect(&got, 4000, -1, "R24: without the cluster");
    expect(&path.b->fair_max, 4000, 100, "R25: fair max");
    assert_true(yk_queue_headroom(path.b, true, &got));
    expect(&got, 3000, 40, "R26: headroom");
    assert_true(yk_queue_headroom(path.b, false, &got));
    expect(&got, 3000, -1, "R27: max headroom");
    set_amounts(&path.a->allocated, amounts(5000, 30));
    assert_true(yk_queue_headroom(path.b, true, &got));
    assert_int_equal(yk_resvec_get(&got, YK_RESTYPE_VCORE), -1000); /* R26: may be negative */
    assert_false(yk_queue_actual_guaranteed(path.b, &got));
    set_amounts(&path.a->guaranteed, amounts(2000, -1));
    set_amounts(&path.b->guaranteed, amounts(3000, 20));
    path.a->has_guaranteed = path.b->has_guaranteed = true;
    assert_true(yk_queue_actual_guaranteed(path.b, &got));
    expect(&got, 2000, 20, "R28: actual guaranteed");
    limit(path.root, -1, -1);
    limit(path.a, -1, -1);
    assert_false(yk_queue_effective_max(path.b, true, &got));
    assert_false(yk_queue_headroom(path.b, true, &got));
    yk_queue_free(path.root);
}

static void room_on_the_path(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int64_t vcore, memory;
        const char *refusing; /* NULL: there is room */
    } cases[] = {
        {"exactly what is left", 3000, 40, NULL},
        {"the middle refuses", 3001, 1, "root.a"},
        {"the root refuses nothing", 1, 41, NULL},
        {"only the middle refuses", 9000, 41, "root.a"},
        {"nothing", 0, 0, NULL},
    };
    struct path path = example();
    struct yk_resvec used = amounts(1000, 60);
    yk_queue_add_allocated(path.b, &used);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_queue *refusing = NULL;
        struct yk_resvec size = amounts(cases[i].vcore, cases[i].memory);
        bool room = yk_queue_has_headroom(path.b, &size, &refusing);
        if (room != (cases[i].refusing == NULL) || (!room && strcmp(refusing->path, cases[i].refusing) != 0))
            fail_msg("%s: %s", cases[i].what, room ? "room" : refusing->path);
    }
    YK_RESVEC(pods);
    yk_resvec_put(&pods, YK_RESTYPE_PODS, 1);
    assert_true(
        yk_queue_has_headroom(path.b, &pods, NULL)); /* a type that no node offers: the nodes refuse it */
    limit(path.b, 500, 200);
    struct yk_queue *refusing = NULL;
    struct yk_resvec both = amounts(9000, 1);
    assert_false(yk_queue_has_headroom(path.b, &both, &refusing));
    assert_ptr_equal(refusing, path.a); /* R29: the one nearer to the root is named */
    limit(path.a, 0, 50);
    assert_false(yk_queue_has_headroom(path.a, &used, NULL)); /* 0 beside others forbids (R1) */
    yk_queue_free(path.root);
}

static void usage_is_booked_on_the_path(void **state)
{
    (void)state;
    struct path path = example();
    struct yk_resvec size = amounts(6000, 10), half = amounts(3000, 0);
    yk_queue_add_allocated(path.b, &size); /* R30: above the maximum of root.a */
    expect(&path.root->allocated, 6000, 10, "R33: the root has it, too");
    yk_queue_sub_allocated(path.b, &half);
    expect(&path.a->allocated, 3000, 10, "R31");
    yk_queue_sub_allocated(path.a, &(struct yk_resvec){0});
    yk_queue_sub_allocated(path.b, &half);
    expect(&path.b->allocated, -1, 10, "R31: what is 0 is pruned");
    yk_queue_add_pending(path.b, &size);
    expect(&path.root->pending, 6000, 10, "R32");
    yk_queue_sub_pending(path.b, &size);
    expect(&path.root->pending, -1, -1, "R32: nothing pends");
    yk_queue_free(path.root);
}

static void applications_count_on_the_path(void **state)
{
    (void)state;
    struct path path = example();
    struct yk_queue *refusing = NULL;
    path.root->max_apps = 3;
    path.a->max_apps = 2;
    yk_queue_count_running(path.b, 1);
    assert_true(yk_queue_may_start_app(path.b, false, &refusing));
    yk_queue_count_allocating(path.b, 1); /* R35: got something while Accepted */
    assert_false(yk_queue_may_start_app(path.b, false, &refusing));
    assert_ptr_equal(refusing, path.a);
    assert_true(yk_queue_may_start_app(path.b, true, &refusing)); /* is counted already */
    yk_queue_count_allocating(path.b, -1);
    yk_queue_count_running(path.b, 1); /* R37 */
    assert_int_equal(path.root->running_apps, 2);
    assert_int_equal(path.root->allocating_accepted, 0); /* BUG-22: on the whole path */
    yk_queue_free(path.root);
}

static void states_and_names(void **state)
{
    (void)state;
    struct path path = example();
    struct yk_str rest;
    assert_false(yk_queue_is_draining(path.b));
    path.a->state = YK_STATE_DRAINING;
    assert_true(yk_queue_is_draining(path.b)); /* R20 */
    assert_false(yk_queue_is_draining(path.root));
    assert_ptr_equal(yk_queue_find(path.root, YK_STR("ROOT.a.B")), path.b);
    assert_null(yk_queue_find(path.root, YK_STR("root.a.b.c")));
    assert_ptr_equal(yk_queue_find_deepest(path.root, YK_STR("root.a.x.y"), &rest), path.a);
    assert_true(yk_str_is(rest, "x.y"));
    /* R7: by its path alone */
    struct yk_queue *recovery = yk_queue_new(path.root, YK_STR("@RECOVERY@"), true, false, 1);
    struct yk_queue *other = yk_queue_new(path.a, YK_STR("@recovery@"), true, false, 1);
    assert_true(yk_acl_parse(YK_STR("*"), &path.root->submit_acl, NULL) == YK_OK);
    assert_true(yk_queue_is_recovery(recovery));
    assert_false(yk_queue_is_recovery(other));
    assert_false(yk_queue_may_submit(recovery, "joe", NULL, 0));
    assert_true(yk_queue_may_submit(other, "joe", NULL, 0));
    static const char *const names[] = {"Active", "Draining", "Stopped"}; /* R3 */
    for (int i = 0; i < 3; i++)
        assert_string_equal(yk_object_state_name((enum yk_object_state)i), names[i]);
    yk_queue_free(path.root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_over_the_path),
        cmocka_unit_test(room_on_the_path),
        cmocka_unit_test(usage_is_booked_on_the_path),
        cmocka_unit_test(applications_count_on_the_path),
        cmocka_unit_test(states_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/pod_size.h"

#include "lib/kube_objects.h"

#include "lib/cmocka_headers.h"

/* Takes `size` and the pod. */
static void expect_size(struct yk_sizes *sizes, struct yk_size *size, struct yk_pod *pod, const char *what,
                        const char *want)
{
    struct yk_buf text = {.max = 1024};
    int types[YK_RESTYPE_MAX], count = yk_resvec_types_by_name(&size->amounts, types);
    for (int i = 0; i < count; i++)
        yk_buf_printf(&text, "%s%s=%lld", text.len > 0 ? " " : "", yk_restype_name(types[i]),
                      (long long)yk_resvec_get(&size->amounts, types[i]));
    for (uint32_t i = 0; i < size->extra_count; i++)
        yk_buf_printf(&text, " +%s=%lld", size->extra[i].name, (long long)size->extra[i].amount);
    if (strcmp(yk_buf_cstr(&text), want) != 0)
        fail_msg("%s: got '%s', want '%s'", what, yk_buf_cstr(&text), want);
    yk_buf_done(&text);
    yk_size_put(sizes, size);
    yk_object_free(&pod->object);
}

static void expect(struct yk_sizes *sizes, struct yk_pod *pod, const char *what, const char *want)
{
    expect_size(sizes, yk_pod_size(sizes, pod), pod, what, want);
}

static struct yk_pod *plain(void)
{
    return make_pod("ns", "p", "1");
}

static void formula(void **state)
{
    (void)state;
    struct yk_sizes sizes = {0};
    struct yk_pod *pod = plain();
    expect(&sizes, pod, "a pod without containers is one pod", "pods=1");

    pod = plain();
    add_container(pod, "a", "cpu=500m memory=1Gi");
    add_container(pod, "b", "cpu=1 memory=1M");
    expect(&sizes, pod, "containers add up", "memory=1074741824 pods=1 vcore=1500");

    pod = plain();
    add_container(pod, "a", "cpu=0.0001 memory=1m");
    expect(&sizes, pod, "each entry is rounded up", "memory=1 pods=1 vcore=1");

    pod = plain();
    add_container(pod, "a", "cpu=1");
    add_init_container(pod, "i", "cpu=3 memory=10", NULL);
    add_init_container(pod, "j", "cpu=2 memory=20", NULL);
    expect(&sizes, pod, "init containers run one by one: the largest counts", "memory=20 pods=1 vcore=3000");

    pod = plain();
    add_container(pod, "a", "cpu=1");
    add_init_container(pod, "side", "cpu=2", "Always");
    add_init_container(pod, "i", "cpu=5", NULL);
    expect(&sizes, pod, "an init container runs beside the sidecars before it", "pods=1 vcore=7000");

    pod = plain();
    add_container(pod, "a", "cpu=4");
    add_init_container(pod, "i", "cpu=5", NULL);
    add_init_container(pod, "side", "cpu=2", "Always");
    expect(&sizes, pod, "a sidecar stays beside the containers", "pods=1 vcore=6000");

    pod = plain();
    add_container(pod, "a", "cpu=4 memory=5 ephemeral-storage=6");
    add_amounts(&pod->object, &pod->pod_requests, "cpu=1 ephemeral-storage=1");
    add_amounts(&pod->object, &pod->overhead, "cpu=250m memory=7");
    expect(&sizes, pod, "pod level replaces cpu and memory only, overhead comes on top",
           "ephemeral-storage=6 memory=12 pods=1 vcore=1250");

    pod = plain();
    add_container(pod, "a", "cpu=1 memory=10");
    add_status(pod, "a", "cpu=2 memory=5", "cpu=500m memory=20");
    expect(&sizes, pod, "while resized: the largest of asked, granted, in use",
           "memory=20 pods=1 vcore=2000");

    pod = plain();
    add_container(pod, "a", "cpu=8");
    add_status(pod, "a", "cpu=2", "cpu=1");
    add_condition(pod, "PodResizePending", "Infeasible");
    expect(&sizes, pod, "infeasible: the larger of what is granted and in use", "pods=1 vcore=2000");

    pod = plain();
    add_container(pod, "a", "cpu=8");
    add_status(pod, "a", "cpu=2", NULL);
    set_text(&pod->object, &pod->resize, "Infeasible");
    expect(&sizes, pod, "infeasible without resources in the status: the maximum", "pods=1 vcore=8000");

    pod = plain();
    add_container(pod, "a", "cpu=1");
    add_status(pod, "other", "cpu=9", "cpu=9");
    expect(&sizes, pod, "the status of another container does not count", "pods=1 vcore=1000");

    pod = plain();
    add_container(pod, "a", "memory=9223372036854775807");
    add_container(pod, "b", "memory=9223372036854775807");
    expect(&sizes, pod, "no amount is beyond what sums can take", "memory=281474976710656 pods=1");

    pod = plain();
    add_container(pod, "a", "never.seen/gpu=9223372036854775807 never.seen/fpga=9223372036854775807");
    expect(&sizes, pod, "nor of names that no node offers",
           "never.seen/fpga=281474976710656 never.seen/gpu=281474976710656 pods=1 "
           "+never.seen/gpu=281474976710656 "
           "+never.seen/fpga=281474976710656");

    pod = plain();
    add_container(pod, "a", "never.seen/gpu=2");
    add_container(pod, "b", "never.seen/gpu=3");
    expect(&sizes, pod, "a name that no node offers is kept beside the vector",
           "never.seen/gpu=5 pods=1 +never.seen/gpu=5");
    yk_sizes_done(&sizes);
}

/* A pod that asks as a whole for `asked`, was granted `granted` and uses `actual` (NULL: not said). */
static struct yk_pod *whole(const char *asked, const char *granted, const char *actual)
{
    struct yk_pod *pod = plain();
    add_container(pod, "a", "cpu=500m memory=5");
    add_amounts(&pod->object, &pod->pod_requests, asked);
    pod->has_allocated = granted != NULL;
    pod->has_actual = actual != NULL;
    if (granted != NULL)
        add_amounts(&pod->object, &pod->allocated, granted);
    if (actual != NULL)
        add_amounts(&pod->object, &pod->actual, actual);
    return pod;
}

/* P17: a pod that is resized as a whole. */
static void pod_level_resize(void **state)
{
    (void)state;
    struct yk_sizes sizes = {0};
    static const struct {
        const char *what, *asked, *granted, *actual, *resize, *want;
    } cases[] = {
        {"as it was created", "cpu=2", NULL, NULL, NULL, "memory=5 pods=1 vcore=2000"},
        {"grows: asked counts at once", "cpu=4", "cpu=2", "cpu=2", NULL, "memory=5 pods=1 vcore=4000"},
        {"granted, not in use yet", "cpu=1", "cpu=3", "cpu=2", NULL, "memory=5 pods=1 vcore=3000"},
        {"shrinks: in use until it is done", "cpu=1", "cpu=1", "cpu=3", NULL, "memory=5 pods=1 vcore=3000"},
        {"infeasible: what was asked does not count", "cpu=9", "cpu=2", "cpu=1", "Infeasible",
         "memory=5 pods=1 vcore=2000"},
        {"deferred: it counts", "cpu=9", "cpu=2", "cpu=2", "Deferred", "memory=5 pods=1 vcore=9000"},
        {"infeasible, but no status says what is in use", "cpu=9", NULL, NULL, "Infeasible",
         "memory=5 pods=1 vcore=9000"},
        {"only what is asked for is replaced", "cpu=1", "cpu=1 memory=70", "cpu=1 memory=70", NULL,
         "memory=5 pods=1 vcore=1000"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = whole(cases[i].asked, cases[i].granted, cases[i].actual);
        if (cases[i].resize != NULL)
            add_condition(pod, "PodResizePending", cases[i].resize);
        expect(&sizes, pod, cases[i].what, cases[i].want);
    }
    yk_sizes_done(&sizes);
}

/* 2.8 counts the maximum per container, not that of the sums: one container grows as another shrinks. */
static void maxima_are_per_container(void **state)
{
    (void)state;
    struct yk_sizes sizes = {0};
    struct yk_pod *pod = plain();
    add_container(pod, "grows", "cpu=3");
    add_status(pod, "grows", "cpu=1", "cpu=1");
    add_container(pod, "shrinks", "cpu=1");
    add_status(pod, "shrinks", "cpu=3", "cpu=3");
    expect(&sizes, pod, "3 and 3, where both sums are 4", "pods=1 vcore=6000");
    pod = plain();
    add_container(pod, "a", "cpu=1");
    add_init_container(pod, "side", "cpu=1", "Always");
    struct yk_container_status *status = add_status(pod, "side", "cpu=2", "cpu=2");
    pod->init_container_statuses = status;
    pod->init_container_status_count = 1;
    pod->container_statuses = NULL;
    pod->container_status_count = 0;
    expect(&sizes, pod, "sidecars, too", "pods=1 vcore=3000");
    yk_sizes_done(&sizes);
}

static void add_limits(struct yk_pod *pod, struct yk_container *container, const char *list)
{
    add_amounts(&pod->object, &container->limits, list);
}

static void limits(void **state)
{
    (void)state;
    struct yk_sizes sizes = {0};
    struct yk_pod *pod = plain();
    add_container(pod, "a", "cpu=1");
    assert_null(yk_pod_limits(&sizes, pod));
    add_limits(pod, add_container(pod, "b", "cpu=1"), "cpu=2 memory=10");
    add_limits(pod, add_container(pod, "c", "cpu=1"), "cpu=1 example.com/x=3");
    expect_size(&sizes, yk_pod_limits(&sizes, pod), pod, "those of the containers add up",
                "example.com/x=3 memory=10 vcore=3000 +example.com/x=3");
    pod = plain();
    add_limits(pod, add_container(pod, "a", "cpu=1"), "cpu=1");
    add_limits(pod, add_init_container(pod, "side", NULL, "Always"), "cpu=2");
    add_limits(pod, add_init_container(pod, "i", NULL, NULL), "cpu=5");
    expect_size(&sizes, yk_pod_limits(&sizes, pod), pod, "an init container beside the sidecar",
                "vcore=7000");
    pod = plain();
    add_limits(pod, add_container(pod, "a", "cpu=1"), "cpu=1 ephemeral-storage=5");
    add_amounts(&pod->object, &pod->pod_limits, "cpu=4");
    expect_size(&sizes, yk_pod_limits(&sizes, pod), pod, "that of the pod wins",
                "ephemeral-storage=5 vcore=4000");
    pod = plain();
    add_limits(pod, add_container(pod, "a", "cpu=1"), "cpu=1 ephemeral-storage=0 example.com/x=3");
    add_amounts(&pod->object, &pod->overhead,
                "cpu=250m memory=7 ephemeral-storage=5 example.com/x=1 example.com/y=1");
    expect_size(&sizes, yk_pod_limits(&sizes, pod), pod, "overhead only on top of limits that are not 0",
                "ephemeral-storage=0 example.com/x=4 vcore=1250 +example.com/x=4");
    yk_sizes_done(&sizes);
}

static void equal_sizes_are_one(void **state)
{
    (void)state;
    struct yk_sizes sizes = {0};
    struct yk_pod *a = plain(), *b = plain(), *c = plain();
    add_container(a, "x", "cpu=1 some.where/thing=1");
    add_container(b, "x", "cpu=1000m some.where/thing=1");
    add_container(c, "x", "cpu=1 some.where/thing=2");
    struct yk_size *size_a = yk_pod_size(&sizes, a), *size_b = yk_pod_size(&sizes, b),
                   *size_c = yk_pod_size(&sizes, c);
    assert_ptr_equal(size_a, size_b);
    assert_ptr_not_equal(size_a, size_c);
    assert_int_equal(size_a->holders, 2);
    yk_size_put(&sizes, size_b);
    yk_size_put(&sizes, size_c);

    /* Once a node offers the resource the size gets its slot. */
    struct yk_k8s_node *node = make_node("n", "1", "cpu=4 some.where/thing=3");
    struct yk_size *offered = yk_node_size(&sizes, node);
    struct yk_size *resolved = yk_size_resolve(&sizes, size_a, a->object.namespace_);
    int type = yk_restype_find(YK_STR("some.where/thing"));
    assert_int_not_equal(type, YK_RESTYPE_UNKNOWN);
    assert_int_equal(yk_resvec_get(&resolved->amounts, type), 1);
    assert_false(yk_resvec_has(&resolved->amounts, YK_RESTYPE_UNKNOWN));
    assert_int_equal(yk_resvec_get(&offered->amounts, type), 3);
    assert_int_equal(resolved->extra_count, 0);
    yk_size_put(&sizes, resolved);
    yk_size_put(&sizes, offered);
    yk_size_put(&sizes, size_a);
    yk_object_free(&node->object);
    yk_object_free(&a->object);
    yk_object_free(&b->object);
    yk_object_free(&c->object);
    yk_sizes_done(&sizes);
}

/* Pods that are alike have the same size, but not while one is resized, nor once more names are offered. */
static void what_is_alike_is_counted_once(void **state)
{
    (void)state;
    struct yk_sizes sizes = {0};
    struct yk_pod *pods[4];
    struct yk_size *of[4];
    for (int i = 0; i < 4; i++) {
        pods[i] = plain();
        add_container(pods[i], "a", "cpu=1 some.times/thing=1");
    }
    add_status(pods[1], "a", "cpu=2", "cpu=2");
    of[0] = yk_pod_size(&sizes, pods[0]);
    of[1] = yk_pod_size(&sizes, pods[1]);
    of[2] = yk_pod_size(&sizes, pods[2]);
    assert_ptr_equal(of[0], of[2]);
    assert_ptr_not_equal(of[0], of[1]);
    struct yk_k8s_node *node = make_node("n", "1", "some.times/thing=3");
    struct yk_size *offered = yk_node_size(&sizes, node);
    of[3] = yk_pod_size(&sizes, pods[3]);
    assert_int_equal(of[0]->extra_count, 1);
    assert_int_equal(of[3]->extra_count, 0);
    for (int i = 0; i < 4; i++) {
        yk_size_put(&sizes, of[i]);
        yk_object_free(&pods[i]->object);
    }
    yk_size_put(&sizes, offered);
    yk_object_free(&node->object);
    yk_sizes_done(&sizes);
}

/* P16: a node with more than 2^48 of anything keeps all its resources, and a pod that asks for as much does
 * not fit there. */
static void amounts_of_a_node_saturate(void **state)
{
    (void)state;
    struct yk_sizes sizes = {0};
    struct yk_k8s_node *node = make_node("n", "1", "cpu=4 ephemeral-storage=300Ti");
    struct yk_pod *fits = plain(), *larger = plain();
    add_container(fits, "a", "cpu=1 ephemeral-storage=255Ti");
    add_container(larger, "a", "cpu=1 ephemeral-storage=280Ti");
    struct yk_size *offered = yk_node_size(&sizes, node), *small = yk_pod_size(&sizes, fits),
                   *large = yk_pod_size(&sizes, larger);
    int type = yk_restype_find(YK_STR("ephemeral-storage"));
    assert_int_equal(yk_resvec_get(&offered->amounts, YK_RESTYPE_VCORE), 4000);
    assert_int_equal(yk_resvec_get(&offered->amounts, type), (INT64_C(1) << 48) - 1);
    assert_true(yk_resvec_get(&small->amounts, type) <= yk_resvec_get(&offered->amounts, type));
    assert_true(yk_resvec_get(&large->amounts, type) > yk_resvec_get(&offered->amounts, type));
    yk_size_put(&sizes, offered);
    yk_size_put(&sizes, small);
    yk_size_put(&sizes, large);
    yk_object_free(&node->object);
    yk_object_free(&fits->object);
    yk_object_free(&larger->object);
    yk_sizes_done(&sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formula),
                                       cmocka_unit_test(limits),
                                       cmocka_unit_test(amounts_of_a_node_saturate),
                                       cmocka_unit_test(pod_level_resize),
                                       cmocka_unit_test(maxima_are_per_container),
                                       cmocka_unit_test(equal_sizes_are_one),
                                       cmocka_unit_test(what_is_alike_is_counted_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

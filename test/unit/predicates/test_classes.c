/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/world.h"

#include "base/random.h"
#include "cache/pod_size.h"
#include "lib/kube_objects.h"
#include "predicates/explain.h"

#include "lib/cmocka_headers.h"

static struct yk_pod *pod_with(bool other_order)
{
    struct yk_pod *pod = make_pod("ns", "p", "1");
    for (int i = 0; i < 2; i++) {
        bool first = (i == 0) != other_order;
        add_toleration(pod, first ? "a" : "b", "Exists", "", "");
        add_pair(&pod->object, &pod->node_selector, first ? "x" : "y", "1");
        add_expression(pod, (uint32_t)i, first ? "k" : "l", "In", first ? "1,2" : "3,4");
    }
    if (other_order)
        add_toleration(pod, "a", "Exists", "ignored", "");
    return pod;
}

static void order_does_not_matter(void **state)
{
    struct world *world = *state;
    yk_si_class a = world_class(world, pod_with(false)), b = world_class(world, pod_with(true));
    assert_int_equal(a, b);
    struct yk_pod *other = pod_with(false);
    add_toleration(other, "a", "Exists", "", "NoSchedule");
    yk_si_class c = world_class(world, other);
    assert_int_not_equal(a, c);
    struct yk_pod *zero_terms = make_pod("ns", "p", "1");
    yk_si_class none = world_class(world, make_pod("ns", "q", "1"));
    zero_terms->has_required_affinity = true;
    yk_si_class zero = world_class(world, zero_terms);
    assert_int_not_equal(none, zero);
    yk_class_put(&world->classes, a);
    yk_class_put(&world->classes, b);
    yk_class_put(&world->classes, c);
    yk_class_put(&world->classes, none);
    yk_class_put(&world->classes, zero);
    yk_class_put(&world->classes, YK_SI_CLASS_ANY);
    /* Kept for those to come, under the same number. */
    assert_int_equal(world_class(world, pod_with(false)), a);
    yk_class_put(&world->classes, a);
}

/* Differences in the node and in the names of claims make another class (7.1). */
static void node_and_claims_make_another_class(void **state)
{
    struct world *world = *state;
    enum { OF_ALL, ON_N1, ON_N2, ITS_OWN_CLAIM, ANOTHER_CLAIM, KINDS };
    yk_si_class classes[KINDS];
    for (int i = 0; i < KINDS; i++) {
        struct yk_pod_volume volume = {.name = YK_STR("v"), .is_ephemeral = true};
        struct yk_pod *pod = make_pod("ns", i == ANOTHER_CLAIM ? "q" : "p", "1");
        if (i == ON_N1 || i == ON_N2)
            set_text(&pod->object, &pod->node_name, i == ON_N1 ? "n1" : "n2");
        if (i == ITS_OWN_CLAIM || i == ANOTHER_CLAIM) {
            pod->volumes = &volume;
            pod->volume_count = 1;
        }
        classes[i] = world_class(world, pod);
        for (int j = 0; j < i; j++)
            assert_int_not_equal(classes[i], classes[j]);
    }
    for (int i = 0; i < KINDS; i++)
        yk_class_put(&world->classes, classes[i]);
}

static void idle_classes_are_bounded(void **state)
{
    struct world *world = *state;
    for (int i = 0; i < 500; i++) {
        struct yk_pod *pod = make_pod("ns", "p", "1");
        char value[16];
        snprintf(value, sizeof(value), "v%d", i);
        add_pair(&pod->object, &pod->node_selector, "k", value);
        yk_class_put(&world->classes, world_class(world, pod));
    }
    assert_int_equal(world->classes.count, YK_CLASSES_IDLE_MAX);
}

/* Against the filters themselves, through random changes of nodes and classes. */
static struct yk_k8s_node *random_node(struct yk_random *random, int index, int version)
{
    char name[16], text[16], number[16];
    snprintf(name, sizeof(name), "n%d", index);
    snprintf(text, sizeof(text), "%d", version);
    struct yk_k8s_node *node = make_node(name, text, "cpu=1");
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof(text), "k%d", i);
        snprintf(number, sizeof(number), "%d", (int)yk_random_below(random, 3));
        if (yk_random_below(random, 4) > 0)
            add_pair(&node->object, &node->object.labels, text, number);
    }
    if (yk_random_below(random, 3) == 0)
        add_taint(node, "t", yk_random_below(random, 2) == 0 ? "1" : "2", "NoSchedule");
    node->unschedulable = yk_random_below(random, 5) == 0;
    return node;
}

static struct yk_pod *random_pod(struct yk_random *random)
{
    struct yk_pod *pod = make_pod("ns", "p", "1");
    char key[16], value[16];
    snprintf(key, sizeof(key), "k%d", (int)yk_random_below(random, 4));
    snprintf(value, sizeof(value), "%d", (int)yk_random_below(random, 3));
    if (yk_random_below(random, 2) == 0)
        add_pair(&pod->object, &pod->node_selector, key, value);
    if (yk_random_below(random, 3) == 0)
        add_expression(pod, 0, key, yk_random_below(random, 2) == 0 ? "Exists" : "DoesNotExist", NULL);
    if (yk_random_below(random, 3) == 0)
        add_toleration(pod, "t", "Equal", yk_random_below(random, 2) == 0 ? "1" : "2", "");
    if (yk_random_below(random, 6) == 0)
        add_pair(&pod->object, &pod->node_selector, "kubernetes.io/hostname", "n3");
    if (yk_random_below(random, 6) == 0)
        add_field(pod, 0, "metadata.name", "In", "n2");
    return pod;
}

static void verdicts_agree_with_the_filters(void **state)
{
    struct world *world = *state;
    struct yk_random random;
    yk_random_init(&random, 11);
    enum { PODS = 40, NODES = 100 };
    struct yk_pod *pods[PODS] = {0};
    yk_si_class class_of_pod[PODS];
    for (int step = 0; step < 3000; step++) {
        int index = (int)yk_random_below(&random, NODES), slot = (int)yk_random_below(&random, PODS);
        struct yk_k8s_node *node = random_node(&random, index, step + 1);
        if (yk_random_below(&random, 5) == 0)
            yk_cache_apply(&world->cache, YK_KIND_NODE, YK_WATCH_DELETED, &node->object);
        else
            world_put_node(world, node);
        if (pods[slot] != NULL) {
            yk_class_put(&world->classes, class_of_pod[slot]);
            yk_object_free(&pods[slot]->object);
        }
        pods[slot] = random_pod(&random);
        class_of_pod[slot] = yk_class_get(&world->classes, pods[slot]);
        for (int i = 0; i < 20; i++) {
            slot = (int)yk_random_below(&random, PODS);
            if (pods[slot] == NULL || world->cache.nodes.count == 0)
                continue;
            const struct yk_cache_node *any =
                world->cache.nodes.items[yk_random_below(&random, world->cache.nodes.count)];
            struct yk_constraints constraints;
            yk_constraints_init(&constraints, pods[slot]);
            enum yk_verdict want = yk_filters_run(&constraints, any, YK_FILTERS_ALL, NULL);
            yk_constraints_done(&constraints);
            assert_int_equal(yk_class_verdict(&world->classes, class_of_pod[slot], any), want);
        }
    }
    for (int i = 0; i < PODS; i++) {
        if (pods[i] == NULL)
            continue;
        yk_class_put(&world->classes, class_of_pod[i]);
        yk_object_free(&pods[i]->object);
    }
}

/* A pod that had a node at first has no class: no filter refuses a node for it, and no node is better. */
static void no_class_has_no_constraints(void **state)
{
    struct world *world = *state;
    world_put_node(world, make_node("n1", "1", "cpu=4"));
    const struct yk_cache_node *node = world_node(world, "n1");
    assert_int_equal(yk_class_verdict(&world->classes, YK_SI_CLASS_ANY, node), YK_VERDICT_FITS);
    assert_int_equal(yk_class_score(&world->classes, YK_SI_CLASS_ANY, node), 0);
    assert_true(yk_class_fits(&world->classes, YK_SI_CLASS_ANY, node));
    assert_false(yk_class_has_preferences(&world->classes, YK_SI_CLASS_ANY));
    assert_false(yk_class_tolerates_cordon(&world->classes, YK_SI_CLASS_ANY));
}

static void explained(struct world *world, struct yk_pod *pod, const char *requests, const char *want)
{
    add_container(pod, "c", requests);
    struct yk_buf text = {.max = 4096};
    struct yk_size *size = yk_pod_size(&world->cache.sizes, pod);
    yk_si_class class_ = yk_class_get(&world->classes, pod);
    (void)yk_explain_nodes(&world->classes, class_, size, NULL, NULL, &text);
    assert_string_equal(yk_buf_cstr(&text), want);
    yk_class_put(&world->classes, class_);
    yk_size_put(&world->cache.sizes, size);
    yk_buf_done(&text);
    yk_object_free(&pod->object);
}

static void sentences(void **state)
{
    struct world *world = *state;
    explained(world, make_pod("ns", "p", "1"), "cpu=1", "no nodes available to schedule pods");
    for (int i = 0; i < 12; i++) {
        char name[16];
        snprintf(name, sizeof(name), "n%02d", i);
        struct yk_k8s_node *node =
            make_node(name, "1", i < 10 ? "cpu=1 memory=100 pods=10" : "cpu=9 memory=100 pods=0");
        node->unschedulable = i == 0;
        if (i == 1)
            add_taint(node, "t", "", "NoExecute");
        world_put_node(world, node);
    }
    explained(world, make_pod("ns", "p", "1"), "cpu=2 memory=1",
              "0/12 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, "
              "2 Too many pods, 8 Insufficient cpu.");
    struct yk_pod *pod = make_pod("ns", "p", "1");
    add_pair(&pod->object, &pod->node_selector, "zone", "x");
    explained(world, pod, "cpu=1",
              "0/12 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, "
              "10 node(s) didn't match Pod's node affinity/selector.");
    pod = make_pod("ns", "p", "1");
    add_field(pod, 0, "metadata.name", "In", "n05");
    explained(world, pod, "memory=101 unoffered.example/this=1",
              "0/12 nodes are available: 1 Insufficient memory, 1 Insufficient unoffered.example/this, "
              "11 node(s) didn't satisfy plugin(s) [NodeAffinity].");
    pod = make_pod("ns", "p", "1");
    add_field(pod, 0, "metadata.name", "In", "n05");
    add_field(pod, 0, "metadata.name", "In", "n06");
    explained(world, pod, "cpu=1", "0/12 nodes are available: pod affinity terms conflict.");
}

static void put_device_class(struct world *world, const char *name, const char *resource, int64_t created_s)
{
    struct yk_device_class *class_ = (struct yk_device_class *)(void *)make_namespace(name, "1");
    struct yk_arena arena = class_->object.arena;
    struct yk_device_class *made = yk_arena_alloc0(&arena, sizeof(*made));
    made->object = class_->object;
    made->object.arena = arena;
    made->object.kind = YK_KIND_DEVICE_CLASS;
    made->object.creation_wall_ns = created_s * YK_NS_PER_S;
    if (resource != NULL)
        set_text(&made->object, &made->extended_resource_name, resource);
    yk_cache_apply(&world->cache, YK_KIND_DEVICE_CLASS, YK_WATCH_UPSERT, &made->object);
}

/* Resources of devices, which nothing here allocates: the sentence says where they come from. */
static void resources_of_device_classes(void **state)
{
#define FROM(resource, class_)                                                                               \
    " " resource " comes from DeviceClass '" class_ "', which this scheduler does not allocate."
    struct world *world = *state;
    world_put_node(world, make_node("n1", "1", "cpu=1 memory=100 pods=10 offered.by/node=1"));
    world_put_node(world, make_node("n2", "1", "cpu=1 memory=100 pods=10 gone.from/node=1"));
    explained(world, make_pod("ns", "p", "1"), "x.y/gpu=1",
              "0/2 nodes are available: 2 Insufficient x.y/gpu.");
    put_device_class(world, "b", "x.y/gpu", 5);
    put_device_class(world, "c", "x.y/gpu", 7);
    put_device_class(world, "a", "x.y/gpu", 6);
    put_device_class(world, "other", "x.y/other", 8);
    put_device_class(world, "unnamed", NULL, 9);
    put_device_class(world, "d", "offered.by/node", 9);
    put_device_class(world, "e", "gone.from/node", 9);
    explained(world, make_pod("ns", "p", "1"), "x.y/gpu=1",
              "0/2 nodes are available: 2 Insufficient x.y/gpu." FROM("x.y/gpu", "c"));
    put_device_class(world, "cc", "x.y/gpu", 7); /* the same age: the first name */
    explained(world, make_pod("ns", "p", "1"), "x.y/gpu=1",
              "0/2 nodes are available: 2 Insufficient x.y/gpu." FROM("x.y/gpu", "c"));
    explained(world, make_pod("ns", "p", "1"), "deviceclass.resource.kubernetes.io/unnamed=1",
              "0/2 nodes are available: 2 Insufficient deviceclass.resource.kubernetes.io/unnamed." FROM(
                  "deviceclass.resource.kubernetes.io/unnamed", "unnamed"));
    explained(world, make_pod("ns", "p", "1"), "offered.by/node=2",
              "0/2 nodes are available: 2 Insufficient offered.by/node.");
    world_put_node(world, make_node("n2", "2", "cpu=1 memory=100 pods=10"));
    explained(world, make_pod("ns", "p", "1"), "gone.from/node=1",
              "0/2 nodes are available: 2 Insufficient gone.from/node." FROM("gone.from/node", "e"));
    explained(world, make_pod("ns", "p", "1"), "cpu=9", "0/2 nodes are available: 2 Insufficient cpu.");
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
    const struct CMUnitTest tests[] = {
        CASE(order_does_not_matter),       CASE(node_and_claims_make_another_class),
        CASE(idle_classes_are_bounded),    CASE(verdicts_agree_with_the_filters),
        CASE(no_class_has_no_constraints), CASE(sentences),
        CASE(resources_of_device_classes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

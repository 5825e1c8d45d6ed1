/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/constraints.h"

#include "lib/kube_objects.h"

#include "lib/cmocka_headers.h"

static void nothing_pod(void *c, struct yk_cache_pod *p, const struct yk_pod *o)
{
    (void)c, (void)p, (void)o;
}
static void nothing_change(void *c, struct yk_cache_pod *p, const struct yk_pod *o, uint32_t x)
{
    (void)c, (void)p, (void)o, (void)x;
}
static void nothing_gone(void *c, struct yk_cache_pod *p)
{
    (void)c, (void)p;
}
static void nothing_node(void *c, struct yk_cache_node *n)
{
    (void)c, (void)n;
}
static void nothing_node_change(void *c, struct yk_cache_node *n, uint32_t x)
{
    (void)c, (void)n, (void)x;
}
static void nothing(void *c)
{
    (void)c;
}
static void nothing_listed(void *c, enum yk_kind k)
{
    (void)c, (void)k;
}
static const struct yk_cache_observer deaf = {
    NULL,         nothing_pod, nothing_change, nothing_gone, nothing_node, nothing_node_change,
    nothing_node, nothing,     nothing_listed, NULL};

static struct yk_cache_node *node_in(struct yk_cache *cache, struct yk_k8s_node *node)
{
    struct yk_str name = yk_str_from("n1");
    yk_cache_apply(cache, YK_KIND_NODE, YK_WATCH_UPSERT, &node->object);
    return yk_cache_find_node(cache, name);
}

static bool fits(const struct yk_pod *pod, const struct yk_cache_node *node,
                 bool (*filter)(const struct yk_constraints *, const struct yk_cache_node *))
{
    struct yk_constraints constraints;
    yk_constraints_init(&constraints, pod);
    bool answer = filter(&constraints, node);
    yk_constraints_done(&constraints);
    return answer;
}

static void requirements(void **state)
{
    (void)state;
    struct yk_cache cache;
    yk_cache_init(&cache, &deaf, "y");
    struct yk_k8s_node *object = make_node("n1", "1", "cpu=1");
    add_pair(&object->object, &object->object.labels, "zone", "a");
    add_pair(&object->object, &object->object.labels, "empty", "");
    add_pair(&object->object, &object->object.labels, "gen", "007");
    add_pair(&object->object, &object->object.labels, "word", "seven");
    struct yk_cache_node *node = node_in(&cache, object);
    static const struct {
        const char *what, *key, *operator_, *values;
        bool want;
    } cases[] = {
        {"in", "zone", "In", "b,a", true},
        {"not in the list", "zone", "In", "b", false},
        {"in needs the key", "nokey", "In", "a", false},
        {"in needs values", "zone", "In", NULL, false},
        {"an empty value is a value", "empty", "In", ",x", true},
        {"not in", "zone", "NotIn", "b", true},
        {"not in, but is", "zone", "NotIn", "a", false},
        {"not in matches an absent key", "nokey", "NotIn", "a", true},
        {"exists", "zone", "Exists", NULL, true},
        {"exists takes no values", "zone", "Exists", "a", false},
        {"exists, empty value", "empty", "Exists", NULL, true},
        {"does not exist", "nokey", "DoesNotExist", NULL, true},
        {"does not exist, but does", "zone", "DoesNotExist", NULL, false},
        {"greater, leading zeros", "gen", "Gt", "6", true},
        {"greater is strict", "gen", "Gt", "7", false},
        {"less", "gen", "Lt", "8", true},
        {"a label that is no number", "word", "Gt", "1", false},
        {"an absent label is no number", "nokey", "Lt", "1", false},
        {"a signed value does not parse", "gen", "Gt", "-1", false},
        {"two numbers", "gen", "Gt", "1,2", false},
        {"unknown operator", "zone", "Near", "a", false},
        {"a bad key never matches", "-bad-", "NotIn", "a", false},
        {"a bad value never matches", "zone", "NotIn", "not valid", false},
        {"a prefixed key", "example.com/x", "DoesNotExist", NULL, true},
        {"a bad prefix", "Example_com/x", "DoesNotExist", NULL, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = make_pod("ns", "p", "1");
        add_expression(pod, 0, cases[i].key, cases[i].operator_, cases[i].values);
        if (fits(pod, node, yk_filter_node_affinity) != cases[i].want)
            fail_msg("%s", cases[i].what);
        yk_object_free(&pod->object);
    }
    yk_cache_done(&cache);
}

static struct yk_pod *terms(int which)
{
    struct yk_pod *pod = make_pod("ns", "p", "1");
    switch (which) {
    case 0: /* set, without terms */
        pod->has_required_affinity = true;
        break;
    case 1: /* an empty term */
        add_expression(pod, 0, NULL, NULL, NULL);
        break;
    case 2: /* a bad term beside a good one */
        add_expression(pod, 0, "zone", "Near", "a");
        add_expression(pod, 1, "zone", "In", "a");
        break;
    case 3: /* all lines of a term must match */
        add_expression(pod, 0, "zone", "In", "a");
        add_expression(pod, 0, "zone", "In", "b");
        break;
    case 4: /* selector and affinity */
        add_pair(&pod->object, &pod->node_selector, "zone", "b");
        add_expression(pod, 0, "zone", "In", "a");
        break;
    case 5:
        add_field(pod, 0, "metadata.name", "In", "n1");
        break;
    case 6:
        add_field(pod, 0, "metadata.name", "NotIn", "n1");
        break;
    case 7: /* fields take one value */
        add_field(pod, 0, "metadata.name", "In", "n1,n2");
        break;
    case 8: /* any other field reads as empty */
        add_field(pod, 0, "metadata.uid", "NotIn", "x");
        break;
    case 9:
        add_pair(&pod->object, &pod->node_selector, "zone", "a");
        break;
    case 10: /* selectors do not match absent keys, not even with an empty value */
        add_pair(&pod->object, &pod->node_selector, "nokey", "");
        break;
    }
    return pod;
}

static void whole_affinity(void **state)
{
    (void)state;
    static const bool want[] = {false, false, true, false, false, true, false, false, true, true, false};
    struct yk_cache cache;
    yk_cache_init(&cache, &deaf, "y");
    struct yk_k8s_node *object = make_node("n1", "1", "cpu=1");
    add_pair(&object->object, &object->object.labels, "zone", "a");
    struct yk_cache_node *node = node_in(&cache, object);
    for (size_t i = 0; i < YK_COUNT(want); i++) {
        struct yk_pod *pod = terms((int)i);
        if (fits(pod, node, yk_filter_node_affinity) != want[i])
            fail_msg("case %zu", i);
        yk_object_free(&pod->object);
    }
    yk_cache_done(&cache);
}

static void taints(void **state)
{
    (void)state;
    static const struct {
        const char *what, *taint_value, *taint_effect, *key, *operator_, *value, *effect;
        bool want;
    } cases[] = {
        {"no toleration", "v", "NoSchedule", NULL, NULL, NULL, NULL, false},
        {"preferring is no filter", "v", "PreferNoSchedule", NULL, NULL, NULL, NULL, true},
        {"equal", "v", "NoSchedule", "k", "Equal", "v", "NoSchedule", true},
        {"no operator is equal", "v", "NoExecute", "k", "", "v", "", true},
        {"other value", "v", "NoSchedule", "k", "Equal", "w", "", false},
        {"other effect", "v", "NoSchedule", "k", "Equal", "v", "NoExecute", false},
        {"exists", "v", "NoSchedule", "k", "Exists", "", "", true},
        {"other key", "v", "NoSchedule", "x", "Exists", "", "", false},
        {"every key", "v", "NoExecute", "", "Exists", "", "", true},
        {"unknown operator", "v", "NoSchedule", "k", "Like", "v", "", false},
        {"taint below", "5", "NoSchedule", "k", "Lt", "6", "", true},
        {"taint not below", "6", "NoSchedule", "k", "Lt", "6", "", false},
        {"taint above", "-1", "NoSchedule", "k", "Gt", "-2", "", true},
        {"leading zeros", "05", "NoSchedule", "k", "Lt", "6", "", false},
        {"minus zero", "-0", "NoSchedule", "k", "Lt", "6", "", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_cache cache;
        yk_cache_init(&cache, &deaf, "y");
        struct yk_k8s_node *object = make_node("n1", "1", "cpu=1");
        add_taint(object, "k", cases[i].taint_value, cases[i].taint_effect);
        struct yk_cache_node *node = node_in(&cache, object);
        struct yk_pod *pod = make_pod("ns", "p", "1");
        if (cases[i].operator_ != NULL)
            add_toleration(pod, cases[i].key, cases[i].operator_, cases[i].value, cases[i].effect);
        if (fits(pod, node, yk_filter_taint_toleration) != cases[i].want)
            fail_msg("%s", cases[i].what);
        yk_object_free(&pod->object);
        yk_cache_done(&cache);
    }
}

static void cordon_and_name(void **state)
{
    (void)state;
    struct yk_cache cache;
    yk_cache_init(&cache, &deaf, "y");
    struct yk_k8s_node *object = make_node("n1", "1", "cpu=1");
    object->unschedulable = true;
    struct yk_cache_node *node = node_in(&cache, object);
    struct yk_pod *pod = make_pod("ns", "p", "1");
    assert_false(fits(pod, node, yk_filter_node_unschedulable));
    assert_true(fits(pod, node, yk_filter_node_name));
    add_toleration(pod, "node.kubernetes.io/unschedulable", "Exists", "", "NoSchedule");
    assert_true(fits(pod, node, yk_filter_node_unschedulable));
    set_text(&pod->object, &pod->node_name, "n2");
    assert_false(fits(pod, node, yk_filter_node_name));
    yk_object_free(&pod->object);
    yk_cache_done(&cache);
    assert_int_equal(yk_name_count(), 0);
}

static void declared_features(void **state)
{
    (void)state;
    static const struct {
        const char *what, *declared, *action;
        bool host_network, has_host_users, host_users, in_init, want;
    } cases[] = {
        {"nothing needed", NULL, NULL, false, false, false, false, true},
        {"host network alone", NULL, NULL, true, false, false, false, true},
        {"host network, host users", NULL, NULL, true, true, true, false, true},
        {"users of its own alone", NULL, NULL, false, true, false, false, true},
        {"both", NULL, NULL, true, true, false, false, false},
        {"both, declared", "UserNamespacesHostNetworkSupport", NULL, true, true, false, false, true},
        {"both, another declared", "RestartAllContainersOnContainerExits", NULL, true, true, false, false,
         false},
        {"restarts itself", NULL, "Restart", false, false, false, false, true},
        {"restarts all", NULL, "RestartAllContainers", false, false, false, false, false},
        {"restarts all, declared", "RestartAllContainersOnContainerExits", "RestartAllContainers", false,
         false, false, false, true},
        {"an init container restarts all", "UserNamespacesHostNetworkSupport", "RestartAllContainers", false,
         false, false, true, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_cache cache;
        yk_cache_init(&cache, &deaf, "y");
        struct yk_k8s_node *object = make_node("n1", "1", "cpu=1");
        if (cases[i].declared != NULL)
            add_text(&object->object, &object->declared_features, &object->declared_feature_count,
                     cases[i].declared);
        struct yk_cache_node *node = node_in(&cache, object);
        struct yk_pod *pod = make_pod("ns", "p", "1");
        pod->host_network = cases[i].host_network;
        pod->has_host_users = cases[i].has_host_users;
        pod->host_users = cases[i].host_users;
        struct yk_container *container =
            cases[i].in_init ? add_init_container(pod, "c", "", "") : add_container(pod, "c", "");
        if (cases[i].action != NULL)
            add_text(&pod->object, &container->restart_actions, &container->restart_action_count,
                     cases[i].action);
        if (fits(pod, node, yk_filter_declared_features) != cases[i].want)
            fail_msg("%s", cases[i].what);
        yk_object_free(&pod->object);
        yk_cache_done(&cache);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(requirements), cmocka_unit_test(whole_affinity),
                                       cmocka_unit_test(taints), cmocka_unit_test(cordon_and_name),
                                       cmocka_unit_test(declared_features)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random clusters and random events, through the cache: after each event every verdict of every class on
 * every node must be the oracle's, and every class that became feasible somewhere must have been woken
 * (predicates.md 1.5, 7.8). YK_STEPS sets the number of events, YK_SEED the seed.
 */
#include "lib/chance.h"
#include "lib/kube_objects.h"
#include "lib/predicates_oracle.h"
#include "predicates/world.h"

#include "lib/cmocka_headers.h"

enum { NODES = 9, PODS = 26, INDICES = 13, NAMESPACES = 3, DEFAULT_STEPS = 4900, CHECKS_MIN = 200000 };

struct slot {              /* a pod as we last told it */
    struct yk_pod *object; /* NULL: there is none */
    char node[16];         /* where it stands; "" waits */
    bool assumed;
    uint64_t template_seed, label_seed;
    bool deleting;
    yk_si_class class_; /* while it waits */
    bool feasible[NODES];
    bool is_known; /* `feasible` is of this class */
};

struct run {
    struct world *world;
    struct yk_random random;
    uint64_t seed, templates;
    int step, version;
    const struct yk_k8s_node *nodes[NODES];
    const struct yk_namespace *namespaces[NAMESPACES];
    struct slot slots[PODS];
    struct oracle_pod pods[PODS];
    struct oracle oracle;
    int touched_node; /* by the event: the core looks at that one anyway; -1: none */
    int templates_at_once, labels_at_once, nodes_at_once;
    const char *event;
    size_t checks, seen[YK_VERDICT_INVALID + 1], became_feasible, without;
    bool index_is_own;
    size_t became_own, ceased_to_be_own;
};

/* ---- objects ---- */

static struct yk_k8s_node *random_node(struct run *run, int index)
{
    struct yk_random *random = &run->random;
    char name[16], version[16];
    snprintf(name, sizeof(name), "n%d", index);
    snprintf(version, sizeof(version), "%d", ++run->version);
    struct yk_k8s_node *node = make_node(name, version, "cpu=1");
    if (below(random, 12) == 0)
        node->object.labels.count = 0; /* without a hostname */
    else if (below(random, 12) == 0)
        set_text(&node->object, &node->object.labels.items[0].value, "n0"); /* of another one */
    if (below(random, 8) > 0)
        add_pair(&node->object, &node->object.labels, "zone", PICK(random, "z0", "z1", "z2"));
    if (below(random, 4) > 0)
        add_pair(&node->object, &node->object.labels, "rack", PICK(random, "r0", "r1", ""));
    if (below(random, 2) == 0)
        add_pair(&node->object, &node->object.labels, "disk", PICK(random, "ssd", "hdd"));
    if (below(random, 3) == 0)
        add_taint(node, "t", PICK(random, "1", "2"),
                  PICK(random, "NoSchedule", "NoExecute", "PreferNoSchedule"));
    node->unschedulable = below(random, 6) == 0;
    if (below(random, 3) > 0)
        add_text(&node->object, &node->declared_features, &node->declared_feature_count,
                 PICK(random, "UserNamespacesHostNetworkSupport", "RestartAllContainersOnContainerExits"));
    return node;
}

static struct yk_k8s_node *copy_node(const struct yk_k8s_node *from)
{
    struct yk_k8s_node *node = make_node(from->object.name.p, from->object.resource_version.p, "cpu=1");
    node->object.labels.count = 0;
    for (uint32_t i = 0; i < from->object.labels.count; i++)
        add_pair(&node->object, &node->object.labels, from->object.labels.items[i].key.p,
                 from->object.labels.items[i].value.p);
    for (uint32_t i = 0; i < from->taint_count; i++)
        add_taint(node, from->taints[i].key.p, from->taints[i].value.p, from->taints[i].effect.p);
    node->unschedulable = from->unschedulable;
    for (uint32_t i = 0; i < from->declared_feature_count; i++)
        add_text(&node->object, &node->declared_features, &node->declared_feature_count,
                 from->declared_features[i].p);
    return node;
}

static void random_selector(struct yk_random *random, struct yk_pod *pod, bool *has,
                            struct yk_label_selector *selector)
{
    uint64_t kind = below(random, 24);
    *has = kind > 0;
    if (kind <= 2)
        return; /* none, or an empty one */
    if (kind < 12)
        add_pair(&pod->object, &selector->labels, "app", PICK(random, "a", "b"));
    else if (kind < 15)
        add_selector_line(pod, selector, "app", "In", "a,c");
    else if (kind < 17)
        add_selector_line(pod, selector, "tier", "NotIn", "x");
    else if (kind < 19)
        add_selector_line(pod, selector, "tier", PICK(random, "Exists", "DoesNotExist"), NULL);
    else if (kind < 21)
        add_selector_line(pod, selector, "index", "In", "1,2,3");
    else if (kind == 21)
        add_selector_line(pod, selector, "app", "In", "a,b");
    else if (kind == 22)
        add_selector_line(pod, selector, "app", "Exists", NULL);
    else if (below(random, 4) == 0)
        add_selector_line(pod, selector, PICK(random, "app", "-"), PICK(random, "In", "Gt"),
                          NULL); /* invalid */
    if (kind > 14 && below(random, 3) == 0)
        add_pair(&pod->object, &selector->labels, "app", PICK(random, "a", "b", "c"));
}

static void fill_term(struct yk_random *random, struct yk_pod *pod, struct yk_pod_affinity_term *term)
{
    random_selector(random, pod, &term->has_selector, &term->selector);
    uint64_t scope = below(random, 8);
    if (scope == 0 || scope == 1)
        add_text(&pod->object, &term->namespaces, &term->namespace_count, "ns1");
    if (scope == 1 || scope == 2) {
        term->has_namespace_selector = true;
        if (below(random, 3) > 0)
            add_selector_line(pod, &term->namespace_selector, "team", PICK(random, "In", "NotIn"), "t0");
    }
    if (scope == 3 && below(random, 2) == 0) {
        add_text(&pod->object, &term->namespaces, &term->namespace_count, "ns0");
        add_text(&pod->object, &term->namespaces, &term->namespace_count, "ns2");
    }
}

static const char *random_key(struct yk_random *random)
{
    return PICK(random, "zone", "zone", "rack", "kubernetes.io/hostname", "kubernetes.io/hostname",
                "none-has-it");
}

static void fill_spread(struct yk_random *random, struct yk_pod *pod)
{
    const char *key = PICK(random, "zone", "zone", "rack", "kubernetes.io/hostname");
    struct yk_spread_constraint *constraint = add_spread(pod, key, 1 + (int32_t)below(random, 2));
    random_selector(random, pod, &constraint->has_selector, &constraint->selector);
    if (below(random, 4) == 0)
        constraint->min_domains = 1 + (int32_t)below(random, 3);
    if (below(random, 3) == 0)
        set_text(&pod->object, &constraint->node_affinity_policy, PICK(random, "Honor", "Ignore"));
    if (below(random, 3) == 0)
        set_text(&pod->object, &constraint->node_taints_policy, PICK(random, "Honor", "Ignore"));
    if (below(random, 4) == 0)
        add_text(&pod->object, &constraint->match_label_keys, &constraint->match_label_key_count, "tier");
    if (below(random, 8) == 0)
        set_text(&pod->object, &constraint->when_unsatisfiable, "ScheduleAnyway");
}

static void fill_ports(struct yk_random *random, struct yk_pod *pod)
{
    struct yk_container *container = add_container(pod, "c", "");
    if (below(random, 5) == 0)
        container = add_init_container(pod, "i", "", PICK(random, "Always", ""));
    for (uint64_t i = below(random, 3); i > 0; i--)
        add_port(pod, container, (int32_t)below(random, 3) + (below(random, 4) == 0 ? 0 : 79),
                 PICK(random, NULL, "TCP", "UDP"), PICK(random, NULL, "0.0.0.0", "10.0.0.1", "::"));
}

static void fill_fixed(struct yk_random *random, struct yk_pod *pod)
{
    if (below(random, 3) == 0)
        add_pair(&pod->object, &pod->node_selector, "disk", PICK(random, "ssd", "hdd"));
    if (below(random, 5) == 0)
        add_expression(pod, 0, "rack", PICK(random, "In", "NotIn"), "r0");
    if (below(random, 8) == 0)
        add_field(pod, 0, "metadata.name", PICK(random, "In", "NotIn"), "n3");
    if (below(random, 3) == 0)
        add_toleration(pod, "t", "Equal", PICK(random, "1", "2"), "");
    if (below(random, 8) == 0)
        add_toleration(pod, "", "Exists", "", "");
    pod->host_network = below(random, 6) == 0;
    pod->has_host_users = pod->host_network && below(random, 4) > 0;
    if (below(random, 12) == 0) {
        struct yk_container *container = add_init_container(pod, "r", "", "");
        add_text(&pod->object, &container->restart_actions, &container->restart_action_count,
                 "RestartAllContainers");
    }
}

/* The same seeds give the same pod; what may change is in the arguments. */
static struct yk_pod *build_pod(int index, const struct slot *slot, int version)
{
    struct yk_random random, labels;
    yk_random_init(&random, slot->template_seed);
    yk_random_init(&labels, slot->label_seed);
    char name[16], text[16];
    snprintf(name, sizeof(name), "p%d", index);
    snprintf(text, sizeof(text), "%d", version);
    struct yk_pod *pod = make_pod(PICK(&random, "ns0", "ns0", "ns0", "ns1", "ns2"), name, text);
    uint64_t kind = below(&random, 8);
    fill_fixed(&random, pod);
    if (kind == 0 || kind == 7)
        fill_ports(&random, pod);
    if (kind == 1 || kind == 2 || kind == 7)
        fill_spread(&random, pod);
    if (kind == 2)
        fill_spread(&random, pod);
    for (uint64_t i = kind == 3 || kind == 7 ? 1 + below(&random, 2) : 0; i > 0; i--)
        fill_term(&random, pod, add_affinity_term(pod, random_key(&random)));
    for (uint64_t i = kind == 4 || kind == 5 || kind == 7 ? 1 + below(&random, 2) : 0; i > 0; i--)
        fill_term(&random, pod, add_anti_affinity_term(pod, random_key(&random)));
    if (below(&labels, 5) > 0)
        add_pair(&pod->object, &pod->object.labels, "app", PICK(&labels, "a", "b", "c"));
    if (below(&labels, 2) == 0)
        add_pair(&pod->object, &pod->object.labels, "tier", PICK(&labels, "x", "y", ""));
    snprintf(text, sizeof(text), "%d", index % INDICES);
    add_pair(&pod->object, &pod->object.labels, "index", text);
    pod->object.deleting = slot->deleting;
    if (slot->node[0] != '\0' && !slot->assumed)
        set_text(&pod->object, &pod->node_name, slot->node);
    return pod;
}

/* ---- telling ---- */

static void put_class(struct run *run, struct slot *slot)
{
    if (slot->class_ != YK_SI_CLASS_ANY)
        yk_class_put(&run->world->classes, slot->class_);
    slot->class_ = YK_SI_CLASS_ANY;
    slot->is_known = false;
}

static void get_class(struct run *run, struct slot *slot)
{
    yk_si_class class_ = yk_class_get(&run->world->classes, slot->object);
    bool same = class_ == slot->class_ && slot->is_known;
    put_class(run, slot);
    slot->class_ = class_;
    slot->is_known = same;
}

/* Tells the cache of the slot's pod as it is now. */
static void tell_pod(struct run *run, int index)
{
    struct slot *slot = &run->slots[index];
    int version = ++run->version;
    if (slot->object != NULL)
        yk_object_free(&slot->object->object);
    slot->object = build_pod(index, slot, version);
    run->pods[index] = (struct oracle_pod){slot->object, slot->node[0] != '\0' ? slot->node : NULL};
    world_put_pod(run->world, build_pod(index, slot, version));
    if (slot->node[0] == '\0')
        get_class(run, slot);
    else
        put_class(run, slot);
}

static void set_node(struct slot *slot, int node, bool assumed)
{
    snprintf(slot->node, sizeof(slot->node), "n%d", node);
    slot->assumed = assumed;
}

static void add_pod(struct run *run, int index)
{
    struct slot *slot = &run->slots[index];
    struct yk_random *random = &run->random;
    *slot = (struct slot){.class_ = YK_SI_CLASS_ANY,
                          .template_seed = run->templates * 1000 + below(random, run->templates_at_once),
                          .label_seed = below(random, run->labels_at_once)};
    if (below(random, 2) == 0)
        set_node(slot, below(random, run->nodes_at_once), false);
    run->event = "pod added";
    tell_pod(run, index);
}

static void delete_pod(struct run *run, int index)
{
    struct slot *slot = &run->slots[index];
    run->event = "pod deleted";
    world_delete_pod(run->world, build_pod(index, slot, ++run->version));
    put_class(run, slot);
    yk_object_free(&slot->object->object);
    slot->object = NULL;
    slot->node[0] = '\0';
    run->pods[index] = (struct oracle_pod){.object = NULL};
}

static struct yk_cache_pod *cache_pod(struct run *run, int index)
{
    const struct yk_object *object = &run->slots[index].object->object;
    return yk_cache_find_pod(&run->world->cache, object->namespace_, object->name);
}

static void assume_pod(struct run *run, int index)
{
    struct slot *slot = &run->slots[index];
    int node = below(&run->random, run->nodes_at_once);
    if (run->nodes[node] == NULL)
        return;
    run->event = "pod assumed";
    put_class(run, slot);
    set_node(slot, node, true);
    run->pods[index].node = slot->node;
    yk_cache_assume(&run->world->cache, cache_pod(run, index),
                    yk_cache_find_node(&run->world->cache, run->nodes[node]->object.name));
}

static void settle_pod(struct run *run, int index)
{
    struct slot *slot = &run->slots[index];
    if (below(&run->random, 2) == 0) {
        run->event = "pod confirmed";
        slot->assumed = false;
        tell_pod(run, index);
        return;
    }
    run->event = "pod forgotten";
    slot->node[0] = '\0';
    slot->assumed = false;
    run->pods[index].node = NULL;
    yk_cache_forget(&run->world->cache, cache_pod(run, index));
    get_class(run, slot);
}

static void change_pod(struct run *run, int index)
{
    struct slot *slot = &run->slots[index];
    if (slot->node[0] != '\0' && !slot->deleting && below(&run->random, 2) == 0) {
        run->event = "pod begins to go";
        slot->deleting = true;
    } else {
        run->event = "pod relabelled";
        slot->label_seed = below(&run->random, run->labels_at_once);
    }
    tell_pod(run, index);
}

static void pod_event(struct run *run)
{
    int index = below(&run->random, PODS);
    struct slot *slot = &run->slots[index];
    int what = below(&run->random, 8);
    if (slot->object == NULL)
        add_pod(run, index);
    else if (what < 3)
        delete_pod(run, index);
    else if (what < 5)
        change_pod(run, index);
    else if (slot->node[0] == '\0')
        assume_pod(run, index);
    else if (slot->assumed)
        settle_pod(run, index);
}

/* Assumed pods wait again, bound ones stay where no rule counts them. */
static void node_gone(struct run *run, int index)
{
    for (int i = 0; i < PODS; i++) {
        struct slot *slot = &run->slots[i];
        if (slot->object == NULL || !slot->assumed || slot->node[1] != '0' + index)
            continue;
        slot->node[0] = '\0';
        slot->assumed = false;
        run->pods[i].node = NULL;
        get_class(run, slot);
    }
}

static void node_event(struct run *run)
{
    int index = below(&run->random, run->nodes_at_once);
    struct yk_k8s_node *before = (struct yk_k8s_node *)(uintptr_t)run->nodes[index];
    run->touched_node = index;
    if (before != NULL && below(&run->random, 3) == 0) {
        run->event = "node removed";
        run->nodes[index] = NULL;
        yk_cache_apply(&run->world->cache, YK_KIND_NODE, YK_WATCH_DELETED, &before->object);
        node_gone(run, index);
        return;
    }
    run->event = before == NULL ? "node added" : "node changed";
    struct yk_k8s_node *node = random_node(run, index);
    run->nodes[index] = node;
    world_put_node(run->world, copy_node(node));
    if (before != NULL)
        yk_object_free(&before->object);
}

static void namespace_event(struct run *run)
{
    int index = below(&run->random, NAMESPACES);
    struct yk_namespace *before = (struct yk_namespace *)(uintptr_t)run->namespaces[index];
    char name[16], version[16];
    run->event = "namespace changed";
    if (before != NULL && below(&run->random, 4) == 0) {
        run->namespaces[index] = NULL;
        yk_cache_apply(&run->world->cache, YK_KIND_NAMESPACE, YK_WATCH_DELETED, &before->object);
        return;
    }
    snprintf(name, sizeof(name), "ns%d", index);
    snprintf(version, sizeof(version), "%d", ++run->version);
    struct yk_namespace *both[2];
    const char *team = PICK(&run->random, "t0", "t1", NULL);
    for (int i = 0; i < 2; i++) {
        both[i] = make_namespace(name, version);
        if (team != NULL)
            add_pair(&both[i]->object, &both[i]->object.labels, "team", team);
    }
    run->namespaces[index] = both[0];
    world_put_namespace(run->world, both[1]);
    if (before != NULL)
        yk_object_free(&before->object);
}

/* Classes without a holder are freed, and with them what they look at. */
static void idle_event(struct run *run)
{
    run->event = "idle classes dropped";
    for (int i = 0; i < YK_CLASSES_IDLE_MAX; i++) {
        char other[16];
        snprintf(other, sizeof(other), "%d", i);
        struct yk_pod *pod = make_pod("ns0", "idle", "1");
        add_pair(&pod->object, &pod->node_selector, "other", other);
        yk_class_put(&run->world->classes, world_class(run->world, pod));
    }
}

/* ---- comparing ---- */

static void renew(struct run *run)
{
    struct yk_classes *classes = &run->world->classes;
    if (!yk_classes_need_update(classes))
        return;
    for (int i = 0; i < PODS; i++) {
        struct slot *slot = &run->slots[i];
        if (slot->class_ == YK_SI_CLASS_ANY ||
            !yk_classes_need_update_in(classes, slot->object->object.namespace_))
            continue;
        yk_si_class class_ = yk_class_update(classes, slot->class_, slot->object->object.namespace_,
                                             &slot->object->object.labels);
        yk_class_put(classes, slot->class_);
        slot->is_known = slot->is_known && class_ == slot->class_;
        slot->class_ = class_;
    }
    yk_classes_updated(classes);
}

static void differ(const struct run *run, int index, const struct yk_k8s_node *node, const char *what,
                   int got, int want)
{
    fail_msg("seed %llu, step %d, %s: %s of p%d on " YK_STR_FMT " is %d, the oracle says %d",
             (unsigned long long)run->seed, run->step, run->event, what, index, YK_STR_ARG(node->object.name),
             got, want);
}

/* Each for itself, also behind one that says no. */
static void compare_fixed_filters(const struct run *run, int index, const struct yk_k8s_node *node,
                                  const struct yk_cache_node *there)
{
    const struct slot *slot = &run->slots[index];
    const struct yk_k8s_class *class_ = yk_class_at(&run->world->classes, slot->class_);
    for (int verdict = 0; verdict < YK_VERDICT_COUNT; verdict++) {
        if (yk_filters[verdict].passes == NULL)
            continue;
        bool got = yk_filters[verdict].passes(&class_->spec->constraints, there);
        bool want = oracle_fixed_filter((enum yk_verdict)verdict, slot->object, node);
        if (got != want)
            differ(run, index, node, "a fixed filter", got, want);
    }
}

static bool compare_one(struct run *run, int index, const struct yk_k8s_node *node)
{
    struct yk_classes *classes = &run->world->classes;
    const struct slot *slot = &run->slots[index];
    const struct yk_cache_node *there = yk_cache_find_node(&run->world->cache, node->object.name);
    const struct yk_k8s_class *class_ = yk_class_at(classes, slot->class_);
    enum yk_verdict fixed = oracle_fixed(slot->object, node);
    enum yk_verdict others = oracle_others(&run->oracle, slot->object, node);
    enum yk_verdict ports = oracle_ports(&run->oracle, slot->object, node);
    if (others == YK_VERDICT_INVALID)
        ports = YK_VERDICT_FITS; /* refused before any node is looked at */
    enum yk_verdict got = yk_class_verdict(classes, slot->class_, there);
    if (got != fixed)
        differ(run, index, node, "fixed verdict", (int)got, (int)fixed);
    compare_fixed_filters(run, index, node, there);
    got = yk__class_verdict_on_ports(class_, there, NULL);
    if (got != ports)
        differ(run, index, node, "verdict on ports", (int)got, (int)ports);
    got = yk__class_verdict_on_pods(class_, there, YK_CLASS_ALLOCATE, NULL);
    if (got != others)
        differ(run, index, node, "verdict on pods", (int)got, (int)others);
    bool fits = ports == YK_VERDICT_FITS && others == YK_VERDICT_FITS;
    assert_int_equal(yk_class_fits_now(classes, slot->class_, there, YK_CLASS_ALLOCATE), fits);
    assert_int_equal(yk_class_fits_now(classes, slot->class_, there, YK_CLASS_RESERVE), fits);
    if (fits && !yk_class_fits_now(classes, slot->class_, there, YK_CLASS_SIGNATURE))
        differ(run, index, node, "kind", 0, 1);
    if (fits && !yk_class_fits_now(classes, slot->class_, NULL, YK_CLASS_ALLOCATE))
        differ(run, index, node, "hope", 0, 1);
    run->checks++;
    run->seen[fixed]++;
    run->seen[ports] += ports != YK_VERDICT_FITS;
    run->seen[others]++;
    return fits;
}

/* Nodes of one signature are one kind: a no for one of them is a no for all. A class that avoids none does
 * not say no. */
static void compare_kinds(struct run *run, int index)
{
    const struct slot *slot = &run->slots[index];
    const struct yk_classes *classes = &run->world->classes;
    bool may_refuse = yk_class_at(classes, slot->class_)->spec->dynamic.is_invalid ||
                      yk_class_excludes_signatures(classes, slot->class_);
    const struct yk_vec *nodes = &run->world->cache.nodes;
    for (size_t i = 1; i < nodes->count; i++) {
        const struct yk_cache_node *a = nodes->items[i - 1], *b = nodes->items[i];
        if (a->signature == b->signature)
            assert_int_equal(yk_class_fits_now(classes, slot->class_, a, YK_CLASS_SIGNATURE),
                             yk_class_fits_now(classes, slot->class_, b, YK_CLASS_SIGNATURE));
        if (!may_refuse && !yk_class_fits_now(classes, slot->class_, a, YK_CLASS_SIGNATURE))
            fail_msg("a kind is refused by a class that avoids none");
    }
}

static void compare_pod(struct run *run, int index, const bool *woken)
{
    struct slot *slot = &run->slots[index];
    for (int i = 0; i < NODES; i++) {
        bool fits = run->nodes[i] != NULL && compare_one(run, index, run->nodes[i]);
        bool became = fits && !slot->feasible[i] && slot->is_known && i != run->touched_node;
        run->became_feasible += became;
        if (became && !woken[slot->class_])
            differ(run, index, run->nodes[i], "waking", 0, 1);
        slot->feasible[i] = fits;
    }
    slot->is_known = true;
    compare_kinds(run, index);
}

static const struct yk_str *own_value(const struct yk_cache_pod *pod, struct yk_str key)
{
    static struct yk_own_label label;
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);) {
        if (yk_str_is(key, yk_name_text(label.key)))
            return &label.value;
    }
    return NULL;
}

/* All labels are there, each where it belongs. */
static void compare_labels(struct run *run, int index)
{
    const struct yk_object *object = &run->slots[index].object->object;
    const struct yk_cache_pod *pod = cache_pod(run, index);
    struct yk_own_label label;
    uint32_t count = pod->profile->entity.label_count;
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);)
        count++;
    assert_int_equal(count, object->labels.count);
    for (uint32_t i = 0; i < object->labels.count; i++) {
        const struct yk_pair *pair = &object->labels.items[i];
        const struct yk_str *own = own_value(pod, pair->key);
        yk_name shared = yk_entity_label(&pod->profile->entity, yk_name_find(pair->key));
        if (yk_pod_index_label_is_own(&run->world->classes.pod_index, pair->key))
            assert_true(own != NULL && yk_str_eq(*own, pair->value) && shared.id == 0);
        else
            assert_true(own == NULL && shared.id != 0 && yk_str_is(pair->value, yk_name_text(shared)));
    }
    bool is_own = yk_pod_index_label_is_own(&run->world->classes.pod_index, YK_STR("index"));
    run->became_own += is_own && !run->index_is_own;
    run->ceased_to_be_own += !is_own && run->index_is_own;
    run->index_is_own = is_own;
}

static bool differ_in_nothing_else(const struct run *run, int a, int b)
{
    const struct slot *x = &run->slots[a], *y = &run->slots[b];
    return x->object != NULL && y->object != NULL && x->template_seed == y->template_seed &&
           x->label_seed == y->label_seed;
}

static void compare_profiles(struct run *run)
{
    for (int i = 0; i < PODS; i++) {
        for (int j = 0; j < i; j++) {
            if (differ_in_nothing_else(run, i, j))
                assert_int_equal(cache_pod(run, i)->profile == cache_pod(run, j)->profile,
                                 run->index_is_own || i % INDICES == j % INDICES);
        }
    }
}

static void compare(struct run *run)
{
    bool woken[4096] = {false};
    yk_si_class class_;
    renew(run);
    while ((class_ = yk_classes_next_woken(&run->world->classes)) != YK_SI_CLASS_ANY) {
        assert_true(class_ < YK_COUNT(woken) && !woken[class_]);
        woken[class_] = true;
    }
    for (int i = 0; i < PODS; i++) {
        if (run->slots[i].object != NULL)
            compare_labels(run, i);
        if (run->slots[i].class_ != YK_SI_CLASS_ANY)
            compare_pod(run, i, woken);
    }
    compare_profiles(run);
}

/* What if some pods were gone: the same answer as with the oracle, and nothing is different afterwards. */
static void try_without(struct run *run)
{
    struct yk_cache_pod *gone[PODS];
    const char *stood[PODS];
    int index = below(&run->random, PODS), node = below(&run->random, NODES), slots[PODS];
    const struct slot *slot = &run->slots[index];
    if (slot->class_ == YK_SI_CLASS_ANY || run->nodes[node] == NULL)
        return;
    size_t count = 0;
    for (int i = 0; i < PODS; i++) {
        if (run->pods[i].node == NULL || below(&run->random, 2) == 0)
            continue;
        stood[count] = run->pods[i].node;
        slots[count] = i;
        gone[count++] = cache_pod(run, i);
    }
    size_t start = count > 0 ? below(&run->random, (int)count) : 0;
    int want = -1;
    for (size_t i = 0; i < count && want < 0; i++) {
        run->pods[slots[i]].node = NULL;
        if (i >= start && oracle_ports(&run->oracle, slot->object, run->nodes[node]) == YK_VERDICT_FITS &&
            oracle_others(&run->oracle, slot->object, run->nodes[node]) == YK_VERDICT_FITS)
            want = (int)i;
    }
    for (size_t i = 0; i < count; i++)
        run->pods[slots[i]].node = stood[i];
    int got = yk_class_fits_without(&run->world->classes, slot->class_,
                                    yk_cache_find_node(&run->world->cache, run->nodes[node]->object.name),
                                    gone, count, start);
    if (got != want)
        differ(run, index, run->nodes[node], "first without which it fits", got, want);
    assert_int_equal(yk_classes_next_woken(&run->world->classes), YK_SI_CLASS_ANY);
    run->without += want >= 0;
}

static void take_down(struct run *run)
{
    for (int i = 0; i < PODS; i++) {
        if (run->slots[i].object == NULL)
            continue;
        put_class(run, &run->slots[i]);
        yk_object_free(&run->slots[i].object->object);
    }
    for (int i = 0; i < NODES; i++)
        yk_object_free((struct yk_object *)(uintptr_t)run->nodes[i]);
    for (int i = 0; i < NAMESPACES; i++)
        yk_object_free((struct yk_object *)(uintptr_t)run->namespaces[i]);
}

static void run_against_oracle(struct run *run)
{
    int64_t steps = number_from("YK_STEPS", DEFAULT_STEPS);
    run->seed = run->templates = (uint64_t)number_from("YK_SEED", 6);
    yk_random_init(&run->random, run->seed);
    run->oracle = (struct oracle){run->nodes, NODES, run->pods, PODS, run->namespaces, NAMESPACES};
    for (int i = 0; i < PODS; i++)
        run->slots[i].class_ = YK_SI_CLASS_ANY;
    run->world->classes.pod_index.own_from = 3;
    for (run->step = 0; run->step < steps; run->step++) {
        int what = below(&run->random, 12);
        run->touched_node = -1;
        run->event = "nothing";
        if (run->step < run->nodes_at_once || what < 2)
            node_event(run);
        else if (what == 2)
            namespace_event(run);
        else if (what == 3 && run->step % 3 == 0)
            idle_event(run);
        else
            pod_event(run);
        if (run->step % 500 == 499)
            run->templates++; /* other ones from now on */
        compare(run);
        try_without(run);
    }
    take_down(run);
    if (getenv("YK_STEPS") != NULL)
        printf("%zu checks, %zu became feasible, %zu what-ifs, own labels %zu times and %zu no longer\n",
               run->checks, run->became_feasible, run->without, run->became_own, run->ceased_to_be_own);
    assert_true(run->became_feasible > 0 && run->without > 0);
}

static void many_constraints(void **state)
{
    struct run run = {.world = *state, .templates_at_once = 30, .labels_at_once = 20, .nodes_at_once = NODES};
    run_against_oracle(&run);
    assert_true(run.became_own > 0 && run.ceased_to_be_own > 0);
    if (getenv("YK_STEPS") == NULL)
        assert_true(run.checks >= CHECKS_MIN);
    for (int i = YK_VERDICT_FITS; i <= YK_VERDICT_INVALID; i++) {
        /* Volumes have an oracle of their own. */
        if (run.seen[i] == 0 && i != YK_VERDICT_NODE_NAME && i != YK_VERDICT_VOLUMES_USED &&
            i != YK_VERDICT_VOLUMES)
            fail_msg("verdict %d was never seen", i);
    }
}

/* Few templates on few nodes: many pods in each domain. */
static void many_pods_of_a_kind(void **state)
{
    struct run run = {.world = *state, .templates_at_once = 2, .labels_at_once = 3, .nodes_at_once = 4};
    run_against_oracle(&run);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
    const struct CMUnitTest tests[] = {CASE(many_constraints), CASE(many_pods_of_a_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* NodePorts, PodTopologySpread, InterPodAffinity, rule by rule (predicates.md 4.6, 4.12, 4.13, 2.1, 7.1). */
#include "base/random.h"
#include "cache/pod_size.h"
#include "lib/kube_objects.h"
#include "predicates/explain.h"
#include "predicates/world.h"

#include "lib/cmocka_headers.h"

#define HOSTNAME "kubernetes.io/hostname"

/* "app=a,tier=x" */
static void add_labels(struct yk_object *object, struct yk_pairs *pairs, const char *list)
{
    struct yk_str rest = yk_str_from(list), item, key;
    while (list != NULL && *list != '\0' && yk_str_split(&rest, ',', &item)) {
        char name[64], value[64];
        assert_true(yk_str_split(&item, '=', &key));
        snprintf(name, sizeof(name), YK_STR_FMT, YK_STR_ARG(key));
        snprintf(value, sizeof(value), YK_STR_FMT, YK_STR_ARG(item));
        add_pair(object, pairs, name, value);
    }
}

static struct yk_pod *pod_with(const char *namespace_, const char *name, const char *labels)
{
    struct yk_pod *pod = make_pod(namespace_, name, "1");
    add_labels(&pod->object, &pod->object.labels, labels);
    return pod;
}

static void stand(struct world *world, struct yk_pod *pod, const char *node)
{
    set_text(&pod->object, &pod->node_name, node);
    world_put_pod(world, pod);
}

static struct yk_k8s_node *node_with(const char *name, const char *labels)
{
    struct yk_k8s_node *node = make_node(name, "1", "cpu=4 memory=100 pods=10");
    add_labels(&node->object, &node->object.labels, labels);
    return node;
}

/* a1, a2 in zone a, b1 in zone b, far without a zone. */
static void put_nodes(struct world *world)
{
    world_put_node(world, node_with("a1", "zone=a"));
    world_put_node(world, node_with("a2", "zone=a"));
    world_put_node(world, node_with("b1", "zone=b"));
    world_put_node(world, node_with("far", ""));
}

static const char *const names[] = {"a1", "a2", "b1", "far"};

static char letter_of(enum yk_verdict verdict)
{
    switch (verdict) {
    case YK_VERDICT_FITS:
        return '+';
    case YK_VERDICT_PORTS:
        return 'P';
    case YK_VERDICT_SPREAD_LABEL:
        return 'L';
    case YK_VERDICT_SPREAD:
        return 'S';
    case YK_VERDICT_POD_AFFINITY:
        return 'A';
    case YK_VERDICT_ANTI_AFFINITY:
        return 'X';
    case YK_VERDICT_OTHERS_ANTI_AFFINITY:
        return 'O';
    case YK_VERDICT_VOLUMES_USED:
    case YK_VERDICT_VOLUMES:
        return 'V';
    case YK_VERDICT_INVALID:
        return '!';
    case YK_VERDICT_UNKNOWN:
    case YK_VERDICT_UNSCHEDULABLE:
    case YK_VERDICT_NODE_NAME:
    case YK_VERDICT_TAINTS:
    case YK_VERDICT_AFFINITY:
    case YK_VERDICT_FEATURES:
        break;
    }
    return '?';
}

/* The verdicts on a1, a2, b1 and far, a letter each. Takes the pod. */
static void expect(struct world *world, const char *what, struct yk_pod *pod, const char *want)
{
    char got[YK_COUNT(names) + 1] = "";
    yk_si_class class_ = world_class(world, pod);
    for (size_t i = 0; i < YK_COUNT(names); i++)
        got[i] = letter_of(
            yk_class_verdict_now(&world->classes, class_, world_node(world, names[i]), YK_CLASS_ALLOCATE));
    if (strcmp(got, want) != 0)
        fail_msg("%s: got %s, want %s", what, got, want);
    yk_class_put(&world->classes, class_);
}

static void select_app(struct yk_pod *pod, bool *has, struct yk_label_selector *selector, const char *app)
{
    *has = true;
    if (app != NULL)
        add_pair(&pod->object, &selector->labels, "app", app);
}

/* ---- 4.6 ---- */

static void ports_clash_by_protocol_number_and_address(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *what;
        int32_t number;
        const char *protocol, *ip;
        const char *want;
    } cases[] = {
        {"the same, written out", 80, "TCP", "0.0.0.0", "P+++"},
        {"absent fields read as TCP on 0.0.0.0", 80, NULL, NULL, "P+++"},
        {"empty fields as well", 80, "", "", "P+++"},
        {"another protocol", 80, "UDP", NULL, "++++"},
        {"another number", 81, NULL, NULL, "++++"},
        {"any address clashes with a wildcard", 80, NULL, "10.0.0.9", "P+++"},
        {"the same address", 90, NULL, "10.0.0.1", "+P++"},
        {"another address", 90, NULL, "10.0.0.2", "++++"},
        {"a wildcard clashes with any address", 90, NULL, NULL, "+P++"},
        {":: is no wildcard", 90, NULL, "::", "++++"},
        {"none wanted", 0, NULL, NULL, "++++"},
        {"a sidecar holds its port", 100, NULL, NULL, "++P+"},
        {"an ordinary init container does not", 101, NULL, NULL, "++++"},
    };
    put_nodes(world);
    struct yk_pod *pod = pod_with("x", "p1", "");
    add_port(pod, add_container(pod, "c", ""), 80, NULL, NULL);
    stand(world, pod, "a1");
    pod = pod_with("x", "p2", "");
    add_port(pod, add_container(pod, "c", ""), 90, "TCP", "10.0.0.1");
    stand(world, pod, "a2");
    pod = pod_with("x", "p3", "");
    add_port(pod, add_init_container(pod, "i", "", "Always"), 100, NULL, NULL);
    add_port(pod, add_init_container(pod, "j", "", NULL), 101, NULL, NULL);
    stand(world, pod, "b1");
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        pod = pod_with("ns", "p", "");
        add_port(pod, add_container(pod, "c", ""), cases[i].number, cases[i].protocol, cases[i].ip);
        expect(world, cases[i].what, pod, cases[i].want);
    }
    pod = pod_with("ns", "p", "");
    add_port(pod, add_container(pod, "c", ""), 7, NULL, NULL);
    add_port(pod, add_container(pod, "d", ""), 7, NULL, NULL);
    expect(world, "ports of one pod are not compared with each other", pod, "++++");
}

static void ports_are_counted_and_wake(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    for (int i = 0; i < 2; i++) {
        struct yk_pod *pod = pod_with("x", i == 0 ? "p" : "q", "");
        add_port(pod, add_container(pod, "c", ""), 80, NULL, NULL);
        stand(world, pod, "a1");
    }
    struct yk_pod *pod = pod_with("ns", "p", "");
    add_port(pod, add_container(pod, "c", ""), 80, NULL, NULL);
    yk_si_class class_ = world_class(world, pod), plain = world_class(world, pod_with("ns", "q", ""));
    struct yk_cache_node *node = world_node(world, "a1");
    assert_int_equal(yk_classes_next_woken(&world->classes), YK_SI_CLASS_ANY);
    struct yk_cache_pod *gone[] = {world_pod(world, "x", "p"), NULL, world_pod(world, "x", "q")};
    assert_int_equal(yk_class_fits_without(&world->classes, class_, node, gone, 3, 0), 2);
    assert_int_equal(yk_class_fits_without(&world->classes, class_, node, gone, 2, 0), -1);
    assert_int_equal(yk_class_fits_without(&world->classes, plain, node, gone, 3, 1), 1);
    assert_int_equal(yk_classes_next_woken(&world->classes), YK_SI_CLASS_ANY);
    /* Two hold it: the first that goes frees nothing (4.6, a count for each). */
    world_delete_pod(world, make_pod("x", "p", "2"));
    assert_false(yk_class_fits_now(&world->classes, class_, node, YK_CLASS_RESERVE));
    assert_true(yk_class_fits_now(&world->classes, class_, node, YK_CLASS_SIGNATURE));
    assert_int_equal(yk_classes_next_woken(&world->classes), YK_SI_CLASS_ANY);
    world_delete_pod(world, make_pod("x", "q", "2"));
    assert_true(yk_class_fits_now(&world->classes, class_, node, YK_CLASS_ALLOCATE));
    assert_int_equal(yk_classes_next_woken(&world->classes), class_);
    assert_int_equal(yk_classes_next_woken(&world->classes), YK_SI_CLASS_ANY);
    yk_class_put(&world->classes, class_);
    yk_class_put(&world->classes, plain);
}

/* ---- 4.12 ---- */

/* Two of app=a in zone a (one on each node), one in zone b; each has a twin in another namespace. */
static void put_spread_pods(struct world *world)
{
    static const struct {
        const char *namespace_, *name, *node;
    } pods[] = {{"ns", "s1", "a1"},   {"ns", "s2", "a2"},    {"ns", "s3", "b1"},
                {"other", "o", "b1"}, {"other", "o2", "b1"}, {"ns", "lost", "nowhere"}};
    put_nodes(world);
    for (size_t i = 0; i < YK_COUNT(pods); i++)
        stand(world, pod_with(pods[i].namespace_, pods[i].name, "app=a,tier=x"), pods[i].node);
}

static struct yk_pod *spread_pod(const char *labels, const char *key, int32_t max_skew, const char *app)
{
    struct yk_pod *pod = pod_with("ns", "p", labels);
    struct yk_spread_constraint *constraint = add_spread(pod, key, max_skew);
    select_app(pod, &constraint->has_selector, &constraint->selector, app);
    return pod;
}

static void spread_counts_by_domain(void **state)
{
    struct world *world = *state;
    put_spread_pods(world);
    expect(world, "2 in a, 1 in b, 1 more allowed: only b", spread_pod("app=a", "zone", 1, "a"), "SS+L");
    expect(world, "2 more allowed", spread_pod("app=a", "zone", 2, "a"), "+++L");
    expect(world, "who does not match its own selector may pile up", spread_pod("app=b", "zone", 1, "a"),
           "+++L");
    expect(world, "no pod matches yet", spread_pod("app=c", "zone", 1, "c"), "+++L");
    expect(world, "each node is a domain; far has none", spread_pod("app=a", HOSTNAME, 1, "a"), "SSS+");
    expect(world, "an empty selector counts no pod", spread_pod("app=a", "zone", 1, NULL), "+++L");
    struct yk_pod *pod = spread_pod("app=a", "zone", 1, NULL);
    pod->spread_constraints[0].max_skew = 0;
    expect(world, "but matches the pod itself", pod, "SSSL");
    pod = spread_pod("app=a", "zone", 1, "a");
    pod->spread_constraints[0].has_selector = false;
    pod->spread_constraints[0].max_skew = 0;
    expect(world, "no selector matches no pod, not even itself", pod, "+++L");
    pod = spread_pod("app=a", "zone", 1, "a");
    set_text(&pod->object, &pod->spread_constraints[0].when_unsatisfiable, "ScheduleAnyway");
    expect(world, "a wish is no rule", pod, "++++");
    expect(world, "a key that no node has", spread_pod("app=a", "cell", 1, "a"), "LLLL");
}

static void spread_options(void **state)
{
    struct world *world = *state;
    put_spread_pods(world);
    struct yk_pod *pod = spread_pod("app=a", "zone", 2, "a");
    pod->spread_constraints[0].min_domains = 3;
    expect(world, "too few domains: the minimum reads 0", pod, "SS+L");
    pod = spread_pod("app=a", "zone", 1, "a");
    pod->spread_constraints[0].min_domains = 2;
    expect(world, "enough domains", pod, "SS+L");
    pod = spread_pod("app=a,tier=y", "zone", 1, "a");
    add_text(&pod->object, &pod->spread_constraints[0].match_label_keys,
             &pod->spread_constraints[0].match_label_key_count, "tier");
    expect(world, "no pod has the same tier", pod, "+++L");
    pod = spread_pod("app=a", "zone", 1, "a");
    add_text(&pod->object, &pod->spread_constraints[0].match_label_keys,
             &pod->spread_constraints[0].match_label_key_count, "tier");
    expect(world, "a key that the pod lacks says nothing", pod, "SS+L");
    pod = spread_pod("app=a", "zone", 1, "a");
    add_pair(&pod->object, &pod->node_selector, "zone", "a");
    expect(world, "only domains that the pod may use count: the minimum is that of zone a", pod,
           "++"
           "+"
           "L");
    pod = spread_pod("app=a", "zone", 1, "a");
    add_pair(&pod->object, &pod->node_selector, "zone", "a");
    set_text(&pod->object, &pod->spread_constraints[0].node_affinity_policy, "Ignore");
    expect(world, "unless it ignores its affinity", pod, "SS+L");
    pod = spread_pod("app=a", "zone", 1, "a");
    (void)add_spread(pod, "rack", 1);
    expect(world, "no node has all keys: nothing is counted", pod, "LLLL");
}

static void spread_looks_at_taints_if_told(void **state)
{
    struct world *world = *state;
    put_spread_pods(world);
    struct yk_k8s_node *node = node_with("c1", "zone=c");
    add_taint(node, "t", "1", "NoSchedule");
    world_put_node(world, node);
    expect(world, "an empty zone that no pod tolerates still counts", spread_pod("app=a", "zone", 1, "a"),
           "SSSL");
    struct yk_pod *pod = spread_pod("app=a", "zone", 1, "a");
    set_text(&pod->object, &pod->spread_constraints[0].node_taints_policy, "Honor");
    expect(world, "but not when taints are honoured", pod, "SS+L");
    pod = spread_pod("app=a", "zone", 1, "a");
    set_text(&pod->object, &pod->spread_constraints[0].node_taints_policy, "Honor");
    add_toleration(pod, "t", "Exists", "", "");
    expect(world, "unless they are tolerated", pod, "SSSL");
    node = node_with("c1", "zone=c");
    set_text(&node->object, &node->object.resource_version, "2");
    node->unschedulable = true;
    world_put_node(world, node);
    pod = spread_pod("app=a", "zone", 1, "a");
    set_text(&pod->object, &pod->spread_constraints[0].node_taints_policy, "Honor");
    expect(world, "a cordon is not looked at", pod, "SSSL");
}

static void spread_forgets_pods_that_go(void **state)
{
    struct world *world = *state;
    put_spread_pods(world);
    yk_si_class class_ = world_class(world, spread_pod("app=a", "zone", 1, "a"));
    struct yk_cache_node *node = world_node(world, "a1");
    assert_false(yk_class_fits_now(&world->classes, class_, node, YK_CLASS_ALLOCATE));
    struct yk_pod *pod = pod_with("ns", "s1", "app=a,tier=x");
    set_text(&pod->object, &pod->object.resource_version, "2");
    pod->object.deleting = true;
    stand(world, pod, "a1");
    assert_int_equal(yk_classes_next_woken(&world->classes), class_);
    assert_true(yk_class_fits_now(&world->classes, class_, node, YK_CLASS_ALLOCATE));
    struct yk_cache_pod *gone[] = {world_pod(world, "ns", "s1"), world_pod(world, "ns", "s3")};
    /* It is not counted, so taking it off changes nothing; then b is empty and a is too full again. */
    assert_int_equal(yk_class_fits_without(&world->classes, class_, node, gone, 2, 1), -1);
    assert_true(yk_class_fits_now(&world->classes, class_, node, YK_CLASS_ALLOCATE));
    yk_class_put(&world->classes, class_);
}

/* The minimum, through pods that come and go: against a look at all domains. */
static void spread_minimum_follows(void **state)
{
    struct world *world = *state;
    enum { ZONES = 3, COPIES = 12, STEPS = 4000 };
    static const char *const nodes[ZONES] = {"a1", "b1", "c1"};
    bool stands[ZONES][COPIES] = {{false}};
    int64_t count[ZONES] = {0};
    struct yk_random random;
    yk_random_init(&random, 3);
    put_nodes(world);
    world_put_node(world, node_with("c1", "zone=c"));
    yk_si_class class_ = world_class(world, spread_pod("app=a", "zone", 2, "a"));
    for (int step = 0; step < STEPS; step++) {
        size_t zone = yk_random_below(&random, ZONES), copy = yk_random_below(&random, COPIES);
        char name[24];
        snprintf(name, sizeof(name), "%s-%zu", nodes[zone], copy);
        if (stands[zone][copy])
            world_delete_pod(world, make_pod("ns", name, "2"));
        else
            stand(world, pod_with("ns", name, "app=a"), nodes[zone]);
        count[zone] += stands[zone][copy] ? -1 : 1;
        stands[zone][copy] = !stands[zone][copy];
        int64_t least = YK_MIN(count[0], YK_MIN(count[1], count[2]));
        for (size_t i = 0; i < ZONES; i++) {
            bool fits =
                yk_class_fits_now(&world->classes, class_, world_node(world, nodes[i]), YK_CLASS_SIGNATURE);
            if (fits != (count[i] + 1 - least <= 2))
                fail_msg("step %d, zone %zu: %lld %lld %lld", step, i, (long long)count[0],
                         (long long)count[1], (long long)count[2]);
        }
    }
    yk_class_put(&world->classes, class_);
}

/* ---- 4.13 ---- */

static struct yk_pod *near_pod(const char *labels, const char *key, const char *app)
{
    struct yk_pod *pod = pod_with("ns", "p", labels);
    struct yk_pod_affinity_term *term = add_affinity_term(pod, key);
    select_app(pod, &term->has_selector, &term->selector, app);
    return pod;
}

static struct yk_pod *apart_pod(const char *name, const char *labels, const char *key, const char *app)
{
    struct yk_pod *pod = pod_with("ns", name, labels);
    struct yk_pod_affinity_term *term = add_anti_affinity_term(pod, key);
    select_app(pod, &term->has_selector, &term->selector, app);
    return pod;
}

static void affinity_wants_company(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    expect(world, "the first of its group goes where the key is", near_pod("app=a", "zone", "a"), "+++A");
    expect(world, "who waits for others waits", near_pod("app=b", "zone", "a"), "AAAA");
    expect(world, "an empty selector matches itself, too", near_pod("", "zone", NULL), "+++A");
    struct yk_pod *pod = near_pod("app=a", "zone", "a");
    pod->affinity_terms[0].has_selector = false;
    expect(world, "no selector matches no pod", pod, "AAAA");
    stand(world, pod_with("ns", "far away", "app=a"), "far");
    expect(world, "one that stands in no domain does not end the first-pod rule",
           near_pod("app=a", "zone", "a"), "+++A");
    stand(world, pod_with("ns", "one", "app=a,tier=x"), "a1");
    expect(world, "company in the zone", near_pod("app=a", "zone", "a"), "++AA");
    expect(world, "company on the node", near_pod("app=b", HOSTNAME, "a"), "+AA+");
    expect(world, "an empty selector matches everyone", near_pod("", "zone", NULL), "++AA");
    stand(world, pod_with("ns", "two", "app=b"), "b1");
    pod = near_pod("app=c", "zone", "a");
    add_pair(&pod->object, &add_affinity_term(pod, "zone")->selector.labels, "app", "b");
    pod->affinity_terms[1].has_selector = true;
    expect(world, "no pod matches both terms", pod, "AAAA");
    pod = near_pod("app=c", "zone", "a");
    add_pair(&pod->object, &add_affinity_term(pod, HOSTNAME)->selector.labels, "tier", "x");
    pod->affinity_terms[1].has_selector = true;
    expect(world, "one pod matches both: its zone, its node", pod, "+AAA");
}

static void anti_affinity_wants_distance(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    stand(world, pod_with("ns", "one", "app=a"), "a1");
    stand(world, pod_with("ns", "far away", "app=a"), "far");
    expect(world, "not in that zone; far has none and cannot be wrong", apart_pod("p", "", "zone", "a"),
           "XX++");
    expect(world, "not on those nodes", apart_pod("p", "", HOSTNAME, "a"), "X++X");
    struct yk_pod *pod = apart_pod("p", "", "zone", "a");
    pod->anti_affinity_terms[0].has_selector = false;
    expect(world, "no selector objects to no pod", pod, "++++");
    expect(world, "an empty one to everybody", apart_pod("p", "", "zone", NULL), "XX++");
    stand(world, apart_pod("loner", "app=l", "zone", "b"), "b1");
    expect(world, "others object, too", pod_with("ns", "p", "app=b"), "++O+");
    expect(world, "not to this one", pod_with("ns", "p", "app=c"), "++++");
    expect(world, "nor in another namespace", pod_with("other", "p", "app=b"), "++++");
    expect(world, "own before others' ", apart_pod("p", "app=b", "zone", "l"), "++X+");
}

static void scope_of_namespaces(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *what, *list, *selector; /* "": an empty one */
        const char *want;
    } cases[] = {
        {"neither: its own", NULL, NULL, "X+++"},
        {"a list instead of its own", "red", NULL, "+X++"},
        {"a selector instead of its own", NULL, "team=r", "+X++"},
        {"a list and a selector: both", "ns", "team=r", "XX++"},
        {"an empty selector: all", NULL, "", "XXXX"},
        {"an unknown namespace has no labels", NULL, "team=q", "++++"},
    };
    put_nodes(world);
    struct yk_namespace *red = make_namespace("red", "1");
    add_pair(&red->object, &red->object.labels, "team", "r");
    world_put_namespace(world, red);
    static const char *const homes[] = {"ns", "red", "blue", "unknown"};
    for (size_t i = 0; i < YK_COUNT(homes); i++)
        stand(world, pod_with(homes[i], "one", "app=a"), names[i]);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = apart_pod("p", "", HOSTNAME, "a");
        struct yk_pod_affinity_term *term = &pod->anti_affinity_terms[0];
        if (cases[i].list != NULL)
            add_text(&pod->object, &term->namespaces, &term->namespace_count, cases[i].list);
        term->has_namespace_selector = cases[i].selector != NULL;
        add_labels(&pod->object, &term->namespace_selector.labels, cases[i].selector);
        expect(world, cases[i].what, pod, cases[i].want);
    }
}

static void invalid_selectors(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    struct yk_pod *pod = apart_pod("bad", "app=l", "zone", "b");
    add_selector_line(pod, &pod->anti_affinity_terms[0].selector, "app", "In", NULL);
    (void)add_anti_affinity_term(pod, "zone");
    select_app(pod, &pod->anti_affinity_terms[1].has_selector, &pod->anti_affinity_terms[1].selector, "b");
    stand(world, pod, "a1");
    expect(world, "2.1: one bad term of a pod that stands drops its whole list", pod_with("ns", "p", "app=b"),
           "++++");
    static const char *const operators[] = {"In", "Gt", "NoSuch"};
    for (size_t i = 0; i < YK_COUNT(operators); i++) {
        pod = near_pod("app=a", "zone", "a");
        add_selector_line(pod, &pod->affinity_terms[0].selector, "app", operators[i], i == 0 ? NULL : "1");
        expect(world, operators[i], pod, "!!!!");
    }
    pod = apart_pod("p", "", "zone", "a");
    pod->anti_affinity_terms[0].has_namespace_selector = true;
    add_selector_line(pod, &pod->anti_affinity_terms[0].namespace_selector, "app", "Exists", "1");
    expect(world, "a bad namespace selector", pod, "!!!!");
    pod = spread_pod("app=a", "zone", 1, "-bad-");
    yk_si_class class_ = yk_class_get(&world->classes, pod);
    struct yk_size *size = yk_pod_size(&world->cache.sizes, pod);
    struct yk_buf text = {.max = 4096};
    assert_false(yk_class_fits_now(&world->classes, class_, NULL, YK_CLASS_ALLOCATE));
    (void)yk_explain_nodes(&world->classes, class_, size, NULL, NULL, &text);
    assert_string_equal(yk_buf_cstr(&text), "0/4 nodes are available: parsing pod: a label selector of its "
                                            "affinity or spread constraints is invalid.");
    yk_buf_done(&text);
    yk_size_put(&world->cache.sizes, size);
    yk_class_put(&world->classes, class_);
    yk_object_free(&pod->object);
}

/* Hostnames tell single nodes apart: they make no kinds, and close none. */
static void hostnames_are_no_kinds(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    uint64_t before = world->classes.signature_updates;
    struct yk_pod *pod = pod_with("ns", "p", "");
    add_port(pod, add_container(pod, "c", ""), 80, NULL, NULL);
    const struct {
        struct yk_pod *pod;
        uint64_t signature_updates;
        bool avoids;
    } rows[] = {{pod_with("ns", "p", ""), 0, false},
                {pod, 0, false},
                {near_pod("app=b", HOSTNAME, "a"), 0, false},
                {apart_pod("p", "", HOSTNAME, "a"), 0, false},
                {spread_pod("app=a", HOSTNAME, 1, "a"), 0, false},
                {apart_pod("p", "", "zone", "a"), 1, true},
                {near_pod("app=b", "zone", "a"), 1, true},
                {spread_pod("app=a", "zone", 1, "a"), 1, true}};
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        yk_si_class class_ = world_class(world, rows[i].pod);
        assert_int_equal(world->classes.signature_updates - before, rows[i].signature_updates);
        assert_int_equal(yk_class_excludes_signatures(&world->classes, class_), rows[i].avoids);
        yk_class_put(&world->classes, class_);
    }
    stand(world, apart_pod("held", "", "zone", "c"), "a1"); /* keeps away who asks for nothing */
    yk_si_class class_ = world_class(world, pod_with("ns", "q", "app=c"));
    assert_true(yk_class_excludes_signatures(&world->classes, class_));
    yk_class_put(&world->classes, class_);
}

static void what_stands_counts_at_once(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    yk_si_class near = world_class(world, near_pod("app=b", "zone", "a"));
    yk_si_class apart = world_class(world, apart_pod("p", "", "zone", "a"));
    struct yk_cache_node *node = world_node(world, "a2");
    assert_false(yk_class_fits_now(&world->classes, near, NULL, YK_CLASS_ALLOCATE));
    assert_false(yk_class_fits_now(&world->classes, near, node, YK_CLASS_SIGNATURE));
    world_put_pod(world, pod_with("ns", "one", "app=a"));
    assert_false(yk_class_fits_now(&world->classes, near, node, YK_CLASS_ALLOCATE));
    yk_cache_assume(&world->cache, world_pod(world, "ns", "one"), world_node(world, "a1"));
    assert_int_equal(yk_classes_next_woken(&world->classes), near);
    assert_true(yk_class_fits_now(&world->classes, near, NULL, YK_CLASS_ALLOCATE));
    assert_true(yk_class_fits_now(&world->classes, near, node, YK_CLASS_ALLOCATE));
    assert_false(yk_class_fits_now(&world->classes, apart, node, YK_CLASS_SIGNATURE));
    yk_cache_forget(&world->cache, world_pod(world, "ns", "one"));
    assert_true(yk_class_fits_now(&world->classes, apart, node, YK_CLASS_ALLOCATE));
    assert_int_equal(yk_classes_next_woken(&world->classes), near); /* no pod is left: first-pod rule */
    assert_int_equal(yk_classes_next_woken(&world->classes), apart);
    assert_int_equal(yk_classes_next_woken(&world->classes), YK_SI_CLASS_ANY);
    /* On a node that is not there yet it counts once the node comes. */
    stand(world, pod_with("ns", "orphan", "app=a"), "b2");
    assert_true(yk_class_fits_now(&world->classes, apart, world_node(world, "b1"), YK_CLASS_ALLOCATE));
    world_put_node(world, node_with("b2", "zone=b"));
    assert_false(yk_class_fits_now(&world->classes, apart, world_node(world, "b1"), YK_CLASS_ALLOCATE));
    assert_int_equal(yk_classes_next_woken(&world->classes), near);
    yk_class_put(&world->classes, near);
    yk_class_put(&world->classes, apart);
}

/* ---- 7.1 ---- */

enum { MEMBERS = 40 };

static struct yk_pod *member(int index)
{
    char name[16], labels[64];
    snprintf(name, sizeof(name), "m%d", index);
    snprintf(labels, sizeof(labels), "app=a,index=%d", index);
    return pod_with("ns", name, labels);
}

static size_t different(const yk_si_class *classes)
{
    size_t count = 0;
    for (int i = 0; i < MEMBERS; i++) {
        bool is_new = true;
        for (int j = 0; j < i; j++)
            is_new = is_new && classes[j] != classes[i];
        count += is_new;
    }
    return count;
}

static void update_all(struct world *world, yk_si_class *classes)
{
    for (int i = 0; i < MEMBERS; i++) {
        struct yk_pod *pod = member(i);
        yk_si_class class_ =
            yk_class_update(&world->classes, classes[i], pod->object.namespace_, &pod->object.labels);
        yk_class_put(&world->classes, classes[i]);
        classes[i] = class_;
        yk_object_free(&pod->object);
    }
    yk_classes_updated(&world->classes);
}

static void labels_that_nobody_looks_at_make_no_classes(void **state)
{
    struct world *world = *state;
    yk_si_class classes[MEMBERS];
    put_nodes(world);
    for (int i = 0; i < MEMBERS; i++)
        classes[i] = world_class(world, member(i));
    assert_int_equal(different(classes), 1);
    stand(world, apart_pod("loner", "", "zone", "a"), "a1");
    assert_true(yk_classes_need_update(&world->classes));
    update_all(world, classes);
    assert_int_equal(different(classes), 1);
    assert_false(yk_class_fits_now(&world->classes, classes[0], world_node(world, "a2"), YK_CLASS_ALLOCATE));
    assert_false(yk_classes_need_update(&world->classes));
    stand(world, apart_pod("other loner", "", "zone", "b"), "a1");
    assert_false(yk_classes_need_update(&world->classes));
    struct yk_pod *pod = apart_pod("third loner", "", "zone", "a");
    add_pair(&pod->object, &pod->anti_affinity_terms[0].selector.labels, "index", "7");
    stand(world, pod, "b1");
    assert_true(yk_classes_need_update(&world->classes));
    update_all(world, classes);
    assert_int_equal(different(classes), MEMBERS);
    assert_false(yk_class_fits_now(&world->classes, classes[7], world_node(world, "b1"), YK_CLASS_ALLOCATE));
    assert_true(yk_class_fits_now(&world->classes, classes[8], world_node(world, "b1"), YK_CLASS_ALLOCATE));
    for (int i = 0; i < MEMBERS; i++)
        yk_class_put(&world->classes, classes[i]);
}

/* Each of many constraints is a rule; what they share, all their keys, is kept once. */
static void many_constraints_take_little(void **state)
{
    enum { MANY = 200 };
    struct world *world = *state;
    struct yk_pod *pod = make_pod("ns", "p", "1");
    for (int i = 0; i < MANY; i++) {
        char key[16];
        snprintf(key, sizeof(key), "key-%d", i);
        struct yk_spread_constraint *constraint = add_spread(pod, key, 1);
        constraint->has_selector = true;
    }
    yk_si_class class_ = world_class(world, pod);
    size_t bytes = 0;
    const struct yk_rule *rule;
    assert_int_equal(world->classes.pod_index.rules.count, MANY);
    assert_int_equal(world->classes.pod_index.spread_nodes_by_key.count, 1);
    yk_strmap_foreach (rule, &world->classes.pod_index.rules)
        bytes += rule->key_len;
    assert_in_range(bytes, MANY, 100 * MANY);
    yk_class_put(&world->classes, class_);
}

/* ---- 1.1, 1.4 ---- */

static void explained(struct world *world, struct yk_pod *pod, const char *requests, const char *want)
{
    add_amounts(&pod->object, &add_container(pod, "r", "")->requests, requests);
    struct yk_buf text = {.max = 4096};
    struct yk_size *size = yk_pod_size(&world->cache.sizes, pod);
    yk_si_class class_ = world_class(world, pod);
    (void)yk_explain_nodes(&world->classes, class_, size, NULL, NULL, &text);
    assert_string_equal(yk_buf_cstr(&text), want);
    yk_class_put(&world->classes, class_);
    yk_size_put(&world->cache.sizes, size);
    yk_buf_done(&text);
}

static void found(struct world *world, struct yk_pod *pod, enum yk_si_reason reason, enum yk_si_reason filter)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    add_container(pod, "r", "cpu=1");
    struct yk_size *size = yk_pod_size(&world->cache.sizes, pod);
    yk_si_class class_ = world_class(world, pod);
    struct yk_explained explained = yk_explain_nodes(&world->classes, class_, size, NULL, NULL, &text);
    assert_true(explained.are_nodes_counted);
    assert_int_equal(explained.reason, reason);
    assert_int_equal(explained.filter, filter);
    yk_class_put(&world->classes, class_);
    yk_size_put(&world->cache.sizes, size);
}

static void what_filters_refuse_where_capacity_is_free(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    found(world, make_pod("ns", "p", "1"), YK_REASON_NONE, YK_REASON_NONE);
    found(world, spread_pod("app=b", "zone", 1, "b"), YK_REASON_PREDICATES, YK_REASON_PREDICATES);
    struct yk_pod *pod = make_pod("ns", "hog", "1");
    add_container(pod, "c", "cpu=4");
    stand(world, pod, "a2");
    found(world, make_pod("ns", "p", "1"), YK_REASON_NODE_RESOURCES, YK_REASON_NONE);
    found(world, spread_pod("app=b", "zone", 1, "b"), YK_REASON_NODE_RESOURCES, YK_REASON_PREDICATES);
    pod = make_pod("ns", "hog on far", "1");
    add_container(pod, "c", "cpu=4");
    stand(world, pod, "far");
    found(world, spread_pod("app=b", "zone", 1, "b"), YK_REASON_NODE_RESOURCES, YK_REASON_NONE);
}

static struct yk_pod *port_pod(const char *name)
{
    struct yk_pod *pod = make_pod("ns", name, "1");
    add_port(pod, add_container(pod, "c", ""), 80, NULL, NULL);
    return pod;
}

/* The filter of host ports comes before resources, but may also refuse a node that has the capacity. Nodes
 * that a fixed filter refuses do not count: the core knows them. */
static void a_taken_port_where_capacity_is_free(void **state)
{
    struct world *world = *state;
    world_put_node(world, node_with("a1", "zone=a"));
    world_put_node(world, node_with("a2", "zone=a"));
    stand(world, port_pod("taker"), "a1");
    found(world, port_pod("p"), YK_REASON_PREDICATES, YK_REASON_PREDICATES);
    struct yk_pod *pod = make_pod("ns", "hog", "1");
    add_container(pod, "c", "cpu=4");
    stand(world, pod, "a2");
    found(world, port_pod("p"), YK_REASON_NODE_RESOURCES, YK_REASON_PREDICATES);
    pod = make_pod("ns", "p", "1");
    pod->host_network = pod->has_host_users = true; /* no node has the feature */
    found(world, pod, YK_REASON_NODE_RESOURCES, YK_REASON_NONE);
    pod = port_pod("p");
    add_container(pod, "x", "never.seen/x=1");
    found(world, pod, YK_REASON_NODE_RESOURCES, YK_REASON_NONE);
    pod = make_pod("ns", "hog on a1", "1");
    add_container(pod, "c", "cpu=4");
    stand(world, pod, "a1");
    found(world, port_pod("p"), YK_REASON_NODE_RESOURCES, YK_REASON_NONE);
}

static void reasons_in_the_order_of_the_filters(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    struct yk_pod *pod = apart_pod("loner", "app=l", HOSTNAME, "b");
    add_port(pod, add_container(pod, "c", ""), 80, NULL, NULL);
    stand(world, pod, "a1");
    pod = spread_pod("app=b", "zone", 1, "b");
    add_port(pod, add_container(pod, "c", ""), 80, NULL, NULL);
    explained(world, pod, "cpu=9",
              "0/4 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, 3 "
              "Insufficient cpu.");
    explained(
        world, spread_pod("app=b", "zone", 1, "b"), "cpu=1",
        "0/4 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required "
        "label), 1 node(s) didn't satisfy existing pods anti-affinity rules.");
    stand(world, pod_with("ns", "b", "app=b"), "b1");
    pod = near_pod("app=x", "zone", "b");
    add_pair(&pod->object, &add_anti_affinity_term(pod, "zone")->selector.labels, "app", "b");
    pod->anti_affinity_terms[0].has_selector = true;
    explained(
        world, pod, "cpu=1",
        "0/4 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 3 node(s) didn't match "
        "pod affinity rules.");
    explained(
        world, spread_pod("app=b", "zone", 1, "b"), "cpu=1",
        "0/4 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) didn't "
        "match pod topology spread constraints (missing required label), 1 node(s) didn't satisfy existing "
        "pods anti-affinity rules.");
    pod = spread_pod("app=b", "zone", 1, "b");
    pod->host_network = pod->has_host_users = true;
    explained(world, pod, "cpu=1",
              "0/4 nodes are available: 1 node(s) didn't match Pod's required features, 1 node(s) didn't "
              "match pod topology spread constraints, 1 node(s) didn't match pod topology spread constraints "
              "(missing required label), 1 node(s) didn't satisfy existing pods anti-affinity rules.");
    pod = make_pod("ns", "p", "1");
    pod->host_network = pod->has_host_users = true;
    explained(world, pod, "cpu=9", "0/4 nodes are available: 4 Insufficient cpu.");
}

/* 1.4, item 4: what the first filter that objects says of evictions goes for the node. */
static void the_first_filter_says_whether_eviction_helps(void **state)
{
    static const char helpful[] = "0/1 nodes are available: 1 No preemption victims found for incoming pod.";
    static const char vain[] = "0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
    static const struct {
        const char *what, *size, *anti, *near;
        bool wants_port, wants_features;
        const char *want;
    } cases[] = {
        {"room is taken", "cpu=2", NULL, NULL, false, false, helpful},
        {"no node is so large", "cpu=9", NULL, NULL, false, false, vain},
        {"so is one of two that are missing", "cpu=2 memory=101", NULL, NULL, false, false, vain},
        {"what no node offers", "cpu=1 never.seen/x=1", NULL, NULL, false, false, vain},
        {"ports come before room", "cpu=9", NULL, NULL, true, false, helpful},
        {"ports come before what no node offers", "never.seen/x=1", NULL, NULL, true, false, helpful},
        {"room comes before other pods", "cpu=2", NULL, "nobody", false, false, helpful},
        {"room comes before what is avoided", "cpu=9", "there", NULL, false, false, vain},
        {"who is avoided may go", "cpu=1", "there", NULL, false, false, helpful},
        {"company is not there", "cpu=1", NULL, "nobody", false, false, vain},
        {"features come last", "cpu=2", NULL, NULL, false, true, helpful},
        {"they do not come by eviction", "cpu=1", NULL, NULL, false, true, vain},
    };
    struct world *world = *state;
    world_put_node(world, node_with("a1", "zone=a"));
    struct yk_pod *there = pod_with("ns", "there", "app=there");
    add_port(there, add_container(there, "c", "cpu=3"), 80, NULL, NULL);
    stand(world, there, "a1");
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = cases[i].near != NULL   ? near_pod("", "zone", cases[i].near)
                             : cases[i].anti != NULL ? apart_pod("p", "", "zone", cases[i].anti)
                                                     : pod_with("ns", "p", "");
        struct yk_container *container = add_container(pod, "r", cases[i].size);
        if (cases[i].wants_port)
            add_port(pod, container, 80, NULL, NULL);
        pod->host_network = pod->has_host_users = cases[i].wants_features;
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4096};
        struct yk_size *size = yk_pod_size(&world->cache.sizes, pod);
        yk_si_class class_ = world_class(world, pod);
        yk_explain_preemption(&world->classes, class_, size, &text);
        if (strcmp(yk_buf_cstr(&text), cases[i].want) != 0)
            fail_msg("%s: %s", cases[i].what, yk_buf_cstr(&text));
        yk_class_put(&world->classes, class_);
        yk_size_put(&world->cache.sizes, size);
    }
}

static void which_verdicts_eviction_can_help(void **state)
{
    (void)state;
    static const enum yk_verdict helped[] = {YK_VERDICT_PORTS, YK_VERDICT_VOLUMES_USED, YK_VERDICT_SPREAD,
                                             YK_VERDICT_ANTI_AFFINITY, YK_VERDICT_OTHERS_ANTI_AFFINITY};
    size_t count = 0;
    for (int verdict = YK_VERDICT_UNKNOWN; verdict <= YK_VERDICT_INVALID; verdict++)
        count += yk_verdict_helped_by_eviction((enum yk_verdict)verdict);
    assert_int_equal(count, YK_COUNT(helped));
    for (size_t i = 0; i < YK_COUNT(helped); i++)
        assert_true(yk_verdict_helped_by_eviction(helped[i]));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
    const struct CMUnitTest tests[] = {
        CASE(ports_clash_by_protocol_number_and_address),
        CASE(ports_are_counted_and_wake),
        CASE(spread_counts_by_domain),
        CASE(spread_options),
        CASE(spread_looks_at_taints_if_told),
        CASE(spread_forgets_pods_that_go),
        CASE(spread_minimum_follows),
        CASE(affinity_wants_company),
        CASE(anti_affinity_wants_distance),
        CASE(scope_of_namespaces),
        CASE(invalid_selectors),
        CASE(hostnames_are_no_kinds),
        CASE(what_stands_counts_at_once),
        CASE(many_constraints_take_little),
        CASE(labels_that_nobody_looks_at_make_no_classes),
        CASE(reasons_in_the_order_of_the_filters),
        CASE(what_filters_refuse_where_capacity_is_free),
        CASE(a_taken_port_where_capacity_is_free),
        CASE(the_first_filter_says_whether_eviction_helps),
        cmocka_unit_test(which_verdicts_eviction_can_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

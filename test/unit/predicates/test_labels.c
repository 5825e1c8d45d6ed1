/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that pods share are in their profiles, own ones with the pods, and rules see all they look at
 * (predicates.md 7.2). */
#include "lib/kube_objects.h"
#include "predicates/world.h"

#include "lib/cmocka_headers.h"

#define HOSTNAME "kubernetes.io/hostname"

enum { PODS = 24, OWN_FROM = 8 };

static int set_up(void **state)
{
    int result = world_set_up(state);
    ((struct world *)*state)->classes.pod_index.own_from = OWN_FROM;
    return result;
}

/* ---- a cluster: pod i is on node i % 3, or waits, and has app=a and, unless `key` is NULL, key=v<i> ---- */

static void put_nodes(struct world *world)
{
    world_put_node(world, make_node("n0", "1", "cpu=4"));
    world_put_node(world, make_node("n1", "1", "cpu=4"));
    world_put_node(world, make_node("n2", "1", "cpu=4"));
}

static struct yk_pod *pod_of(int number, int version, const char *key, int value)
{
    char name[16], text[16];
    snprintf(name, sizeof(name), "p%d", number);
    snprintf(text, sizeof(text), "%d", version);
    struct yk_pod *pod = make_pod("ns", name, text);
    add_pair(&pod->object, &pod->object.labels, "app", "a");
    snprintf(text, sizeof(text), "v%d", value);
    if (key != NULL)
        add_pair(&pod->object, &pod->object.labels, key, text);
    return pod;
}

static void stand(struct world *world, struct yk_pod *pod, int node)
{
    char name[16];
    snprintf(name, sizeof(name), "n%d", node);
    set_text(&pod->object, &pod->node_name, name);
    world_put_pod(world, pod);
}

static void put_pods(struct world *world, int from, int to, const char *key)
{
    for (int i = from; i < to; i++)
        stand(world, pod_of(i, 1, key, i), i % 3);
}

static void delete_pods(struct world *world, int from, int to)
{
    for (int i = from; i < to; i++)
        world_delete_pod(world, pod_of(i, 99, NULL, 0));
}

static struct yk_cache_pod *cached(struct world *world, int number)
{
    char name[16];
    snprintf(name, sizeof(name), "p%d", number);
    return world_pod(world, "ns", name);
}

static size_t profiles(const struct world *world)
{
    return world->classes.pod_index.profiles.count;
}

static bool is_own(const struct world *world, const char *key)
{
    return yk_pod_index_label_is_own(&world->classes.pod_index, yk_str_from(key));
}

/* Wherever it is kept. */
static void expect_label(struct world *world, int number, const char *key, const char *want)
{
    const struct yk_cache_pod *pod = cached(world, number);
    const char *got = yk_name_text(yk_entity_label(&pod->profile->entity, yk_name_find(yk_str_from(key))));
    struct yk_own_label label;
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);) {
        if (strcmp(yk_name_text(label.key), key) == 0)
            got = label.value.p;
    }
    assert_string_equal(got, want);
}

/* ---- who looks: a pod that wants to be apart from, or close to, those with key in `values` ---- */

static yk_si_class looks(struct world *world, bool near, const char *key, const char *operator_,
                         const char *values)
{
    struct yk_pod *pod = make_pod("ns", "looks", "1");
    struct yk_pod_affinity_term *term =
        near ? add_affinity_term(pod, HOSTNAME) : add_anti_affinity_term(pod, HOSTNAME);
    term->has_selector = true;
    add_selector_line(pod, &term->selector, key, operator_, values);
    return world_class(world, pod);
}

/* '+' or '-' for each node. */
static void expect(struct world *world, const char *what, yk_si_class class_, const char *want)
{
    char got[4] = "---", name[3] = "n0";
    for (int i = 0; i < 3; i++) {
        name[1] = (char)('0' + i);
        if (yk_class_fits_now(&world->classes, class_, world_node(world, name), YK_CLASS_ALLOCATE))
            got[i] = '+';
    }
    if (strcmp(got, want) != 0)
        fail_msg("%s: got %s, want %s", what, got, want);
}

static void let_go(struct world *world, yk_si_class class_)
{
    yk_class_put(&world->classes, class_);
    for (int i = 0; i < YK_CLASSES_IDLE_MAX; i++) {
        char text[16];
        snprintf(text, sizeof(text), "%d", i);
        struct yk_pod *pod = make_pod("ns", "idle", "1");
        add_pair(&pod->object, &pod->node_selector, "other", text);
        yk_class_put(&world->classes, world_class(world, pod));
    }
}

/* ---- tests ---- */

static void many_values_make_an_own_label(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    put_pods(world, 0, OWN_FROM - 1, "id");
    assert_false(is_own(world, "id"));
    assert_int_equal(profiles(world), OWN_FROM - 1);
    put_pods(world, OWN_FROM - 1, PODS, "id");
    assert_true(is_own(world, "id"));
    assert_false(is_own(world, "app"));
    assert_int_equal(profiles(world), 1); /* early ones moved */
    assert_int_equal(cached(world, 0)->profile->pod_count, PODS);
    expect_label(world, 0, "id", "v0");
    expect_label(world, 20, "id", "v20");
    expect_label(world, 20, "app", "a");
}

static const struct yk_label_key *label_key(const struct world *world, const char *key)
{
    return yk_idmap_get(&world->classes.pod_index.label_keys, yk_name_find(yk_str_from(key)).id);
}

/* A look costs as much as there are profiles or pods: what moves is nothing new, and one look is for all. */
static void what_moves_is_not_looked_at_again(void **state)
{
    struct world *world = *state;
    static const char *const keys[] = {"id", "other", "batch.kubernetes.io/job-completion-index"};
    put_nodes(world);
    for (int i = 0; i < OWN_FROM; i++) {
        struct yk_pod *pod = pod_of(i, 1, "id", i);
        char text[16];
        snprintf(text, sizeof(text), "v%d", i);
        add_pair(&pod->object, &pod->object.labels, "other", text);
        add_pair(&pod->object, &pod->object.labels, keys[2], text);
        stand(world, pod, i % 3);
    }
    assert_int_equal(profiles(world), 1);
    for (size_t i = 0; i < YK_COUNT(keys); i++) {
        assert_true(is_own(world, keys[i]));
        assert_int_equal(label_key(world, keys[i])->pods, OWN_FROM);
        assert_int_equal(label_key(world, keys[i])->recheck_at, OWN_FROM);
        assert_int_equal(label_key(world, keys[i])->seen_values.count, 0);
    }
    yk_si_class class_ = looks(world, false, "id", "In", "v4");
    assert_int_equal(profiles(world), OWN_FROM);
    assert_int_equal(label_key(world, "other")->recheck_at, OWN_FROM);
    assert_true(yk_list_empty(&world->classes.pod_index.due_keys));
    yk_class_put(&world->classes, class_);
}

static void shared_values_stay_in_profiles(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    for (int i = 0; i < 8 * PODS; i++)
        stand(world, pod_of(i, 1, "team", i / 8), i % 3);
    assert_false(is_own(world, "team"));
    assert_int_equal(profiles(world), PODS);
}

/* The first pods of many jobs come one after the other, and look as if none had company. */
static void values_that_turn_out_to_be_shared_go_back(void **state)
{
    struct world *world = *state;
    int came = 0;
    put_nodes(world);
    for (; came < 2 * PODS; came++)
        stand(world, pod_of(came, 1, "job", came % PODS), came % 3);
    assert_true(is_own(world, "job"));
    for (; is_own(world, "job") && came < 100 * PODS; came++)
        stand(world, pod_of(came, 1, "job", came % PODS), came % 3);
    assert_in_range(came, 8 * PODS, 17 * PODS); /* it is looked at each time that there are twice as many */
    assert_int_equal(profiles(world), PODS);
    assert_null(cached(world, 3)->own_labels);
    expect_label(world, PODS + 3, "job", "v3");
    yk_si_class class_ = looks(world, false, "job", "In", "v4,v7");
    expect(world, "jobs are on a node each", class_, "+-+");
    yk_class_put(&world->classes, class_);
}

static void pods_first_then_rules(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *what;
        bool near;
        const char *operator_, *values, *want;
    } cases[] = {
        {"apart from one", false, "In", "v4", "+-+"},
        {"apart from two", false, "In", "v3,v5", "-+-"},
        {"apart from all but those of n0", false, "NotIn", "v1,v4,v7,v10,v13,v16,v19,v22", "-+-"},
        {"apart from pods with the label", false, "Exists", NULL, "---"},
        {"apart from pods without it", false, "DoesNotExist", NULL, "+++"},
        {"close to one", true, "In", "v8", "--+"},
        {"close to no pod", true, "In", "v99", "---"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        put_nodes(world);
        put_pods(world, 0, PODS, "id");
        assert_true(is_own(world, "id"));
        yk_si_class class_ = looks(world, cases[i].near, "id", cases[i].operator_, cases[i].values);
        assert_false(is_own(world, "id"));
        assert_int_equal(profiles(world), PODS);
        assert_null(cached(world, 5)->own_labels);
        expect_label(world, 5, "id", "v5");
        expect(world, cases[i].what, class_, cases[i].want);
        let_go(world, class_);
        delete_pods(world, 0, PODS);
    }
}

static void rules_first_then_pods(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    yk_si_class class_ = looks(world, false, "id", "In", "v4,v30");
    expect(world, "no pod is there", class_, "+++");
    put_pods(world, 0, PODS, "id");
    assert_false(is_own(world, "id"));
    expect(world, "one is", class_, "+-+");
    put_pods(world, 30, 31, "id");
    expect(world, "two are", class_, "--+");
    delete_pods(world, 4, 5);
    expect(world, "the first has gone", class_, "-++");
    assert_int_equal(yk_classes_next_woken(&world->classes), class_);
    yk_class_put(&world->classes, class_);
}

/* What moved counts as what did not: on its way from node to node, relabelled, gone. */
static void moved_pods_are_counted_on(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    put_pods(world, 0, PODS, "id");
    world_put_pod(world, pod_of(40, 1, "id", 40)); /* waits */
    stand(world, pod_of(41, 1, "id", 41), 7);      /* an unknown node */
    yk_cache_assume(&world->cache, cached(world, 40), world_node(world, "n0"));
    yk_si_class class_ = looks(world, false, "id", "In", "v40,v41,v1,v50");
    expect(world, "an assumed one on n0, one on n1", class_, "--+");
    yk_cache_forget(&world->cache, cached(world, 40));
    expect(world, "it waits again", class_, "+-+");
    stand(world, pod_of(1, 2, "id", 60), 1);
    expect(world, "its label is another one", class_, "+++");
    stand(world, pod_of(2, 2, "id", 50), 2);
    expect(world, "another one has it", class_, "++-");
    world_put_node(world, make_node("n7", "1", "cpu=1"));
    assert_false(yk_class_fits_now(&world->classes, class_, world_node(world, "n7"), YK_CLASS_ALLOCATE));
    delete_pods(world, 2, 3);
    expect(world, "it has gone", class_, "+++");
    yk_class_put(&world->classes, class_);
}

/* A rule that looked and went: what comes afterwards makes the label an own one again. */
static void rules_come_and_go(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    put_pods(world, 0, PODS, "id");
    for (int round = 0; round < 3; round++) {
        yk_si_class class_ = looks(world, false, "id", "In", "v4");
        expect(world, "apart from p4", class_, "+-+");
        assert_int_equal(profiles(world), PODS);
        let_go(world, class_);
        assert_false(is_own(world, "id"));
        int more = 0;
        for (; !is_own(world, "id") && more < 10 * PODS; more++) {
            delete_pods(world, PODS - 1, PODS);
            stand(world, pod_of(PODS - 1, 1, "id", 100 + more), 0);
        }
        assert_in_range(more, PODS / 2, 2 * PODS); /* not at once: it costs as much as there are pods */
        assert_int_equal(profiles(world), 1);
        expect_label(world, 3, "id", "v3");
    }
}

/* Pods of different kinds whose labels differ: each finds its neighbour, with ports and terms. */
static void ports_and_terms_come_along(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    for (int i = 0; i < PODS; i++) {
        struct yk_pod *pod = pod_of(i, 1, "id", i);
        if (i % 3 == 0)
            add_port(pod, add_container(pod, "c", ""), 80, NULL, NULL);
        if (i % 3 == 1) {
            struct yk_pod_affinity_term *term = add_anti_affinity_term(pod, HOSTNAME);
            term->has_selector = true;
            add_pair(&pod->object, &term->selector.labels, "app", "b");
        }
        stand(world, pod, i % 3);
    }
    assert_int_equal(profiles(world), 3);
    struct yk_pod *pod = make_pod("ns", "looks", "1");
    add_port(pod, add_container(pod, "c", ""), 80, NULL, NULL);
    add_pair(&pod->object, &pod->object.labels, "app", "b");
    yk_si_class class_ = world_class(world, pod);
    expect(world, "n0 has the port, n1 is kept free of it", class_, "--+");
    yk_si_class other = looks(world, false, "id", "In", "v5");
    assert_int_equal(profiles(world), PODS);
    expect(world, "the same, apart", class_, "--+");
    for (int i = 0; i < PODS; i += 3)
        delete_pods(world, i, i + 1);
    expect(world, "all ports are free", class_, "+-+");
    for (int i = 1; i < PODS; i += 3)
        delete_pods(world, i, i + 1);
    expect(world, "no pod objects now", class_, "+++");
    yk_class_put(&world->classes, class_);
    yk_class_put(&world->classes, other);
}

/* Numbers within a set: few values, but each pod of the set has another. */
static void numbers_are_own_from_the_first(void **state)
{
    struct world *world = *state;
    const char *key = "batch.kubernetes.io/job-completion-index";
    put_nodes(world);
    put_pods(world, 0, 2, key);
    assert_true(is_own(world, key));
    assert_int_equal(profiles(world), 1);
    expect_label(world, 1, key, "v1");
    for (int i = 2; i < 8 * PODS; i++)
        stand(world, pod_of(i, 1, key, i % 2), 0);
    assert_true(is_own(world, key)); /* and stay so: other sets have the same ones */
    delete_pods(world, 2, 8 * PODS);
    yk_si_class class_ = looks(world, false, key, "In", "v1");
    assert_false(is_own(world, key));
    expect(world, "found", class_, "+-+");
    put_pods(world, 2, 5, key);
    assert_int_equal(profiles(world), 5);
    let_go(world, class_);
    int more = 0;
    for (; !is_own(world, key) && more < 10 * PODS; more++) { /* few values, again and again */
        delete_pods(world, 4, 5);
        stand(world, pod_of(4, 1, key, 4 + more % 3), 0);
    }
    assert_in_range(more, 1, 2 * OWN_FROM);
    assert_int_equal(profiles(world), 1);
    expect_label(world, 3, key, "v3");
    delete_pods(world, 0, 5);
    put_pods(world, 0, 5, key);
    assert_int_equal(profiles(world), 1); /* the look is forgotten */
}

static void a_new_own_value_is_noticed(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    put_pods(world, 0, PODS, "id");
    struct yk_cache_pod *pod = cached(world, 6);
    const struct yk_pod_profile *profile = pod->profile;
    pod->flags &= (uint8_t)~YK_POD_RELABELLED;
    stand(world, pod_of(6, 2, "id", 6), 0);
    assert_int_equal(pod->flags & YK_POD_RELABELLED, 0);
    stand(world, pod_of(6, 3, "id", 7), 0);
    assert_int_equal(pod->flags & YK_POD_RELABELLED, YK_POD_RELABELLED);
    assert_ptr_equal(pod->profile, profile);
    expect_label(world, 6, "id", "v7");
    pod->flags &= (uint8_t)~YK_POD_RELABELLED;
    yk_si_class class_ = looks(world, false, "id", "In", "v1");
    assert_int_equal(pod->flags & YK_POD_RELABELLED, 0); /* it moved, its labels are the same */
    stand(world, pod_of(6, 4, NULL, 0), 0);
    assert_int_equal(pod->flags & YK_POD_RELABELLED, YK_POD_RELABELLED);
    expect_label(world, 6, "id", "");
    yk_class_put(&world->classes, class_);
}

/* Hostile ones: what is too long to be packed, and keys that come and go. */
static void long_values_stay_in_profiles(void **state)
{
    struct world *world = *state;
    char text[UINT8_MAX + 2];
    put_nodes(world);
    put_pods(world, 0, PODS, "id");
    for (size_t len = UINT8_MAX; len <= UINT8_MAX + 1; len++) {
        memset(text, 'x', len);
        text[len] = '\0';
        struct yk_pod *pod = pod_of(50, (int)len, NULL, 0);
        add_pair(&pod->object, &pod->object.labels, "id", text);
        stand(world, pod, 0);
        expect_label(world, 50, "id", text);
        assert_int_equal(cached(world, 50)->own_labels == NULL, len > UINT8_MAX);
    }
    yk_si_class class_ = looks(world, false, "id", "DoesNotExist", NULL);
    expect(world, "all have it", class_, "+++");
    yk_class_put(&world->classes, class_);
}

static void too_many_own_labels_stay_in_profiles(void **state)
{
    enum { MANY = 400, LEN = 200, PACKED = 4 + 1 + LEN + 1 };
    struct world *world = *state;
    char text[LEN + 1], key[16];
    memset(text, 'x', LEN);
    text[LEN] = '\0';
    world->classes.pod_index.own_from = 1; /* any value makes its label an own one */
    put_nodes(world);
    for (int i = 1; i < 4; i++) {
        struct yk_pod *pod = pod_of(0, i, NULL, 0);
        for (int j = 1; j < MANY; j++) {
            snprintf(key, sizeof(key), "key-%d", j);
            add_pair(&pod->object, &pod->object.labels, key, text);
        }
        stand(world, pod, 0);
    }
    const struct yk_cache_pod *pod = cached(world, 0);
    assert_in_range(pod->own_labels->len, UINT16_MAX - PACKED, UINT16_MAX);
    expect_label(world, 0, "app", "a");
    expect_label(world, 0, "key-1", text);
    expect_label(world, 0, "key-399", text);
    assert_int_equal(world->classes.pod_index.label_keys.count, MANY);
    delete_pods(world, 0, 1);
    assert_int_equal(world->classes.pod_index.label_keys.count, 0);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, world_tear_down)
    const struct CMUnitTest tests[] = {
        CASE(many_values_make_an_own_label),
        CASE(what_moves_is_not_looked_at_again),
        CASE(shared_values_stay_in_profiles),
        CASE(values_that_turn_out_to_be_shared_go_back),
        CASE(pods_first_then_rules),
        CASE(rules_first_then_pods),
        CASE(moved_pods_are_counted_on),
        CASE(rules_come_and_go),
        CASE(ports_and_terms_come_along),
        CASE(numbers_are_own_from_the_first),
        CASE(a_new_own_value_is_noticed),
        CASE(long_values_stay_in_profiles),
        CASE(too_many_own_labels_stay_in_profiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

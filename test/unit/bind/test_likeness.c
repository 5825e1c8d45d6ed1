/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two shims are told the same: one knows which pods are alike and finds out once what these have in common,
 * the other looks at each. Whatever the pods lead to must be the same in both, while what it depends on
 * (other pods, classes of priority, namespaces, settings, resources that nodes offer) comes, changes and
 * goes. YK_STEPS sets the number of events, YK_SEED the seed.
 */
#include "bind/world.h"

#include "api/likeness.h"
#include "app/apps.h"
#include "chance.h"

#include "cache/cmocka_headers.h"

#define NUMBER   "apps.kubernetes.io/pod-index"
#define POD_NAME "statefulset.kubernetes.io/pod-name"

enum { PODS = 24, DEFAULT_STEPS = 8000, TEMPLATES = 4, LABELS = 5, SERIALS = 40, KIN_MIN = 1000 };

struct slot {
    bool is_there, is_deleting, is_resized, is_bound;
    uint64_t template_seed, label_seed;
    int number; /* in its name: another one for each life */
};

struct twins {
    struct world *worlds[2]; /* the second one looks at each pod */
    struct yk_random random;
    uint64_t seed, templates;
    int step, number, version;
    struct slot slots[PODS];
    const char *event;
    size_t kin, placeholders, own, tasks;
};

/* ---- pods: the same seed gives the same but for what is a pod's own ---- */

static void name_application(struct yk_random *random, struct yk_pod *pod)
{
    struct yk_object *object = &pod->object;
    switch (below(random, 7)) {
    case 0:
        add_pair(object, &object->annotations, "yunikorn.apache.org/app-id", PICK(random, "a1", "a2"));
        break;
    case 1:
        add_pair(object, &object->labels, "yunikorn.apache.org/app-id", "job-uniqueautogen");
        break;
    case 2:
        break; /* one for the namespace, or for each */
    case 3:
        add_pair(object, &object->labels, "spark-app-selector", "other"); /* says it twice */
        add_pair(object, &object->labels, "applicationId", "app");
        break;
    default:
        add_pair(object, &object->labels, "applicationId", PICK(random, "app", "app", "app2"));
        break;
    }
}

static void join_gang(struct yk_random *random, struct yk_pod *pod)
{
    struct yk_object *object = &pod->object;
    add_pair(object, &object->annotations, "yunikorn.apache.org/task-group-name", "workers");
    if (below(random, 2) == 0)
        add_pair(object, &object->annotations, "yunikorn.apache.org/task-groups",
                 "[{\"name\":\"workers\",\"minMember\":2,\"minResource\":{\"cpu\":\"1\"}}]");
    if (below(random, 2) == 0)
        add_pair(object, &object->annotations, "yunikorn.apache.org/placeholder", "true");
}

static void be_choosy(struct yk_random *random, struct yk_pod *pod)
{
    struct yk_pod_affinity_term *term;
    switch (below(random, 9)) {
    case 0:
        term = add_anti_affinity_term(pod, "kubernetes.io/hostname");
        term->has_selector = true;
        add_pair(&pod->object, &term->selector.labels, PICK(random, "tier", "serial", NUMBER), "1");
        break;
    case 1:
        add_pair(&pod->object, &pod->node_selector, "disk", PICK(random, "ssd", "hdd"));
        break;
    case 2:
        add_owner(&pod->object, "DaemonSet");
        add_field(pod, 0, "metadata.name", "In", "n1");
        break;
    case 3:
        add_gate(pod, "gate");
        break;
    case 4:
        add_spread(pod, "kubernetes.io/hostname", 1);
        pod->spread_constraints[0].has_selector = true;
        add_text(&pod->object, &pod->spread_constraints[0].match_label_keys,
                 &pod->spread_constraints[0].match_label_key_count, PICK(random, NUMBER, "tier"));
        break;
    case 5:
        add_port(pod, &pod->containers[0], 80, NULL, NULL);
        break;
    default:
        break;
    }
}

static struct yk_pod_volume *add_volume(struct yk_pod *pod, const char *name)
{
    pod->volumes = yk_arena_alloc0(&pod->object.arena, sizeof(*pod->volumes));
    pod->volume_count = 1;
    set_text(&pod->object, &pod->volumes[0].name, name);
    return &pod->volumes[0];
}

/* Claims, disks, and what follows from more than the pod says. */
static void be_rich(struct yk_random *random, struct yk_pod *pod)
{
    struct yk_pod_affinity_term *term;
    struct yk_pod_volume *volume;
    switch (below(random, 10)) {
    case 0:
        volume = add_volume(pod, "v");
        volume->has_claim = true;
        set_text(&pod->object, &volume->claim_name, PICK(random, "claim", "other"));
        break;
    case 1:
        add_volume(pod, "v")->is_ephemeral = true;
        break;
    case 2:
        set_text(&pod->object, &add_volume(pod, "v")->source.ebs_volume, "disk");
        break;
    case 3:
        term = add_anti_affinity_term(pod, "kubernetes.io/hostname");
        term->has_selector = term->has_namespace_selector = true;
        add_pair(&pod->object, &term->namespace_selector.labels, "team", PICK(random, "x", "y"));
        add_pair(&pod->object, &term->selector.labels, PICK(random, "tier", POD_NAME), "1");
        break;
    case 4:
        term = add_affinity_term(pod, "kubernetes.io/hostname");
        term->has_selector = true;
        add_pair(&pod->object, &term->selector.labels, PICK(random, "serial", NUMBER, "tier"), "1");
        break;
    case 5:
        (void)add_init_container(pod, "i", PICK(random, "cpu=3", "example.com/b=1"),
                                 PICK(random, "Always", NULL));
        break;
    case 6:
        add_amounts(&pod->object, &pod->pod_requests, "cpu=5");
        break;
    default:
        break;
    }
}

static struct yk_pod *build(const struct slot *slot, int version)
{
    struct yk_random random, labels;
    char name[16], text[16];
    yk_random_init(&random, slot->template_seed);
    yk_random_init(&labels, slot->label_seed);
    bool in_gang = below(&random, 3) == 0;
    snprintf(name, sizeof(name), "%s%d", in_gang && slot->number % 3 == 0 ? "tg-" : "p", slot->number);
    snprintf(text, sizeof(text), "%d", version);
    struct yk_pod *pod = make_pod(PICK(&random, "ns", "ns", "ns2"), name, text);
    struct yk_object *object = &pod->object;
    add_container(pod, "c",
                  PICK(&random, "cpu=1", "cpu=2 memory=5", "cpu=1 example.com/a=1", "cpu=1 example.com/b=2",
                       "cpu=1 example.com/a=0"));
    name_application(&random, pod);
    add_pair(object, &object->labels, "tier", PICK(&labels, "1", "2"));
    snprintf(text, sizeof(text), "%d", below(&labels, SERIALS));
    add_pair(object, &object->labels, "serial", text);
    snprintf(text, sizeof(text), "%d", slot->number % 5);
    if (below(&labels, 2) == 0)
        add_pair(object, &object->labels, NUMBER, text);
    if (below(&labels, 3) == 0)
        add_pair(object, &object->labels, POD_NAME, text);
    if (below(&random, 3) == 0)
        add_pair(object, &object->annotations, "yunikorn.apache.org/queue",
                 PICK(&random, "root.a", "root.b"));
    if (below(&random, 5) == 0)
        add_pair(object, &object->annotations, "yunikorn.apache.org/allow-preemption",
                 PICK(&random, "true", "false", "no"));
    if (below(&random, 2) == 0)
        set_text(object, &pod->priority_class, PICK(&random, "c1", "c2"));
    if (below(&random, 4) == 0)
        set_text(object, &pod->preemption_policy, "Never");
    if (in_gang)
        join_gang(&random, pod);
    be_choosy(&random, pod);
    be_rich(&random, pod);
    object->deleting = slot->is_deleting;
    if (slot->is_resized)
        add_status(pod, "c", "cpu=3", "cpu=2");
    if (slot->is_bound)
        set_text(object, &pod->node_name, "n1");
    return pod;
}

/* ---- telling both ---- */

static void settle_both(struct twins *twins)
{
    work(twins->worlds[0]);
    work(twins->worlds[1]);
}

/* Somebody like it was here. */
static bool has_kin(const struct twins *twins, const struct slot *slot)
{
    const struct yk_apps *apps = yk_shim_apps(twins->worlds[0]->shim);
    struct yk_pod *pod = build(slot, 1);
    yk_pod_set_likeness(pod);
    bool known = yk_memo_get(&apps->kinship.by_likeness, pod->likeness) != NULL;
    yk_object_free(&pod->object);
    return known;
}

static void tell(struct twins *twins, const struct slot *slot, bool goes)
{
    int version = ++twins->version;
    twins->kin += has_kin(twins, slot);
    for (int i = 0; i < 2; i++)
        (goes ? removed : upsert)(twins->worlds[i], build(slot, version));
}

static void pod_event(struct twins *twins)
{
    struct yk_random *random = &twins->random;
    struct slot *slot = &twins->slots[below(random, PODS)];
    int what = below(random, 8);
    if (!slot->is_there) {
        twins->event = "pod comes";
        *slot = (struct slot){.is_there = true,
                              .is_bound = below(random, 4) == 0,
                              .template_seed = twins->templates * 1000 + (uint64_t)below(random, TEMPLATES),
                              .label_seed = (uint64_t)below(random, LABELS),
                              .number = ++twins->number};
        tell(twins, slot, false);
    } else if (what < 3) {
        twins->event = "pod goes";
        slot->is_there = false;
        tell(twins, slot, true);
    } else {
        twins->event = "pod changes";
        slot->is_deleting = slot->is_deleting || what == 3;
        slot->is_bound = slot->is_bound || what == 5;
        slot->is_resized = what == 6;
        if (what == 7)
            slot->label_seed = (uint64_t)below(random, LABELS);
        tell(twins, slot, false);
    }
}

static void priority_class_event(struct twins *twins)
{
    const char *name = PICK(&twins->random, "c1", "c2"), *word = PICK(&twins->random, "true", "false", NULL);
    bool goes = below(&twins->random, 3) == 0;
    char version[16];
    twins->event = "priority class";
    snprintf(version, sizeof(version), "%d", ++twins->version);
    for (int i = 0; i < 2; i++) {
        struct yk_priority_class *class_ = make_priority_class(name, version);
        if (word != NULL)
            add_pair(&class_->object, &class_->object.annotations, "yunikorn.apache.org/allow-preemption",
                     word);
        (goes ? removed : upsert)(twins->worlds[i], class_);
    }
}

static void namespace_event(struct twins *twins)
{
    const char *name = PICK(&twins->random, "ns", "ns2"), *team = PICK(&twins->random, "x", "y");
    char version[16];
    twins->event = "namespace";
    snprintf(version, sizeof(version), "%d", ++twins->version);
    for (int i = 0; i < 2; i++) {
        struct yk_namespace *space = make_namespace(name, version);
        add_pair(&space->object, &space->object.labels, "team", team);
        upsert(twins->worlds[i], space);
    }
}

/* As they are adopted when they change: both may at any time. */
static void settings_event(struct twins *twins)
{
    bool unique = below(&twins->random, 2) == 0, gangs = below(&twins->random, 2) == 0;
    twins->event = "settings";
    for (int i = 0; i < 2; i++) {
        yk_shim_apps(twins->worlds[i]->shim)->unique_ids = unique;
        yk_shim_apps(twins->worlds[i]->shim)->with_gangs = gangs;
    }
}

static void node_event(struct twins *twins)
{
    const char *offers = PICK(&twins->random, "cpu=40 pods=99", "cpu=40 pods=99 example.com/a=9");
    char version[16];
    twins->event = "node";
    snprintf(version, sizeof(version), "%d", ++twins->version);
    for (int i = 0; i < 2; i++)
        upsert(twins->worlds[i], make_node("n2", version, offers));
}

/* Classes that nobody holds go. */
static void idle_event(struct twins *twins)
{
    twins->event = "idle classes";
    for (int i = 0; i < YK_CLASSES_IDLE_MAX; i++) {
        char text[16];
        snprintf(text, sizeof(text), "%d", i);
        for (int j = 0; j < 2; j++) {
            struct yk_classes *classes = &yk_shim_apps(twins->worlds[j]->shim)->classes;
            struct yk_pod *pod = make_pod("ns", "idle", "1");
            add_pair(&pod->object, &pod->node_selector, "idle", text);
            yk_class_put(classes, yk_class_get(classes, pod));
            yk_object_free(&pod->object);
        }
    }
}

/* Some of those that wait get a node, and hear that they have. */
static void core_event(struct twins *twins)
{
    const struct slot *slot = &twins->slots[below(&twins->random, PODS)];
    char key[32];
    twins->event = "decision";
    snprintf(key, sizeof(key), "uid-p%d", slot->number);
    for (int i = 0; i < 2; i++)
        (void)fake_core_decide(&twins->worlds[i]->core, key, "n1"); /* if it waits */
}

static void end_app(struct world *world, const char *id)
{
    const struct yk_apps *apps = yk_shim_apps(world->shim);
    const struct yk_application *app = yk_strmap_get(&apps->by_id, yk_str_from(id));
    if (app != NULL && app->task_count == 0)
        fake_core_app_state(&world->core, id, "Completed", "");
}

/* In the core those end that have nothing left: then they are no more, and others of their name may come. */
static void app_event(struct twins *twins)
{
    const char *id = PICK(&twins->random, "a1", "a2", "app", "app2", "yunikorn-ns-autogen");
    twins->event = "application ends";
    end_app(twins->worlds[0], id);
    end_app(twins->worlds[1], id);
}

static void event(struct twins *twins)
{
    switch (below(&twins->random, 20)) {
    case 0:
        priority_class_event(twins);
        break;
    case 1:
        namespace_event(twins);
        break;
    case 2:
        if (twins->step % 3 == 0)
            settings_event(twins);
        break;
    case 3:
        node_event(twins);
        break;
    case 4:
        if (twins->step % 5 == 0)
            idle_event(twins);
        break;
    case 5:
        app_event(twins);
        break;
    case 6:
        core_event(twins);
        break;
    default:
        pod_event(twins);
        break;
    }
}

/* ---- comparing ---- */

static void differ(const struct twins *twins, struct yk_str key, const char *what)
{
    fail_msg("seed %llu, step %d, %s: " YK_STR_FMT ": %s is another one", (unsigned long long)twins->seed,
             twins->step, twins->event, YK_STR_ARG(key), what);
}

static bool same_blobs(const struct yk_blob *a, const struct yk_blob *b)
{
    return a->holders == b->holders && a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

static bool same_profiles(const struct yk_pod_profile *a, const struct yk_pod_profile *b)
{
    return memcmp(a->digest, b->digest, sizeof(a->digest)) == 0 && a->pod_count == b->pod_count &&
           a->held_count == b->held_count && a->port_count == b->port_count &&
           a->subject.label_count == b->subject.label_count;
}

static bool same_own_labels(const struct yk_own_labels *a, const struct yk_own_labels *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

static bool same_classes(const struct yk_class *a, const struct yk_class *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->number == b->number && a->holders == b->holders && a->key_len == b->key_len &&
           memcmp(a->key, b->key, a->key_len) == 0 && a->spec->key_len == b->spec->key_len &&
           memcmp(a->spec->key, b->spec->key, a->spec->key_len) == 0;
}

static void compare_tasks(const struct twins *twins, const struct yk_task *a, const struct yk_task *b)
{
    const struct yk_apps *apps[2] = {yk_shim_apps(twins->worlds[0]->shim),
                                     yk_shim_apps(twins->worlds[1]->shim)};
    struct yk_str key = yk_cache_pod_key(a->pod);
    if (strcmp(a->app->id, b->app->id) != 0 || a->app->task_count != b->app->task_count)
        differ(twins, key, "its application");
    if (!same_blobs(a->app_details, b->app_details) || !same_blobs(a->ask_details, b->ask_details))
        differ(twins, key, "what its application or its ask is told");
    if (!same_classes(yk_class_at(&apps[0]->classes, a->class_), yk_class_at(&apps[1]->classes, b->class_)))
        differ(twins, key, "its class");
    if (a->preempt_self != b->preempt_self || a->preempt_other != b->preempt_other ||
        a->is_placeholder != b->is_placeholder || a->state != b->state)
        differ(twins, key, "its task");
}

static void compare_pods(struct twins *twins, const struct yk_cache_pod *a, const struct yk_cache_pod *b)
{
    struct yk_str key = yk_cache_pod_key(a);
    if (!yk_resvec_same(&a->size->amounts, &b->size->amounts) || a->size->holders != b->size->holders ||
        a->size->extra_count != b->size->extra_count)
        differ(twins, key, "its size");
    if (!same_profiles(a->profile, b->profile) || !same_own_labels(a->own_labels, b->own_labels))
        differ(twins, key, "what selectors see of it");
    if (a->flags != b->flags || (a->task == NULL) != (b->task == NULL))
        differ(twins, key, "what is known of it");
    twins->own += a->own_labels != NULL;
    if (a->task == NULL)
        return;
    compare_tasks(twins, a->task, b->task);
    twins->tasks++;
    twins->placeholders += a->task->is_placeholder;
}

static void compare_caches(struct twins *twins)
{
    struct yk_cache *caches[2];
    const struct yk_cache_pod *pod;
    for (int i = 0; i < 2; i++)
        caches[i] = yk_shim_apps(twins->worlds[i]->shim)->cache;
    assert_int_equal(caches[0]->pods.count, caches[1]->pods.count);
    yk_text_set_foreach (pod, &caches[0]->pods) {
        const struct yk_cache_pod *other = yk_text_set_get(&caches[1]->pods, yk_cache_pod_key(pod));
        if (other == NULL)
            differ(twins, yk_cache_pod_key(pod), "whether it is there");
        else
            compare_pods(twins, pod, other);
    }
}

/* What is asked of the API server, Events included; all of it is granted. */
static void compare_requests(struct twins *twins)
{
    struct fake_api *a = &twins->worlds[0]->api, *b = &twins->worlds[1]->api;
    while (a->first != NULL && b->first != NULL) {
        const struct yk_op *op = a->first;
        if (op->kind != b->first->kind || !yk_str_eq(yk_buf_view(&op->body), yk_buf_view(&b->first->body)))
            differ(twins, yk_buf_view(&op->body), "the request");
        enum yk_op_kind kind = op->kind;
        assert_true(fake_api_answer(a, kind, NULL, YK_OP_OK, 200, NULL));
        assert_true(fake_api_answer(b, kind, NULL, YK_OP_OK, 200, NULL));
        settle_both(twins);
    }
    assert_true(a->first == NULL && b->first == NULL);
}

static void compare(struct twins *twins)
{
    struct yk_buf *logs[2] = {&twins->worlds[0]->core.log, &twins->worlds[1]->core.log};
    settle_both(twins);
    compare_requests(twins);
    if (strcmp(yk_buf_cstr(logs[0]), yk_buf_cstr(logs[1])) != 0)
        fail_msg("seed %llu, step %d, %s: the cores were told '%s' and '%s'", (unsigned long long)twins->seed,
                 twins->step, twins->event, yk_buf_cstr(logs[0]), yk_buf_cstr(logs[1]));
    yk_buf_done(logs[0]);
    yk_buf_done(logs[1]);
    compare_caches(twins);
}

/* ---- a run ---- */

static int set_up_twins(void **state)
{
    struct twins *twins = yk_new0(struct twins);
    for (int i = 0; i < 2; i++) {
        void *world;
        (void)set_up(&world); /* cannot fail */
        twins->worlds[i] = world;
        twins->worlds[i]->api.without_likeness = i == 1;
        running(twins->worlds[i]);
        yk_shim_apps(twins->worlds[i]->shim)->classes.books.own_from = 3;
        twins->version = YK_MAX(twins->version, twins->worlds[i]->version);
    }
    *state = twins;
    return 0;
}

static int tear_down_twins(void **state)
{
    struct twins *twins = *state;
    void *last = twins->worlds[1];
    take_down(twins->worlds[0]);
    free(twins);
    return tear_down(&last);
}

static void the_same_comes_of_all(void **state)
{
    struct twins *twins = *state;
    int64_t steps = number_from("YK_STEPS", DEFAULT_STEPS);
    twins->seed = (uint64_t)number_from("YK_SEED", 1);
    twins->templates = twins->seed;
    yk_random_init(&twins->random, twins->seed);
    for (twins->step = 0; twins->step < steps; twins->step++) {
        twins->event = "nothing";
        event(twins);
        compare(twins);
        if (twins->step % 200 == 199)
            twins->templates++; /* other ones from now on */
    }
    if (getenv("YK_STEPS") != NULL)
        printf("%zu with kin, %zu tasks, %zu placeholders, %zu with own labels\n", twins->kin, twins->tasks,
               twins->placeholders, twins->own);
    assert_true(twins->kin > KIN_MIN && twins->placeholders > 0 && twins->own > 0);
}

static struct yk_pod *pod_of(struct world *world, const char *name, const char *app)
{
    struct yk_pod *object = make_pod("ns", name, next_version(world));
    add_container(object, "c", "cpu=1");
    add_pair(&object->object, &object->object.labels, "applicationId", app);
    return object;
}

/* All that the pods of one and of the other have in common stays, but not the application that has ended. */
static void applications_that_ended_are_forgotten(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod_of(world, "p1", "one"));
    upsert(world, pod_of(world, "q", "two"));
    told(world, "app one; ask uid-p1; app two; ask uid-q");
    removed(world, pod_of(world, "p1", "one"));
    told(world, "release uid-p1 1");
    fake_core_app_state(&world->core, "one", "Completed", "");
    work(world);
    assert_null(yk_strmap_get(&yk_shim_apps(world->shim)->by_id, YK_STR("one")));
    upsert(world, pod_of(world, "p2", "one"));
    told(world, "app one; ask uid-p2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(applications_that_ended_are_forgotten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_same_comes_of_all, set_up_twins, tear_down_twins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

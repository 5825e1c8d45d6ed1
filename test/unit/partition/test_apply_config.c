/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reloads of a living tree, rule by rule (queues.md R5 to R21, T1 to T4, I1 to I3), and what is reported about
 * them.
 */
#include "lib/core_world.h"
#include "partition/config_diff.h"

#include <pthread.h>

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"                     \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"

static void must_reload(struct world *world, const char *config)
{
    const char *refusal = world_reload(world, config);
    if (refusal != NULL)
        fail_msg("refused: %s", refusal);
    world_check(world);
}

static uint32_t count(const struct world *world, enum yk_change_kind kind)
{
    return yk_core_first_rm(world->core)->last_change.kinds[kind].count;
}

static void expect_names(const struct world *world, enum yk_change_kind kind, const char *want)
{
    char got[512] = "";
    size_t at = 0;
    for (uint32_t i = 0; i < yk_core_first_rm(world->core)->last_change.kinds[kind].name_count; i++)
        at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%s", i > 0 ? " " : "",
                               yk_core_first_rm(world->core)->last_change.kinds[kind].names[i]);
    if (strcmp(got, want) != 0)
        fail_msg("%s: '%s', not '%s'", yk_change_kind_text(kind), got, want);
}

/* ---- memory ---- */

/* Properties and templates of a parent cost the queues below nothing, also after reloads. */
static void inherited_properties_stay_shared(void **state)
{
    (void)state;
    static const char before[] =
        "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
        "  queues:\n  - name: root\n    submitacl: '*'\n    properties: {x: y}\n"
        "    childtemplate: {properties: {t: u}}\n    queues:\n"
        "    - name: a\n    - {name: b, queues: [{name: c}]}\n";
    static const char after[] =
        "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
        "  queues:\n  - name: root\n    submitacl: '*'\n    properties: {x: y}\n"
        "    childtemplate: {properties: {t: u}}\n    queues:\n"
        "    - {name: a, maxapplications: 5}\n    - {name: b, queues: [{name: c}, {name: d}]}\n";
    static const char *const inheriting[] = {"root.a", "root.b", "root.b.c", "root.b.d"};
    struct world world;
    world_init(&world, before);
    const struct yk_property_set *shared = world_queue(&world, "root")->properties;
    assert_non_null(shared);
    must_reload(&world, after);
    assert_ptr_equal(world_queue(&world, "root")->properties, shared);
    for (size_t i = 0; i < YK_COUNT(inheriting); i++)
        assert_ptr_equal(world_queue(&world, inheriting[i])->properties, shared);
    const struct yk_queue_template *template = &world_queue(&world, "root")->child_template;
    assert_non_null(template->properties);
    assert_ptr_equal(world_queue(&world, "root.b")->child_template.properties, template->properties);
    world_done(&world);
}

/* ---- what differs ---- */

static void only_what_differs_is_touched(void **state)
{
    (void)state;
    static const struct {
        const char *what, *before, *after;
        uint32_t differing;
    } cases[] = {
        {"nothing", "    - {name: a, queues: [{name: b}]}\n", "    - {name: A, queues: [{name: b}]}\n", 0},
        {"another order", "    - name: a\n    - name: b\n    - name: c\n",
         "    - name: c\n    - name: a\n    - name: b\n", 0},
        {"a maximum", "    - {name: a, queues: [{name: b}, {name: c}]}\n",
         "    - {name: a, queues: [{name: b, resources: {max: {vcore: 1}}}, {name: c}]}\n", 1},
        {"a property reaches below (I1)", "    - {name: a, queues: [{name: b}, {name: c}]}\n    - name: d\n",
         "    - {name: a, properties: {x: y}, queues: [{name: b}, {name: c}]}\n    - name: d\n", 3},
        {"a template reaches parents below (T2)",
         "    - {name: a, queues: [{name: p, parent: true}, {name: l}]}\n",
         "    - {name: a, childtemplate: {maxapplications: 2}, queues: [{name: p, parent: true}, {name: "
         "l}]}\n",
         2},
        {"a template ends at the next one",
         "    - {name: a, queues: [{name: p, parent: true, childtemplate: {maxapplications: 1}}]}\n",
         "    - {name: a, childtemplate: {maxapplications: 2},\n"
         "       queues: [{name: p, parent: true, childtemplate: {maxapplications: 1}}]}\n",
         1},
        {"leaf to parent", "    - name: a\n", "    - {name: a, queues: [{name: b}]}\n", 2},
        {"parent to leaf", "    - {name: a, queues: [{name: b}]}\n", "    - name: a\n", 1},
        {"an ACL", "    - name: a\n", "    - {name: a, adminacl: joe}\n", 1},
        {"a limit", "    - name: a\n",
         "    - {name: a, limits: [{limit: x, users: [joe], maxapplications: 1}]}\n", 1},
        {"gone", "    - name: a\n    - {name: b, queues: [{name: c}]}\n", "    - name: a\n", 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf before = {0}, after = {0};
        YK_CLEANUP(yk_config_freep) struct yk_config *old = NULL, *new = NULL;
        struct yk_partition_plan plan = {0};
        yk_buf_printf(&before, "%s%s", HEAD, cases[i].before);
        yk_buf_printf(&after, "%s%s", HEAD, cases[i].after);
        assert_int_equal(yk_config_load(yk_buf_view(&before), &old, NULL), YK_OK);
        assert_int_equal(yk_config_load(yk_buf_view(&after), &new, NULL), YK_OK);
        assert_int_equal(yk_partition_plan_make(&old->partitions[0], &new->partitions[0], &plan, NULL),
                         YK_OK);
        if (plan.differing != cases[i].differing)
            fail_msg("%s: %u queues differ, not %u", cases[i].what, plan.differing, cases[i].differing);
        bool says_nothing = plan.root == NULL;
        bool is_gone = strcmp(cases[i].what, "gone") == 0;
        if (says_nothing != (cases[i].differing == 0 && !is_gone))
            fail_msg("%s: plan of %u queues", cases[i].what, plan.differing);
        yk_partition_plan_done(&plan);
    }
}

static void what_a_change_did_is_told(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: kept, resources: {max: {vcore: 4}}}\n    - name: gone\n"
                            "    - {name: p, parent: true}\n    - name: typed\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app", "root.kept", "joe");
    world_submit(&world, "idle", "root.kept", "joe");
    world_submit(&world, "in", "root.gone", "joe");
    world_submit(&world, "dyn", "root.p.dyn", "joe");
    world_ask(&world, "app", "1", 3000, 10);
    assert_int_equal(world_schedule(&world), 1);
    must_reload(&world, HEAD "    - {name: kept, resources: {max: {vcore: 2}}}\n    - name: new\n"
                             "    - {name: p, parent: true, queues: [{name: dyn}]}\n"
                             "    - {name: typed, parent: true}\n");
    expect_names(&world, YK_CHANGE_ADDED, "root.new");
    expect_names(&world, YK_CHANGE_CHANGED, "root.kept root.typed");
    expect_names(&world, YK_CHANGE_TYPE, "root.typed");
    expect_names(&world, YK_CHANGE_DRAINING, "root.gone");
    expect_names(&world, YK_CHANGE_ADOPTED, "root.p.dyn");
    expect_names(&world, YK_CHANGE_OVER_LIMIT, "root.kept");
    expect_names(&world, YK_CHANGE_APP_OVER_LIMIT, "app");
    YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
    yk_config_change_summary(&yk_core_first_rm(world.core)->last_change, &line);
    assert_string_equal(
        yk_buf_cstr(&line),
        "queues added: 1, queues changed: 2, queues of another type: 1, queues draining: 1, "
        "dynamic queues now configured: 1, queues over a limit: 1, applications over a limit: 1");
    must_reload(&world, HEAD "    - {name: kept, resources: {max: {vcore: 2}}}\n    - name: gone\n"
                             "    - {name: p, parent: true, queues: [{name: dyn}]}\n");
    expect_names(&world, YK_CHANGE_REACTIVATED, "root.gone");
    expect_names(&world, YK_CHANGE_DRAINING, "root.new root.typed");
    assert_int_equal(count(&world, YK_CHANGE_OVER_LIMIT), 0); /* it was over before */
    world_advance(&world, 11);
    expect_names(&world, YK_CHANGE_REMOVED, "root.new root.typed");
    world_done(&world);
}

/* C5, C17: the same text is nothing new; the names kept are bounded. */
static void same_text_does_nothing(void **state)
{
    (void)state;
    struct world world;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_text(&text, HEAD);
    for (int i = 0; i < 100; i++)
        yk_buf_printf(&text, "    - name: q%d\n", i);
    world_init(&world, yk_buf_cstr(&text));
    assert_int_equal(count(&world, YK_CHANGE_ADDED), 101);
    assert_int_equal(yk_core_first_rm(world.core)->last_change.kinds[YK_CHANGE_ADDED].name_count,
                     YK_CHANGE_NAMES_MAX);
    const struct yk_config *active = yk_core_first_rm(world.core)->config;
    must_reload(&world, yk_buf_cstr(&text));
    assert_ptr_equal(yk_core_first_rm(world.core)->config, active);
    assert_int_equal(world.core->metrics.config_reloads_ok, 1);
    world_done(&world);
}

/* Prepared against a configuration that is no longer active: prepared again, the last one wins. */
static void overtaken_preparation_is_repeated(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err;
    struct yk_si_told told;
    world_init(&world, HEAD "    - name: a\n");
    struct yk_reload *slow = NULL;
    struct yk_si_register request = {.rm_id = "rm", .config = YK_STR(HEAD "    - name: a\n    - name: c\n")};
    assert_int_equal(yk_core_reload_begin(world.core, &request, &slow, &err), YK_OK);
    yk_reload_prepare(slow);
    must_reload(&world, HEAD "    - name: a\n    - name: b\n");
    assert_int_equal(yk_core_reload_finish(world.core, slow, &told, &err), YK_OK);
    assert_true(told.changed);
    assert_string_equal(told.summary, "queues added: 1, queues draining: 1");
    yk_reload_free(slow);
    assert_int_equal(world_queue(&world, "root.b")->state, YK_STATE_DRAINING);
    assert_int_equal(world_queue(&world, "root.c")->state, YK_STATE_ACTIVE);

    struct yk_reload *never = NULL; /* dropped half-way */
    assert_int_equal(yk_core_reload_begin(world.core, &request, &never, &err), YK_OK);
    yk_reload_free(never);
    world_done(&world);
}

static void *prepare(void *reload)
{
    yk_reload_prepare(reload);
    return NULL;
}

/* The preparation reads nothing that lives: the core goes on meanwhile (for ThreadSanitizer, above all). */
static void prepared_while_the_core_works(void **state)
{
    (void)state;
    struct world world;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_text(&text, HEAD);
    for (int i = 0; i < 200; i++)
        yk_buf_printf(&text, "    - {name: q%d, resources: {max: {vcore: 3}}, properties: {x: y}}\n", i);
    world_init(&world, HEAD "    - {name: q1, childtemplate: {maxapplications: 1}, parent: true}\n");
    world_node(&world, "n1", 60000, 8192);
    struct yk_si_register request = {.rm_id = "rm", .config = yk_buf_view(&text)};
    struct yk_reload *reload = NULL;
    struct yk_err err;
    pthread_t thread;
    assert_int_equal(yk_core_reload_begin(world.core, &request, &reload, &err), YK_OK);
    assert_int_equal(pthread_create(&thread, NULL, prepare, reload), 0);
    for (int i = 0; i < 50; i++) {
        char id[32], queue[32];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        (void)snprintf(queue, sizeof(queue), "root.q1.d%d", i);
        world_submit(&world, id, queue, "joe");
        world_ask(&world, id, "k", 100, 1);
        assert_int_equal(world_schedule(&world), 1);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(yk_core_reload_finish(world.core, reload, NULL, &err), YK_OK);
    yk_reload_free(reload);
    assert_int_equal(count(&world, YK_CHANGE_ADDED), 199);
    world_check(&world);
    world_done(&world);
}

/* What is refused leaves the settings beside the queues alone, too. */
static void settings_and_queues_change_together(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err;
    const struct yk_si_tag tag = {"health.checkInterval", "7s"};
    struct yk_si_register request = {
        .rm_id = "rm", .config = YK_STR("partitions: []"), .extra_config = &tag, .extra_count = 1};
    world_init(&world, HEAD "    - name: a\n");
    assert_int_equal(yk_core_update_config(world.core, &request, &err), YK_ERR_INVALID);
    assert_int_equal(world.core->health_interval_ns, 30 * YK_NS_PER_S);
    assert_int_equal(world.core->metrics.config_reloads_refused, 1);
    request.config = YK_STR(HEAD "    - name: a\n"); /* the active text: only the settings are new */
    assert_int_equal(yk_core_update_config(world.core, &request, &err), YK_OK);
    assert_int_equal(world.core->health_interval_ns, 7 * YK_NS_PER_S);
    world_done(&world);
}

/* ---- settings and templates ---- */

/* I1, I2: inherited again at each reload; what is gone returns to its default. */
static void properties_follow_the_configuration(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               HEAD "    - {name: a, properties: {application.sort.policy: fair, priority.offset: '5',\n"
                    "       preemption.policy: fence}, queues: [{name: b, queues: [{name: c}]}]}\n");
    const struct yk_queue *c = world_queue(&world, "root.a.b.c");
    assert_int_equal(c->settings.app_sort, YK_APP_SORT_FAIR);
    assert_int_equal(c->settings.priority_offset, 0);
    assert_int_equal(c->settings.preemption_policy, YK_PREEMPTION_DEFAULT);
    must_reload(&world, HEAD "    - {name: a, properties: {preemption.allowed: 'false'},\n"
                             "       queues: [{name: b, queues: [{name: c}]}]}\n");
    assert_int_equal(c->settings.app_sort, YK_APP_SORT_FIFO);
    assert_int_equal(world_queue(&world, "root.a")->settings.priority_offset, 0);
    assert_int_equal(c->settings.preemption_policy, YK_PREEMPTION_DISABLED);
    world_submit(&world, "app", "root.a.dyn", "joe"); /* I3: a dynamic leaf inherits nothing */
    assert_int_equal(world_queue(&world, "root.a.dyn")->settings.preemption_policy, YK_PREEMPTION_DEFAULT);
    world_done(&world);
}

/* T2 to T4 and BUG-5: inherited templates survive a reload; leaves that are there keep what they have. */
static void templates_are_inherited_after_a_reload(void **state)
{
    (void)state;
    struct world world;
    static const char both[] = HEAD "    - {name: t, parent: true, childtemplate: {maxapplications: %d}, "
                                    "queues: [{name: p, parent: true}]}\n"
                                    "    - {name: other, maxapplications: %d}\n";
    char text[1024];
    (void)snprintf(text, sizeof(text), both, 3, 1);
    world_init(&world, text);
    world_submit(&world, "a1", "root.t.p.deep.x", "joe");
    assert_int_equal(world_queue(&world, "root.t.p.deep.x")->max_apps, 3);
    (void)snprintf(text, sizeof(text), both, 3, 2); /* elsewhere */
    must_reload(&world, text);
    world_submit(&world, "a2", "root.t.p.y", "joe");
    assert_int_equal(world_queue(&world, "root.t.p.y")->max_apps, 3);
    (void)snprintf(text, sizeof(text), both, 7, 2);
    must_reload(&world, text);
    world_submit(&world, "a3", "root.t.p.deep.z", "joe"); /* below a dynamic parent */
    assert_int_equal(world_queue(&world, "root.t.p.deep.z")->max_apps, 7);
    assert_int_equal(world_queue(&world, "root.t.p.deep.x")->max_apps, 3);
    must_reload(&world, HEAD "    - {name: t, parent: true, queues: [{name: p, parent: true}]}\n");
    world_submit(&world, "a4", "root.t.p.deep.w", "joe");
    assert_int_equal(world_queue(&world, "root.t.p.deep.w")->max_apps, 0);
    world_done(&world);
}

/* T1, V9: a template that cannot be read refuses the configuration; one that says nothing is none. */
static void templates_are_checked_before_activation(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: t, parent: true}\n");
    const char *refusal = world_reload(
        &world, HEAD "    - {name: t, parent: true, childtemplate: {resources: {max: {vcore: lots}}}}\n");
    assert_non_null(refusal);
    assert_non_null(strstr(refusal, "root.t"));
    assert_non_null(strstr(refusal, "lots"));
    must_reload(&world,
                HEAD "    - {name: t, parent: true, childtemplate: {resources: {max: {vcore: 0}}}}\n");
    world_submit(&world, "app", "root.t.x", "joe");
    assert_false(world_queue(&world, "root.t.x")->has_max);
    world_done(&world);
}

/* R11, BUG-8, BUG-9 */
static void root_and_a_queue_of_its_name(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: root, resources: {max: {vcore: 2}}}\n");
    const struct yk_queue *below = world_queue(&world, "root.root");
    assert_true(below->has_max);
    assert_int_equal(yk_resvec_get(&below->max, YK_RESTYPE_VCORE), 2000);
    must_reload(&world, "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                        "    maxapplications: 1\n    queues:\n"
                        "    - {name: root, maxapplications: 1, resources: {max: {vcore: 3}}}\n");
    assert_int_equal(world_partition(&world)->root->max_apps, 1);
    assert_int_equal(yk_resvec_get(&below->max, YK_RESTYPE_VCORE), 3000);
    world_done(&world);
}

/* R1 */
static void a_maximum_of_nothing_is_none(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: a, resources: {max: {vcore: 0}}}\n"
                            "    - {name: b, resources: {max: {vcore: 0, memory: 1G}}}\n");
    assert_false(world_queue(&world, "root.a")->has_max);
    assert_true(world_queue(&world, "root.b")->has_max);
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app-a", "root.a", "joe");
    world_submit(&world, "app-b", "root.b", "joe");
    world_ask(&world, "app-a", "1", 100, 10);
    world_ask(&world, "app-b", "2", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

/* R25: a maximum reaches the shares below, R46: offset and policy the priorities above. */
static void orders_follow_a_reload(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: a, queues: [{name: x}]}\n    - name: b\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "app-a", "root.a.x", "joe");
    world_submit(&world, "app-b", "root.b", "joe");
    for (int i = 0; i < 4; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "a%d", i);
        world_ask(&world, "app-a", key, 1000, 10);
        (void)snprintf(key, sizeof(key), "b%d", i);
        world_ask(&world, "app-b", key, 1000, 10);
    }
    assert_int_equal(world_schedule_one(&world), 1);
    assert_int_equal(world_schedule_one(&world), 1); /* one each */
    must_reload(&world, HEAD "    - {name: a, queues: [{name: x, properties: {priority.offset: '5'}}]}\n"
                             "    - name: b\n");
    assert_int_equal(world_queue(&world, "root.a")->priority, 5);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root.a")->allocated, YK_RESTYPE_VCORE), 3000);
    must_reload(&world, HEAD "    - {name: a, resources: {max: {vcore: 4}}, queues: [{name: x}]}\n"
                             "    - name: b\n");
    assert_int_equal(world_queue(&world, "root.a")->priority, 0);
    assert_true(world_queue(&world, "root.a.x")->share > 0.7); /* of the parent's maximum now */
    assert_int_equal(world_schedule_one(&world), 1);
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root.b")->allocated, YK_RESTYPE_VCORE), 2000);
    world_done(&world);
}

/* R14, R35: more applications may run after a reload. */
static void raised_number_of_applications_wakes(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: a, maxapplications: 1}\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "one", "root.a", "joe");
    world_submit(&world, "two", "root.a", "joe");
    world_ask(&world, "one", "1", 100, 10);
    world_ask(&world, "two", "2", 100, 10);
    assert_int_equal(world_schedule(&world), 1);
    must_reload(&world, HEAD "    - {name: a, maxapplications: 2}\n");
    assert_int_equal(world_schedule(&world), 1);
    must_reload(&world, HEAD "    - {name: a, maxapplications: 1}\n");
    expect_names(&world, YK_CHANGE_OVER_LIMIT, "root.a");
    world_done(&world);
}

/* ---- type and state ---- */

/* R15, BUG-10: children of a queue that became a leaf are served until they are gone. */
static void parent_turned_leaf_serves_its_children(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: a, queues: [{name: b}]}\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "old", "root.a.b", "joe");
    world_ask(&world, "old", "1", 1000, 10);
    world_ask(&world, "old", "2", 1000, 10);
    must_reload(&world, HEAD "    - name: a\n");
    world_submit(&world, "new", "root.a", "joe");
    world_ask(&world, "new", "3", 1000, 10);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_true(yk_app_find_ask(world_app(&world, "old"), YK_STR("1"))->node !=
                NULL); /* the old kind first */
    assert_int_equal(world_schedule(&world), 2);
    world_submit(&world, "late", "root.a.b", "joe");
    assert_null(world_app(&world, "late"));
    world_release(&world, "old", "", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 31);
    world_advance(&world, 11);
    assert_null(world_queue(&world, "root.a.b"));
    assert_non_null(world_app(&world, "new"));
    world_check(&world);
    world_done(&world);
}

/* R10, R12: dynamic queues become configured ones with all that is in them; others are left alone. */
static void dynamic_queue_becomes_managed(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: p, parent: true, childtemplate: {maxapplications: 9}}\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "one", "root.p.x", "joe");
    world_submit(&world, "two", "root.p.y", "joe");
    world_ask(&world, "one", "1", 1000, 10);
    assert_int_equal(world_schedule(&world), 1);
    must_reload(&world, HEAD "    - {name: p, parent: true, queues: [{name: X, maxapplications: 2}]}\n");
    const struct yk_queue *x = world_queue(&world, "root.p.x"), *y = world_queue(&world, "root.p.y");
    assert_true(x->managed);
    assert_int_equal(x->max_apps, 2);
    assert_int_equal(x->app_count, 1);
    assert_false(y->managed);
    assert_int_equal(y->state, YK_STATE_ACTIVE);
    assert_int_equal(y->max_apps, 9); /* T4 */
    must_reload(&world, HEAD "    - {name: p, parent: true}\n");
    assert_int_equal(x->state, YK_STATE_DRAINING);
    world_done(&world);
}

/* R20, BUG-11; R19 for a part of a branch */
static void draining_reaches_below(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, HEAD "    - {name: p, parent: true, queues: [{name: m}]}\n    - name: keep\n");
    world_submit(&world, "dyn", "root.p.d", "joe");
    world_submit(&world, "man", "root.p.m", "joe");
    must_reload(&world, HEAD "    - name: keep\n");
    assert_int_equal(world_queue(&world, "root.p.m")->state, YK_STATE_DRAINING);
    assert_int_equal(world_queue(&world, "root.p.d")->state, YK_STATE_ACTIVE);
    world_submit(&world, "late", "root.p.d", "joe");
    world_submit(&world, "later", "root.p.e", "joe");
    assert_null(world_app(&world, "late"));
    assert_null(world_app(&world, "later"));
    must_reload(&world, HEAD "    - {name: p, parent: true}\n    - name: keep\n");
    assert_int_equal(world_queue(&world, "root.p")->state, YK_STATE_ACTIVE);
    assert_int_equal(world_queue(&world, "root.p.m")->state, YK_STATE_DRAINING);
    world_submit(&world, "again", "root.p.d", "joe");
    assert_non_null(world_app(&world, "again"));
    world_done(&world);
}

struct told_draining {
    struct world world; /* first: it is the context of the callbacks */
    size_t told, applications;
    char queue[64];
};

static void on_draining(void *rm, const struct yk_si_draining *draining)
{
    struct told_draining *told = rm;
    told->told++;
    told->applications = draining->applications;
    (void)snprintf(told->queue, sizeof(told->queue), "%s", draining->queue);
}

/* R21: said every 10 minutes, with the applications that are left; once for a branch. */
static void long_draining_is_told(void **state)
{
    (void)state;
    struct told_draining told = {.told = 0};
    struct world *world = &told.world;
    world_init(world, HEAD "    - {name: p, queues: [{name: a}, {name: b}]}\n    - name: keep\n");
    ((struct yk_rm *)world->core->rms.items[0])->callbacks.queue_draining = on_draining;
    world_submit(world, "one", "root.p.a", "joe");
    world_submit(world, "two", "root.p.b", "joe");
    int64_t since = yk_clock_wall_ns(&world->clock);
    must_reload(world, HEAD "    - name: keep\n");
    world_advance(world, 599);
    assert_int_equal(told.told, 0);
    world_advance(world, 2);
    assert_int_equal(told.told, 1);
    assert_string_equal(told.queue, "root.p");
    assert_int_equal(told.applications, 2);
    assert_true(world_queue(world, "root.p")->state_wall_ns == since);
    world_advance(world, 600);
    assert_int_equal(told.told, 2);
    must_reload(world, HEAD "    - {name: p, queues: [{name: a}]}\n    - name: keep\n");
    world_advance(world, 600);
    assert_int_equal(told.told, 3); /* of the branch, root.p.b alone still drains */
    assert_string_equal(told.queue, "root.p.b");
    assert_int_equal(told.applications, 1);
    assert_int_equal(yk_core_remove_app(world->core, "rm", "two", NULL), YK_OK);
    world_advance(world, 11);
    world_advance(world, 6000);
    assert_int_equal(told.told, 3);
    world_done(world);
}

static void submit_forced(struct world *world, const char *id, const char *queue, bool forced)
{
    const struct yk_si_tag tags[] = {
        {YK_SI_TAG_FORCE_CREATE, forced ? "true" : "false"},
        {"namespace.resourcequota", "{\"resources\":{\"vcore\":{\"value\":1}}}"}};
    struct yk_si_new_app app = {
        .application_id = id, .queue = queue, .ugi = {.user = "joe"}, .tags = tags, .tag_count = 2};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
}

/* R7, R8, BUG-6, BUG-7 */
static void recovery_queue_is_closed(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
                       "  queues:\n  - name: root\n    childtemplate: {maxapplications: 1}\n    queues:\n"
                       "    - {name: open, submitacl: '*'}\n    - {name: other, submitacl: '*'}\n");
    submit_forced(&world, "sneaky", "root.@recovery@", false);
    assert_null(world_app(&world, "sneaky"));
    assert_null(world_queue(&world, "root.@recovery@"));
    submit_forced(&world, "bound", "root.forbidden", true);
    const struct yk_queue *recovery = world_queue(&world, "root.@recovery@");
    assert_non_null(recovery);
    assert_non_null(world_app(&world, "bound"));
    assert_int_equal(recovery->max_apps, 0); /* no template */
    assert_false(recovery->has_max);         /* no tags of the namespace */
    assert_int_equal(recovery->settings.app_sort, YK_APP_SORT_FIFO);
    submit_forced(&world, "sneaky", "root.@RECOVERY@", false);
    assert_null(world_app(&world, "sneaky"));
    /* An entry of its name does not open it, nor the next reload without one close it. */
    must_reload(&world, HEAD "    - {name: '@Recovery@', parent: true, submitacl: '*',\n"
                             "       properties: {application.sort.policy: fair}, queues: [{name: x}]}\n");
    assert_true(recovery->is_leaf && !recovery->managed);
    assert_int_equal(recovery->max_apps, 0);
    assert_int_equal(recovery->settings.app_sort, YK_APP_SORT_FIFO);
    assert_null(world_queue(&world, "root.@recovery@.x"));
    submit_forced(&world, "sneaky", "root.@recovery@", false);
    assert_null(world_app(&world, "sneaky"));
    must_reload(&world, HEAD "    - {name: other}\n");
    assert_int_equal(recovery->state, YK_STATE_ACTIVE);
    assert_int_equal(yk_core_remove_app(world.core, "rm", "bound", NULL), YK_OK);
    world_advance(&world, 11);
    assert_null(world_queue(&world, "root.@recovery@"));
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inherited_properties_stay_shared),
        cmocka_unit_test(only_what_differs_is_touched),
        cmocka_unit_test(what_a_change_did_is_told),
        cmocka_unit_test(same_text_does_nothing),
        cmocka_unit_test(overtaken_preparation_is_repeated),
        cmocka_unit_test(prepared_while_the_core_works),
        cmocka_unit_test(settings_and_queues_change_together),
        cmocka_unit_test(properties_follow_the_configuration),
        cmocka_unit_test(templates_are_inherited_after_a_reload),
        cmocka_unit_test(templates_are_checked_before_activation),
        cmocka_unit_test(root_and_a_queue_of_its_name),
        cmocka_unit_test(a_maximum_of_nothing_is_none),
        cmocka_unit_test(orders_follow_a_reload),
        cmocka_unit_test(raised_number_of_applications_wakes),
        cmocka_unit_test(parent_turned_leaf_serves_its_children),
        cmocka_unit_test(dynamic_queue_becomes_managed),
        cmocka_unit_test(draining_reaches_below),
        cmocka_unit_test(long_draining_is_told),
        cmocka_unit_test(recovery_queue_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

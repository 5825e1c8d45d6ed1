/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reloads of a live partition with changed configurations. A text that is refused names a line or a path and
 * leaves the tree, the rules and what runs there as they were; one that is accepted is active afterwards, and
 * the invariants hold. The corpus is valid configurations; mutate_yaml.c changes them.
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/timer.h"
#include "mutate_yaml.h"
#include "scheduler/core.h"
#include "scheduler/invariants.h"
#include "si.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static const char base_config[] =
    "partitions:\n- name: default\n"
    "  placementrules:\n"
    "  - {name: provided, create: true}\n"
    "  - {name: user, create: true, filter: {users: ['^a']}, parent: {name: fixed, value: dyn}}\n"
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
    "    - {name: a, parent: true, resources: {max: {vcore: 8}}, queues: [{name: x}, {name: y, adminacl: "
    "bob}]}\n"
    "    - {name: b, maxapplications: 3, properties: {application.sort.policy: fair}}\n"
    "    - {name: dyn, parent: true, childtemplate: {maxapplications: 2}}\n";

struct live {
    struct yk_clock clock;
    struct yk_timers timers;
    struct yk_core *core;
    struct yk_buf shown; /* how it looks */
};

static struct live live;
static struct {
    size_t accepted, refused;
} totals;

static void die(const char *what, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

static void must(enum yk_status st, const char *what)
{
    if (st != YK_OK)
        die(what, yk_status_word(st));
}

/* ---- what was accepted first, which is mostly the corpus, to be changed again ---- */

enum { KEPT = 8, KEPT_BYTES = 4096 };

static struct {
    char text[KEPT][KEPT_BYTES];
    size_t len[KEPT];
    size_t count;
} kept;

static void keep(struct yk_str text)
{
    if (kept.count == KEPT || text.len == 0 || text.len > KEPT_BYTES)
        return;
    memcpy(kept.text[kept.count], text.p, text.len);
    kept.len[kept.count++] = text.len;
}

/* Changes of changes are hardly ever valid: every other one starts at a valid text again. */
static size_t start_over(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    size_t slot = seed / 2 % KEPT;
    if (seed % 2 == 0 || slot >= kept.count || kept.len[slot] > max_size)
        return size;
    memcpy(data, kept.text[slot], kept.len[slot]);
    return kept.len[slot];
}

/* ---- how a core looks ---- */

static void show_amounts(struct yk_buf *out, const char *what, bool is_set, const struct yk_resvec *amounts)
{
    if (!is_set)
        return;
    yk_buf_printf(out, " %s", what);
    yk_resvec_foreach(t, amounts)
        yk_buf_printf(out, " %s=%lld", yk_restype_name(t), (long long)yk_resvec_get(amounts, t));
}

static void show_queue(struct yk_buf *out, const struct yk_queue *queue)
{
    const char *submit = queue->submit_acl.text, *admin = queue->admin_acl.text;
    yk_buf_printf(out, "%s leaf=%d managed=%d state=%d apps=%u max_apps=%llu acl=%d:%s:%s", queue->path,
                  queue->is_leaf, queue->managed, queue->state, queue->app_count,
                  (unsigned long long)queue->max_apps, queue->submit_acl.all, submit != NULL ? submit : "",
                  admin != NULL ? admin : "");
    show_amounts(out, "max", queue->has_max, &queue->max);
    show_amounts(out, "guaranteed", queue->has_guaranteed, &queue->guaranteed);
    show_amounts(out, "allocated", true, &queue->allocated);
    show_amounts(out, "pending", true, &queue->pending);
    struct yk_arena arena = {0};
    struct yk_pairs properties = yk_property_set_list(queue->properties, &arena);
    for (uint32_t i = 0; i < properties.count; i++)
        yk_buf_printf(out, " " YK_STR_FMT "=" YK_STR_FMT, YK_STR_ARG(properties.items[i].key),
                      YK_STR_ARG(properties.items[i].value));
    yk_arena_done(&arena);
    yk_buf_printf(out, " template=%d,%llu\n", queue->child_template.is_set,
                  (unsigned long long)queue->child_template.max_apps);
}

static void show_rules(struct yk_buf *out, const struct yk_placement *placement)
{
    struct yk_placement_rule_view rule;
    for (size_t i = 0; i < yk_placement_rule_count(placement); i++) {
        for (size_t depth = 0; yk_placement_rule_at(placement, i, depth, &rule); depth++)
            yk_buf_printf(out, "%s create=%d value=%s users=%u allow=%d; ", rule.name, rule.create,
                          rule.value != NULL ? rule.value : "", rule.filter->users.count, rule.filter_allows);
        yk_buf_char(out, '\n');
    }
}

static void show(const struct yk_core *core, struct yk_buf *out)
{
    yk_buf_clear(out);
    yk_buf_printf(out, "checksum %s\n", yk_core_first_rm(core)->config->checksum);
    for (size_t i = 0; i < core->partitions.count; i++) {
        const struct yk_partition *partition = core->partitions.items[i];
        yk_buf_printf(out, "partition %s state=%d preemption=%d,%d nodes=%u allocations=%llu\n",
                      partition->name, partition->state, partition->preemption_enabled,
                      partition->quota_preemption_enabled, partition->node_count,
                      (unsigned long long)partition->allocation_count);
        for (const struct yk_queue *queue = partition->root; queue != NULL;
             queue = yk_queue_next(queue, partition->root))
            show_queue(out, queue);
        show_rules(out, partition->placement);
    }
}

/* ---- a core with something in it ---- */

static struct yk_resvec amounts(int64_t vcore)
{
    struct yk_resvec size = {0};
    yk_resvec_put(&size, YK_RESTYPE_VCORE, vcore);
    yk_resvec_put(&size, YK_RESTYPE_PODS, 1);
    return size;
}

static void add_work(const char *id, const char *queue)
{
    struct yk_si_new_app app = {.application_id = id, .queue = queue, .ugi = {.user = "ann"}};
    must(yk_core_add_app(live.core, "rm", &app), "application");
    struct yk_resvec size = amounts(1000);
    struct yk_si_allocation ask = {
        .key = id, .application_id = id, .resource = &size, .scheduling_class = YK_SI_CLASS_ANY};
    must(yk_core_update_allocation(live.core, "rm", &ask), "ask");
}

static void start(void)
{
    yk_clock_virtual_init(&live.clock, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&live.timers, &live.clock);
    struct yk_core_options options = {.clock = &live.clock, .timers = &live.timers, .manual = true};
    live.core = yk_core_new(&options);
}

/* Registering again drops all there was. */
static void build(void)
{
    static const struct yk_si_callbacks callbacks = {0};
    struct yk_si_register request = {.rm_id = "rm", .config = yk_str_from(base_config)};
    struct yk_err err = {0};
    if (yk_core_register(live.core, &request, &callbacks, &live, &err) != YK_OK)
        die("base configuration", err.text);
    struct yk_resvec capacity = amounts(3500);
    yk_resvec_put(&capacity, YK_RESTYPE_PODS, 110);
    struct yk_si_node node = {.node_id = "node", .action = YK_SI_NODE_CREATE, .capacity = &capacity};
    must(yk_core_update_node(live.core, "rm", &node), "node");
    add_work("one", "root.a.x");
    add_work("two", "root.b");
    add_work("three", "root.dyn.new");
    add_work("four", "");
    (void)yk_core_schedule(live.core, SIZE_MAX, INT64_MAX); /* three of them fit */
    show(live.core, &live.shown);
}

static void finish(void)
{
    yk_core_free(live.core);
    yk_timers_done(&live.timers);
    yk_buf_done(&live.shown);
    (void)fprintf(stderr, "accepted %zu, refused %zu\n", totals.accepted, totals.refused);
}

/* ---- the two outcomes ---- */

/* A line, a path, or the text as a whole. */
static bool names_a_place(const char *sentence)
{
    static const char *const places[] = {"line ", "queue '", "partition '",
                                         "the configuration has no partition"};
    for (size_t i = 0; i < YK_COUNT(places); i++) {
        if (strstr(sentence, places[i]) != NULL)
            return true;
    }
    return false;
}

static void check_refusal(const struct yk_err *err)
{
    struct yk_buf after = {0};
    totals.refused++;
    if (!names_a_place(err->text))
        die("names neither line nor path", err->text);
    show(live.core, &after);
    if (!yk_str_eq(yk_buf_view(&after), yk_buf_view(&live.shown))) {
        (void)fprintf(stderr, "before:\n%s\nafter:\n%s\n", live.shown.p, after.p);
        die("a refused configuration changed something", err->text);
    }
    yk_buf_done(&after);
}

static void check_invariants(const char *when)
{
    struct yk_err err = {0};
    for (size_t i = 0; i < live.core->partitions.count; i++) {
        if (!yk_partition_check(live.core->partitions.items[i], &err))
            die(when, err.text);
    }
}

static bool is_active(struct yk_str text)
{
    char checksum[YK_CONFIG_CHECKSUM_LEN + 1];
    yk_config_checksum(text, checksum);
    return strcmp(checksum, yk_core_first_rm(live.core)->config->checksum) == 0;
}

/* What was accepted is active (the default, if the text says nothing); what goes on then finds all in
 * order. */
static void check_accepted(struct yk_str text)
{
    totals.accepted++;
    keep(text);
    if (!is_active(text) && !is_active(yk_str_from(yk_config_default_text)))
        die("accepted but not active", yk_core_first_rm(live.core)->config->checksum);
    check_invariants("after the reload");
    for (int i = 0; i < 3; i++) {
        yk_clock_advance(&live.clock, 11 * YK_NS_PER_S);
        (void)yk_timers_run(&live.timers); /* how many is not the question */
        (void)yk_core_schedule(live.core, 100, INT64_MAX);
    }
    check_invariants("after the reload and half a minute");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (live.core == NULL) {
        yk_log_set_stream(NULL);
        start();
        build();
        (void)atexit(finish); /* without it only the totals are missing */
    }
    struct yk_si_register request = {.rm_id = "rm", .config = {(const char *)data, size}};
    struct yk_err err = {0};
    if (yk_core_update_config(live.core, &request, &err) == YK_OK) {
        check_accepted(request.config);
        build();
    } else {
        check_refusal(&err);
    }
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    size = start_over(data, size, max_size, seed);
    return mutate_yaml((char *)data, size, max_size, seed);
}

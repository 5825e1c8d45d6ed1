/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/rest.md, section 10: the text format, and the numbers in it. */
#include "web/browser.h"

#include "base/map.h"
#include "metrics/metric.h"
#include "report/preemption_log.h"
#include "scheduler/health.h"

static const char config[] =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf, "
    "maxapplications: 3, resources: {guaranteed: {vcore: 1}, max: {memory: 10Gi}}}, "
    "{name: a-b}, {name: a, queues: [{name: b}]}]}]}]";

static bool is_name_char(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
           (!first && c >= '0' && c <= '9');
}

static const char *skip_name(const char *p)
{
    const char *start = p;
    while (is_name_char(*p, p == start))
        p++;
    return p;
}

/* name{a="b",c="d"} 1.5: fails the test when it is anything else. Returns what comes after the name. */
static const char *check_sample(const char *line)
{
    const char *after = skip_name(line), *p = after, *last_key = "";
    char *end;
    if (p == line)
        fail_msg("no name: %s", line);
    if (*p == '{') {
        do {
            const char *key = ++p;
            p = skip_name(p);
            if (p == key || strncmp(p, "=\"", 2) != 0)
                fail_msg("labels: %s", line);
            if (strncmp(key, "le=", 3) != 0 && strncmp(last_key, "le=", 3) != 0 && strcmp(key, last_key) < 0)
                fail_msg("labels are not in order: %s", line);
            last_key = key;
            for (p += 2; *p != '"'; p++) {
                if (*p == '\0')
                    fail_msg("open label: %s", line);
                p += *p == '\\';
            }
            p++;
        } while (*p == ',');
        if (*p++ != '}')
            fail_msg("labels do not end: %s", line);
    }
    if (*p++ != ' ' || (strtod(p, &end), *end != '\0') || end == p)
        fail_msg("no number: %s", line);
    return after;
}

static bool belongs_to(const char *line, const char *after_name, const char *family, bool histogram)
{
    size_t len = strlen(family);
    if (strncmp(line, family, len) != 0)
        return false;
    const char *rest = line + len;
    size_t suffix = (size_t)(after_name - rest);
    if (suffix == 0)
        return true;
    return histogram && ((suffix == 7 && strncmp(rest, "_bucket", 7) == 0) ||
                         (suffix == 4 && strncmp(rest, "_sum", 4) == 0) ||
                         (suffix == 6 && strncmp(rest, "_count", 6) == 0));
}

/* The lines of a family stand together below its one TYPE, and no series is there twice. */
static void check_text(char *text)
{
    struct yk_strmap families = {0}, series = {0};
    char family[256] = "";
    bool histogram = false;
    for (char *line = text, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        assert_non_null(end); /* the last line ends as well */
        *end = '\0';
        if (strncmp(line, "# HELP ", 7) == 0)
            continue;
        if (strncmp(line, "# TYPE ", 7) == 0) {
            char type[32];
            assert_int_equal(sscanf(line, "# TYPE %255s %31s", family, type), 2);
            histogram = strcmp(type, "histogram") == 0;
            struct yk_str name = {line + 7, strlen(family)};
            if (yk_strmap_put(&families, name, text) != NULL)
                fail_msg("family twice: %s", family);
            continue;
        }
        const char *after = check_sample(line);
        if (!belongs_to(line, after, family, histogram))
            fail_msg("not below its TYPE: %s", line);
        struct yk_str name = {line, (size_t)(strrchr(line, ' ') - line)};
        if (yk_strmap_put(&series, name, text) != NULL)
            fail_msg("series twice: %s", line);
    }
    yk_strmap_done(&families);
    yk_strmap_done(&series);
}

/* "yunikorn_<queue path>_queue_container" is any name with that begin and end. */
static bool is_name_of(const struct yk_metric *row, const char *name)
{
    const char *open = strchr(row->name, '<'), *close = strchr(row->name, '>');
    if (open == NULL || close == NULL)
        return strcmp(row->name, name) == 0;
    return strncmp(name, row->name, (size_t)(open - row->name)) == 0 &&
           yk_str_ends(yk_str_from(name), close + 1);
}

static bool has_row(const char *name, const char *type)
{
    for (size_t i = 0; i < yk_metric_count; i++) {
        if (is_name_of(yk_metrics[i], name) && strcmp(yk_metric_type_name(yk_metrics[i]->type), type) == 0)
            return true;
    }
    return false;
}

static void check_rows(const char *text)
{
    char name[256], type[32];
    for (const char *at = text; (at = strstr(at, "# TYPE ")) != NULL; at++) {
        assert_int_equal(sscanf(at, "# TYPE %255s %31s", name, type), 2);
        if (!has_row(name, type))
            fail_msg("%s %s is no row of metric_rows.h", type, name);
    }
}

static void has_line(const struct yk_answer *answer, const char *line)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf wanted = {0};
    yk_buf_printf(&wanted, "\n%s\n", line);
    if (strstr(yk_buf_cstr(&answer->body), yk_buf_cstr(&wanted)) == NULL)
        fail_msg("missing: %s", line);
}

static void init(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 1000, 1000);
    world_node(world, "n2", 1000, 1000);
    world_node_action(world, "n2", YK_SI_NODE_DRAIN);
    world_submit(world, "app", "root.leaf", "ann");
    world_ask(world, "app", "k1", 250, 10);
    assert_int_equal(world_schedule(world), 1);
    world_ask(world, "app", "k2", 5000, 10);
    world_ask(world, "app", "k3", 5000, 20000);
    assert_int_equal(world_schedule(world), 0);
    world_submit(world, "bad", "root.none", "ann");
    world_submit(world, "x", "root.a-b", "ann");
    world_ask(world, "x", "k4", 1, 1);
    world_submit(world, "y", "root.a.b", "ann");
    world_ask(world, "y", "k5", 1, 1);
    assert_int_equal(world_schedule(world), 2);
}

static void format(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    static const char *const targets[] = {"/ws/v1/metrics", "/metrics"};
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        struct yk_answer answer = browse(&world, targets[i], 200);
        assert_string_equal(answer.content_type, "text/plain; version=0.0.4; charset=utf-8");
        assert_null(answer.cors_methods);
        check_rows(yk_buf_cstr(&answer.body));
        check_text(answer.body.p);
        yk_answer_done(&answer);
    }
    world_done(&world);
}

static void numbers(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "yunikorn_scheduler_container_allocation_attempt_total{state=\"allocated\"} 3",
        "yunikorn_scheduler_application_submission_total{result=\"rejected\"} 1",
        "yunikorn_scheduler_application_submission_total{result=\"new\"} 3",
        "yunikorn_scheduler_application_total{state=\"running\"} 3",
        "yunikorn_scheduler_node{state=\"active\"} 2",
        "yunikorn_scheduler_node{state=\"draining\"} 1",
        "yunikorn_scheduler_vcore_node_usage_total{range=\"[0,10%]\"} 1",
        "yunikorn_scheduler_vcore_node_usage_total{range=\"(20%,30%]\"} 1",
        "yunikorn_scheduler_memory_node_usage_total{range=\"(90%,100%]\"} 0",
        "yunikorn_scheduler_trynode_latency_milliseconds_count 2",
        "yunikorn_scheduler_trynode_evaluation_milliseconds_count 3",
        "yunikorn_scheduler_node_sorting_latency_milliseconds_bucket{le=\"+Inf\",level=\"app\"} 4",
        "yunikorn_scheduler_node_sorting_latency_milliseconds_bucket{le=\"+Inf\",level=\"queue\"} 4",
        "yunikorn_queue_app{queue=\"root.leaf\",state=\"running\"} 1",
        "yunikorn_queue_app{queue=\"root\",state=\"rejected\"} 1",
        "yunikorn_queue_app_total{queue=\"root\",state=\"rejected\"} 1",
        "yunikorn_queue_resource{queue=\"root.leaf\",resource=\"vcore\",state=\"guaranteed\"} 1000",
        "yunikorn_queue_resource{queue=\"root.leaf\",resource=\"memory\",state=\"max\"} 10737418240",
        "yunikorn_queue_resource{queue=\"root.leaf\",resource=\"vcore\",state=\"allocated\"} 250",
        "yunikorn_queue_resource{queue=\"root.leaf\",resource=\"vcore\",state=\"pending\"} 10000",
        "yunikorn_queue_resource{queue=\"root.leaf\",resource=\"apps\",state=\"maxRunningApps\"} 3",
        "yunikorn_root_leaf_queue_container{state=\"allocated\"} 1",
        "yunikorn_queue_container_total{queue=\"root.a-b\",state=\"allocated\"} 1",
        "yunikorn_queue_container_total{queue=\"root.a.b\",state=\"allocated\"} 1",
        "yunikorn_pending_pods{queue=\"root.leaf\",status=\"quota\"} 1",
        "yunikorn_pending_pods{queue=\"root.leaf\",status=\"unschedulable\"} 1",
        "yunikorn_config_reloads_total{result=\"accepted\"} 1",
        "yunikorn_config_reloads_total{result=\"refused\"} 0",
        "yunikorn_scheduler_schedule_attempts_total{result=\"scheduled\"} 3",
        "yunikorn_scheduler_schedule_attempts_total{result=\"unschedulable\"} 2",
        "yunikorn_scheduler_attempt_duration_seconds_count{result=\"scheduled\"} 2",
        "yunikorn_scheduler_pod_scheduling_attempts_bucket{le=\"1\"} 3",
        "yunikorn_incoming_pods_total{event=\"added\"} 5",
        "yunikorn_queue_status{queue=\"root.leaf\",status=\"active\"} 1",
        "yunikorn_queue_status{queue=\"root.leaf\",status=\"draining\"} 0",
        "yunikorn_queue_fair_share_ratio{queue=\"root.leaf\"} 0.25",
        "yunikorn_config_last_success_timestamp_seconds 1700000000",
        "promhttp_metric_handler_requests_total{code=\"200\"} 0",
        "yunikorn_scheduler_assertion_failures_total 0",
    };
    struct world world;
    init(&world);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    for (size_t i = 0; i < YK_COUNT(lines); i++)
        has_line(&answer, lines[i]);
    static const char *const families[] = {"process_cpu_seconds_total",
                                           "process_open_fds",
                                           "process_max_fds",
                                           "process_resident_memory_bytes",
                                           "process_virtual_memory_bytes",
                                           "process_virtual_memory_max_bytes",
                                           "process_start_time_seconds",
                                           "yunikorn_build_info"};
    for (size_t i = 0; i < YK_COUNT(families); i++) {
        if (strstr(yk_buf_cstr(&answer.body), families[i]) == NULL)
            fail_msg("missing: %s", families[i]);
    }
    yk_answer_done(&answer);
    world_done(&world);
}

/* A series is there once it was used, and stays: a number that falls to 0 is shown. */
/* Two types whose names become the same name of a metric, which may be there only once. */
static void types_with_similar_names(void **state)
{
    (void)state;
    struct world world;
    YK_RESVEC(capacity);
    int dot, line;
    init(&world);
    assert_int_equal(yk_restype_add(YK_STR("a.com/gpu"), &dot, NULL), YK_OK);
    assert_int_equal(yk_restype_add(YK_STR("a_com/gpu"), &line, NULL), YK_OK);
    yk_resvec_put(&capacity, dot, 4);
    yk_resvec_put(&capacity, line, 4);
    struct yk_si_node node = {.node_id = "gpus", .action = YK_SI_NODE_CREATE, .capacity = &capacity};
    assert_int_equal(yk_core_update_node(world.core, "rm", &node), YK_OK);
    struct yk_answer answer = browse(&world, "/metrics", 200);
    has_line(&answer, "yunikorn_scheduler_a_com_gpu_node_usage_total{range=\"[0,10%]\"} 2");
    check_text(answer.body.p);
    yk_answer_done(&answer);
    world_done(&world);
}

static void what_was_never_used_is_left_out(void **state)
{
    (void)state;
    static const char *const gone[] = {
        "state=\"error\"",        "ephemeral_storage",     "trypreemption",
        "state=\"failed\"",       "state=\"resuming\"",    "state=\"decommissioned\"",
        "queue=\"root.a\",state", "state=\"preempting\"",  "maxRunningApps\"} 0",
        "not_channeled",          "state=\"rejected\"} 0", "queue=\"root.a-b\",status=\"quota\""};
    struct world world;
    init(&world);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    for (size_t i = 0; i < YK_COUNT(gone); i++) {
        const char *found = strstr(yk_buf_cstr(&answer.body), gone[i]);
        if (found != NULL)
            fail_msg("%s is there: %.80s", gone[i], found);
    }
    yk_answer_done(&answer);
    world_release(&world, "x", "k4", YK_SI_STOPPED_BY_RM);
    answer = browse(&world, "/ws/v1/metrics", 200);
    has_line(&answer, "yunikorn_queue_container_total{queue=\"root.a-b\",state=\"released\"} 1");
    has_line(&answer, "yunikorn_queue_resource{queue=\"root.a-b\",resource=\"vcore\",state=\"allocated\"} 0");
    has_line(&answer, "yunikorn_pending_pods{queue=\"root.a-b\",status=\"active\"} 0");
    yk_answer_done(&answer);
    world_done(&world);
}

static void a_queue_takes_its_series_with_it(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    world_release(&world, "x", "k4", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 31);
    assert_null(world_reload(&world, "partitions: [{name: default, queues: [{name: root, submitacl: '*', "
                                     "queues: [{name: leaf}, {name: a, queues: [{name: b}]}]}]}]"));
    world_advance(&world, 31);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    assert_null(strstr(yk_buf_cstr(&answer.body), "root.a-b"));
    assert_non_null(
        strstr(yk_buf_cstr(&answer.body), "yunikorn_root_a_b_queue_container{")); /* the other path's now */
    yk_answer_done(&answer);
    world_done(&world);
}

/* ---- in slices ---- */

enum { LEAVES = 100 };

static void many_leaves(struct world *world)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    yk_buf_text(&text,
                "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: "
                "[{name: root, submitacl: '*', queues: [{name: dyn, parent: true}");
    for (int i = 0; i < LEAVES; i++)
        yk_buf_printf(&text, ", {name: leaf%d, resources: {max: {vcore: %d}}}", i, i + 1);
    yk_buf_text(&text, "]}]}]");
    world_init(world, yk_buf_cstr(&text));
    world_node(world, "n1", 1000, 1000);
}

struct scrape_change { /* what happens between two slices */
    struct world *world;
    int slices;
};

static void remove_dynamic_queues(void *context)
{
    struct scrape_change *change = context;
    if (++change->slices != 3) /* the walk is among them */
        return;
    for (int i = 0; i < LEAVES; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        assert_int_equal(yk_core_remove_app(change->world->core, "rm", id, NULL), YK_OK);
    }
    world_advance(change->world, 30);
}

/* Where the walk is can go with its queue. Each queue that stays is shown once. */
static void queues_go_between_slices(void **state)
{
    (void)state;
    struct world world;
    struct yk_answer answer;
    many_leaves(&world);
    for (int i = 0; i < LEAVES; i++) {
        char id[32], queue[64];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        (void)snprintf(queue, sizeof(queue), "root.dyn.q%d", i);
        world_submit(&world, id, queue, "ann");
    }
    struct scrape_change change = {.world = &world};
    yk_web_render(
        world.core, NULL,
        &(struct yk_web_query){
            .target = "/metrics", .tiny_slices = true, .between = remove_dynamic_queues, .context = &change},
        &answer);
    assert_int_equal(answer.status, 200);
    assert_true(change.slices > LEAVES / 16);
    for (int i = 0; i < LEAVES; i++) {
        char line[128];
        (void)snprintf(line, sizeof(line),
                       "yunikorn_queue_resource{queue=\"root.leaf%d\",resource=\"vcore\",state=\"max\"} %d",
                       i, (i + 1) * 1000);
        has_line(&answer, line);
    }
    check_text(answer.body.p);
    yk_answer_done(&answer);
    world_done(&world);
}

static void replace_first_queue(void *context)
{
    struct scrape_change *change = context;
    if (++change->slices != 3) /* it was copied */
        return;
    assert_int_equal(yk_core_remove_app(change->world->core, "rm", "app-0", NULL), YK_OK);
    world_advance(change->world, 30);
    world_submit(change->world, "again", "root.dyn.q0", "ann"); /* behind the others */
}

static void a_queue_that_comes_again_is_shown_once(void **state)
{
    (void)state;
    struct world world;
    struct yk_answer answer;
    many_leaves(&world);
    for (int i = 0; i < LEAVES; i++) {
        char id[32], queue[64];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        (void)snprintf(queue, sizeof(queue), "root.dyn.q%d", i);
        world_submit(&world, id, queue, "ann");
    }
    struct scrape_change change = {.world = &world};
    yk_web_render(
        world.core, NULL,
        &(struct yk_web_query){
            .target = "/metrics", .tiny_slices = true, .between = replace_first_queue, .context = &change},
        &answer);
    assert_int_equal(answer.status, 200);
    has_line(&answer, "yunikorn_queue_status{queue=\"root.dyn.q0\",status=\"active\"} 1");
    check_text(answer.body.p);
    yk_answer_done(&answer);
    world_done(&world);
}

static void change_everything(void *context, bool begins)
{
    struct scrape_change *change = context;
    if (begins)
        return;
    change->slices++;
    world_submit(change->world, "late", "root.leaf1", "ann");
    assert_null(world_reload(change->world,
                             "partitions: [{name: default, queues: [{name: root, submitacl: '*', "
                             "queues: [{name: leaf1}]}]}]"));
}

/* The text is made of copies, on another thread: what happens after the last slice is not in it. */
static void the_text_is_made_of_copies(void **state)
{
    (void)state;
    struct world world;
    struct yk_answer answer;
    many_leaves(&world);
    struct yk_answer before = browse(&world, "/metrics", 200);
    struct scrape_change change = {.world = &world};
    yk_web_render(
        world.core, NULL,
        &(struct yk_web_query){.target = "/metrics", .slice = change_everything, .context = &change},
        &answer);
    assert_int_equal(change.slices, 1);
    char *end = strstr(before.body.p, "# HELP process_");
    size_t len = (size_t)(end - before.body.p);
    assert_true(len > 1000 && answer.body.len > len);
    assert_memory_equal(before.body.p, answer.body.p, len);
    yk_answer_done(&before);
    yk_answer_done(&answer);
    world_done(&world);
}

/* Off by default; then those who use most. */
static void users_are_shown_if_wanted(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    world_submit(&world, "small", "root.leaf", "zoe");
    world_ask(&world, "small", "small-1", 10, 1);
    assert_int_equal(world_schedule(&world), 1);
    struct yk_answer answer = browse(&world, "/metrics", 200);
    assert_null(strstr(yk_buf_cstr(&answer.body), "yunikorn_user_resource"));
    yk_answer_done(&answer);
    world.core->metric_users = 1;
    yk_web_render(world.core, NULL, &(struct yk_web_query){.target = "/metrics", .tiny_slices = true},
                  &answer);
    has_line(
        &answer,
        "yunikorn_user_resource{queue=\"root.leaf\",resource=\"vcore\",state=\"used\",user=\"ann\"} 250");
    assert_null(strstr(yk_buf_cstr(&answer.body), "user=\"zoe\""));
    yk_answer_done(&answer);
    world.core->metric_users = 2;
    answer = browse(&world, "/metrics", 200);
    has_line(&answer,
             "yunikorn_user_resource{queue=\"root\",resource=\"vcore\",state=\"used\",user=\"zoe\"} 10");
    check_rows(yk_buf_cstr(&answer.body));
    check_text(answer.body.p);
    yk_answer_done(&answer);
    world_done(&world);
}

static void put_users(struct world *world, bool tiny_slices, struct yk_buf *ret_lines)
{
    struct yk_answer answer;
    yk_web_render(world->core, NULL, &(struct yk_web_query){.target = "/metrics", .tiny_slices = tiny_slices},
                  &answer);
    const char *at = strstr(yk_buf_cstr(&answer.body), "# HELP yunikorn_user_resource");
    assert_non_null(at);
    yk_buf_str(ret_lines, (struct yk_str){at, (size_t)(strstr(at, "# HELP yunikorn_queue_app") - at)});
    yk_answer_done(&answer);
}

/* Two users with more rows than are copied in one step. */
static void users_of_many_queues_are_copied_in_slices(void **state)
{
    (void)state;
    struct world world;
    struct yk_buf whole = {0}, slices = {0};
    size_t rows = 0;
    world_init(&world,
               "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: "
               "[{name: root, submitacl: '*', queues: [{name: dyn, parent: true}]}]}]");
    world_node(&world, "n1", 100000, 100000);
    for (int i = 0; i < 100; i++) {
        char id[32], queue[32];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        (void)snprintf(queue, sizeof(queue), "root.dyn.q%d", i);
        world_submit(&world, id, queue, i % 2 == 0 ? "ann" : "bob");
        world_ask(&world, id, id, 10, 1);
    }
    assert_int_equal(world_schedule(&world), 100);
    world.core->metric_users = 5;
    put_users(&world, false, &whole);
    put_users(&world, true, &slices);
    assert_string_equal(yk_buf_cstr(&whole), yk_buf_cstr(&slices));
    for (const char *at = yk_buf_cstr(&whole); (at = strstr(at, "resource=\"vcore\"")) != NULL; at++)
        rows++;
    assert_int_equal(rows, 2 * (2 + 50));
    yk_buf_done(&whole);
    yk_buf_done(&slices);
    world_done(&world);
}

/* queues.md R21, R44: what drains and what waits for quota preemption is shown, and only while it does. */
static void draining_queues_and_quota_clocks_are_shown(void **state)
{
    (void)state;
    static const char before[] =
        "partitions: [{name: default, preemption: {quotapreemptionenabled: true}, queues: [{name: root, "
        "submitacl: '*', queues: [{name: old}, {name: a}]}]}]";
    static const char after[] =
        "partitions: [{name: default, preemption: {quotapreemptionenabled: true}, queues: [{name: root, "
        "submitacl: '*', queues: [{name: a, resources: {max: {vcore: 1}}, "
        "properties: {quota.preemption.delay: 60s}}]}]}]";
    struct world world;
    world_init(&world, before);
    world_node(&world, "n1", 4000, 4096);
    world_submit(&world, "in-old", "root.old", "joe");
    world_submit(&world, "in-a", "root.a", "joe");
    world_ask(&world, "in-a", "1", 2000, 10);
    assert_int_equal(world_schedule(&world), 1);
    json_t *queue = browse_json(&world, "/ws/v1/partition/default/queue/root.old");
    assert_null(look(queue, "drainingSince"));
    json_decref(queue);

    world_advance(&world, 100);
    assert_null(world_reload(&world, after));
    int64_t now_ns = yk_clock_wall_ns(&world.clock);
    world_advance(&world, 5);
    queue = browse_json(&world, "/ws/v1/partition/default/queue/root.old");
    assert_string_equal(look_text(queue, "status"), "Draining");
    assert_true(look_int(queue, "drainingSince") == now_ns);
    json_decref(queue);
    queue = browse_json(&world, "/ws/v1/partition/default/queue/root.a");
    assert_true(look_int(queue, "quotaPreemptionStartTime") == now_ns + 60 * YK_NS_PER_S);
    assert_false(look_bool(queue, "isQuotaPreemptionRunning"));
    json_decref(queue);
    char want[128];
    (void)snprintf(want, sizeof(want), "\nyunikorn_queue_draining_since_seconds{queue=\"root.old\"} %lld\n",
                   (long long)(now_ns / YK_NS_PER_S));
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), want));
    assert_null(strstr(yk_buf_cstr(&answer.body), "draining_since_seconds{queue=\"root.a\"}"));
    yk_answer_done(&answer);

    assert_null(world_reload(&world, before));
    answer = browse(&world, "/ws/v1/metrics", 200);
    assert_null(strstr(yk_buf_cstr(&answer.body), "draining_since"));
    yk_answer_done(&answer);
    queue = browse_json(&world, "/ws/v1/partition/default/queue/root.a");
    assert_null(look(queue, "quotaPreemptionStartTime"));
    json_decref(queue);
    world_done(&world);
}

/* `age_s`: the placeholder was created that many seconds ago. */
static void placeholder(struct world *world, const char *key, int age_s)
{
    struct yk_resvec size = world_size(100, 10);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = "gang",
                                   .resource = &size,
                                   .task_group = "tg",
                                   .placeholder = true,
                                   .create_wall_ns = yk_clock_wall_ns(&world->clock) - age_s * YK_NS_PER_S,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    assert_int_equal(world_schedule(world), 1);
}

static void gangs_and_attempts(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 1000, 1000);
    struct yk_resvec total = world_size(100, 10);
    yk_resvec_mul(&total, 2);
    const struct yk_si_new_app gang = {
        .application_id = "gang", .queue = "root.leaf", .ugi = {.user = "ann"}, .placeholder_ask = &total};
    assert_int_equal(yk_core_add_app(world.core, "rm", &gang), YK_OK);
    world_advance(&world, 3);
    placeholder(&world, "p1", 0);
    world_advance(&world, 7);
    placeholder(&world, "p2", 8); /* it is older than the first one */
    world_submit(&world, "big", "root.a-b", "ann");
    world_ask(&world, "big", "b1", 900, 10);
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "gang", "p1", YK_SI_STOPPED_BY_RM);
    (void)world_schedule(&world);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    has_line(&answer, "yunikorn_gang_wait_seconds_sum 7");
    has_line(&answer, "yunikorn_queue_wait_seconds_sum{queue=\"root.leaf\",stage=\"gang_ready\"} 10");
    has_line(&answer, "yunikorn_scheduler_schedule_attempts_total{result=\"unschedulable\"} 1");
    yk_answer_done(&answer);
    world_done(&world);
}

static void victims_are_counted_by_queue_and_kind(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    struct yk_ask *victim = yk_app_find_ask(world_app(&world, "x"), YK_STR("k4"));
    struct yk_ask *preemptor = yk_app_find_ask(world_app(&world, "app"), YK_STR("k2"));
    yk_preemption_note(world_partition(&world), &victim, 1, YK_PREEMPTION_DAEMON, preemptor, NULL);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    has_line(&answer, "yunikorn_preempted_pods_total{preempting_queue=\"root.leaf\",reason=\"daemonset\"} 1");
    has_line(&answer, "yunikorn_evicted_pods_total{queue=\"root.a-b\",reason=\"daemonset\"} 1");
    has_line(&answer, "yunikorn_preemption_attempts_total{kind=\"daemonset\"} 1");
    has_line(&answer, "yunikorn_preemption_victims_bucket{le=\"1\",kind=\"daemonset\"} 1");
    yk_answer_done(&answer);
    world_done(&world);
}

static void health_and_configuration(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    yk_health_run(world.core);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    has_line(&answer, "yunikorn_inconsistencies_total{check=\"node_sum\"} 0");
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "\nyunikorn_config_info{checksum=\""));
    yk_answer_done(&answer);
    world.core->health.failures[5] = 2;
    answer = browse(&world, "/ws/v1/metrics", 200);
    has_line(&answer, "yunikorn_inconsistencies_total{check=\"node_sum\"} 2");
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "yunikorn_threads{role=\"io\"} 1\n"));
    yk_answer_done(&answer);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gangs_and_attempts),
        cmocka_unit_test(victims_are_counted_by_queue_and_kind),
        cmocka_unit_test(health_and_configuration),
        cmocka_unit_test(format),
        cmocka_unit_test(numbers),
        cmocka_unit_test(types_with_similar_names),
        cmocka_unit_test(what_was_never_used_is_left_out),
        cmocka_unit_test(a_queue_takes_its_series_with_it),
        cmocka_unit_test(draining_queues_and_quota_clocks_are_shown),
        cmocka_unit_test(queues_go_between_slices),
        cmocka_unit_test(a_queue_that_comes_again_is_shown_once),
        cmocka_unit_test(users_are_shown_if_wanted),
        cmocka_unit_test(users_of_many_queues_are_copied_in_slices),
        cmocka_unit_test(the_text_is_made_of_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs under fire (S07, S14 to S16): the whole scheduler on a cluster in memory, with requests that fail,
 * watches that break, pods and nodes that go, a standby that comes to lead, and the process killed at any
 * moment while its requests travel on.
 *
 * Whatever happens: never more placeholders of a group than it has members (those of an earlier gang of the
 * application that could not be deleted yet do not count); when all is quiet again, no placeholder
 * is left, and every real pod runs, or has failed because its gang is a hard one.
 */
#include "cmd/core_check.h"

#include "base/list.h"
#include "base/log.h"
#include "base/random.h"
#include "base/timer.h"
#include "shim/shim.h"
#include "simulate/cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SEEDS = 100, STEPS = 40, GANGS = 4, GROUPS_MAX = 2, MEMBERS_MAX = 4, PODS_MAX = 512 };

#define PLACEHOLDER "internal.yunikorn.apache.org/placeholder"
#define GROUP_NAME  "yunikorn.apache.org/task-group-name"
#define APP_ID      "yunikorn.apache.org/app-id"

static const char queues[] = "partitions:\n"
                             "  - name: default\n"
                             "    queues:\n"
                             "      - name: root\n"
                             "        submitacl: '*'\n"
                             "        queues:\n"
                             "          - name: gangs\n";

/* ---- one life of the process ---- */

/* Between the shim and the cluster: when it is cut, requests travel on, but their answers are lost. */
struct connection {
    struct yk_api_server server; /* first */
    struct yk_api_server *cluster;
    struct yk_list requests; /* struct request */
    bool cut;
    size_t in_flight; /* as the cluster has it */
};

struct request {
    struct yk_list link;
    struct connection *connection;
    struct yk_op *op;    /* the shim's; NULL: the answer is dropped */
    yk_watch_sink *sink; /* of a watch */
    void *context;
};

struct life {
    struct connection *connection;
    struct yk_timers timers;
    struct yk_core *core;
    struct yk_shim *shim;
};

struct gang {
    char id[16];
    uint32_t groups, members[GROUPS_MAX], cpu;
    bool is_hard, is_there;
    uint32_t submitted; /* pods that were made so far */
};

struct world {
    uint64_t seed;
    struct yk_random random;
    struct yk_clock clock;
    struct yk_timers timers; /* of the cluster */
    struct yk_cluster *cluster;
    struct life *life;
    struct yk_vec connections; /* kept to the end: late answers still arrive */
    struct gang gangs[GANGS];
    uint32_t nodes;
};

static uint32_t below(struct world *world, uint32_t bound)
{
    return (uint32_t)yk_random_below(&world->random, bound);
}

static void heard(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct request *watch = context;
    if (watch->connection->cut)
        yk_object_free(object);
    else
        watch->sink(watch->context, kind, event, object);
}

static void watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context)
{
    struct connection *connection = (struct connection *)(void *)server;
    struct request *request = yk_new0(struct request);
    *request = (struct request){.connection = connection, .sink = sink, .context = context};
    yk_list_append(&connection->requests, &request->link);
    yk_api_watch(connection->cluster, spec, heard, request);
}

static void answer(struct request *request, enum yk_op_result result)
{
    struct yk_op *op = yk_move(request->op);
    yk_list_remove(&request->link);
    op->result = result;
    op->done(op);
}

static void answered(struct yk_op *copy)
{
    struct request *request = copy->context;
    request->connection->in_flight--;
    if (request->op != NULL) {
        request->op->http_status = copy->http_status;
        request->op->retry_after_ns = copy->retry_after_ns;
        *yk_op_err(request->op) = *yk_op_err(copy);
        answer(request, copy->result);
    }
    free(request);
    yk_op_free(copy);
}

static void submit(struct yk_api_server *server, struct yk_op *op)
{
    struct connection *connection = (struct connection *)(void *)server;
    struct request *request = yk_new0(struct request);
    *request = (struct request){.connection = connection, .op = op};
    yk_list_append(&connection->requests, &request->link);
    struct yk_op *copy = yk_op_new(op->kind, &(struct yk_op_target){.namespace_ = yk_str_from(op->namespace_),
                                                                    .name = yk_str_from(op->name),
                                                                    .uid = yk_str_from(op->uid),
                                                                    .node = yk_str_from(op->node)});
    yk_buf_str(&copy->body, yk_buf_view(&op->body));
    copy->done = answered;
    copy->context = request;
    connection->in_flight++;
    yk_api_submit(connection->cluster, copy);
}

static void stop(struct yk_api_server *server)
{
    (void)server;
}

static size_t in_flight(struct yk_api_server *server)
{
    return ((struct connection *)(void *)server)->in_flight;
}

static const struct yk_api_server_ops ops = {watch, submit, stop, in_flight};

/* Half of all runs, nodes are reserved for pods that wait too long. */
static bool keeps_nodes(const struct world *world)
{
    return world->seed % 2 == 1;
}

static void begin_life(struct world *world)
{
    struct life *life = world->life = yk_new0(struct life);
    struct connection *connection = life->connection = yk_new0(struct connection);
    connection->server.ops = &ops;
    connection->cluster = yk_cluster_api(world->cluster);
    yk_list_init(&connection->requests);
    yk_vec_append(&world->connections, connection);
    yk_timers_init(&life->timers, &world->clock);
    const struct yk_core_options core = {
        .clock = &world->clock, .timers = &life->timers, .seed = 1, .no_reservations = !keeps_nodes(world)};
    life->core = yk_core_new(&core);
    const struct yk_shim_options shim = {.api = &connection->server,
                                         .core = life->core,
                                         .timers = &life->timers,
                                         .clock = &world->clock,
                                         .namespace_ = "yunikorn",
                                         .hostname = "here",
                                         .seed = world->seed,
                                         .standby = below(world, 3) == 0}; /* without a leader */
    life->shim = yk_shim_new(&shim);
    yk_shim_start(life->shim);
}

/* kill -9: what it has sent arrives all the same. */
static void end_life(struct world *world)
{
    struct life *life = world->life;
    struct connection *connection = life->connection;
    struct request *request;
    connection->cut = true;
    yk_shim_stop(life->shim);
    yk_list_foreach (request, &connection->requests, struct request, link) {
        if (request->op != NULL)
            answer(request, YK_OP_CANCELLED);
    }
    yk_shim_free(life->shim);
    yk_core_free(life->core);
    yk_timers_done(&life->timers);
    free(life);
    world->life = NULL;
}

/* ---- time ---- */

struct counting {
    const struct world *world;
    uint8_t placeholders[GANGS][GROUPS_MAX][PODS_MAX]; /* by the pod they were made for */
    uint32_t all[GANGS], bound[GANGS], waiting[GANGS], failed_soft;
};

static const struct gang *gang_of(const struct world *world, const struct yk_object *pod)
{
    struct yk_str id = yk_pairs_get(&pod->labels, APP_ID);
    for (size_t i = 0; i < GANGS; i++) {
        if (yk_str_is(id, world->gangs[i].id))
            return &world->gangs[i];
    }
    return NULL;
}

static void count_pod(void *context, const struct yk_object *object)
{
    struct counting *counting = context;
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    const struct gang *gang = gang_of(counting->world, object);
    assert_non_null(gang);
    size_t index = (size_t)(gang - counting->world->gangs);
    if (yk_pairs_get(&object->annotations, PLACEHOLDER).p != NULL) {
        uint32_t group = yk_str_is(yk_pairs_get(&object->annotations, GROUP_NAME), "g1");
        uint64_t owner = 0;
        assert_int_equal(object->owner_count, 1);
        assert_int_equal(yk_str_to_u64(yk_str_from(strrchr(object->owners[0].name.p, '-') + 1), &owner),
                         YK_OK);
        assert_true(owner < PODS_MAX);
        if (++counting->placeholders[index][group][owner] > gang->members[group])
            fail_msg("seed %llu: %u placeholders of group %u for one pod of %s, which has %u members",
                     (unsigned long long)counting->world->seed, counting->placeholders[index][group][owner],
                     group, gang->id, gang->members[group]);
        counting->all[index]++;
        counting->bound[index] += !yk_str_empty(pod->node_name);
    } else if (yk_str_is(pod->phase, "Failed")) {
        counting->failed_soft += !gang->is_hard;
    } else if (yk_str_empty(pod->node_name)) {
        counting->waiting[index]++;
    }
}

static struct counting count(const struct world *world)
{
    struct counting counting = {.world = world};
    yk_cluster_each(world->cluster, YK_KIND_POD, count_pod, &counting);
    return counting;
}

static void check(const struct world *world)
{
    struct yk_err err = {0};
    (void)count(world); /* looks at the placeholders of each gang */
    if (!yk_core_check(world->life->core, &err) || !yk_shim_check(world->life->shim, &err))
        fail_msg("seed %llu: %s", (unsigned long long)world->seed, err.text);
}

static bool step(struct world *world)
{
    struct life *life = world->life;
    bool more = yk_timers_run(&world->timers) > 0;
    more |= yk_timers_run(&life->timers) > 0;
    more |= yk_shim_work(life->shim);
    if (yk_shim_is_ready(life->shim) && yk_shim_leads(life->shim))
        more |= yk_core_schedule(life->core, 16, INT64_MAX) > 0;
    return more;
}

static void pass(struct world *world, int64_t ns)
{
    int64_t until_ns = yk_clock_mono_ns(&world->clock) + ns;
    for (;;) {
        while (step(world))
            continue;
        int64_t next_ns = YK_MIN(yk_timers_next_ns(&world->timers), yk_timers_next_ns(&world->life->timers));
        if (next_ns > until_ns)
            break;
        yk_clock_advance(&world->clock, YK_MAX(next_ns - yk_clock_mono_ns(&world->clock), 0));
    }
    yk_clock_advance(&world->clock, YK_MAX(until_ns - yk_clock_mono_ns(&world->clock), 0));
    check(world);
}

/* ---- what happens ---- */

static void add_node(struct world *world)
{
    char name[16];
    struct yk_amount amounts[2];
    (void)snprintf(name, sizeof(name), "n%u", world->nodes++);
    assert_int_equal(yk_sim_amount(YK_STR("cpu"), YK_STR("8"), &amounts[0], NULL), YK_OK);
    assert_int_equal(yk_sim_amount(YK_STR("pods"), YK_STR("20"), &amounts[1], NULL), YK_OK);
    const struct yk_sim_node node = {.name = name, .allocatable = {amounts, 2}};
    yk_cluster_put(world->cluster, yk_sim_node_new(&node));
}

static void lose_node(struct world *world)
{
    char name[16];
    (void)snprintf(name, sizeof(name), "n%u", below(world, world->nodes));
    if (yk_cluster_delete(world->cluster, YK_KIND_NODE, NULL, name))
        add_node(world);
}

static void write_groups(const struct gang *gang, struct yk_buf *text)
{
    for (uint32_t i = 0; i < gang->groups; i++)
        yk_buf_printf(text, "%s{\"name\":\"g%u\",\"minMember\":%u,\"minResource\":{\"cpu\":%u}}",
                      i == 0 ? "[" : ",", i, gang->members[i], gang->cpu);
    yk_buf_char(text, ']');
}

static void submit_pod(struct world *world, struct gang *gang)
{
    char name[32], cpu[8], group[4];
    YK_CLEANUP(yk_buf_done) struct yk_buf groups = {0}, policy = {0};
    uint32_t which = gang->submitted % gang->groups;
    (void)snprintf(name, sizeof(name), "%s-%u", gang->id, gang->submitted++);
    (void)snprintf(cpu, sizeof(cpu), "%u", gang->cpu + (below(world, 16) == 0)); /* some grow */
    (void)snprintf(group, sizeof(group), "g%u", which);
    write_groups(gang, &groups);
    yk_buf_printf(&policy, "placeholderTimeoutInSeconds=%u gangSchedulingStyle=%s", 20 + below(world, 40),
                  gang->is_hard ? "Hard" : "Soft");
    struct yk_amount amount;
    assert_int_equal(yk_sim_amount(YK_STR("cpu"), yk_str_from(cpu), &amount, NULL), YK_OK);
    struct yk_pair labels[] = {{YK_STR(APP_ID), yk_str_from(gang->id)},
                               {YK_STR("queue"), YK_STR("root.gangs")}};
    struct yk_pair notes[] = {
        {YK_STR("yunikorn.apache.org/task-groups"), yk_buf_view(&groups)},
        {YK_STR("yunikorn.apache.org/schedulingPolicyParameters"), yk_buf_view(&policy)},
        {YK_STR(GROUP_NAME), yk_str_from(group)},
    };
    const struct yk_sim_pod pod = {.namespace_ = "default",
                                   .name = name,
                                   .labels = {labels, YK_COUNT(labels)},
                                   .annotations = {notes, YK_COUNT(notes)},
                                   .requests = {&amount, 1}};
    assert_int_equal(yk_cluster_create_pod(world->cluster, yk_sim_pod_new(&pod), 0, NULL), YK_OK);
}

static void submit_gang(struct world *world, struct gang *gang)
{
    uint32_t all = 0;
    if (!gang->is_there) {
        gang->groups = 1 + below(world, GROUPS_MAX);
        for (uint32_t i = 0; i < gang->groups; i++)
            gang->members[i] = 1 + below(world, MEMBERS_MAX);
        gang->cpu = below(world, 8) == 0 ? 9 : 1 + below(world, 3); /* 9: fits nowhere */
        gang->is_hard = below(world, 3) == 0;
        gang->is_there = true;
    }
    for (uint32_t i = 0; i < gang->groups; i++)
        all += gang->members[i];
    for (uint32_t i = 1 + below(world, all); i > 0; i--)
        submit_pod(world, gang);
}

struct choosing {
    const char *id; /* NULL: any */
    bool placeholder;
    struct yk_vec names;
};

static void choose(void *context, const struct yk_object *object)
{
    struct choosing *choosing = context;
    bool placeholder = yk_pairs_get(&object->annotations, PLACEHOLDER).p != NULL;
    if (placeholder == choosing->placeholder &&
        (choosing->id == NULL || yk_str_is(yk_pairs_get(&object->labels, APP_ID), choosing->id)))
        yk_vec_append(&choosing->names, yk_str_dup(object->name));
}

static void delete_pods(struct world *world, const char *id, bool placeholder, bool all)
{
    struct choosing choosing = {.id = id, .placeholder = placeholder};
    char *name;
    yk_cluster_each(world->cluster, YK_KIND_POD, choose, &choosing);
    size_t only = choosing.names.count > 0 ? below(world, (uint32_t)choosing.names.count) : 0;
    for (size_t i = 0; i < choosing.names.count; i++) {
        name = choosing.names.items[i];
        if (all || i == only)
            (void)yk_cluster_delete(world->cluster, YK_KIND_POD, "default", name); /* is there */
        free(name);
    }
    yk_vec_done(&choosing.names);
}

static void break_something(struct world *world)
{
    static const enum yk_op_kind kinds[] = {YK_OP_CREATE_POD, YK_OP_DELETE_POD, YK_OP_BIND,
                                            YK_OP_PATCH_POD_STATUS};
    static const int statuses[] = {403, 409, 429, 500, 503};
    const struct yk_fault fault = {.op = kinds[below(world, YK_COUNT(kinds))],
                                   .kind = (enum yk_fault_kind)below(world, 4),
                                   .probability = 0.5,
                                   .count = 1 + below(world, 8),
                                   .http_status = statuses[below(world, YK_COUNT(statuses))],
                                   .delay_ns = 3 * YK_NS_PER_S};
    if (yk_cluster_add_fault(world->cluster, &fault, NULL) != YK_OK)
        yk_cluster_clear_faults(world->cluster); /* there are too many */
}

static void happen(struct world *world)
{
    struct gang *gang = &world->gangs[below(world, GANGS)];
    switch (below(world, 12)) {
    case 0:
    case 1:
    case 2:
        submit_gang(world, gang);
        break;
    case 3:
        delete_pods(world, NULL, true, false);
        break;
    case 4:
        delete_pods(world, gang->id, false, below(world, 2) == 0);
        break;
    case 5:
    case 6:
        end_life(world);
        begin_life(world);
        break;
    case 7:
        lose_node(world);
        break;
    case 8:
        yk_cluster_break_watch(world->cluster, YK_KIND_POD, (enum yk_watch_fault)below(world, 3),
                               YK_NS_PER_S);
        break;
    case 9:
        yk_cluster_clear_faults(world->cluster);
        yk_shim_lead(world->life->shim);
        break;
    default:
        break_something(world);
        break;
    }
}

/* ---- a run ---- */

static void begin(struct world *world, uint64_t seed)
{
    *world = (struct world){.seed = seed};
    yk_random_init(&world->random, seed);
    yk_clock_virtual_init(&world->clock, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&world->timers, &world->clock);
    const struct yk_cluster_options options = {.clock = &world->clock,
                                               .timers = &world->timers,
                                               .seed = seed,
                                               .request_ns = 2 * YK_NS_PER_MS,
                                               .watch_ns = 3 * YK_NS_PER_MS,
                                               .watch_jitter_ns = 20 * YK_NS_PER_MS,
                                               .start_ns = YK_NS_PER_S,
                                               .termination_ns = YK_NS_PER_S,
                                               .node_lost_ns = 3 * YK_NS_PER_S};
    world->cluster = yk_cluster_new(&options);
    struct yk_pair data = {YK_STR("queues.yaml"), YK_STR(queues)};
    yk_cluster_put(world->cluster,
                   yk_sim_config_map_new("yunikorn", "yunikorn-configs", &(struct yk_pairs){&data, 1}));
    for (int i = 0; i < 4; i++)
        add_node(world);
    for (size_t i = 0; i < GANGS; i++)
        (void)snprintf(world->gangs[i].id, sizeof(world->gangs[i].id), "gang-%zu", i);
    begin_life(world);
}

static void finish(struct world *world)
{
    struct connection *connection;
    struct request *request;
    end_life(world);
    while (yk_api_in_flight(yk_cluster_api(world->cluster)) > 0) {
        yk_clock_advance(&world->clock, YK_NS_PER_S);
        (void)yk_timers_run(&world->timers); /* late answers, which are dropped */
    }
    yk_cluster_free(world->cluster);
    yk_vec_foreach (connection, &world->connections) {
        yk_list_foreach (request, &connection->requests, struct request, link) {
            yk_list_remove(&request->link);
            free(request);
        }
        free(connection);
    }
    yk_vec_done(&world->connections);
    yk_timers_done(&world->timers);
}

/* Room for how many cores the emptiest node has. */
static int64_t most_free(const struct world *world)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < world->nodes; i++) {
        char name[16];
        YK_RESVEC(used);
        YK_RESVEC(has);
        (void)snprintf(name, sizeof(name), "n%u", i);
        if (yk_cluster_node_usage(world->cluster, name, &used, &has))
            most =
                YK_MAX(most, yk_resvec_get(&has, YK_RESTYPE_VCORE) - yk_resvec_get(&used, YK_RESTYPE_VCORE));
    }
    return most;
}

static void nothing_waits_that_could_run(void *context, const struct yk_object *object)
{
    const struct world *world = context;
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    YK_RESVEC(size);
    yk_sim_pod_size(pod, &size);
    if (yk_str_empty(pod->node_name) && !yk_str_is(pod->phase, "Failed") &&
        yk_resvec_get(&size, YK_RESTYPE_VCORE) <= most_free(world))
        fail_msg("seed %llu: pod %s waits for nothing", (unsigned long long)world->seed, object->name.p);
}

static void calm_down(struct world *world)
{
    yk_cluster_clear_faults(world->cluster);
    yk_shim_lead(world->life->shim);
    pass(world, 600 * YK_NS_PER_S); /* whatever waits for a time-out or a pause is over by then */
    struct counting counting = count(world);
    for (size_t i = 0; i < GANGS; i++) {
        /* A gang none of whose placeholders has found room waits for it, without end. */
        bool may_wait = counting.bound[i] == 0 && counting.waiting[i] > 0;
        if (counting.all[i] > 0 && !may_wait)
            fail_msg("seed %llu: %u placeholders of gang %zu are left, %u on nodes, %u pods wait",
                     (unsigned long long)world->seed, counting.all[i], i, counting.bound[i],
                     counting.waiting[i]);
    }
    if (counting.failed_soft > 0)
        fail_msg("seed %llu: %u pods of soft gangs have failed", (unsigned long long)world->seed,
                 counting.failed_soft);
    if (!keeps_nodes(world)) /* else who waits may be kept from a node that another one waits for */
        yk_cluster_each(world->cluster, YK_KIND_POD, nothing_waits_that_could_run, world);
}

static void run(uint64_t seed)
{
    struct world world;
    begin(&world, seed);
    for (int i = 0; i < STEPS; i++) {
        happen(&world);
        pass(&world, (1 + (int64_t)below(&world, 4000)) * YK_NS_PER_MS);
    }
    calm_down(&world);
    for (size_t i = 0; i < GANGS; i++)
        delete_pods(&world, world.gangs[i].id, false, true);
    pass(&world, 60 * YK_NS_PER_S);
    struct counting counting = count(&world);
    for (size_t i = 0; i < GANGS; i++) {
        if (counting.all[i] > 0)
            fail_msg("seed %llu: gang %zu is gone, %u placeholders of it are not", (unsigned long long)seed,
                     i, counting.all[i]);
    }
    struct yk_shim_counts counts;
    yk_shim_count(world.life->shim, &counts);
    if (counts.tasks > 0 || counts.applications > 0)
        fail_msg("seed %llu: %zu tasks and %zu applications are left", (unsigned long long)seed, counts.tasks,
                 counts.applications);
    finish(&world);
}

static void no_placeholder_is_left_behind(void **state)
{
    (void)state;
    if (getenv("GANG_SEED") != NULL) {
        run(strtoull(getenv("GANG_SEED"), NULL, 10));
        return;
    }
    yk_log_set_stream(NULL);
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        run(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_placeholder_is_left_behind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

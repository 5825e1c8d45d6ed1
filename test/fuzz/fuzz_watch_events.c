/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shim and core in one thread on a virtual clock, behind an API server that says anything (hostile_api.h),
 * moved by a script (watch_script.h).
 *
 * During the script the invariants of core and shim hold and no pod is bound twice. Afterwards the API server
 * is honest, a new node and a pod for it come, and ten minutes pass: then that pod is bound, no pod waits
 * that a node would take, and the cluster's own records agree. When all is over no name is left.
 */
#include "core_capacity.h"
#include "hostile_api.h"
#include "look_at_web.h"
#include "mutate_script.h"
#include "watch_script.h"

#include "api/json_reader.h"
#include "api/pod_keys.h"
#include "app/state_dump.h"
#include "app/task_groups.h"
#include "base/log.h"
#include "base/name.h"
#include "cmd/core_check.h"
#include "lib/could_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { INPUT_MAX = 24 * 1024, STEPS_WITHOUT_TIME_MAX = 100000 };

static const int64_t pass_max_ns = 600 * YK_NS_PER_S;
static const int64_t script_max_ns = 3 * 3600 * YK_NS_PER_S;

static const char honest_config[] =
    "{'metadata':{'name':'yunikorn-configs','namespace':'yunikorn'},'data':{'queues.yaml':"
    "'partitions: [{name: default, placementrules: [{name: fixed, value: root.honest}], "
    "queues: [{name: root, submitacl: \\'*\\', queues: [{name: honest}]}]}]'}}";
static const char honest_node[] =
    "{'metadata':{'name':'honest','labels':{'kubernetes.io/hostname':'honest','honest':'yes'}},"
    "'status':{'allocatable':{'cpu':'64','memory':'256Gi','pods':'110'},"
    "'conditions':[{'type':'Ready','status':'True'}]}}";
static const char honest_pod[] =
    "{'metadata':{'name':'honest','namespace':'honest','labels':{'applicationId':'honest'}},"
    "'spec':{'schedulerName':'yunikorn','nodeSelector':{'honest':'yes'},"
    "'containers':[{'name':'c','resources':{'requests':{'cpu':'1','memory':'1Gi'}}}]},"
    "'status':{'phase':'Pending'}}";

struct world {
    struct life life; /* what could_run.c wants to know */
    struct hostile_api api;
    struct yk_mailbox aside, inbox;
    bool is_standby, has_failed;
    int64_t script_ns; /* time that the script let pass */
};

static void die(const char *what, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

/* ---- time ---- */

static bool step(struct world *world)
{
    struct life *life = &world->life;
    bool more = yk_timers_run(&life->timers) > 0;
    more |= yk_mailbox_run(&world->inbox, 16) > 0;
    more |= yk_shim_work(life->shim);
    if (yk_shim_is_ready(life->shim) && yk_shim_leads(life->shim))
        more |= yk_core_schedule(life->core, 16, INT64_MAX) > 0;
    return more;
}

static void settle(struct world *world)
{
    int steps = 0;
    while (step(world)) {
        if (++steps == STEPS_WITHOUT_TIME_MAX)
            die("work", "it never ends");
    }
}

static void pass(struct world *world, int64_t ns)
{
    struct life *life = &world->life;
    int64_t until_ns = yk_clock_mono_ns(&life->clock) + ns;
    for (;;) {
        settle(world);
        int64_t next_ns = yk_timers_next_ns(&life->timers);
        if (next_ns > until_ns)
            break;
        yk_clock_advance(&life->clock, YK_MAX(next_ns - yk_clock_mono_ns(&life->clock), 0));
    }
    yk_clock_advance(&life->clock, YK_MAX(until_ns - yk_clock_mono_ns(&life->clock), 0));
}

/* ---- the script ---- */

static void check(struct world *world)
{
    struct yk_err err = {0};
    if (!yk_core_check(world->life.core, &err) || !yk_shim_check(world->life.shim, &err))
        die("invariant", err.text);
}

static void tell(struct world *world, enum yk_kind kind, const char *type, struct yk_str object)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf event = {0};
    yk_buf_printf(&event, "{\"type\":\"%s\",\"object\":", type);
    yk_buf_str(&event, object);
    yk_buf_char(&event, '}');
    for (size_t i = 0; i < event.len; i++)
        event.p[i] = event.p[i] == '\'' ? '"' : event.p[i];
    hostile_api_tell(&world->api, kind, yk_buf_view(&event));
}

static void answered(void *asker, uint64_t ticket, const struct yk_admin_answer *answer)
{
    (void)asker, (void)ticket;
    if (answer->status != 0 && answer->text == NULL)
        die("administrator", "a refusal without a reason");
}

static void administrate(struct world *world, struct yk_str text)
{
    const struct yk_admin_question question = {.asker = world, .ticket = 1, .done = answered};
    struct yk_err err = {0};
    YK_CLEANUP(yk_freep) char *token = yk_str_dup(text);
    if (yk_shim_review_token(world->life.shim, &question, token, &err) != YK_OK && err.text[0] == '\0')
        die("review", "a refusal without a reason");
    if (yk_shim_write_config(world->life.shim, &question, text, &err) != YK_OK && err.text[0] == '\0')
        die("write", "a refusal without a reason");
}

static void look(struct world *world, struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_si_dump dump = {0};
    struct yk_json json;
    YK_CLEANUP(yk_freep) char *target = yk_str_dup(text);
    look_at_web(world->life.core, target);
    yk_json_init(&json, &out);
    while (yk_state_dump(yk_shim_apps(world->life.shim), &dump, &json))
        ;
}

static void let_pass(struct world *world, int64_t ms)
{
    int64_t ns = YK_MIN(YK_MIN(ms * YK_NS_PER_MS, pass_max_ns), script_max_ns - world->script_ns);
    world->script_ns += ns;
    pass(world, ns);
}

static void set_answer(struct world *world, const struct script_step *step)
{
    world->api.answers[step->op] = (struct hostile_answer){
        .status = (int)YK_MIN(step->numbers[0], 599),
        .delay_ns = YK_MIN(step->numbers[1], 60000) * YK_NS_PER_MS,
        .retry_after_ns = YK_MIN(step->numbers[2], 600) * YK_NS_PER_S,
        .left = (int)step->numbers[3],
    };
}

static void perform(struct world *world, const struct script_step *now)
{
    struct hostile_api *api = &world->api;
    switch (now->what) {
    case 'A':
        tell(world, now->kind, "ADDED", now->text);
        break;
    case 'M':
        tell(world, now->kind, "MODIFIED", now->text);
        break;
    case 'D':
        tell(world, now->kind, "DELETED", now->text);
        break;
    case 'B':
        tell(world, now->kind, "BOOKMARK", now->text);
        break;
    case 'E':
        tell(world, now->kind, "ERROR", now->text);
        break;
    case 'R':
        hostile_api_tell(api, now->kind, now->text);
        break;
    case 'L':
        hostile_api_list(api, now->kind);
        break;
    case '[':
        hostile_api_list_step(api, now->kind, YK_WATCH_REPLACE_BEGIN);
        break;
    case ']':
        hostile_api_list_step(api, now->kind, YK_WATCH_REPLACE_END);
        break;
    case '}':
        hostile_api_list_step(api, now->kind, YK_WATCH_REPLACE_GAPS);
        break;
    case '!':
        set_answer(world, now);
        break;
    case 'T':
        let_pass(world, now->numbers[0]);
        check(world);
        break;
    case 'W':
        (void)step(world); /* the next one goes on */
        break;
    case 'P':
        world->is_standby = false;
        yk_shim_lead(world->life.shim);
        break;
    case 'C':
        (void)yk_mailbox_run(&world->aside, 16); /* as many as there are */
        break;
    case 'Q':
        administrate(world, now->text);
        break;
    case 'V':
        look(world, now->text);
        break;
    }
}

/* ---- the world ---- */

static void on_fatal(void *context, const char *message)
{
    if (message == NULL || message[0] == '\0')
        die("start", "refused without a reason");
    ((struct world *)context)->has_failed = true;
}

static bool has_option(struct yk_str options, char option)
{
    return memchr(options.p, option, options.len) != NULL;
}

static void begin(struct world *world, struct yk_str options)
{
    struct life *life = &world->life;
    yk_log_set_stream(NULL);
    yk_clock_virtual_init(&life->clock, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&life->timers, &life->clock);
    yk_mailbox_init(&world->aside, 64);
    yk_mailbox_init(&world->inbox, 64);
    hostile_api_init(&world->api, &life->clock, &life->timers);
    world->api.lists_by_hand = has_option(options, 'l');
    world->api.uids_repeat = has_option(options, 'u');
    world->is_standby = has_option(options, 's');
    life->reserves = has_option(options, 'r');
    const struct yk_core_options core = {
        .clock = &life->clock, .timers = &life->timers, .seed = 1, .no_reservations = !life->reserves};
    life->core = yk_core_new(&core);
    const struct yk_shim_options shim = {.api = &world->api.server,
                                         .core = life->core,
                                         .timers = &life->timers,
                                         .clock = &life->clock,
                                         .namespace_ = "yunikorn",
                                         .hostname = "here",
                                         .seed = 1,
                                         .standby = world->is_standby,
                                         .aside = has_option(options, 'a') ? &world->aside : NULL,
                                         .inbox = &world->inbox,
                                         .context = world,
                                         .fatal = on_fatal};
    life->shim = yk_shim_new(&shim);
    yk_shim_start(life->shim);
}

static void end(struct world *world)
{
    struct life *life = &world->life;
    yk_shim_stop(life->shim);
    for (int i = 0; i < 120 && !yk_shim_is_stopped(life->shim); i++)
        pass(world, YK_NS_PER_S);
    yk_api_stop(&world->api.server);
    while (yk_api_in_flight(&world->api.server) > 0)
        pass(world, YK_NS_PER_S);
    yk_shim_free(life->shim);
    yk_core_free(life->core);
    yk_mailbox_done(&world->aside);
    yk_mailbox_done(&world->inbox);
    hostile_api_done(&world->api);
    yk_cluster_free(life->cluster);
    yk_timers_done(&life->timers);
    if (yk_name_count() != 0)
        die("end", "names are left");
}

/* ---- the honest end ---- */

static void put(struct world *world, enum yk_kind kind, const char *json)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    for (const char *at = json; *at != '\0'; at++) {
        if (*at == '\\' && at[1] == '\'')
            yk_buf_char(&text, *++at);
        else
            yk_buf_char(&text, *at == '\'' ? '"' : *at);
    }
    if (yk_object_from_json(kind, yk_buf_view(&text), &object, &err) != YK_OK)
        die("honest object", err.text);
    yk_cluster_put(world->life.cluster, object);
}

static void become_honest(struct world *world)
{
    struct life *life = &world->life;
    const struct yk_cluster_options options = {.clock = &life->clock,
                                               .timers = &life->timers,
                                               .seed = 1,
                                               .request_ns = 5 * YK_NS_PER_MS,
                                               .watch_ns = 2 * YK_NS_PER_MS};
    life->cluster = yk_cluster_new(&options);
    hostile_api_reform(&world->api, life->cluster);
    (void)yk_cluster_delete(life->cluster, YK_KIND_CONFIG_MAP, "yunikorn", "yunikorn-defaults"); /* if any */
    (void)yk_cluster_delete(life->cluster, YK_KIND_NODE, NULL, "honest"); /* if a script knows the name */
    put(world, YK_KIND_CONFIG_MAP, honest_config);
    put(world, YK_KIND_NODE, honest_node);
}

/* Whether it is a placeholder of a gang that is larger than its queue, user or group may use: such a gang waits as a
 * whole, though some of its members would fit. */
static bool is_of_gang_that_never_fits(const struct world *world, const struct yk_cache_pod *pod)
{
    YK_CLEANUP(yk_freep) char *namespace_ = yk_str_dup(yk_cache_pod_namespace(pod));
    const struct yk_object *object =
        yk_cluster_find(world->life.cluster, YK_KIND_POD, namespace_, yk_cache_pod_name(pod).p);
    if (object == NULL)
        return false;
    const struct yk_pairs *annotations = &object->annotations;
    YK_CLEANUP(yk_task_groups_done) struct yk_task_groups groups = {.count = 0};
    return yk_str_eq(yk_pairs_get(annotations, YK_KEY_PLACEHOLDER), YK_STR("true")) &&
           yk_task_groups_parse(yk_pairs_get(annotations, YK_KEY_TASK_GROUPS), yk_cache_pod_namespace(pod),
                                &groups, NULL) == YK_OK &&
           core_gang_exceeds_limit(world->life.core, pod->task->app->id, &groups.total);
}

static void check_waiting(struct world *world)
{
    const struct yk_cache_pod *pod;
    yk_text_set_foreach (pod, &yk_shim_apps(world->life.shim)->cache->pods) {
        if (pod->task == NULL || pod->node != NULL || pod->task->state != YK_TASK_SCHEDULING)
            continue;
        const struct yk_cache_node *node = node_it_could_run_on(&world->life, pod);
        if (node == NULL || is_of_gang_that_never_fits(world, pod) ||
            !core_has_capacity(world->life.core, pod->task->app->id, yk_cache_pod_uid(pod)))
            continue;
        (void)fprintf(stderr, "%s waits and could run on %s\n", pod->text, yk_name_text(node->name));
        abort();
    }
}

static void pass_honestly(struct world *world, int64_t ns)
{
    for (int64_t done_ns = 0; done_ns < ns; done_ns += YK_NS_PER_S) {
        (void)yk_mailbox_run(&world->aside, 16); /* as many as there are */
        pass(world, YK_NS_PER_S);
    }
}

static void check_honest_end(struct world *world)
{
    const struct life *life = &world->life;
    struct yk_err err = {0};
    const struct yk_object *pod = yk_cluster_find(life->cluster, YK_KIND_POD, "honest", "honest");
    check(world);
    if (yk_cluster_check(life->cluster, &err) != YK_OK)
        die("cluster", err.text);
    if (pod != NULL && yk_str_empty(((const struct yk_pod *)(const void *)pod)->node_name))
        die("honest pod", "it waits though its node is free");
    if (!world->api.uids_repeat)
        check_waiting(world);
}

static void end_honestly(struct world *world)
{
    become_honest(world);
    if (world->is_standby)
        yk_shim_lead(world->life.shim);
    pass_honestly(world, 5 * YK_NS_PER_S);
    put(world, YK_KIND_POD, honest_pod);
    pass_honestly(world, 600 * YK_NS_PER_S);
    if (!world->has_failed)
        check_honest_end(world);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return mutate_script(data, size, YK_MIN(max_size, (size_t)INPUT_MAX), seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_str rest = {(const char *)data, size}, line;
    if (size == 0 || size > INPUT_MAX)
        return 0;
    YK_CLEANUP(yk_freep) struct world *world = yk_new0(struct world);
    struct yk_str first = rest;
    bool has_options = yk_str_split(&first, '\n', &line) && yk_str_starts(line, "O ");
    begin(world, has_options ? line : YK_STR(""));
    for (int i = 0; i < SCRIPT_LINES_MAX && yk_str_split(&rest, '\n', &line); i++) {
        struct script_step now = script_read(line);
        perform(world, &now);
        if (now.what != 'W' && now.what != 'T')
            (void)step(world); /* the next one goes on */
    }
    settle(world);
    check(world);
    end_honestly(world);
    end(world);
    return 0;
}

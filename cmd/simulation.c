/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/simulation.h"

#include "base/vec.h"
#include "cmd/core_check.h"
#include "cmd/decision_log.h"
#include "cmd/recording.h"

#define CONFIG_NAMESPACE "yunikorn"
#define CONFIG_MAP       "yunikorn-configs"

static const int64_t start_wall_ns = INT64_C(1767225600) * YK_NS_PER_S; /* 2026-01-01, so that runs repeat */
static const int64_t default_inspection_ns = 5 * YK_NS_PER_S;

struct yk_simulation {
    const struct yk_scenario *scenario;
    struct yk_simulation_options options;
    int64_t inspection_ns;
    struct yk_clock clock;
    struct yk_engine engine;
    struct yk_cluster *cluster;
    struct yk_outcome *outcome;            /* owned until the run is finished */
    struct yk_decision_log decisions;      /* used if options.decisions is not NULL */
    int64_t real_start_ns;                 /* of the real clock */
    const struct yk_scenario_step **steps; /* owned; sorted by time, then in the order of the text */
    uint32_t next_step;                    /* index in `steps` */
    struct yk_timer step_timer, inspection, sampling, recording;
    uint64_t changes_shown; /* workload.changes when the counts were last shown */
    bool failed;            /* a step has failed, or the shim; `err` says why */
    struct yk_err err;
};

/* The timers of everything but core and shim. */
static struct yk_timers *timers_of(struct yk_simulation *sim)
{
    struct yk_actor *actor = &sim->engine.actor;
    return sim->options.keeps_apart || sim->options.record != NULL ? &actor->outside : &actor->timers;
}

static int64_t since_start(const struct yk_simulation *sim)
{
    return yk_clock_mono_ns(&sim->clock) - sim->outcome->workload.start_ns;
}

/* ---- progress ---- */

static void say(struct yk_simulation *sim, const char *format, ...) YK_PRINTF(2, 3);
static void say(struct yk_simulation *sim, const char *format, ...)
{
    FILE *stream = sim->options.progress;
    if (stream == NULL && sim->options.said == NULL)
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    char at[YK_TIME_TEXT_MAX];
    va_list args;
    va_start(args, format);
    yk_buf_vprintf(&text, format, args);
    va_end(args);
    yk_duration_format(since_start(sim) / YK_NS_PER_MS * YK_NS_PER_MS, at);
    if (stream != NULL)
        fprintf(stream, "%8s  %s\n", at, yk_buf_cstr(&text));
    if (sim->options.said != NULL)
        sim->options.said(sim->options.context, since_start(sim), yk_buf_cstr(&text));
}

static void show_counts(struct yk_simulation *sim)
{
    const struct yk_workload *work = &sim->outcome->workload;
    if (work->changes == sim->changes_shown)
        return;
    sim->changes_shown = work->changes;
    say(sim, "pods: %llu waiting, %llu running, %llu ended%s", (unsigned long long)work->waiting,
        (unsigned long long)work->running, (unsigned long long)work->ended,
        work->refused > 0 ? "; some were refused" : "");
}

/* ---- invariants ---- */

static void check_invariants(struct yk_simulation *sim)
{
    struct yk_err err = {0};
    if (sim->outcome->broken.text[0] != '\0')
        return;
    if (yk_cluster_check(sim->cluster, &err) == YK_OK && yk_core_check(sim->engine.core, &err) &&
        yk_shim_check(sim->engine.shim, &err))
        return;
    sim->outcome->broken = err;
    say(sim, "INVARIANT BROKEN: %s", err.text);
}

static void inspect(struct yk_timer *timer)
{
    struct yk_simulation *sim = YK_CONTAINER(timer, struct yk_simulation, inspection);
    show_counts(sim);
    check_invariants(sim);
    yk_timer_arm(timers_of(sim), timer, sim->inspection_ns);
    yk_timers_nothing_changed(timers_of(sim));
}

static void take_sample(struct yk_simulation *sim)
{
    struct yk_outcome *outcome = sim->outcome;
    YK_CLEANUP(yk_core_view_done) struct yk_core_view view;
    yk_core_view_take(sim->engine.core, &view);
    /* The result is stored in `samples`. */
    (void)yk_samples_take(&outcome->samples, &view, &outcome->workload, since_start(sim));
    yk_steady_sample(outcome->steady);
}

static void sample(struct yk_timer *timer)
{
    struct yk_simulation *sim = YK_CONTAINER(timer, struct yk_simulation, sampling);
    take_sample(sim);
    yk_timer_arm(timers_of(sim), timer, sim->scenario->sample_ns);
    yk_timers_nothing_changed(timers_of(sim));
}

static void record(struct yk_timer *timer)
{
    struct yk_simulation *sim = YK_CONTAINER(timer, struct yk_simulation, recording);
    struct yk_recording *recording = sim->options.recording;
    yk_recording_take(recording, &sim->outcome->workload, since_start(sim));
    yk_timer_arm(timers_of(sim), timer, recording->interval_ns);
    yk_timers_nothing_changed(timers_of(sim));
}

/* ---- steps ---- */

static void fail_step(struct yk_simulation *sim, const char *what, struct yk_str name)
{
    sim->failed = true;
    (void)yk_fail(&sim->err, YK_ERR_INVALID, "%s '" YK_STR_FMT "'", what,
                  YK_STR_ARG(name)); /* sim->failed says that there is an error */
}

static void add_nodes(struct yk_simulation *sim, const struct yk_scenario_nodes *nodes)
{
    for (uint64_t i = 0; i < nodes->count; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
        yk_buf_printf(&name, YK_STR_FMT "-%llu", YK_STR_ARG(nodes->name), (unsigned long long)i);
        const struct yk_sim_node node = {.name = yk_buf_cstr(&name),
                                         .labels = nodes->labels,
                                         .allocatable = nodes->allocatable,
                                         .taints = nodes->taints,
                                         .taint_count = nodes->taint_count};
        yk_cluster_put(sim->cluster, yk_sim_node_new(&node));
    }
    yk_workload_nodes_changed(&sim->outcome->workload);
}

static bool settings_have(const struct yk_pairs *settings, const char *key)
{
    return yk_pairs_get(settings, key).p != NULL;
}

static void put_config(struct yk_simulation *sim, struct yk_str queues)
{
    const struct yk_pairs *settings = &sim->scenario->settings;
    struct yk_pair *items = yk_new0_array(struct yk_pair, (size_t)settings->count + 2);
    uint32_t count = 0;
    for (uint32_t i = 0; i < settings->count; i++)
        items[count++] = settings->items[i];
    items[count++] = (struct yk_pair){YK_STR("queues.yaml"), queues};
    if (!settings_have(settings, "log.level"))
        items[count++] = (struct yk_pair){YK_STR("log.level"), yk_str_from(sim->options.log_level)};
    yk_cluster_put(sim->cluster,
                   yk_sim_config_map_new(CONFIG_NAMESPACE, CONFIG_MAP, &(struct yk_pairs){items, count}));
    free(items);
}

static void remove_nodes(struct yk_simulation *sim, const struct yk_scenario_step *step)
{
    for (uint32_t i = 0; i < step->with.names.count; i++) {
        if (!yk_cluster_delete(sim->cluster, YK_KIND_NODE, NULL, step->with.names.items[i].p))
            fail_step(sim, "there is no node to remove", step->with.names.items[i]);
    }
    yk_workload_nodes_changed(&sim->outcome->workload);
}

static void resize_nodes(struct yk_simulation *sim, const struct yk_scenario_resize *resize)
{
    for (uint32_t i = 0; i < resize->name_count; i++) {
        if (!yk_cluster_resize(sim->cluster, resize->names[i].p, &resize->allocatable))
            fail_step(sim, "there is no node to resize", resize->names[i]);
    }
    yk_workload_nodes_changed(&sim->outcome->workload);
}

static void cordon(struct yk_simulation *sim, const struct yk_scenario_step *step, bool unschedulable)
{
    for (uint32_t i = 0; i < step->with.names.count; i++) {
        if (!yk_cluster_cordon(sim->cluster, step->with.names.items[i].p, unschedulable))
            fail_step(sim, "there is no node", step->with.names.items[i]);
    }
}

/* ---- draining ---- */

struct pods_on_node {
    struct yk_str node;
    struct yk_vec names; /* char, owned: namespace and name of each pod in turn */
};

static void collect_pod(void *context, const struct yk_object *object)
{
    struct pods_on_node *found = context;
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    if (!yk_str_eq(pod->node_name, found->node) || object->deleting)
        return;
    yk_vec_append(&found->names, yk_str_dup(object->namespace_));
    yk_vec_append(&found->names, yk_str_dup(object->name));
}

static void delete_pods_of(struct yk_simulation *sim, struct yk_str node)
{
    struct pods_on_node found = {.node = node};
    char *name;
    yk_cluster_each(sim->cluster, YK_KIND_POD, collect_pod, &found);
    for (size_t i = 0; i + 1 < found.names.count; i += 2)
        (void)yk_cluster_delete(sim->cluster, YK_KIND_POD, found.names.items[i],
                                found.names.items[i + 1]); /* the pod exists */
    yk_vec_foreach (name, &found.names)
        free(name);
    yk_vec_done(&found.names);
}

static void drain(struct yk_simulation *sim, const struct yk_scenario_step *step)
{
    cordon(sim, step, true);
    for (uint32_t i = 0; i < step->with.names.count; i++)
        delete_pods_of(sim, step->with.names.items[i]);
}

static void do_step(struct yk_simulation *sim, const struct yk_scenario_step *step)
{
    struct yk_workload *work = &sim->outcome->workload;
    struct yk_err err;
    if (!yk_str_empty(step->note))
        say(sim, YK_STR_FMT, YK_STR_ARG(step->note));
    switch (step->kind) {
    case YK_STEP_NONE:
        break;
    case YK_STEP_SUBMIT:
        yk_workload_submit(work, &step->with.submit);
        break;
    case YK_STEP_DELETE:
        if (yk_workload_delete(work, step->with.delete_.application, step->with.delete_.pods) == 0)
            say(sim, "application '" YK_STR_FMT "' has no pods to delete",
                YK_STR_ARG(step->with.delete_.application));
        break;
    case YK_STEP_RELOAD:
        show_counts(sim);
        yk_workload_reload(work);
        put_config(sim, step->with.queues);
        break;
    case YK_STEP_ADD_NODES:
        add_nodes(sim, &step->with.nodes);
        break;
    case YK_STEP_REMOVE_NODES:
        remove_nodes(sim, step);
        break;
    case YK_STEP_RESIZE_NODES:
        resize_nodes(sim, &step->with.resize);
        break;
    case YK_STEP_CORDON:
        cordon(sim, step, true);
        break;
    case YK_STEP_UNCORDON:
        cordon(sim, step, false);
        break;
    case YK_STEP_DRAIN:
        drain(sim, step);
        break;
    case YK_STEP_FAULT:
        if (yk_cluster_add_fault(sim->cluster, &step->with.fault, &err) != YK_OK)
            fail_step(sim, "step", yk_str_from(err.text));
        break;
    case YK_STEP_CLEAR_FAULTS:
        yk_cluster_clear_faults(sim->cluster);
        break;
    case YK_STEP_BREAK_WATCH:
        yk_cluster_break_watch(sim->cluster, step->with.break_.kind, step->with.break_.how,
                               step->with.break_.gap_ns);
        break;
    }
}

static void next_steps(struct yk_timer *timer)
{
    struct yk_simulation *sim = YK_CONTAINER(timer, struct yk_simulation, step_timer);
    uint32_t count = sim->scenario->step_count;
    while (sim->next_step < count && sim->steps[sim->next_step]->at_ns <= since_start(sim) && !sim->failed)
        do_step(sim, sim->steps[sim->next_step++]);
    if (sim->next_step < count && !sim->failed)
        yk_timer_arm(timers_of(sim), timer, sim->steps[sim->next_step]->at_ns - since_start(sim));
}

static void order_steps(struct yk_simulation *sim)
{
    const struct yk_scenario *scenario = sim->scenario;
    sim->steps = yk_calloc((size_t)scenario->step_count + 1, sizeof(*sim->steps));
    for (uint32_t i = 0; i < scenario->step_count; i++) {
        /* An insertion sort is stable, and fast because timelines are short and nearly sorted. */
        uint32_t at = i;
        for (; at > 0 && sim->steps[at - 1]->at_ns > scenario->steps[i].at_ns; at--)
            sim->steps[at] = sim->steps[at - 1];
        sim->steps[at] = &scenario->steps[i];
    }
}

/* ---- the run ---- */

static void on_fatal(void *context, const char *message)
{
    struct yk_simulation *sim = context;
    sim->failed = true;
    (void)yk_fail(&sim->err, YK_ERR_INVALID, "%s", message); /* sim->failed says that there is an error */
}

static const struct yk_cluster_observer *observer_of(struct yk_simulation *sim)
{
    const struct yk_cluster_observer *workload = &sim->outcome->workload.observer;
    if (sim->options.decisions == NULL)
        return workload;
    yk_decision_log_init(&sim->decisions, sim->options.decisions, &sim->clock, workload);
    return &sim->decisions.observer;
}

static void make_cluster(struct yk_simulation *sim)
{
    const struct yk_scenario *scenario = sim->scenario;
    const struct yk_cluster_options options = {
        .clock = &sim->clock,
        .timers = timers_of(sim),
        .seed = sim->options.seed,
        .request_ns = scenario->times.request_ns,
        .watch_ns = scenario->times.watch_ns,
        .watch_jitter_ns = scenario->times.watch_jitter_ns,
        .start_ns = scenario->times.start_ns,
        .termination_ns = scenario->times.termination_ns,
        .node_lost_ns = scenario->times.node_lost_ns,
        .observer = observer_of(sim),
    };
    sim->cluster = yk_cluster_new(&options);
    sim->outcome->workload.cluster = sim->cluster;
    for (uint32_t i = 0; i < scenario->node_group_count; i++)
        add_nodes(sim, &scenario->nodes[i]);
    put_config(sim, scenario->queues);
}

static void watch_steadiness(struct yk_simulation *sim)
{
    struct yk_outcome *outcome = sim->outcome;
    if (sim->scenario->sample_ns == 0)
        return;
    outcome->steady = yk_steady_new(sim->scenario, &sim->clock);
    outcome->workload.next_observer = yk_steady_observer(outcome->steady);
}

static void make_engine(struct yk_simulation *sim)
{
    bool no_reservations = sim->scenario->no_reservations;
    if (sim->options.record != NULL)
        yk_engine_init_recorded(&sim->engine, &sim->clock, NULL, no_reservations, sim->options.record, NULL,
                                sim->options.record_context);
    else
        yk_engine_init(&sim->engine, &sim->clock, NULL, no_reservations);
}

static void set_up(struct yk_simulation *sim)
{
    yk_clock_virtual_init(&sim->clock, start_wall_ns);
    make_engine(sim);
    struct yk_timers *timers = timers_of(sim);
    yk_workload_init(&sim->outcome->workload, timers, &sim->clock);
    watch_steadiness(sim);
    make_cluster(sim);
    order_steps(sim);
    if (sim->outcome->steady != NULL)
        yk_steady_watch(sim->outcome->steady, sim->cluster, sim->engine.core);
    const struct yk_shim_options shim = {
        .api = yk_cluster_api(sim->cluster),
        .namespace_ = CONFIG_NAMESPACE,
        .hostname = "simulate",
        .seed = sim->options.seed,
        .context = sim,
        .fatal = on_fatal,
    };
    yk_engine_start(&sim->engine, &shim);
    sim->step_timer.fire = next_steps;
    sim->inspection.fire = inspect;
    yk_timer_arm(timers, &sim->step_timer, 0);
    yk_timer_arm(timers, &sim->inspection, sim->inspection_ns);
    sim->recording.fire = record;
    if (sim->options.recording != NULL)
        yk_timer_arm(timers, &sim->recording, 0);
    sim->sampling.fire = sample;
    if (sim->scenario->sample_ns > 0)
        yk_timer_arm(timers, &sim->sampling, sim->scenario->sample_ns);
}

bool yk_simulation_has_failed(const struct yk_simulation *sim)
{
    return sim->failed;
}

bool yk_simulation_is_over(const struct yk_simulation *sim)
{
    if (sim->failed || since_start(sim) >= sim->scenario->end.at_ns)
        return true;
    return sim->scenario->end.when_idle && yk_shim_is_ready(sim->engine.shim) &&
           sim->next_step == sim->scenario->step_count && yk_workload_is_idle(&sim->outcome->workload);
}

static void jump(struct yk_simulation *sim, int64_t until_ns)
{
    int64_t next_ns = YK_MIN(yk_actor_next_ns(&sim->engine.actor), until_ns);
    yk_clock_advance(&sim->clock, YK_MAX(next_ns - yk_clock_mono_ns(&sim->clock), 0));
}

bool yk_simulation_step(struct yk_simulation *sim, int64_t until_mono_ns)
{
    if (yk_actor_step(&sim->engine.actor))
        return true;
    int64_t now_ns = yk_clock_mono_ns(&sim->clock);
    if (now_ns >= until_mono_ns)
        return yk_actor_next_ns(&sim->engine.actor) <= now_ns;
    jump(sim, until_mono_ns);
    return true;
}

enum yk_status yk_simulation_do(struct yk_simulation *sim, const struct yk_scenario_step *step,
                                struct yk_err *err)
{
    bool had_failed = sim->failed;
    struct yk_err err_before = sim->err; /* why a step of the scenario has failed */
    sim->failed = false;
    do_step(sim, step);
    enum yk_status st = sim->failed ? yk_fail(err, YK_ERR_INVALID, "%s", sim->err.text) : YK_OK;
    sim->failed = had_failed;
    sim->err = err_before;
    return st;
}

static void wind_up(struct yk_simulation *sim)
{
    struct yk_api_server *api = yk_cluster_api(sim->cluster);
    yk_engine_end_record(&sim->engine);
    yk_shim_stop(sim->engine.shim);
    yk_api_stop(api);
    yk_timer_cancel(timers_of(sim), &sim->inspection);
    yk_timer_cancel(timers_of(sim), &sim->step_timer);
    yk_timer_cancel(timers_of(sim), &sim->sampling);
    yk_timer_cancel(timers_of(sim), &sim->recording);
    while (yk_api_in_flight(api) > 0) {
        if (!yk_actor_step(&sim->engine.actor))
            jump(sim, INT64_MAX);
    }
}

static void take_figures(struct yk_simulation *sim)
{
    struct yk_outcome *outcome = sim->outcome;
    struct yk_shim_counts counts;
    yk_shim_count(sim->engine.shim, &counts);
    yk_workload_settle(&outcome->workload);
    yk_cluster_stats(sim->cluster, &outcome->cluster);
    outcome->end_ns = since_start(sim);
    if (outcome->steady != NULL) {
        yk_steady_finish(outcome->steady);
        yk_steady_figures(outcome->steady, &outcome->figures);
        outcome->workload.next_observer = NULL;
    }
    outcome->decisions = sim->engine.decisions;
    outcome->reloads_refused = counts.reloads_refused;
    outcome->nodes = yk_cluster_count(sim->cluster, YK_KIND_NODE);
}

static void tear_down(struct yk_simulation *sim)
{
    yk_shim_free(sim->engine.shim);
    sim->engine.shim = NULL;
    yk_cluster_free(sim->cluster);
    yk_engine_done(&sim->engine);
    free(sim->steps);
}

struct yk_simulation *yk_simulation_new(const struct yk_scenario *scenario,
                                        const struct yk_simulation_options *options)
{
    struct yk_simulation *sim = yk_new0(struct yk_simulation);
    sim->outcome = yk_new0(struct yk_outcome);
    sim->outcome->scenario = sim->scenario = scenario;
    sim->outcome->seed = options->seed;
    sim->options = *options;
    sim->inspection_ns = options->inspection_ns > 0 ? options->inspection_ns : default_inspection_ns;
    sim->real_start_ns = yk_clock_mono_ns(&yk_clock_real);
    set_up(sim);
    return sim;
}

enum yk_status yk_simulation_finish(struct yk_simulation *sim, struct yk_outcome **ret, struct yk_err *err)
{
    sim->outcome->real_ns = yk_clock_mono_ns(&yk_clock_real) - sim->real_start_ns;
    show_counts(sim);
    check_invariants(sim);
    take_figures(sim);
    yk_workload_close(&sim->outcome->workload); /* moments of pods no longer count */
    wind_up(sim);
    tear_down(sim);
    if (sim->failed)
        return yk_fail(err, YK_ERR_INVALID, "%s", sim->err.text);
    *ret = yk_move(sim->outcome);
    return YK_OK;
}

void yk_simulation_free(struct yk_simulation *sim)
{
    if (sim == NULL)
        return;
    yk_outcome_free(sim->outcome);
    free(sim);
}

struct yk_engine *yk_simulation_engine(struct yk_simulation *sim)
{
    return &sim->engine;
}

struct yk_clock *yk_simulation_clock(struct yk_simulation *sim)
{
    return &sim->clock;
}

const struct yk_cluster *yk_simulation_cluster(const struct yk_simulation *sim)
{
    return sim->cluster;
}

const struct yk_outcome *yk_simulation_outcome(const struct yk_simulation *sim)
{
    return sim->outcome;
}

int64_t yk_simulation_elapsed_ns(const struct yk_simulation *sim)
{
    return since_start(sim);
}

enum yk_status yk_simulation_run(const struct yk_scenario *scenario,
                                 const struct yk_simulation_options *options, struct yk_outcome **ret,
                                 struct yk_err *err)
{
    YK_CLEANUP(yk_simulation_freep) struct yk_simulation *sim = yk_simulation_new(scenario, options);
    int64_t until_ns = yk_i64_add(sim->outcome->workload.start_ns, scenario->end.at_ns);
    while (!yk_simulation_is_over(sim)) {
        if (!yk_actor_step(&sim->engine.actor))
            jump(sim, until_ns);
    }
    return yk_simulation_finish(sim, ret, err);
}

void yk_outcome_free(struct yk_outcome *outcome)
{
    if (outcome == NULL)
        return;
    yk_workload_done(&outcome->workload);
    yk_samples_done(&outcome->samples);
    yk_steady_free(outcome->steady);
    free(outcome);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Implements si.h: registration, configuration, dispatch of requests to partitions. Source:
 * docs/reference/scheduling.md 1. */
#include "scheduler/core.h"

#include "base/log.h"
#include "config/settings.h"
#include "partition/dynamic_queue_limits.h"
#include "partition/gang.h"
#include "partition/partition.h"
#include "report/config_history.h"
#include "report/rm_events.h"
#include "scheduler/cycle.h"
#include "scheduler/history.h"
#include "scheduler/reload.h"
#include "scheduler/wake_class.h"
#include "scheduler/why.h"
#include "state/turn.h"

/* Turns between two looks at the clock. */
enum { TURNS_PER_CLOCK = 16 };

static void on_health_timer(struct yk_timer *timer)
{
    struct yk_core *core = YK_CONTAINER(timer, struct yk_core, health_timer);
    yk_health_begin(core);
    yk_cross_check_begin(&core->cross_check);
    if (core->health_interval_ns > 0)
        yk_timer_arm(core->timers, timer, core->health_interval_ns);
    yk_timers_nothing_changed(core->timers);
}

struct yk_core *yk_core_new(const struct yk_core_options *options)
{
    struct yk_core *core = yk_new0(struct yk_core);
    core->clock = options->clock;
    core->stopwatch = options->stopwatch != NULL ? options->stopwatch : options->clock;
    core->turns_max = UINT64_MAX;
    core->timers = options->timers;
    core->directory = options->directory;
    core->manual = options->manual;
    yk_events_init(&core->events, options->seed);
    core->start_wall_ns = yk_core_now(core);
    core->health_interval_ns = 30 * YK_NS_PER_S;
    core->reservation_delay_ns = options->no_reservations ? INT64_MAX : 2 * YK_NS_PER_S;
    core->health_timer.fire = on_health_timer;
    yk_cross_check_init(&core->cross_check, core);
    yk_history_init(&core->history, core);
    return core;
}

static void rm_free(struct yk_rm *rm)
{
    yk_rm_events_done(rm);
    free(rm->id);
    free(rm->policy_group);
    yk_tags_done(&rm->build_info);
    yk_tags_done(&rm->extra_config);
    yk_tags_done(&rm->first_extra_config);
    yk_config_free(rm->config);
    yk_config_change_done(&rm->last_change);
    yk_config_history_free(rm->config_history);
    free(rm);
}

/* From now on, no callback of the resource manager is called. Drops events that were not handed over. */
static void deafen(struct yk_rm *rm)
{
    yk_rm_events_done(rm);
    rm->callbacks = (struct yk_si_callbacks){0};
}

void yk_core_free(struct yk_core *core)
{
    if (core == NULL)
        return;
    struct yk_partition *partition;
    struct yk_rm *rm;
    yk_timer_cancel(core->timers, &core->health_timer);
    yk_timer_cancel(core->timers, &core->health.step);
    yk_history_done(&core->history);
    /* No callbacks from here on: the caller may have freed what their contexts point to. */
    yk_vec_foreach (rm, &core->rms)
        deafen(rm);
    yk_vec_foreach (partition, &core->partitions)
        yk_partition_free(partition);
    yk_vec_foreach (rm, &core->rms)
        rm_free(rm);
    yk_vec_done(&core->partitions);
    yk_vec_done(&core->rms);
    yk_health_done(&core->health);
    yk_cross_check_done(&core->cross_check);
    yk_events_done(&core->events);
    free(core);
}

struct yk_rm *yk_core_find_rm(const struct yk_core *core, const char *rm_id)
{
    struct yk_rm *rm;
    yk_vec_foreach (rm, &core->rms) {
        if (rm_id != NULL && strcmp(rm->id, rm_id) == 0)
            return rm;
    }
    return NULL;
}

struct yk_rm *yk_core_first_rm(const struct yk_core *core)
{
    return core->rms.count > 0 ? core->rms.items[0] : NULL;
}

static struct yk_partition *partition_named(const struct yk_core *core, const struct yk_rm *rm,
                                            struct yk_str name)
{
    struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        if (partition->rm == rm &&
            (yk_str_is(name, partition->name) || yk_str_is(name, partition->full_name)))
            return partition;
    }
    return NULL;
}

struct yk_partition *yk_core_find_partition(const struct yk_core *core, struct yk_str name)
{
    const struct yk_rm *rm;
    yk_vec_foreach (rm, &core->rms) {
        struct yk_partition *partition = partition_named(core, rm, name);
        if (partition != NULL)
            return partition;
    }
    return NULL;
}

/* The partition of `rm` with that name; NULL: it has none. `name` NULL or empty: the partition called
 * "default". */
static struct yk_partition *partition_of(const struct yk_core *core, const struct yk_rm *rm, const char *name)
{
    bool is_named = name != NULL && name[0] != '\0';
    return partition_named(core, rm, yk_str_from(is_named ? name : YK_SI_DEFAULT_PARTITION));
}

/* ---- configuration ---- */

/* Removes the item, which is in the vector, and keeps the order of the others. */
static void take_out(struct yk_vec *vec, const void *item)
{
    size_t index = yk_vec_find(vec, item);
    memmove(&vec->items[index], &vec->items[index + 1], (vec->count - index - 1) * sizeof(void *));
    vec->count--;
}

static void remove_partition(struct yk_core *core, struct yk_partition *partition)
{
    yk_info(yk_log_partition, "partition removed", KV("partition", partition->full_name));
    take_out(&core->partitions, partition);
    yk_partition_free(partition);
}

static bool is_configured(const struct yk_config *config, const struct yk_partition *partition)
{
    for (uint32_t i = 0; i < config->partition_count; i++) {
        if (yk_str_is(config->partitions[i].name, partition->name))
            return true;
    }
    return false;
}

static void remove_unconfigured(struct yk_core *core, const struct yk_rm *rm, const struct yk_config *config,
                                struct yk_config_change *change)
{
    for (size_t i = core->partitions.count; i > 0; i--) {
        struct yk_partition *partition = core->partitions.items[i - 1];
        if (partition->rm != rm || is_configured(config, partition))
            continue;
        yk_config_change_note(change, YK_CHANGE_PARTITION_REMOVED, partition->name);
        remove_partition(core, partition);
    }
}

static struct yk_partition *add_partition(struct yk_core *core, struct yk_rm *rm, struct yk_str name,
                                          struct yk_config_change *change)
{
    struct yk_partition *partition = yk_partition_new(core, rm, name);
    yk_vec_append(&core->partitions, partition);
    yk_config_change_note(change, YK_CHANGE_PARTITION_ADDED, partition->name);
    yk_info(yk_log_partition, "partition added", KV("partition", partition->full_name));
    return partition;
}

/* Makes the prepared configuration the active one. Cannot fail. */
static void commit_all(struct yk_core *core, struct yk_rm *rm, struct yk_reload *reload)
{
    struct yk_config_change change = {.wall_ns = yk_core_now(core)};
    struct yk_config *config = yk_move(reload->config);
    memcpy(change.checksum, config->checksum, sizeof(change.checksum));
    remove_unconfigured(core, rm, config, &change);
    for (uint32_t i = 0; i < config->partition_count; i++) {
        YK_CLEANUP(yk_freep) char *name = yk_str_dup(config->partitions[i].name);
        struct yk_partition *partition = partition_of(core, rm, name);
        if (partition == NULL)
            partition = add_partition(core, rm, config->partitions[i].name, &change);
        yk_activation_commit(partition, reload->activations[i], &change);
    }
    yk_config_free(rm->config); /* drops a reference; the reload has another one */
    rm->config = config;
    core->metrics.config_reloads_ok++;
    core->metrics.config_success_wall_ns = yk_core_now(core);
    yk_config_change_done(&rm->last_change);
    rm->last_change = change;
    yk_config_change_log(&change);
}

static void log_warnings(const struct yk_config *config)
{
    for (uint32_t i = 0; i < config->warning_count; i++)
        yk_warn(yk_log_config, "queue configuration warning", KV("warning", config->warnings[i].text),
                KV("line", config->warnings[i].place.line));
}

static void tell_change(const struct yk_rm *rm, bool changed, struct yk_si_told *ret_told)
{
    if (ret_told == NULL)
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf summary = {.max = sizeof(ret_told->summary) - 1};
    ret_told->changed = changed;
    ret_told->partitions_added = changed && rm->last_change.kinds[YK_CHANGE_PARTITION_ADDED].count > 0;
    if (changed)
        yk_config_change_summary(&rm->last_change, &summary);
    memcpy(ret_told->summary, yk_buf_cstr(&summary), summary.len);
    ret_told->summary[summary.len] = '\0';
}

/* Adds the result of the reload to the history. If the reload was applied, call this function after
 * rm->config was set. */
static void note_in_history(struct yk_rm *rm, struct yk_reload *reload)
{
    struct yk_config_entry *entry = &reload->entry;
    entry->is_applied = reload->status == YK_OK;
    entry->is_first = reload->active == NULL;
    if (entry->is_applied) {
        YK_CLEANUP(yk_buf_done) struct yk_buf summary = {0};
        yk_config_change_summary(&rm->last_change, &summary);
        entry->summary = yk_buf_take(&summary);
        /* For a blank text, the built-in configuration is active, which has another checksum. */
        memcpy(entry->checksum, rm->config->checksum, sizeof(entry->checksum));
    } else {
        entry->error = yk_strdup(reload->err.text);
    }
    yk_config_history_add(rm, entry);
}

/* Prepares the reload if need be, and commits it if it is valid and differs from the active configuration. */
static enum yk_status finish(struct yk_core *core, struct yk_rm *rm, struct yk_reload *reload,
                             struct yk_si_told *ret_told, struct yk_err *err)
{
    if (reload->active != rm->config)
        yk_reload_restart(reload, rm->config);
    if (!reload->is_prepared)
        yk_reload_prepare(reload);
    if (reload->status != YK_OK) {
        note_in_history(rm, reload);
        return yk_fail(err, reload->status, "%s", reload->err.text);
    }
    if (!reload->is_same) {
        log_warnings(reload->config);
        commit_all(core, rm, reload);
        note_in_history(rm, reload);
    }
    tell_change(rm, !reload->is_same, ret_told);
    return YK_OK;
}

static enum yk_status apply_config(struct yk_core *core, struct yk_rm *rm,
                                   const struct yk_si_register *request, struct yk_err *err)
{
    YK_CLEANUP(yk_reload_freep)
    struct yk_reload *reload = yk_reload_new(request, rm->config, core->directory);
    return finish(core, rm, reload, NULL, err);
}

/* Applies the event.*, preemption.* and metrics.* settings. */
static void set_events(struct yk_core *core, const struct yk_tags *extra)
{
    struct yk_pair *pairs = yk_new0_array(struct yk_pair, (size_t)extra->count + 1);
    YK_CLEANUP(yk_settings_freep) struct yk_settings *settings = NULL;
    struct yk_err err = {0};
    size_t count = 0;
    const char *key, *value;
    for (uint32_t at = 0; yk_tags_next(extra, &at, &key, &value);) {
        if (yk_str_starts(yk_str_from(key), "event.") || yk_str_starts(yk_str_from(key), "preemption.") ||
            yk_str_starts(yk_str_from(key), "metrics."))
            pairs[count++] = (struct yk_pair){yk_str_from(key), yk_str_from(value)};
    }
    if (yk_settings_parse(pairs, count, &settings, &err) == YK_OK) {
        core->preemption_min_load = settings->preemption_min_load;
        core->metric_users = settings->metric_users;
        core->metric_pods = settings->metric_pods;
        core->preemption_interval_ns = settings->preemption_interval_ns;
        const struct yk_event_settings events = {
            .tracking = settings->event_tracking,
            .request_capacity = (size_t)settings->event_request_capacity,
            .ring_capacity = (size_t)settings->event_ring_capacity,
            .batch_max = (uint64_t)settings->event_rest_response_size,
            .max_streams = (size_t)settings->event_max_streams,
            .max_streams_per_host = (size_t)settings->event_max_streams_per_host,
        };
        yk_events_configure(&core->events, &events);
    } else {
        yk_warn(yk_log_config, "settings of events, preemption and metrics stay as they are",
                KV("err", err.text));
    }
    free(pairs);
}

/* Applies the settings for the whole process, which are those of the resource manager that registered
 * first. */
static void adopt_settings(struct yk_core *core)
{
    const struct yk_rm *rm = yk_core_first_rm(core);
    if (rm == NULL)
        return;
    const char *interval = yk_tags_get(&rm->extra_config, "health.checkInterval");
    int64_t before_ns = core->health_interval_ns;
    core->health_interval_ns = 30 * YK_NS_PER_S;
    if (interval != NULL && yk_duration_parse(yk_str_from(interval), &core->health_interval_ns) != YK_OK) {
        yk_warn(yk_log_config, "health.checkInterval is not a duration, using 30s", KV("value", interval));
        core->health_interval_ns = 30 * YK_NS_PER_S;
    }
    set_events(core, &rm->extra_config);
    /* With the same interval, the time that has passed counts: frequent reloads put off no check. */
    if (core->health_interval_ns != before_ns)
        yk_timer_cancel(core->timers, &core->health_timer);
    if (core->health_interval_ns > 0 && !core->manual && !yk_timer_armed(&core->health_timer))
        yk_timer_arm(core->timers, &core->health_timer, core->health_interval_ns);
    if (!core->manual)
        yk_history_start(&core->history);
}

/* Replaces the settings of the resource manager by `extra`, which is emptied. */
static void set_extra_config(struct yk_core *core, struct yk_rm *rm, struct yk_tags *extra)
{
    yk_tags_done(&rm->extra_config);
    rm->extra_config = *extra;
    *extra = (struct yk_tags){0};
    if (rm == yk_core_first_rm(core))
        adopt_settings(core);
}

static struct yk_rm *rm_new(struct yk_core *core, const struct yk_si_register *request,
                            const struct yk_si_callbacks *callbacks, void *context)
{
    struct yk_rm *rm = yk_new0(struct yk_rm);
    rm->core = core;
    rm->id = yk_strdup(request->rm_id);
    rm->policy_group = yk_strdup(request->policy_group != NULL ? request->policy_group : "queues");
    rm->callbacks = *callbacks;
    rm->context = context;
    yk_tags_init(&rm->build_info, request->build_info, request->build_info_count);
    yk_tags_init(&rm->first_extra_config, request->extra_config, request->extra_count);
    return rm;
}

static void drop_rm(struct yk_core *core, struct yk_rm *rm)
{
    deafen(rm); /* it expects no reports about the end of its applications */
    for (size_t i = core->partitions.count; i > 0; i--) {
        struct yk_partition *partition = core->partitions.items[i - 1];
        if (partition->rm == rm)
            remove_partition(core, partition);
    }
    take_out(&core->rms, rm);
    rm_free(rm);
    adopt_settings(core);
}

void yk_core_unregister(struct yk_core *core, const char *rm_id)
{
    struct yk_rm *rm = yk_core_find_rm(core, rm_id);
    if (rm != NULL)
        drop_rm(core, rm);
}

enum yk_status yk_core_register(struct yk_core *core, const struct yk_si_register *request,
                                const struct yk_si_callbacks *callbacks, void *context, struct yk_err *err)
{
    if (request->rm_id == NULL || request->rm_id[0] == '\0')
        return yk_fail(err, YK_ERR_INVALID, "resource manager without an id");
    struct yk_rm *old = yk_core_find_rm(core, request->rm_id);
    if (old != NULL)
        drop_rm(core, old);
    struct yk_rm *rm = rm_new(core, request, callbacks, context);
    yk_vec_append(&core->rms, rm);
    struct yk_tags extra;
    yk_tags_init(&extra, request->extra_config, request->extra_count);
    set_extra_config(core, rm, &extra);
    enum yk_status st = apply_config(core, rm, request, err);
    if (st != YK_OK) {
        drop_rm(core, rm);
        return st;
    }
    yk_health_run(core);
    return YK_OK;
}

enum yk_status yk_core_reload_begin(struct yk_core *core, const struct yk_si_register *request,
                                    struct yk_reload **ret_reload, struct yk_err *err)
{
    struct yk_rm *rm = yk_core_find_rm(core, request->rm_id);
    if (rm == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "resource manager '%s' is not registered",
                       request->rm_id != NULL ? request->rm_id : "");
    *ret_reload = yk_reload_new(request, rm->config, core->directory);
    return YK_OK;
}

enum yk_status yk_core_reload_finish(struct yk_core *core, struct yk_reload *reload,
                                     struct yk_si_told *ret_told, struct yk_err *err)
{
    struct yk_rm *rm = yk_core_find_rm(core, reload->rm_id);
    if (rm == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "resource manager '%s' is not registered", reload->rm_id);
    enum yk_status st = finish(core, rm, reload, ret_told, err);
    if (st == YK_OK) {
        set_extra_config(core, rm, &reload->extra);
    } else {
        core->metrics.config_reloads_refused++;
        yk_error(yk_log_config, "queue configuration refused, the active one stays",
                 KV("err", reload->err.text));
    }
    return st;
}

enum yk_status yk_core_update_config(struct yk_core *core, const struct yk_si_register *request,
                                     struct yk_err *err)
{
    YK_CLEANUP(yk_reload_freep) struct yk_reload *reload = NULL;
    enum yk_status st = yk_core_reload_begin(core, request, &reload, err);
    return st == YK_OK ? yk_core_reload_finish(core, reload, NULL, err) : st;
}

/* ---- dispatch ---- */

static enum yk_status find(const struct yk_core *core, const char *rm_id, const char *name,
                           struct yk_rm **ret_rm, struct yk_partition **ret_partition)
{
    *ret_rm = yk_core_find_rm(core, rm_id);
    if (*ret_rm == NULL)
        return YK_ERR_NOT_FOUND;
    *ret_partition = partition_of(core, *ret_rm, name);
    return YK_OK;
}

static const char no_partition[] = "the partition does not exist";

enum yk_status yk_core_add_app(struct yk_core *core, const char *rm_id, const struct yk_si_new_app *app)
{
    struct yk_rm *rm;
    struct yk_partition *partition;
    enum yk_status st = find(core, rm_id, app->partition, &rm, &partition);
    if (st != YK_OK)
        return st;
    const char *refusal = NULL;
    if (partition == NULL)
        refusal = no_partition;
    else if (app->application_id == NULL || app->application_id[0] == '\0')
        refusal = "the application id is empty";
    else if (strlen(app->application_id) > YK_SI_APPLICATION_ID_MAX || app->tag_count > YK_SI_TAGS_MAX)
        refusal = "the application id is too long or has too many tags";
    if (refusal == NULL)
        yk_partition_add_app(partition, app);
    else if (rm->callbacks.app_rejected != NULL)
        rm->callbacks.app_rejected(rm->context, app->application_id, refusal, app->cookie);
    return YK_OK;
}

enum yk_status yk_core_remove_app(struct yk_core *core, const char *rm_id, const char *application_id,
                                  const char *partition_name)
{
    struct yk_rm *rm;
    struct yk_partition *partition;
    enum yk_status st = find(core, rm_id, partition_name, &rm, &partition);
    if (st == YK_OK && partition != NULL && application_id != NULL)
        yk_partition_remove_app(partition, application_id);
    return st;
}

/* `*ret_app` NULL: there is no such application. */
static enum yk_status find_app(struct yk_core *core, const char *rm_id, const char *application_id,
                               const char *partition_name, struct yk_app **ret_app)
{
    struct yk_rm *rm;
    struct yk_partition *partition;
    enum yk_status st = find(core, rm_id, partition_name, &rm, &partition);
    *ret_app = st == YK_OK && partition != NULL && application_id != NULL
                   ? yk_partition_find_app(partition, application_id)
                   : NULL;
    return st;
}

enum yk_status yk_core_namespace_changed(struct yk_core *core, const char *rm_id, const char *application_id,
                                         const char *partition_name, const struct yk_si_tag *tags,
                                         size_t count)
{
    struct yk_app *app;
    enum yk_status st = find_app(core, rm_id, application_id, partition_name, &app);
    if (app != NULL)
        yk_dynamic_queue_limits_change(app, tags, count);
    return st;
}

enum yk_status yk_core_gang_changed(struct yk_core *core, const char *rm_id, const char *application_id,
                                    const char *partition_name, const struct yk_resvec *total)
{
    struct yk_app *app;
    enum yk_status st = find_app(core, rm_id, application_id, partition_name, &app);
    if (app != NULL && app->gang != NULL)
        yk_gang_change_total(app->gang, total);
    return st;
}

enum yk_status yk_core_update_allocation(struct yk_core *core, const char *rm_id,
                                         const struct yk_si_allocation *allocation)
{
    struct yk_rm *rm;
    struct yk_partition *partition;
    enum yk_status st = find(core, rm_id, allocation->partition, &rm, &partition);
    if (st != YK_OK)
        return st;
    if (partition != NULL)
        yk_partition_update_allocation(partition, allocation);
    else if (rm->callbacks.allocation_rejected != NULL)
        rm->callbacks.allocation_rejected(rm->context, allocation->application_id, allocation->key,
                                          no_partition, allocation->cookie);
    return YK_OK;
}

enum yk_status yk_core_release(struct yk_core *core, const char *rm_id, const struct yk_si_release *release)
{
    struct yk_rm *rm;
    struct yk_partition *partition;
    enum yk_status st = find(core, rm_id, release->partition, &rm, &partition);
    if (st == YK_OK && partition != NULL)
        yk_partition_release(partition, release);
    return st;
}

void yk_core_wake_class(struct yk_core *core, const char *rm_id, yk_si_class scheduling_class)
{
    const struct yk_rm *rm = yk_core_find_rm(core, rm_id);
    struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        if (partition->rm == rm)
            yk_wake_class(partition, scheduling_class);
    }
}

bool yk_core_node_is_reserved(const struct yk_core *core, const char *rm_id, const char *node_id)
{
    const struct yk_rm *rm = yk_core_find_rm(core, rm_id);
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        const struct yk_node *node = partition->rm == rm ? yk_partition_find_node(partition, node_id) : NULL;
        if (node != NULL && !yk_list_empty(&node->reservations))
            return true;
    }
    return false;
}

/* This function and the next two are here, and not in why.c, so that each program that makes a core links
 * them, whatever the order of its static libraries. */
struct yk_si_why yk_core_why(const struct yk_core *core, const char *rm_id, const char *application_id,
                             const char *key, struct yk_si_why_text *text)
{
    return yk_why_of_key(core, rm_id, application_id, key, text);
}

struct yk_si_why yk_core_why_gang(const struct yk_core *core, const char *rm_id, const char *application_id,
                                  const struct yk_si_gang_wait *wait, struct yk_buf *text)
{
    return yk_why_of_gang_wait(core, rm_id, application_id, wait, text);
}

struct yk_si_start yk_core_start(const struct yk_core *core, const char *rm_id, const char *application_id,
                                 const char *key, const struct yk_si_start *like)
{
    return yk_start_of_key(core, rm_id, application_id, key, like);
}

struct yk_ask *yk_core_find_ask(const struct yk_core *core, const char *rm_id, const char *application_id,
                                const char *key)
{
    const struct yk_rm *rm = yk_core_find_rm(core, rm_id);
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        const struct yk_app *app =
            partition->rm == rm ? yk_partition_find_app(partition, application_id) : NULL;
        struct yk_ask *ask = app != NULL ? yk_app_find_ask(app, yk_str_from(key)) : NULL;
        if (ask != NULL)
            return ask;
    }
    return NULL;
}

const char *yk_core_allocation_node(const struct yk_core *core, const char *rm_id, const char *application_id,
                                    const char *key)
{
    const struct yk_ask *ask = yk_core_find_ask(core, rm_id, application_id, key);
    return ask != NULL && ask->node != NULL ? ask->node->id : NULL;
}

void yk_core_allocation_bound(struct yk_core *core, const char *rm_id, const char *application_id,
                              const char *key)
{
    struct yk_ask *ask = yk_core_find_ask(core, rm_id, application_id, key);
    if (ask != NULL && ask->node != NULL)
        yk_ask_set_bound(ask, yk_core_now(core));
}

void yk_core_signatures_changed(struct yk_core *core, const char *rm_id)
{
    const struct yk_rm *rm = yk_core_find_rm(core, rm_id);
    struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        if (partition->rm == rm)
            yk_partition_signatures_changed(partition);
    }
}

/* The name of the node's partition, from the request or, as in YuniKorn, from an attribute; NULL: the
 * default partition. */
static const char *partition_name_of(const struct yk_si_node *node)
{
    if (node->partition != NULL)
        return node->partition;
    for (size_t i = 0; i < node->attribute_count; i++) {
        const char *key = node->attributes[i].key;
        if (key != NULL && strcmp(key, YK_SI_NODE_PARTITION) == 0)
            return node->attributes[i].value;
    }
    return NULL;
}

enum yk_status yk_core_update_node(struct yk_core *core, const char *rm_id, const struct yk_si_node *node)
{
    struct yk_rm *rm;
    struct yk_partition *partition;
    enum yk_status st = find(core, rm_id, partition_name_of(node), &rm, &partition);
    if (st != YK_OK)
        return st;
    const char *refusal = NULL;
    if (partition == NULL)
        refusal = no_partition;
    else if (node->node_id == NULL || node->node_id[0] == '\0' || strlen(node->node_id) > YK_SI_KEY_MAX)
        refusal = "the node id is empty or too long";
    if (refusal == NULL) {
        yk_partition_update_node(partition, node);
        return YK_OK;
    }
    if (node->action != YK_SI_NODE_CREATE && node->action != YK_SI_NODE_CREATE_DRAIN) {
        yk_warn(yk_log_node, "update of a node ignored", KV("node", node->node_id), KV("err", refusal));
        return YK_OK; /* only a new node gets an answer */
    }
    core->metrics.nodes_failed++;
    if (rm->callbacks.node_rejected != NULL)
        rm->callbacks.node_rejected(rm->context, node->node_id, refusal, node->cookie);
    return YK_OK;
}

/* ---- the cycle ---- */

static bool looks_at_clock(struct yk_partition *partition, size_t turns)
{
    bool was_long = yk_turn_take_long(partition);
    return was_long || turns % TURNS_PER_CLOCK == 0;
}

/* Whether the slice ends, so that the caller handles pending commands: the time is up, or the turn was a step
 * of longer work. */
static bool ends_slice(struct yk_partition *partition, size_t turns, int64_t until_mono_ns)
{
    bool was_step = yk_turn_take_step(partition), looks = looks_at_clock(partition, turns);
    if (until_mono_ns == INT64_MAX)
        return false;
    return was_step || (looks && yk_clock_mono_ns(partition->core->stopwatch) >= until_mono_ns);
}

static size_t schedule_partition(struct yk_partition *partition, size_t max_decisions, int64_t until_mono_ns)
{
    size_t decisions = 0;
    struct yk_core *core = partition->core;
    for (size_t turns = 1; decisions < max_decisions && core->turns < core->turns_max; turns++) {
        struct yk_step_timer timer = yk_step_timer_begin(core, turns - 1);
        core->turns++;
        enum yk_turn turn = yk_partition_turn(partition, &timer);
        if (turn == YK_TURN_IDLE)
            break;
        decisions += turn == YK_TURN_DECIDED;
        if (ends_slice(partition, turns, until_mono_ns))
            break;
    }
    return decisions;
}

/* Schedules the partitions one after the other. The next call begins with the partition after the last one
 * that had a turn. */
static size_t schedule_in_turn(struct yk_core *core, size_t max_decisions, int64_t until_mono_ns)
{
    size_t decisions = 0, count = core->partitions.count, first = core->turn;
    for (size_t i = 0; i < count && decisions < max_decisions && core->turns < core->turns_max; i++) {
        size_t at = (first + i) % count;
        decisions += schedule_partition(core->partitions.items[at], max_decisions - decisions, until_mono_ns);
        core->turn = (at + 1) % count;
        if (until_mono_ns != INT64_MAX && yk_clock_mono_ns(core->stopwatch) >= until_mono_ns)
            break;
    }
    return decisions;
}

size_t yk_core_schedule(struct yk_core *core, size_t max_decisions, int64_t until_mono_ns)
{
    if (!yk_core_has_work(core))
        return 0;
    int64_t start_ns = yk_clock_mono_ns(core->stopwatch);
    size_t decisions = schedule_in_turn(core, max_decisions, until_mono_ns);
    double seconds = (double)(yk_clock_mono_ns(core->stopwatch) - start_ns) / (double)YK_NS_PER_S;
    yk_histogram_observe(&core->metrics.scheduling_cycle, seconds);
    if (decisions > 0)
        yk_histogram_observe(&core->metrics.scheduling_latency, seconds / (double)decisions);
    return decisions;
}

uint64_t yk_core_turns(const struct yk_core *core)
{
    return core->turns;
}

void yk_core_schedule_turns(struct yk_core *core, uint64_t turns)
{
    core->turns_max = turns < UINT64_MAX - core->turns ? core->turns + turns : UINT64_MAX;
    (void)yk_core_schedule(core, SIZE_MAX, INT64_MAX); /* how many decisions does not matter */
    core->turns_max = UINT64_MAX;
}

bool yk_core_has_work(const struct yk_core *core)
{
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        if (yk_partition_has_work(partition))
            return true;
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/reloader.h"

#include "base/log.h"

struct reloading {
    struct yk_command command; /* first member */
    struct yk_reloader *reloader;
    /* of the scheduling thread; a copy, because the other thread does not read `reloader` */
    struct yk_mailbox *inbox;
    struct yk_core_config config; /* without the text of the queues */
    struct yk_reload *reload;     /* owned */
};

static struct reloading *reloading_of(struct yk_command *command)
{
    return (struct reloading *)(void *)command;
}

/* Frees the command. Any thread. */
static void free_reloading(struct yk_command *command)
{
    struct reloading *reloading = reloading_of(command);
    yk_core_config_done(&reloading->config);
    yk_reload_free(reloading->reload);
    free(reloading);
}

/* ---- Events and log ---- */

static void tell(struct yk_reloader *reloader, bool warning, const char *reason, const char *note)
{
    const struct yk_config_map *map = yk_cache_config_map(reloader->cache, 1);
    if (map == NULL)
        map = yk_cache_config_map(reloader->cache, 0);
    if (map == NULL)
        return;
    const struct yk_regarding about = {"ConfigMap", map->object.namespace_, map->object.name,
                                       map->object.uid};
    yk_recorder_add(reloader->events, &about, warning, reason, "ConfigurationReload", note, true);
}

void yk_reloader_look_at_types(struct yk_reloader *reloader)
{
    uint64_t additions = yk_restype_additions();
    if (additions == reloader->types_seen)
        return;
    reloader->types_seen = additions;
    int in_use = yk_restype_in_use();
    bool is_half_full = in_use > YK_RESTYPE_MAX / 2;
    if (is_half_full && !reloader->has_warned_types) {
        char note[160];
        (void)snprintf(note, sizeof(note),
                       "nodes and queues name %d resource types; beyond %d, further ones are left out",
                       in_use, YK_RESTYPE_MAX);
        yk_warn(yk_log_shim_config, "table of resource types is half full", KV("types", in_use),
                KV("limit", (int)YK_RESTYPE_MAX));
        tell(reloader, true, "ManyResourceTypes", note);
    }
    reloader->has_warned_types = is_half_full;
}

static void refuse(struct yk_reloader *reloader, const struct yk_err *err)
{
    char note[YK_ERR_TEXT_MAX + 64];
    reloader->refused++;
    atomic_store_explicit(&reloader->last_refused, true, memory_order_relaxed);
    yk_error(yk_log_shim_config, "new configuration is refused, the old one stays",
             KV("err", (const char *)err->text));
    snprintf(note, sizeof(note), "configuration is refused, the previous one stays in force: %s", err->text);
    tell(reloader, true, "ConfigurationRefused", note);
}

static void accept(struct yk_reloader *reloader, const struct yk_si_told *told)
{
    atomic_store_explicit(&reloader->last_refused, false, memory_order_relaxed);
    yk_info(yk_log_shim_config, "configuration reloaded", KV("refresh", reloader->configuration->refresh));
    if (!told->changed)
        return;
    if (told->partitions_added)
        yk_apps_offer_nodes(reloader->apps);
    char note[sizeof(told->summary) + 64];
    snprintf(note, sizeof(note), "configuration is active: %s", told->summary);
    tell(reloader, false, "ConfigurationActive", note);
}

void yk_reloader_tell_draining(struct yk_reloader *reloader, const struct yk_si_draining *draining)
{
    char since[YK_TIME_TEXT_MAX];
    YK_CLEANUP(yk_buf_done) struct yk_buf note = {.max = YK_ERR_TEXT_MAX};
    yk_time_format(draining->since_wall_ns, 0, since);
    yk_buf_printf(&note, "queue %s drains since %s; applications left: %zu", draining->queue, since,
                  draining->applications);
    tell(reloader, true, "QueueDraining", yk_buf_cstr(&note));
}

/* ---- the steps ---- */

static void finish(struct reloading *reloading)
{
    struct yk_reloader *reloader = reloading->reloader;
    struct yk_si_told told = {.changed = false};
    struct yk_err err;
    enum yk_status st = yk_core_reload_finish(reloader->core, reloading->reload, &told, &err);
    reloader->busy = false;
    if (st == YK_OK) {
        yk_configuration_apply(reloader->configuration, &reloading->config);
        accept(reloader, &told);
    } else {
        if (reloading->config.refusal == NULL)
            (void)yk_fail_in(&err, st, "%s.yaml",
                             reloading->config.request.policy_group); /* only the sentence is used */
        refuse(reloader, &err);
    }
}

/* Activates or refuses the configuration on the scheduling thread. The other thread then frees what is no
 * longer needed, which may be large. */
static void run_finish(struct yk_command *command)
{
    struct reloading *reloading = reloading_of(command);
    struct yk_mailbox *aside = reloading->reloader->aside;
    finish(reloading);
    command->run = free_reloading;
    yk_mailbox_post(aside, command);
}

/* Parses and checks the queues on the other thread. */
static void run_prepare(struct yk_command *command)
{
    struct reloading *reloading = reloading_of(command);
    yk_reload_prepare(reloading->reload);
    command->run = run_finish;
    yk_mailbox_post(reloading->inbox, command);
}

static void go(struct yk_reloader *reloader, struct reloading *reloading)
{
    reloader->busy = true;
    reloading->command = (struct yk_command){.run = run_prepare, .drop = free_reloading};
    reloading->reloader = reloader;
    reloading->inbox = reloader->inbox;
    if (reloader->aside != NULL) {
        yk_mailbox_post(reloader->aside, &reloading->command);
        return;
    }
    yk_reload_prepare(reloading->reload);
    finish(reloading);
    free_reloading(&reloading->command);
}

static enum yk_status begin(struct yk_reloader *reloader, struct reloading *reloading, struct yk_err *err)
{
    struct yk_core_config *config = &reloading->config;
    enum yk_status st = yk_core_config_load(reloader->cache, reloader->configuration->settings, config, err);
    if (st != YK_OK && config->refusal == NULL)
        return st;
    st = yk_core_reload_begin(reloader->core, &config->request, &reloading->reload, err);
    yk_merged_config_keep_settings(&config->merged); /* the ConfigMaps may change before the reload ends */
    config->request.config = (struct yk_str){0};
    return st;
}

void yk_reloader_run(struct yk_reloader *reloader)
{
    if (!reloader->dirty || reloader->busy)
        return;
    reloader->dirty = false;
    if (!reloader->configuration->refresh) {
        yk_info(yk_log_shim_config, "configuration changed, but hot refresh is off");
        return;
    }
    yk_restype_give_back(); /* makes room for new resource types */
    struct reloading *reloading = yk_new0(struct reloading);
    struct yk_err err;
    if (begin(reloader, reloading, &err) == YK_OK) {
        go(reloader, reloading);
        return;
    }
    refuse(reloader, &err);
    free_reloading(&reloading->command);
}

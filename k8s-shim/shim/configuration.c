/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/configuration.h"

#include "base/log.h"
#include "base/version.h"

/* Settings whose changes have no effect before a restart. */
static const char *const at_start_only[] = {
    "service.clusterId",
    "service.policyGroup",
    "service.schedulingInterval",
    "service.volumeBindTimeout",
    "service.eventChannelCapacity",
    "service.dispatchTimeout",
    "service.disableGangScheduling",
    "service.placeholderImage",
    "service.placeholderRunAsUser",
    "service.placeholderRunAsGroup",
    "service.placeholderFsGroup",
    "service.nodeInstanceTypeNodeLabelKey",
    "service.instanceTypeNodeLabelKey",
    "service.web.bindHost",
    "service.web.port",
    "service.web.tls.certFile",
    "service.web.tls.keyFile",
    "service.web.tls.clientCaFile",
    "service.web.tls.minVersion",
    "service.web.apiAudiences",
    "service.web.access",
    "service.bindHost",
    "service.port",
    "service.shims",
    "service.applicationScope",
    "service.trustUserInfo",
    "service.maxPlaceholdersPerNamespace",
    "service.maxDecisionsPerWake",
    "kubernetes.qps",
    "kubernetes.burst",
    "admissionController.filtering.generateUniqueAppId",
};

static void take_extra(struct yk_core_config *config)
{
    const struct yk_merged_config *merged = &config->merged;
    config->extra = yk_new0_array(struct yk_si_tag, (size_t)merged->count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < merged->count; i++) {
        if (yk_str_ends(merged->items[i].key, ".yaml"))
            continue;
        config->extra[count++] =
            (struct yk_si_tag){yk_str_dup(merged->items[i].key), yk_str_dup(merged->items[i].value)};
    }
    config->request.extra_config = config->extra;
    config->request.extra_count = count;
}

/* Describes the entry whose text is used, and also an entry that would be used if it could be unpacked. */
static void take_source(struct yk_str key, struct yk_core_config *config)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 2048};
    struct yk_config_origin origin = yk_merged_config_origin(&config->merged, key);
    struct yk_str ignored = yk_merged_config_ignored(&config->merged, key);
    if (origin.map == NULL) {
        yk_buf_text(&text, "no ConfigMap: the built-in queues");
    } else {
        yk_buf_printf(&text, "ConfigMap " YK_STR_FMT "/" YK_STR_FMT, YK_STR_ARG(origin.map->namespace_),
                      YK_STR_ARG(origin.map->name));
        if (!yk_str_eq(origin.key, key))
            yk_buf_printf(&text, ", binaryData " YK_STR_FMT, YK_STR_ARG(origin.key));
        if (origin.map->resource_version.len > 0)
            yk_buf_printf(&text, ", resource version " YK_STR_FMT, YK_STR_ARG(origin.map->resource_version));
    }
    if (ignored.len > 0)
        yk_buf_printf(&text, "; " YK_STR_FMT, YK_STR_ARG(ignored));
    config->request.source = config->source = yk_buf_take(&text);
}

static void take_queues(struct yk_core_config *config)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {.max = 4096};
    yk_buf_text(&key, config->request.policy_group);
    yk_buf_text(&key, ".yaml");
    config->request.config = yk_merged_config_get(&config->merged, yk_buf_view(&key));
    take_source(yk_buf_view(&key), config);
}

enum yk_status yk_core_config_load(const struct yk_cache *cache, const struct yk_settings *in_force,
                                   struct yk_core_config *ret, struct yk_err *err)
{
    struct yk_err own = {0};
    if (err == NULL)
        err = &own; /* the sentence becomes `refusal` */
    *ret = (struct yk_core_config){.settings = NULL};
    yk_config_merge(yk_cache_config_map(cache, 0), yk_cache_config_map(cache, 1), &ret->merged);
    enum yk_status st = yk_settings_parse(ret->merged.items, ret->merged.count, &ret->settings, err);
    const struct yk_settings *identity = in_force != NULL ? in_force : ret->settings;
    if (identity == NULL) {
        yk_core_config_done(ret);
        return st;
    }
    ret->request.version = yk_version;
    ret->request.rm_id = identity->cluster_id;
    ret->request.policy_group = identity->policy_group;
    ret->request.keeps_default = true;
    take_queues(ret);
    take_extra(ret);
    if (st != YK_OK)
        ret->request.refusal = ret->refusal = yk_strdup(err->text);
    return st;
}

void yk_core_config_done(struct yk_core_config *config)
{
    union {
        const char *shown;
        char *owned;
    } text;
    for (size_t i = 0; i < config->request.extra_count; i++) {
        text.shown = config->extra[i].key;
        free(text.owned);
        text.shown = config->extra[i].value;
        free(text.owned);
    }
    free(config->extra);
    free(config->source);
    free(config->refusal);
    yk_settings_free(config->settings);
    yk_merged_config_done(&config->merged);
    *config = (struct yk_core_config){.settings = NULL};
}

static void keep_texts(struct yk_configuration *configuration, const struct yk_merged_config *merged)
{
    configuration->kept = yk_new0_array(char *, YK_COUNT(at_start_only));
    for (size_t i = 0; i < YK_COUNT(at_start_only); i++)
        configuration->kept[i] = yk_str_dup(yk_merged_config_get(merged, yk_str_from(at_start_only[i])));
}

static void warn_of_changes(const struct yk_configuration *configuration,
                            const struct yk_merged_config *merged)
{
    for (size_t i = 0; i < YK_COUNT(at_start_only); i++) {
        struct yk_str now = yk_merged_config_get(merged, yk_str_from(at_start_only[i]));
        if (!yk_str_is(now, configuration->kept[i]))
            yk_warn(yk_log_shim_config, "setting takes effect after a restart only",
                    KV("key", at_start_only[i]), KV("value", now),
                    KV("in_force", (const char *)configuration->kept[i]));
    }
}

void yk_configuration_apply(struct yk_configuration *configuration, struct yk_core_config *loaded)
{
    yk_settings_apply_log_levels(loaded->merged.items, loaded->merged.count);
    yk_setting_faults_log(&configuration->faults, &loaded->merged, loaded->request.policy_group);
    if (configuration->settings == NULL) {
        configuration->settings = yk_move(loaded->settings);
        configuration->refresh = configuration->settings->enable_hot_refresh;
        keep_texts(configuration, &loaded->merged);
        return;
    }
    warn_of_changes(configuration, &loaded->merged);
    configuration->refresh = configuration->refresh && loaded->settings->enable_hot_refresh;
    /* The core gets changed settings as extra configuration. The shim itself has no other settings that may
     * change. */
}

void yk_configuration_done(struct yk_configuration *configuration)
{
    for (size_t i = 0; configuration->kept != NULL && i < YK_COUNT(at_start_only); i++)
        free(configuration->kept[i]);
    free(configuration->kept);
    yk_setting_faults_done(&configuration->faults);
    yk_settings_free(configuration->settings);
    *configuration = (struct yk_configuration){.settings = NULL};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config/settings.h"

#include "base/clock.h"
#include "base/log.h"

#define SECONDS(n) ((n)*YK_NS_PER_S)
#define AT(member) offsetof(struct yk_settings, member)

enum kind { TEXT, BOOL, INT, DURATION };
enum severity { HARD, SOFT }; /* a bad value refuses the whole map; or warns and takes the default */

struct setting {
    const char *key;
    enum kind kind;
    enum severity severity;
    size_t offset;
    const char *text; /* default of TEXT */
    int64_t number;   /* default of the others */
    int64_t min, max; /* of INT, and of DURATION where max is given */
    bool zero_is_default;
};

/* Where two keys set one field, the later row wins. */
static const struct setting table[] = {
    {"service.clusterId", TEXT, HARD, AT(cluster_id), .text = "mycluster"},
    {"service.policyGroup", TEXT, HARD, AT(policy_group), .text = "queues"},
    {"service.schedulingInterval", DURATION, HARD, AT(scheduling_interval_ns), .number = SECONDS(1)},
    {"service.volumeBindTimeout", DURATION, HARD, AT(volume_bind_timeout_ns), .number = SECONDS(600)},
    {"service.eventChannelCapacity", INT, HARD, AT(event_channel_capacity), .number = 1 << 20, .min = 0,
     .max = INT32_MAX},
    {"service.dispatchTimeout", DURATION, HARD, AT(dispatch_timeout_ns), .number = SECONDS(300)},
    {"service.disableGangScheduling", BOOL, HARD, AT(disable_gang), .number = false},
    {"service.enableConfigHotRefresh", BOOL, HARD, AT(enable_hot_refresh), .number = true},
    {"service.placeholderImage", TEXT, HARD, AT(placeholder_image), .text = "registry.k8s.io/pause:3.7"},
    {"service.placeholderRunAsUser", INT, HARD, AT(placeholder_run_as_user), .min = 0, .max = INT64_MAX},
    {"service.placeholderRunAsGroup", INT, HARD, AT(placeholder_run_as_group), .min = 0, .max = INT64_MAX},
    {"service.placeholderFsGroup", INT, HARD, AT(placeholder_fs_group), .min = 0, .max = INT64_MAX},
    {"service.nodeInstanceTypeNodeLabelKey", TEXT, HARD, AT(instance_type_label),
     .text = "node.kubernetes.io/instance-type"},
    {"service.instanceTypeNodeLabelKey", TEXT, HARD, AT(instance_type_label),
     .text = "node.kubernetes.io/instance-type"},
    {"service.web.bindHost", TEXT, HARD, AT(web_bind_host), .text = ""},
    {"service.web.port", INT, HARD, AT(web_port), .number = 9080, .min = 0, .max = UINT16_MAX},
    {"service.schedulerACL", TEXT, HARD, AT(scheduler_acl), .text = ""},
    {"service.web.tls.certFile", TEXT, HARD, AT(tls_cert_file), .text = ""},
    {"service.web.tls.keyFile", TEXT, HARD, AT(tls_key_file), .text = ""},
    {"service.web.tls.selfSigned", BOOL, HARD, AT(tls_self_signed), .number = false},
    {"service.web.tls.clientCaFile", TEXT, HARD, AT(tls_client_ca_file), .text = ""},
    {"service.web.access", TEXT, HARD, AT(web_access), .text = "none"},
    {"service.web.apiAudiences", TEXT, HARD, AT(web_api_audiences), .text = ""},
    {"service.web.tls.minVersion", TEXT, HARD, AT(tls_min_version), .text = "1.2"},
    {"service.bindHost", TEXT, HARD, AT(si_bind_host), .text = ""},
    {"service.port", INT, HARD, AT(si_port), .number = 0, .min = 0, .max = UINT16_MAX},
    {"service.shims", TEXT, HARD, AT(shims), .text = "kubernetes"},
    {"service.trustUserInfo", TEXT, HARD, AT(trust_user_info), .text = "any"},
    {"service.maxPlaceholdersPerNamespace", INT, HARD, AT(placeholders_max), .number = 1000, .min = 0,
     .max = INT32_MAX},
    {"service.applicationScope", TEXT, HARD, AT(application_scope), .text = "namespace"},
    {"service.maxDecisionsPerWake", INT, HARD, AT(max_decisions_per_wake), .number = 0, .min = 0,
     .max = YK_SETTINGS_DECISIONS_MAX},
    {"preemption.minClusterLoad", INT, SOFT, AT(preemption_min_load), .number = 0, .min = 0, .max = 100},
    {"preemption.checkInterval", DURATION, SOFT, AT(preemption_interval_ns), .number = 0, .min = 0,
     .max = INT64_MAX},
    {"kubernetes.qps", INT, HARD, AT(kube_qps), .number = 1000, .min = INT32_MIN, .max = INT32_MAX},
    {"kubernetes.burst", INT, HARD, AT(kube_burst), .number = 1000, .min = INT32_MIN, .max = INT32_MAX},
    {"admissionController.filtering.generateUniqueAppId", BOOL, HARD, AT(generate_unique_app_id),
     .number = false},
    {"health.checkInterval", DURATION, SOFT, AT(health_interval_ns), .number = SECONDS(30)},
    {"event.trackingEnabled", BOOL, SOFT, AT(event_tracking), .number = true},
    {"event.requestCapacity", INT, SOFT, AT(event_request_capacity), .number = 1000, .min = 0,
     .max = YK_SETTINGS_EVENTS_MAX, .zero_is_default = true},
    {"event.ringbufferCapacity", INT, SOFT, AT(event_ring_capacity), .number = 100000, .min = 0,
     .max = YK_SETTINGS_EVENTS_MAX, .zero_is_default = true},
    {"event.ringBufferCapacity", INT, SOFT, AT(event_ring_capacity), .number = 100000, .min = 0,
     .max = YK_SETTINGS_EVENTS_MAX, .zero_is_default = true},
    {"event.maxStreams", INT, SOFT, AT(event_max_streams), .number = 100, .min = 0,
     .max = YK_SETTINGS_STREAMS_MAX},
    {"event.maxStreamsPerHost", INT, SOFT, AT(event_max_streams_per_host), .number = 15, .min = 0,
     .max = YK_SETTINGS_STREAMS_MAX},
    {"event.RESTResponseSize", INT, SOFT, AT(event_rest_response_size), .number = 10000, .min = 0,
     .max = YK_SETTINGS_EVENTS_MAX, .zero_is_default = true},
};

/* ---- fields ---- */

static void *field(struct yk_settings *settings, const struct setting *setting)
{
    return (char *)settings + setting->offset;
}

static void set_text(struct yk_settings *settings, const struct setting *setting, struct yk_str text)
{
    char **at = field(settings, setting);
    free(*at);
    *at = yk_str_dup(text);
}

static void set_default(struct yk_settings *settings, const struct setting *setting)
{
    switch (setting->kind) {
    case TEXT:
        set_text(settings, setting, yk_str_from(setting->text));
        break;
    case BOOL:
        *(bool *)field(settings, setting) = setting->number != 0;
        break;
    case INT:
    case DURATION:
        *(int64_t *)field(settings, setting) = setting->number;
        break;
    }
}

static const char *wanted(const struct setting *setting)
{
    switch (setting->kind) {
    case TEXT:
        return "a text";
    case BOOL:
        return "a boolean";
    case INT:
        return "a whole number in range";
    case DURATION:
        return "a duration like 30s or 1h30m";
    }
    return "";
}

static enum yk_status set_int(struct yk_settings *settings, const struct setting *setting,
                              struct yk_str value)
{
    int64_t number;
    if (yk_str_to_i64(value, &number) != YK_OK || number < setting->min || number > setting->max)
        return YK_ERR_INVALID;
    if (number == 0 && setting->zero_is_default)
        number = setting->number;
    *(int64_t *)field(settings, setting) = number;
    return YK_OK;
}

/* A row with a maximum takes no durations outside of its range. */
static enum yk_status set_duration(struct yk_settings *settings, const struct setting *setting,
                                   struct yk_str value)
{
    int64_t ns;
    if (yk_duration_parse(value, &ns) != YK_OK ||
        (setting->max > 0 && (ns < setting->min || ns > setting->max)))
        return YK_ERR_INVALID;
    *(int64_t *)field(settings, setting) = ns;
    return YK_OK;
}

static enum yk_status set_value(struct yk_settings *settings, const struct setting *setting,
                                struct yk_str value)
{
    switch (setting->kind) {
    case TEXT:
        set_text(settings, setting, value);
        return YK_OK;
    case BOOL:
        return yk_str_to_bool(value, field(settings, setting));
    case INT:
        return set_int(settings, setting, value);
    case DURATION:
        return set_duration(settings, setting, value);
    }
    return YK_OK;
}

/* ---- the map ---- */

/* Later entries win. */
static const struct yk_config_pair *find_last(const struct yk_config_pair *pairs, size_t count,
                                              const char *key)
{
    for (size_t i = count; i > 0; i--) {
        if (yk_str_is(pairs[i - 1].key, key))
            return &pairs[i - 1];
    }
    return NULL;
}

/* Of older releases. */
static const char *const gone[] = {"service.operatorPlugins", "admissionController.filtering.defaultQueue"};

bool yk_setting_is_known(struct yk_str key)
{
    for (size_t i = 0; i < YK_COUNT(table); i++) {
        if (yk_str_is(key, table[i].key))
            return true;
    }
    for (size_t i = 0; i < YK_COUNT(gone); i++) {
        if (yk_str_is(key, gone[i]))
            return true;
    }
    return false;
}

static void warn_of_the_past(const struct yk_config_pair *pairs, size_t count)
{
    for (size_t i = 0; i < YK_COUNT(gone); i++) {
        if (find_last(pairs, count, gone[i]) != NULL)
            yk_warn(yk_log_shim_config, "setting of an older release ignored", KV("key", gone[i]));
    }
}

static enum yk_status refuse(const char *key, const char *value, const char *why, struct yk_err *err)
{
    return yk_fail(err, YK_ERR_INVALID, "setting '%s': '%s' %s", key, value, why);
}

static enum yk_status check_tls(const struct yk_settings *settings, struct yk_err *err)
{
    bool has_cert = settings->tls_cert_file[0] != '\0', has_key = settings->tls_key_file[0] != '\0';
    if (has_cert && !has_key)
        return refuse("service.web.tls.certFile", settings->tls_cert_file, "needs service.web.tls.keyFile",
                      err);
    if (has_key && !has_cert)
        return refuse("service.web.tls.keyFile", settings->tls_key_file, "needs service.web.tls.certFile",
                      err);
    if (settings->tls_client_ca_file[0] != '\0' && !has_cert && !settings->tls_self_signed)
        return refuse("service.web.tls.clientCaFile", settings->tls_client_ca_file,
                      "needs service.web.tls.certFile or service.web.tls.selfSigned", err);
    if (strcmp(settings->tls_min_version, "1.2") != 0 && strcmp(settings->tls_min_version, "1.3") != 0)
        return refuse("service.web.tls.minVersion", settings->tls_min_version, "is neither 1.2 nor 1.3", err);
    return YK_OK;
}

/* The grammar of ACLs allows two fields (queues.md A2). */
static bool is_acl(struct yk_str text)
{
    struct yk_str field;
    int fields = 0;
    while (yk_str_split(&text, ' ', &field))
        fields++;
    return fields <= 2;
}

/* What no single value shows. */
static enum yk_status check_together(const struct yk_settings *settings, struct yk_err *err)
{
    enum yk_status st = check_tls(settings, err);
    if (st != YK_OK)
        return st;
    if (!is_acl(yk_str_from(settings->scheduler_acl)))
        return refuse("service.schedulerACL", settings->scheduler_acl,
                      "has more than two fields; it is 'users groups' with one space between", err);
    if (strcmp(settings->shims, "kubernetes") != 0)
        return refuse("service.shims", settings->shims, "is not 'kubernetes', the only shim there is", err);
    if (strcmp(settings->application_scope, "namespace") != 0 &&
        strcmp(settings->application_scope, "cluster") != 0)
        return refuse("service.applicationScope", settings->application_scope,
                      "is neither 'namespace' nor 'cluster'", err);
    if (strcmp(settings->trust_user_info, "any") != 0 && strcmp(settings->trust_user_info, "webhook") != 0 &&
        strcmp(settings->trust_user_info, "none") != 0)
        return refuse("service.trustUserInfo", settings->trust_user_info, "is not 'any', 'webhook' or 'none'",
                      err);
    if (strcmp(settings->web_access, "none") != 0 && strcmp(settings->web_access, "delegated") != 0)
        return refuse("service.web.access", settings->web_access, "is neither 'none' nor 'delegated'", err);
    if (settings->si_port != 0 || settings->si_bind_host[0] != '\0')
        yk_warn(yk_log_shim_config, "the scheduler interface is in this process and listens nowhere",
                KV("service.bindHost", (const char *)settings->si_bind_host),
                KV("service.port", settings->si_port));
    return YK_OK;
}

static enum yk_status apply(struct yk_settings *settings, const struct setting *setting,
                            const struct yk_config_pair *pair, struct yk_err *err)
{
    if (set_value(settings, setting, pair->value) == YK_OK)
        return YK_OK;
    if (setting->severity == HARD)
        return yk_fail(err, YK_ERR_INVALID, "setting '%s': '" YK_STR_FMT "' is not %s", setting->key,
                       YK_STR_ARG(pair->value), wanted(setting));
    yk_warn(yk_log_config, "bad setting, default used", KV("key", setting->key), KV("value", pair->value));
    set_default(settings, setting);
    return YK_OK;
}

enum yk_status yk_settings_parse(const struct yk_config_pair *pairs, size_t count,
                                 struct yk_settings **ret_settings, struct yk_err *err)
{
    YK_CLEANUP(yk_settings_freep) struct yk_settings *settings = yk_new0(struct yk_settings);
    for (size_t i = 0; i < YK_COUNT(table); i++)
        set_default(settings, &table[i]);
    for (size_t i = 0; i < YK_COUNT(table); i++) {
        const struct yk_config_pair *pair = find_last(pairs, count, table[i].key);
        enum yk_status st = pair != NULL ? apply(settings, &table[i], pair, err) : YK_OK;
        if (st != YK_OK)
            return st;
    }
    warn_of_the_past(pairs, count);
    enum yk_status st = check_together(settings, err);
    if (st != YK_OK)
        return st;
    *ret_settings = yk_move(settings);
    return YK_OK;
}

/* ---- all problems ---- */

static void check_key(const struct yk_config_pair *pair, const char *policy_group,
                      struct yk_config_errors *warnings)
{
    struct yk_err err;
    enum yk_setting_fault fault = yk_setting_check(pair, policy_group);
    if (fault == YK_SETTING_FINE)
        return;
    (void)yk_fail(&err, YK_OK, "setting '" YK_STR_FMT "': '" YK_STR_FMT "' has no effect: %s",
                  YK_STR_ARG(pair->key), YK_STR_ARG(pair->value),
                  yk_setting_fault_text(fault)); /* read from `err` */
    yk_config_errors_add(warnings, &err);
}

static void check_value(struct yk_settings *settings, const struct setting *setting,
                        const struct yk_config_pair *pair, struct yk_config_errors *errors,
                        struct yk_config_errors *warnings)
{
    struct yk_err err;
    if (pair == NULL || set_value(settings, setting, pair->value) == YK_OK)
        return;
    (void)yk_fail(&err, YK_ERR_INVALID, "setting '%s': '" YK_STR_FMT "' is not %s%s", setting->key,
                  YK_STR_ARG(pair->value), wanted(setting),
                  setting->severity == SOFT ? ": the default is used" : ""); /* read from `err` */
    yk_config_errors_add(setting->severity == SOFT ? warnings : errors, &err);
}

void yk_settings_check(const struct yk_config_pair *pairs, size_t count, struct yk_config_errors *errors,
                       struct yk_config_errors *warnings)
{
    YK_CLEANUP(yk_settings_freep) struct yk_settings *settings = yk_new0(struct yk_settings);
    struct yk_err err = {0};
    for (size_t i = 0; i < YK_COUNT(table); i++)
        set_default(settings, &table[i]);
    for (size_t i = 0; i < YK_COUNT(table); i++)
        check_value(settings, &table[i], find_last(pairs, count, table[i].key), errors, warnings);
    if (check_together(settings, &err) != YK_OK)
        yk_config_errors_add(errors, &err);
    for (size_t i = 0; i < count; i++)
        check_key(&pairs[i], settings->policy_group, warnings);
}

void yk_settings_free(struct yk_settings *settings)
{
    if (settings == NULL)
        return;
    free(settings->cluster_id);
    free(settings->policy_group);
    free(settings->placeholder_image);
    free(settings->instance_type_label);
    free(settings->web_bind_host);
    free(settings->scheduler_acl);
    free(settings->tls_cert_file);
    free(settings->tls_key_file);
    free(settings->tls_client_ca_file);
    free(settings->web_api_audiences);
    free(settings->tls_min_version);
    free(settings->si_bind_host);
    free(settings->shims);
    free(settings->application_scope);
    free(settings->web_access);
    free(settings->trust_user_info);
    free(settings);
}

/* ---- log levels ---- */

struct pair_list {
    const struct yk_config_pair *pairs;
    size_t count;
};

static struct yk_str lookup_level(void *context, const char *logger)
{
    const struct pair_list *list = context;
    char key[128];
    int len = snprintf(key, sizeof(key), logger[0] == '\0' ? "log.level" : "log.%s.level", logger);
    if (len < 0 || (size_t)len >= sizeof(key))
        return (struct yk_str){0};
    const struct yk_config_pair *pair = find_last(list->pairs, list->count, key);
    return pair != NULL ? pair->value : (struct yk_str){0};
}

void yk_settings_apply_log_levels(const struct yk_config_pair *pairs, size_t count)
{
    struct pair_list list = {pairs, count};
    yk_log_configure(lookup_level, &list);
}

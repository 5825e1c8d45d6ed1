/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Service settings: the key/value part of the two ConfigMaps, typed and with defaults.
 *
 * yk_settings_parse() reads every known key; a bad `service.*`, `kubernetes.*` or
 * `admissionController.filtering.generateUniqueAppId` value refuses the whole map, a bad `event.*` or
 * `health.*` or `preemption.*` value warns and takes the default; unknown keys are ignored (they still travel
 * to the core as extra configuration), and yk_setting_check() finds them.
 * Thread: any, one object at a time.
 * Source: docs/reference/configuration.md.
 */
#ifndef YK_CONFIG_SETTINGS_H
#define YK_CONFIG_SETTINGS_H

#include "config/config.h"

enum {
    YK_SETTINGS_EVENTS_MAX = 10 * 1000 * 1000, /* largest event.* capacity or response size */
    YK_SETTINGS_STREAMS_MAX = 100 * 1000,
    YK_SETTINGS_DECISIONS_MAX = 1000 * 1000, /* at one wake */
};

struct yk_settings {
    /* service.*: setting_table.c says for each whether it is read at the start only. All texts are owned, and
     * never NULL. */
    char *cluster_id;               /* "mycluster" */
    char *policy_group;             /* "queues" */
    int64_t scheduling_interval_ns; /* accepted; scheduling is event driven */
    int64_t volume_bind_timeout_ns;
    int64_t event_channel_capacity;
    int64_t dispatch_timeout_ns;
    bool disable_gang;
    bool enable_hot_refresh;
    char *placeholder_image;
    int64_t placeholder_run_as_user, placeholder_run_as_group, placeholder_fs_group; /* 0: unset */
    char *instance_type_label;
    char *web_bind_host;                /* service.web.bindHost, "" : all addresses */
    int64_t web_port;                   /* service.web.port, 9080 */
    char *scheduler_acl;                /* service.schedulerACL */
    char *tls_cert_file, *tls_key_file; /* service.web.tls.*; "": none; both or none */
    bool tls_self_signed;               /* without the two files: the scheduler makes a certificate itself */
    char *web_access;                   /* service.web.access: "none" or "delegated" */
    char *web_api_audiences;  /* of bearer tokens, separated by commas; "": that of the API server */
    char *tls_client_ca_file; /* "": no client certificates; only with TLS */
    char *tls_min_version;    /* "1.2" or "1.3" */
    char *si_bind_host;       /* accepted: the scheduler interface is in this process */
    int64_t si_port;
    char *shims;                    /* "kubernetes", the only one there is */
    int64_t max_decisions_per_wake; /* 0: as many as a slice takes */
    int64_t kube_qps, kube_burst;
    bool generate_unique_app_id;
    int64_t placeholders_max; /* service.maxPlaceholdersPerNamespace; 0: no maximum */
    char *application_scope;  /* service.applicationScope: "namespace" or "cluster" */
    char *trust_user_info;    /* service.trustUserInfo: "any", "webhook" or "none" */
    /* core, reloadable */
    int64_t metric_users;           /* metrics.users */
    bool metric_pods;               /* metrics.pods */
    int64_t preemption_min_load;    /* preemption.minClusterLoad, per cent */
    int64_t preemption_interval_ns; /* preemption.checkInterval; 0: no pause */
    int64_t health_interval_ns;     /* <= 0: off */
    bool event_tracking;
    int64_t event_request_capacity, event_ring_capacity, event_max_streams, event_max_streams_per_host,
        event_rest_response_size;
};

/*
 * Makes settings from the defaults, overwritten by `pairs` (later entries win). `*ret_settings` is the
 * caller's; warnings are logged. Errors: YK_ERR_INVALID naming key and value; nothing returned.
 */
YK_NODISCARD enum yk_status yk_settings_parse(const struct yk_pair *pairs, size_t count,
                                              struct yk_settings **ret_settings, struct yk_err *err);
/*
 * Checks all pairs as yk_settings_parse() does. `errors`: all that refuse the map. `warnings`: values that
 * are replaced by the default, and keys that nothing reads. Both are the caller's, and were zeroed.
 */
void yk_settings_check(const struct yk_pair *pairs, size_t count, struct yk_config_errors *errors,
                       struct yk_config_errors *warnings);
void yk_settings_free(struct yk_settings *settings);
YK_DEFINE_FREEP(yk_settings)

/* Why an entry of the ConfigMaps has no effect. */
enum yk_setting_fault {
    YK_SETTING_FINE,
    YK_SETTING_UNKNOWN,      /* no setting of this name, here or in the admission controller */
    YK_SETTING_BAD_LEVEL,    /* a log level that does not parse */
    YK_SETTING_NO_LOGGER,    /* the level of a logger that does not exist */
    YK_SETTING_OTHER_QUEUES, /* "x.yaml" while the policy group is another one */
};

/* Whether yk_settings_parse() reads the key, or names it as one of an older release. */
bool yk_setting_is_known(struct yk_str key);
/* Whether an entry of the ConfigMaps has an effect, by its key and, for log levels, its value. Values of
 * other settings are checked by yk_settings_parse(). Any thread. */
enum yk_setting_fault yk_setting_check(const struct yk_pair *pair, const char *policy_group);
/* A phrase for messages, such as "unknown setting"; static. */
const char *yk_setting_fault_text(enum yk_setting_fault fault);

/* Sets the levels of all loggers from `log.level` and `log.<name>.level`. */
void yk_settings_apply_log_levels(const struct yk_pair *pairs, size_t count);

#endif

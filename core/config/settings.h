/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Service settings: reads the key/value part of the two ConfigMaps into a struct, with defaults.
 *
 * A value that is not valid refuses the whole map if its row in setting_table.c is STRICT, such as all of
 * `service.*`; if the row is LENIENT, such as those of `event.*`, a warning is logged and the default
 * applies. Unknown keys are ignored here: yk_setting_check() finds them, and the core gets them as extra
 * configuration.
 * Thread: any.
 * Source: docs/reference/configuration.md.
 */
#ifndef YK_CONFIG_SETTINGS_H
#define YK_CONFIG_SETTINGS_H

#include "config/config.h"

enum {
    YK_SETTINGS_EVENTS_MAX = 10 * 1000 * 1000, /* largest event.* capacity or response size */
    YK_SETTINGS_STREAMS_MAX = 100 * 1000,
    YK_SETTINGS_DECISIONS_MAX = 1000 * 1000, /* largest service.maxDecisionsPerWake */
};

/* The keys, the defaults and the ranges are in setting_table.c, which also says whether a changed value
 * applies at once. */
struct yk_settings {
    /* All texts are owned and never NULL. */
    char *cluster_id;               /* "mycluster" */
    char *policy_group;             /* "queues" */
    int64_t scheduling_interval_ns; /* without effect: events start the scheduling */
    int64_t volume_bind_timeout_ns;
    int64_t event_channel_capacity; /* without effect */
    int64_t dispatch_timeout_ns;    /* without effect */
    bool disable_gang;
    bool enable_hot_refresh;
    char *placeholder_image;
    int64_t placeholder_run_as_user, placeholder_run_as_group, placeholder_fs_group; /* 0: unset */
    char *instance_type_label;
    char *web_bind_host;                /* service.web.bindHost; "": all addresses */
    int64_t web_port;                   /* service.web.port, 0 to 65535 */
    char *scheduler_acl;                /* service.schedulerACL */
    char *tls_cert_file, *tls_key_file; /* service.web.tls.*; both are "" (no file) or none is */
    bool tls_self_signed;               /* if there are no files, the scheduler makes a certificate itself */
    char *web_access;                   /* service.web.access: "none" or "delegated" */
    char *web_api_audiences;        /* of bearer tokens, separated by commas; "": that of the API server */
    char *tls_client_ca_file;       /* "": no client certificates; only with TLS */
    char *tls_min_version;          /* "1.2" or "1.3" */
    char *si_bind_host;             /* without effect: the scheduler interface is in this process */
    int64_t si_port;                /* without effect */
    char *shims;                    /* always "kubernetes" */
    int64_t max_decisions_per_wake; /* 0: as many as fit into a slice of time, 512 at most */
    /* Limits of writes to the API server, kubernetes.qps and kubernetes.burst; for 0 and negative values see
     * kubernetes.md, K12. */
    int64_t kube_qps, kube_burst;
    bool generate_unique_app_id;
    int64_t placeholders_max; /* service.maxPlaceholdersPerNamespace; 0: no maximum */
    char *application_scope;  /* service.applicationScope: "namespace" or "cluster" */
    char *trust_user_info;    /* service.trustUserInfo: "any", "webhook" or "none" */
    /* Settings of the core, which apply at once. */
    int64_t metric_users; /* metrics.users; 0: none */
    bool metric_pods;     /* metrics.pods */
    /* Both only for preemption for a guarantee. */
    int64_t preemption_min_load;    /* preemption.minClusterLoad, per cent; 0: no minimum */
    int64_t preemption_interval_ns; /* preemption.checkInterval; 0: no pause */
    int64_t health_interval_ns;     /* between two periodic health checks; 0 or less: none are periodic */
    bool event_tracking;
    int64_t event_request_capacity, event_ring_capacity, event_max_streams, event_max_streams_per_host,
        event_rest_response_size;
};

/*
 * Makes settings from the defaults and the `count` `pairs` (may be NULL if `count` is 0). Of pairs with the
 * same key, the last one counts. The caller frees `*ret_settings` with yk_settings_free(). Logs warnings.
 * Does not apply log levels: the caller calls yk_settings_apply_log_levels(). Errors: YK_ERR_INVALID, with
 * key and value.
 */
YK_NODISCARD enum yk_status yk_settings_parse(const struct yk_pair *pairs, size_t count,
                                              struct yk_settings **ret_settings, struct yk_err *err);
/*
 * Checks all pairs as yk_settings_parse() does, and goes on after an error. But of the settings of TLS files,
 * it finds only the first fault. Adds faults that refuse the map to `errors`. Adds values that the default
 * replaces, and pairs without effect (yk_setting_check()), to `warnings`. Both may have entries before. The
 * caller ends them with yk_config_errors_done().
 */
void yk_settings_check(const struct yk_pair *pairs, size_t count, struct yk_config_errors *errors,
                       struct yk_config_errors *warnings);
void yk_settings_free(struct yk_settings *settings);
YK_DEFINE_FREEP(yk_settings)

/* Faults because of which an entry of the ConfigMaps has no effect. */
enum yk_setting_fault {
    YK_SETTING_FINE,         /* none of the faults below */
    YK_SETTING_UNKNOWN,      /* there is no setting with this key */
    YK_SETTING_BAD_LEVEL,    /* its value is no log level */
    YK_SETTING_NO_LOGGER,    /* it is the level of a logger that does not exist */
    YK_SETTING_OTHER_QUEUES, /* it is "NAME.yaml", and NAME is not the policy group */
};

/* Whether yk_settings_parse() reads the key, or logs that it belongs to an older release. Keys of log levels
 * and of queue configurations ("NAME.yaml") are not known here. */
bool yk_setting_is_known(struct yk_str key);
/* Why an entry of the ConfigMaps has no effect, by its key and, for log levels, its value; values of
 * other settings are not checked. `policy_group`: the value of service.policyGroup. Keys of the admission
 * controller are YK_SETTING_FINE. */
enum yk_setting_fault yk_setting_check(const struct yk_pair *pair, const char *policy_group);
/* A phrase for messages, such as "unknown setting"; "" for YK_SETTING_FINE. The text is static. */
const char *yk_setting_fault_text(enum yk_setting_fault fault);

/* Sets the levels of all loggers from the `count` `pairs` (may be NULL if `count` is 0): from those with the
 * keys `log.level` and `log.<name>.level` (yk_log_configure()). Of pairs with the same key the last one
 * counts. */
void yk_settings_apply_log_levels(const struct yk_pair *pairs, size_t count);

#endif

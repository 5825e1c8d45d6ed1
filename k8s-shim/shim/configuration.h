/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration of the shim: merges the two ConfigMaps, and stores the active settings.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 4.1, 4.2 (C01 to C05).
 */
#ifndef YK_SHIM_CONFIGURATION_H
#define YK_SHIM_CONFIGURATION_H

#include "cache/cache.h"
#include "cache/config_merge.h"
#include "config/settings.h"
#include "shim/setting_faults.h"
#include "si.h"

/* The active configuration. Zeroed: no configuration is active yet. */
struct yk_configuration {
    struct yk_settings *settings; /* those of the start, owned; NULL until they are known */
    /* hot refresh is enabled; if it was disabled, it stays disabled until a restart */
    bool refresh;
    /* owned texts: the values that settings which need a restart had at the start */
    char **kept;
    struct yk_setting_faults faults;
};

/* A configuration that was loaded from the ConfigMaps, from which it borrows texts. */
struct yk_core_config {
    struct yk_merged_config merged;
    struct yk_si_register request; /* what the core gets; borrows from the other members */
    struct yk_si_tag *extra;       /* owned array of owned texts: the settings */
    char *source;                  /* owned: a text that says where the queues come from */
    char *refusal;                 /* owned: the sentence about a faulty setting; NULL: there is none */
    struct yk_settings *settings;  /* owned; NULL: an error, or yk_configuration_apply() has taken them */
};

/*
 * Loads a configuration: merges the two ConfigMaps and checks the settings, but not the queues. `in_force`:
 * the active settings; NULL at the start. The cluster ID and the policy group are taken from `in_force`,
 * because they do not change without a restart. `*ret` borrows from the ConfigMaps in the cache and from
 * `in_force`. The caller ends `*ret` with yk_core_config_done(), also after an error.
 * Errors: YK_ERR_INVALID, a setting is faulty; `err` names key and value. If `in_force` is not NULL, `*ret`
 * then has the queues and `refusal`, so that the core can record the refused configuration. If it is NULL,
 * `*ret` is empty.
 */
YK_NODISCARD enum yk_status yk_core_config_load(const struct yk_cache *cache,
                                                const struct yk_settings *in_force,
                                                struct yk_core_config *ret, struct yk_err *err);
void yk_core_config_done(struct yk_core_config *config);
/* Activates a configuration that was loaded without an error, after the core has accepted its queues. Also
 * logs entries without effect. The first call activates all settings and takes `loaded->settings`;
 * loaded->request stays valid, because it borrows from the same settings. Later calls only change log levels
 * and `refresh`, and log a warning for each changed setting that needs a restart. The caller ends `loaded`
 * afterwards. */
void yk_configuration_apply(struct yk_configuration *configuration, struct yk_core_config *loaded);
void yk_configuration_done(struct yk_configuration *configuration);

#endif

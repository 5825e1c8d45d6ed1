/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration as it stands: what was merged from the ConfigMaps, what of it is in force.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 4.1, 4.2 (C01 to C05).
 */
#ifndef YK_BIND_CONFIGURATION_H
#define YK_BIND_CONFIGURATION_H

#include "bind/setting_faults.h"
#include "cache/cache.h"
#include "cache/config_merge.h"
#include "config/settings.h"
#include "si.h"

struct yk_configuration {
    struct yk_settings *settings; /* in force; owned; NULL until the first load */
    bool refresh;                 /* hot refresh is on; once off it stays off */
    char **kept;                  /* owned texts of the settings that need a restart, as they were at start */
    struct yk_setting_faults faults;
};

/* What the core is told: borrows from the ConfigMaps; yk_core_config_done() it. */
struct yk_core_config {
    struct yk_merged_config merged;
    struct yk_si_register request;
    struct yk_si_tag *extra;      /* owned array of owned texts */
    struct yk_settings *settings; /* owned */
};

/*
 * Merges and checks the two ConfigMaps. `in_force` (NULL at start) decides who we are: that does not change
 * while running. Errors: YK_ERR_INVALID naming key and value; `*ret` is empty then.
 */
YK_NODISCARD enum yk_status yk_core_config_load(const struct yk_cache *cache,
                                                const struct yk_settings *in_force,
                                                struct yk_core_config *ret, struct yk_err *err);
void yk_core_config_done(struct yk_core_config *config);
/* Puts the loaded settings in force. The first time all of them, later those that may change while running.
 */
void yk_configuration_apply(struct yk_configuration *configuration, struct yk_core_config *loaded);
void yk_configuration_done(struct yk_configuration *configuration);

#endif

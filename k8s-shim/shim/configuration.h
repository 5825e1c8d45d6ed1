/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration: the entries merged from the ConfigMaps, and the active settings.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 4.1, 4.2 (C01 to C05).
 */
#ifndef YK_BIND_CONFIGURATION_H
#define YK_BIND_CONFIGURATION_H

#include "cache/cache.h"
#include "cache/config_merge.h"
#include "config/settings.h"
#include "shim/setting_faults.h"
#include "si.h"

struct yk_configuration {
    struct yk_settings *settings; /* active; owned; NULL until the first load */
    bool refresh;                 /* hot refresh is enabled; once disabled it stays so */
    char **kept;                  /* owned texts, from the start, of the settings that need a restart */
    struct yk_setting_faults faults;
};

/* The configuration for the core: borrows from the ConfigMaps; release with yk_core_config_done(). */
struct yk_core_config {
    struct yk_merged_config merged;
    struct yk_si_register request;
    struct yk_si_tag *extra;      /* owned array of owned texts */
    char *source;                 /* owned: the ConfigMap that the queues are from */
    char *refusal;                /* owned: which setting is wrong; NULL: none */
    struct yk_settings *settings; /* owned */
};

/*
 * Merges and checks the two ConfigMaps. `in_force`, the active settings (NULL at the start), decides the
 * identity of the resource manager, which does not change while running. The caller ends `*ret` with
 * yk_core_config_done(), also after an error: YK_ERR_INVALID naming key and value. With `in_force`, `*ret` has the
 * queues then and the refusal, but no settings; without, it is empty.
 */
YK_NODISCARD enum yk_status yk_core_config_load(const struct yk_cache *cache,
                                                const struct yk_settings *in_force,
                                                struct yk_core_config *ret, struct yk_err *err);
void yk_core_config_done(struct yk_core_config *config);
/* Activates the loaded settings: the first time all, and then `loaded->settings` is taken; later those that may
 * change while running. The caller ends `loaded` in both cases. */
void yk_configuration_apply(struct yk_configuration *configuration, struct yk_core_config *loaded);
void yk_configuration_done(struct yk_configuration *configuration);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs entries of the ConfigMaps that have no effect, such as unknown keys. Only the first
 * YK_SETTING_FAULTS_MAX of them are named; further ones are counted. An entry that the previous check has
 * also found among the first ones is not logged again. Values are cut to 128 bytes before they are compared
 * and logged.
 *
 * Owns:   the texts of the entries that the last check has found, at most YK_SETTING_FAULTS_MAX.
 * Thread: scheduling thread.
 */
#ifndef YK_SHIM_SETTING_FAULTS_H
#define YK_SHIM_SETTING_FAULTS_H

#include "cache/config_merge.h"

enum { YK_SETTING_FAULTS_MAX = 20 };

/* Private. Zeroed: no check was made yet. */
struct yk_setting_faults {
    char *named[YK_SETTING_FAULTS_MAX]; /* "key=value" of the faults of the last check; owned */
    size_t count;                       /* of `named` */
    size_t more;                        /* faults of the last check beyond `named` */
};

void yk_setting_faults_done(struct yk_setting_faults *faults);
/* Checks all entries of `merged`, and logs the new ones that have no effect. `policy_group`: the key
 * <policy_group>.yaml has the queues. */
void yk_setting_faults_log(struct yk_setting_faults *faults, const struct yk_merged_config *merged,
                           const char *policy_group);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs entries of the ConfigMaps that have no effect: unknown keys, log levels that cannot be parsed. Each is
 * logged once while it is unchanged, however often the ConfigMaps change.
 *
 * Owns:   the texts of what was logged, at most YK_SETTING_FAULTS_MAX; further ones are only counted.
 * Thread: scheduling thread.
 */
#ifndef YK_BIND_SETTING_FAULTS_H
#define YK_BIND_SETTING_FAULTS_H

#include "cache/config_merge.h"

enum { YK_SETTING_FAULTS_MAX = 20 };

struct yk_setting_faults {
    char *named[YK_SETTING_FAULTS_MAX]; /* "key=value" of the last check */
    size_t count;                       /* of `named` */
    size_t more;                        /* faults of the last check beyond `named` */
};

void yk_setting_faults_done(struct yk_setting_faults *faults);
/* Checks all entries, and logs the faults that the last check did not find. */
void yk_setting_faults_log(struct yk_setting_faults *faults, const struct yk_merged_config *merged,
                           const char *policy_group);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings `admissionController.*` and `service.enableConfigHotRefresh` as typed values with defaults.
 *
 * Owns: texts and expressions.
 * Thread: any.
 * Source: docs/reference/admission.md, "Settings".
 */
#ifndef YK_ADMISSION_SETTINGS_H
#define YK_ADMISSION_SETTINGS_H

#include "admission/patterns.h"
#include "cache/config_merge.h"
#include "config/config.h"

/* Only settings.c writes the members. All pointers are owned, and none is NULL after
 * yk_admission_settings_init(). */
struct yk_admission_settings {
    char *service_name;                                                  /* webHook.amServiceName */
    struct yk_patterns *process, *bypass, *label, *no_label;             /* filtering.*Namespaces */
    struct yk_patterns *system_users, *external_users, *external_groups; /* accessControl.* */
    bool generate_unique_app_id;                                         /* filtering.generateUniqueAppId */
    bool bypass_auth, trust_controllers;                                 /* accessControl.* */
    bool fails_closed; /* webHook.failurePolicy is Fail, not Ignore */
    bool hot_refresh;  /* service.enableConfigHotRefresh */
};

/* Sets `*ret` to the defaults. The caller ends it with yk_admission_settings_done(). */
void yk_admission_settings_init(struct yk_admission_settings *ret);
void yk_admission_settings_done(struct yk_admission_settings *settings);
/*
 * Replaces all settings by those of `merged`. `settings` was initialised before. A setting whose key is
 * absent gets its default. A setting with a faulty value keeps its old value, and a sentence with key and
 * value is added to `faults`. `faults` was zeroed or has earlier sentences; the caller ends it with
 * yk_config_errors_done().
 */
void yk_admission_settings_apply(struct yk_admission_settings *settings,
                                 const struct yk_merged_config *merged, struct yk_config_errors *faults);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings admissionController.filtering.* and admissionController.accessControl.*.
 *
 * Owns: its lists. Thread: one at a time. Source: docs/reference/admission.md, "Settings".
 */
#ifndef YK_ADMISSION_REVIEW_SETTINGS_H
#define YK_ADMISSION_REVIEW_SETTINGS_H

#include "admission/pattern_list.h"
#include "cache/config_merge.h"

enum yk_pattern_setting {
    YK_PROCESS_NAMESPACES, /* empty: all */
    YK_BYPASS_NAMESPACES,
    YK_LABEL_NAMESPACES, /* empty: all */
    YK_NO_LABEL_NAMESPACES,
    YK_SYSTEM_USERS,
    YK_EXTERNAL_USERS,
    YK_EXTERNAL_GROUPS,
    YK_PATTERN_SETTINGS,
};

struct yk_review_settings {
    struct yk_pattern_list *lists[YK_PATTERN_SETTINGS]; /* owned */
    bool unique_ids;                                    /* generateUniqueAppId */
    bool bypass_auth;                                   /* users are neither checked nor written */
    bool trust_controllers;                             /* system users may set user.info */
};

/* From the merged ConfigMaps. A value that does not parse is replaced by its default, with a warning in the
 * log. */
void yk_review_settings_init(struct yk_review_settings *ret, const struct yk_merged_config *merged);
void yk_review_settings_done(struct yk_review_settings *settings);
static inline bool yk_review_settings_match(const struct yk_review_settings *settings,
                                            enum yk_pattern_setting which, struct yk_str name)
{
    return yk_pattern_list_matches(settings->lists[which], name);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/namespaces.h"

#include "api/object.h"

#define KEY_PROCESS "yunikorn.apache.org/namespace.enableYuniKorn"
#define KEY_LABEL   "yunikorn.apache.org/namespace.generateAppId"

enum { PROCESS_YES = 1u << 0, PROCESS_NO = 1u << 1, LABEL_YES = 1u << 2, LABEL_NO = 1u << 3 };

static uint32_t answer(const struct yk_pairs *annotations, const char *key, uint32_t yes, uint32_t no)
{
    struct yk_str value = yk_pairs_get(annotations, key);
    if (value.p == NULL)
        return 0;
    return yk_str_is(value, "true") ? yes : no;
}

enum yk_status yk_namespaces_put(struct yk_marks *namespaces, const struct yk_object *namespace_,
                                 struct yk_err *err)
{
    uint32_t bits = answer(&namespace_->annotations, KEY_PROCESS, PROCESS_YES, PROCESS_NO) |
                    answer(&namespace_->annotations, KEY_LABEL, LABEL_YES, LABEL_NO);
    return yk_marks_set(namespaces, namespace_->name, bits, err);
}

static bool listed(const struct yk_patterns *in, const struct yk_patterns *not_in, struct yk_str name)
{
    return (yk_patterns_empty(in) || yk_patterns_match(in, name)) && !yk_patterns_match(not_in, name);
}

bool yk_namespace_is_processed(const struct yk_marks *namespaces,
                               const struct yk_admission_settings *settings, struct yk_str name)
{
    uint32_t bits = yk_marks_get(namespaces, name) & (PROCESS_YES | PROCESS_NO);
    return bits != 0 ? bits == PROCESS_YES : listed(settings->process, settings->bypass, name);
}

bool yk_namespace_is_labelled(const struct yk_marks *namespaces, const struct yk_admission_settings *settings,
                              struct yk_str name)
{
    uint32_t bits = yk_marks_get(namespaces, name) & (LABEL_YES | LABEL_NO);
    return bits != 0 ? bits == LABEL_YES : listed(settings->label, settings->no_label, name);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/request.h"

#include "api/pod_keys.h"

#include <jansson.h>

enum answer { NO, YES, NOT_SAID };

/* Compat: only "true" is yes, every other text is no. */
static enum answer annotation_of(const struct yk_admission_request *request, const char *key)
{
    const struct yk_cache_entry *entry =
        yk_strmap_get(&request->cache->kept[YK_KIND_NAMESPACE], request->namespace_);
    struct yk_str value = entry != NULL ? yk_pairs_get(&entry->object->annotations, key) : (struct yk_str){0};
    if (value.p == NULL)
        return NOT_SAID;
    return yk_str_is(value, "true") ? YES : NO;
}

/* In the first list, or the first list is empty; and not in the second. */
static bool is_listed(const struct yk_admission_request *request, enum yk_pattern_setting in,
                      enum yk_pattern_setting not_in)
{
    const struct yk_review_settings *settings = request->settings;
    return (yk_pattern_list_is_empty(settings->lists[in]) ||
            yk_review_settings_match(settings, in, request->namespace_)) &&
           !yk_review_settings_match(settings, not_in, request->namespace_);
}

bool yk_namespace_is_processed(const struct yk_admission_request *request)
{
    enum answer said = annotation_of(request, YK_KEY_ENABLE);
    return said != NOT_SAID ? said == YES : is_listed(request, YK_PROCESS_NAMESPACES, YK_BYPASS_NAMESPACES);
}

bool yk_namespace_gets_labels(const struct yk_admission_request *request)
{
    enum answer said = annotation_of(request, YK_KEY_GENERATE_ID);
    return said != NOT_SAID ? said == YES : is_listed(request, YK_LABEL_NAMESPACES, YK_NO_LABEL_NAMESPACES);
}

bool yk_labels_are_own(const json_t *labels)
{
    return yk_str_is(yk_json_entry(labels, "app"), "yunikorn");
}

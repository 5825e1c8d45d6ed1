/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ConfigMaps of the scheduler are checked with the code that the scheduler reads them with, in this process:
 * an answer does not depend on a scheduler that is reachable.
 */
#include "admission/request.h"

#include "api/json_reader.h"
#include "config/settings.h"
#include "placement/config_check.h"

#include <jansson.h>

#define POLICY_GROUP_KEY "service.policyGroup"

static bool is_ours(const struct yk_admission_request *request)
{
    return yk_str_eq(request->namespace_, request->own_namespace) &&
           (yk_str_is(request->name, YK_CONFIG_MAP_DEFAULTS) ||
            yk_str_is(request->name, YK_CONFIG_MAP_CONFIGS));
}

static void check_settings(const struct yk_merged_config *merged, struct yk_admission_decision *decision)
{
    struct yk_config_errors errors = {0}, warnings = {0};
    YK_CLEANUP(yk_freep)
    struct yk_config_pair *pairs = yk_new0_array(struct yk_config_pair, (size_t)merged->count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < merged->count; i++) {
        if (!yk_str_ends(merged->items[i].key, ".yaml"))
            pairs[count++] = (struct yk_config_pair){merged->items[i].key, merged->items[i].value};
    }
    yk_settings_check(pairs, count, &errors, &warnings);
    if (errors.count > 0)
        yk_admission_deny(decision, YK_STR_FMT, YK_STR_ARG(errors.items[0].text));
    for (uint32_t i = 0; i < warnings.count; i++)
        yk_admission_warn(decision, warnings.items[i].text);
    yk_config_errors_done(&errors);
    yk_config_errors_done(&warnings);
}

static void check_queues(const struct yk_merged_config *merged, struct yk_admission_decision *decision)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    struct yk_err err = {0};
    struct yk_str group = yk_merged_config_get(merged, YK_STR(POLICY_GROUP_KEY));
    yk_buf_str(&key, yk_str_empty(group) ? YK_STR("queues") : group);
    yk_buf_text(&key, ".yaml");
    struct yk_str text = yk_merged_config_get(merged, yk_buf_view(&key));
    if (text.p != NULL && yk_placement_config_check(text, &config, &err) != YK_OK)
        yk_admission_deny(decision, "%s: %s", yk_buf_cstr(&key), err.text);
    for (uint32_t i = 0; config != NULL && i < config->warning_count; i++)
        yk_admission_warn(decision, config->warnings[i].text);
}

/* As the scheduler would read both ConfigMaps afterwards. */
static void check(const struct yk_admission_request *request, const struct yk_config_map *submitted,
                  struct yk_admission_decision *decision)
{
    bool is_defaults = yk_str_is(request->name, YK_CONFIG_MAP_DEFAULTS);
    struct yk_merged_config merged;
    yk_config_merge(is_defaults ? submitted : yk_cache_config_map(request->cache, 0),
                    is_defaults ? yk_cache_config_map(request->cache, 1) : submitted, &merged);
    check_settings(&merged, decision);
    if (!decision->denied)
        check_queues(&merged, decision);
    yk_merged_config_done(&merged);
}

void yk_review_config(const struct yk_admission_request *request, struct yk_admission_decision *decision)
{
    YK_CLEANUP(yk_object_freep) struct yk_object *object = NULL;
    struct yk_err err = {0};
    if (!is_ours(request))
        return;
    if (yk_object_from_tree(YK_KIND_CONFIG_MAP, request->object, &object, &err) != YK_OK)
        yk_admission_deny(decision, "ConfigMap " YK_STR_FMT "/" YK_STR_FMT ": %s",
                          YK_STR_ARG(request->namespace_), YK_STR_ARG(request->name), err.text);
    else
        check(request, yk_config_map_of(object), decision);
}

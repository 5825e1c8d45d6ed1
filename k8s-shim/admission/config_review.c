/* SPDX-License-Identifier: Apache-2.0 */
/* Reviews of the scheduler's ConfigMaps: docs/reference/admission.md, "Configuration" (C1 to C4). */
#include "admission/request_priv.h"
#include "api/json_reader.h"
#include "config/settings.h"
#include "placement/config_check.h"

enum { WARNINGS_SHOWN_MAX = 10 };

static void take_warning(struct yk_config_errors *warnings, struct yk_str text)
{
    struct yk_err err = {0};
    if (warnings->count == WARNINGS_SHOWN_MAX)
        return;
    (void)yk_fail(&err, YK_OK, YK_STR_FMT, YK_STR_ARG(text)); /* only the text is used */
    yk_config_errors_add(warnings, &err);
}

static void take_warnings(struct yk_config_errors *warnings, const struct yk_config_errors *more)
{
    for (uint32_t i = 0; i < more->count; i++)
        take_warning(warnings, more->items[i].text);
}

/* Denies a ConfigMap with a packed entry that cannot be unpacked: the scheduler would leave the entry out. */
static bool check_packed(const struct yk_config_map *map, struct yk__verdict *verdict)
{
    size_t left = YK_CONFIG_UNPACKED_TOTAL_MAX;
    for (uint32_t i = 0; i < map->binary_data.count; i++) {
        const struct yk_pair *entry = &map->binary_data.items[i];
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_MIN(left, (size_t)YK_CONFIG_UNPACKED_MAX)};
        struct yk_err err = {0};
        if (!yk_config_key_is_packed(entry->key)) {
            (void)yk_fail(&err, YK_OK, "binaryData '" YK_STR_FMT "' does not end in .gz and is ignored",
                          YK_STR_ARG(entry->key)); /* only the text is used */
            take_warning(&verdict->warnings, yk_str_from(err.text));
        } else if (left == 0 || yk_gunzip(entry->value, &text, &err) != YK_OK) {
            yk__deny(verdict, "binaryData '" YK_STR_FMT "' cannot be read: %s", YK_STR_ARG(entry->key),
                     left == 0 ? "the entries are too large when unpacked" : err.text);
            return false;
        }
        left -= text.len;
    }
    return true;
}

/* Denies settings that the scheduler would refuse. */
static bool check_settings(const struct yk_merged_config *merged, struct yk__verdict *verdict)
{
    YK_CLEANUP(yk_config_errors_done) struct yk_config_errors errors = {0};
    YK_CLEANUP(yk_config_errors_done) struct yk_config_errors warnings = {0};
    struct yk_pair *pairs = yk_new0_array(struct yk_pair, (size_t)merged->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < merged->count; i++) {
        if (!yk_str_ends(merged->items[i].key, ".yaml"))
            pairs[count++] = merged->items[i];
    }
    yk_settings_check(pairs, count, &errors, &warnings);
    free(pairs);
    take_warnings(&verdict->warnings, &warnings);
    if (errors.count > 0)
        yk__deny(verdict, YK_STR_FMT, YK_STR_ARG(errors.items[0].text));
    return errors.count == 0;
}

/* Warns of faulty settings of the admission controller. Does not deny them, because the controller would keep
 * their old values. */
static void check_own_settings(const struct yk_merged_config *merged, struct yk__verdict *verdict)
{
    YK_CLEANUP(yk_config_errors_done) struct yk_config_errors faults = {0};
    YK_CLEANUP(yk_admission_settings_done) struct yk_admission_settings settings;
    yk_admission_settings_init(&settings);
    yk_admission_settings_apply(&settings, merged, &faults);
    take_warnings(&verdict->warnings, &faults);
}

/* The queue configuration that the ConfigMap would make active. service.policyGroup of the new settings names
 * its key. */
static struct yk_str pending_queues(const struct yk_merged_config *merged)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    struct yk_str group = yk_merged_config_get(merged, YK_STR("service.policyGroup"));
    yk_buf_str(&key, yk_str_empty(group) ? YK_STR("queues") : group);
    yk_buf_text(&key, ".yaml");
    return yk_merged_config_get(merged, yk_buf_view(&key));
}

static void check_queues(const struct yk_merged_config *merged, struct yk__verdict *verdict)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    struct yk_err err = {0};
    if (yk_placement_config_check(pending_queues(merged), &config, &err) != YK_OK) {
        yk__deny(verdict, "%s", err.text);
        return;
    }
    for (uint32_t i = 0; i < config->warning_count; i++)
        take_warning(&verdict->warnings, config->warnings[i].text);
}

static void check(const struct yk_config_map *defaults, const struct yk_config_map *configs,
                  struct yk__verdict *verdict)
{
    YK_CLEANUP(yk_merged_config_done) struct yk_merged_config merged;
    yk_config_merge(defaults, configs, &merged);
    if (check_settings(&merged, verdict)) {
        check_own_settings(&merged, verdict);
        check_queues(&merged, verdict);
    }
}

void yk__config_map(const struct yk__basis *basis, const struct yk__request *request,
                    struct yk__verdict *verdict)
{
    struct yk_err err = {0};
    struct yk_object *object = NULL;
    const json_t *meta = NULL;
    struct yk_str name = {0};
    if (!yk_str_is(request->kind, "ConfigMap") || !yk_str_is(request->namespace_, basis->namespace_))
        return;
    enum yk_status st = yk__object_at(request->object, "metadata", &meta, &err);
    if (st == YK_OK)
        st = yk__text_at(meta, "name", &name, &err);
    bool is_defaults = yk_str_is(name, YK_CONFIG_MAP_DEFAULTS);
    if (st == YK_OK && !is_defaults && !yk_str_is(name, YK_CONFIG_MAP_CONFIGS))
        return;
    if (st == YK_OK)
        st = yk_object_from_tree(YK_KIND_CONFIG_MAP, request->object, &object, &err);
    if (st != YK_OK) {
        yk__deny(verdict, "%s", err.text);
        return;
    }
    const struct yk_config_map *map = yk_config_map_of(object);
    if (check_packed(map, verdict))
        check(is_defaults ? map : basis->maps[0], is_defaults ? basis->maps[1] : map, verdict);
    yk_object_free(object);
}

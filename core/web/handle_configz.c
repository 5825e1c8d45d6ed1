/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /configz: the settings in effect and where each comes from (docs/reference/rest.md 12.7).
 *
 * A setting that takes effect at a restart is shown with its value at the start. If the ConfigMaps have
 * another value now, `afterRestart` shows it.
 */
#include "base/log.h"
#include "config/setting_table.h"
#include "config/settings.h"
#include "scheduler/core.h"
#include "web/put_priv.h"
#include "web/routes_priv.h"
#include "web/secret.h"

struct source { /* the pairs of the ConfigMaps, and the settings that they give */
    struct yk_pair *pairs;
    uint32_t count;
    struct yk_settings *settings; /* NULL: the pairs are invalid, so they never took effect */
};

static void source_done(struct source *source)
{
    free(source->pairs);
    yk_settings_free(source->settings);
}

static void read_source(struct source *source, const struct yk_tags *tags)
{
    yk__tags_sorted(tags, &source->pairs, &source->count);
    if (yk_settings_parse(source->pairs, source->count, &source->settings, NULL) != YK_OK)
        source->settings = NULL;
}

static bool names_key(const struct source *source, const char *key)
{
    for (uint32_t i = 0; i < source->count; i++) {
        if (yk_str_is(source->pairs[i].key, key))
            return true;
    }
    return false;
}

static void put_setting(struct yk_json *json, const struct yk_setting *row, const struct source *first,
                        const struct source *now)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf value = {0}, later = {0};
    const struct source *source = row->effect == YK_SETTING_AT_ONCE ? now : first;
    yk_json_key(json, row->key);
    yk_json_object_begin(json);
    yk_setting_put_value(row, source->settings, &value);
    yk_json_add_text(json, "value", yk_buf_cstr(&value));
    yk_json_add_text(json, "source", names_key(source, row->key) ? "ConfigMap" : "default");
    yk_json_add_text(json, "applies", row->effect == YK_SETTING_AT_ONCE ? "at once" : "at restart");
    yk_setting_put_value(row, now->settings, &later);
    if (!yk_str_eq(yk_buf_view(&value), yk_buf_view(&later)))
        yk_json_add_text(json, "afterRestart", yk_buf_cstr(&later));
    yk_json_object_end(json);
}

/* Writes the other keys: those of the admission controller and of loggers, and unknown ones. Queues are shown
 * by /ws/v1/config. */
static void put_others(struct yk_json *json, const struct source *now)
{
    yk_json_key(json, "others");
    yk_json_object_begin(json);
    for (uint32_t i = 0; i < now->count; i++) {
        const struct yk_pair *pair = &now->pairs[i];
        YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
        yk_buf_str(&key, pair->key);
        if (yk_setting_is_known(pair->key) || yk_str_ends(pair->key, ".yaml"))
            continue;
        yk_json_key(json, yk_buf_cstr(&key));
        yk_json_str(json, yk_is_secret_name(pair->key) ? YK_STR(YK_SECRET_MASK) : pair->value);
    }
    yk_json_object_end(json);
}

static void put_loggers(struct yk_json *json)
{
    yk_json_key(json, "loggers");
    yk_json_object_begin(json);
    for (size_t i = 0; i < yk_logger_count; i++) {
        int level = atomic_load_explicit(&yk_loggers[i].level, memory_order_relaxed);
        yk_json_add_text(json, yk_loggers[i].name, yk_log_level_word((enum yk_log_level)level));
    }
    yk_json_object_end(json);
}

enum yk_step yk__get_configz(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(source_done) struct source first = {0}, now = {0};
    struct yk_json *json = &job->json;
    (void)until_mono_ns;
    const struct yk_rm *rm = yk_core_first_rm(job->core);
    if (rm == NULL)
        return yk_job_refuse(job, 503, "no configuration has been loaded yet");
    read_source(&first, &rm->first_extra_config);
    read_source(&now, &rm->extra_config);
    if (first.settings == NULL || now.settings == NULL)
        return yk_job_refuse(job, 503, "the settings are not valid");
    yk_json_object_begin(json);
    yk_json_key(json, "settings");
    yk_json_object_begin(json);
    for (size_t i = 0; i < yk_setting_row_count; i++)
        put_setting(json, &yk_setting_rows[i], &first, &now);
    yk_json_object_end(json);
    put_others(json, &now);
    put_loggers(json);
    yk_json_object_end(json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The history of queue configurations, newest first, and their texts: docs/reference/rest.md 5.3. It has at
 * most YK_CONFIG_HISTORY_MAX entries. */
#include "report/config_history.h"
#include "scheduler/core.h"
#include "web/list.h"
#include "web/put_priv.h"
#include "web/routes_priv.h"

static void put_changes(struct yk_json *json, const struct yk_config_entry *entry)
{
    struct yk_str lines = yk_str_from(entry->changes), line;
    yk_json_key(json, "changes");
    yk_json_array_begin(json);
    while (lines.len > 0 && yk_str_split(&lines, '\n', &line))
        yk_json_str(json, line);
    yk_json_array_end(json);
    yk_json_add_uint(json, "changeCount", entry->change_count);
}

static void put(struct yk_json *json, const struct yk_config_entry *entry, bool is_active)
{
    yk_json_object_begin(json);
    yk_json_add_uint(json, "id", entry->id);
    yk_json_add_int(json, "time", entry->wall_ns);
    yk_json_add_text(json, "outcome", entry->is_applied ? "applied" : "refused");
    yk_json_add_bool(json, "active", is_active);
    yk_json_add_text(json, "trigger", yk_config_entry_trigger(entry));
    yk__put_text_if(json, "source", entry->source);
    yk_json_add_text(json, "checksum", entry->checksum);
    yk__put_text_if(json, "error", entry->error);
    if (!entry->is_applied)
        yk_json_add_uint(json, "repeated", entry->repeated);
    yk__put_text_if(json, "summary", entry->summary);
    if (entry->changes != NULL)
        put_changes(json, entry);
    yk_json_add_bool(json, "hasText", entry->text != NULL);
    yk_json_object_end(json);
}

enum yk_step yk__get_config_history(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_rm *rm = yk_core_first_rm(job->core);
    uint64_t limit = YK_CONFIG_HISTORY_MAX;
    bool found_active = false;
    (void)until_mono_ns;
    if (rm == NULL)
        return yk_job_refuse(job, 503, "no configuration has been loaded yet");
    if (!yk_list_read_number(job, "limit", &limit))
        return YK_STEP_DONE;
    yk_json_object_begin(&job->json);
    yk_json_key(&job->json, "entries");
    yk_json_array_begin(&job->json);
    for (uint64_t age = 0; age < YK_MIN(limit, yk_config_history_kept(rm)); age++) {
        const struct yk_config_entry *entry = yk_config_history_at(rm, age);
        put(&job->json, entry, entry->is_applied && !found_active);
        found_active = found_active || entry->is_applied;
    }
    yk_json_array_end(&job->json);
    yk_json_add_uint(&job->json, "kept", yk_config_history_kept(rm));
    yk_json_add_uint(&job->json, "total", yk_config_history_total(rm));
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

enum yk_step yk__get_config_history_text(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_rm *rm = yk_core_first_rm(job->core);
    uint64_t id = 0;
    (void)until_mono_ns;
    if (rm == NULL)
        return yk_job_refuse(job, 503, "no configuration has been loaded yet");
    if (yk_str_to_u64(yk_job_param(job, YK_PARAM_ID), &id) != YK_OK)
        return yk_job_refuse(job, 400, "the id of a configuration is a number");
    const struct yk_config_entry *entry = yk_config_history_find(rm, id);
    if (entry == NULL)
        return yk_job_refuse(job, 404, "the history has no configuration with this id, or no longer");
    if (entry->text == NULL)
        return yk_job_refuse(job, 404, "the text of this configuration is not kept");
    job->answer.content_type = YK_TYPE_YAML;
    yk_buf_add(&job->answer.body, entry->text, entry->text_bytes);
    return YK_STEP_DONE;
}

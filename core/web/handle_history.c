/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of applications and containers per minute: docs/reference/rest.md, endpoints 5 and 6. At most 1440
 * records. */
#include "scheduler/history.h"
#include "web/routes_priv.h"

#include <inttypes.h>

/* Compat: the number is a text. */
static void show(struct yk_json *json, int64_t wall_ns, const char *key, uint64_t number)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%" PRIu64, number); /* 20 digits at most */
    yk_json_object_begin(json);
    yk_json_add_int(json, "timestamp", wall_ns);
    yk_json_add_text(json, key, text);
    yk_json_object_end(json);
}

static enum yk_step show_all(struct yk_job *job, bool of_apps)
{
    const struct yk_history *history = &job->core->history;
    yk_json_array_begin(&job->json);
    for (size_t i = 0; i < history->count; i++) {
        const struct yk_history_record *record = yk_history_at(history, i);
        if (of_apps)
            show(&job->json, record->wall_ns, "totalApplications", record->apps);
        else
            show(&job->json, record->wall_ns, "totalContainers", record->allocations);
    }
    yk_json_array_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

enum yk_step yk__get_app_history(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    return show_all(job, true);
}

enum yk_step yk__get_container_history(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    return show_all(job, false);
}

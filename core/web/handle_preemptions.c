/* SPDX-License-Identifier: Apache-2.0 */
/* The last preempted allocations, newest first, and for whom they ended (docs/reference/rest.md 12.6). */
#include "report/preemption_log.h"
#include "scheduler/core.h"
#include "web/list.h"
#include "web/put_priv.h"
#include "web/routes_priv.h"
#include "web/tenant.h"

enum { LIMIT_DEFAULT = 100 };

static void put_side(struct yk_json *json, const char *key, const struct yk_preemption_side *side)
{
    yk_json_key(json, key);
    yk_json_object_begin(json);
    yk_json_add_text(json, "allocationKey", side->key);
    yk_json_add_text(json, "podName", side->object_name);
    yk_json_add_text(json, "namespace", side->namespace_);
    yk_json_add_text(json, "applicationID", side->application_id);
    yk_json_add_text(json, "queueName", side->queue_name);
    yk_json_add_text(json, "user", side->user);
    yk_json_key(json, "resource");
    yk_resvec_json(&side->resource, json);
    yk_json_object_end(json);
}

static void put(struct yk_json *json, const struct yk_preemption *entry)
{
    yk_json_object_begin(json);
    yk_json_add_int(json, "time", entry->wall_ns);
    yk_json_add_text(json, "kind", yk_preemption_kind_name(entry->kind));
    put_side(json, "victim", &entry->victim);
    yk_json_add_text(json, "nodeID", entry->node_id);
    if (entry->preemptor.key != NULL)
        put_side(json, "for", &entry->preemptor);
    yk_json_add_text(json, "message", entry->message);
    yk_json_object_end(json);
}

/* Whether the caller may see the victim, or the application for which it ended. */
static bool is_shown(const struct yk_job *job, const struct yk_preemption *entry)
{
    return yk_tenant_shows(job, entry->victim.queue_name) ||
           (entry->preemptor.key != NULL && yk_tenant_shows(job, entry->preemptor.queue_name));
}

enum yk_step yk__get_preemptions(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition = yk_list_partition(job);
    uint64_t limit = LIMIT_DEFAULT, offset = 0, shown = 0;
    (void)until_mono_ns;
    if (partition == NULL)
        return yk_job_refuse(job, 404, "Partition not found");
    if (!yk_list_read_number(job, "limit", &limit) || !yk_list_read_number(job, "offset", &offset))
        return YK_STEP_DONE;
    yk_json_object_begin(&job->json);
    yk_json_key(&job->json, "preemptions");
    yk_json_array_begin(&job->json);
    for (uint64_t age = 0; age < yk_preemption_kept(partition); age++) {
        const struct yk_preemption *entry = yk_preemption_at(partition, age);
        if (!is_shown(job, entry))
            continue;
        if (shown >= offset && shown - offset < limit)
            put(&job->json, entry);
        shown++;
    }
    yk_json_array_end(&job->json);
    yk_json_add_uint(&job->json, "total", shown);
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes: docs/reference/rest.md, endpoints 11 and 12. */
#include "web/list.h"
#include "web/routes_priv.h"
#include "web/show_priv.h"

enum { NODES_PER_LOOK = 128 };

static enum yk_list_open open_nodes(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition = yk_list_partition(job);
    if (partition == NULL) {
        yk_answer_error(&job->answer, 404, "Partition not found");
        return YK_LIST_REFUSED;
    }
    for (size_t i = job->inner_at; i < partition->nodes.count; i++) {
        const struct yk_node *node = partition->nodes.items[i];
        if (node != NULL && yk_selection_has_node(&job->selection, node))
            yk_names_add(&job->names, yk_str_from(node->id), 0, NULL);
        job->inner_at = i + 1;
        if (job->inner_at % NODES_PER_LOOK == 0 && yk_job_must_pause(job, until_mono_ns))
            return YK_LIST_MORE;
    }
    job->inner_at = 0;
    return YK_LIST_READY;
}

static enum yk_step show(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    const struct yk_partition *partition = yk_list_partition(job);
    const struct yk_node *node =
        partition != NULL ? yk_strmap_get(&partition->nodes_by_id, entry->text) : NULL;
    (void)until_mono_ns;
    if (node != NULL && job->selection.summary)
        yk__show_node_summary(&job->json, node);
    else if (node != NULL)
        yk__show_node(&job->json, node);
    return YK_STEP_DONE;
}

static const struct yk_list_kind nodes = {.open = open_nodes, .item = show, .has_page = true};

YK_LIST_WORK(yk__get_nodes, nodes)

enum yk_step yk__get_node(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition = yk_list_partition(job);
    (void)until_mono_ns;
    if (partition == NULL)
        return yk_job_refuse(job, 404, "Partition not found");
    const struct yk_node *node = yk_strmap_get(&partition->nodes_by_id, yk_job_param(job, YK_PARAM_NODE));
    if (node == NULL)
        return yk_job_refuse(job, 404, "Node not found");
    yk__show_node(&job->json, node);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

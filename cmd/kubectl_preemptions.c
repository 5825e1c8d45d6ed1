/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn preemptions`: lists preempted pods, and the pods for which they ended. The newest comes
 * first. */
#include "client/url.h"
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_output.h"

#include <inttypes.h>

static void put_when(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    yk_cell_age(ctl, yk_ctl_number(row, "time"), cell);
}

static void put_kind(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "kind"));
}

static void put_pod(const json_t *pod, struct yk_buf *cell)
{
    if (pod != NULL)
        yk_buf_printf(cell, "%s/%s", yk_ctl_text(pod, "namespace"), yk_ctl_text(pod, "podName"));
}

static void put_victim(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    put_pod(json_object_get(row, "victim"), cell);
}

static void put_victim_queue(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(json_object_get(row, "victim"), "queueName"));
}

static void put_node(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "nodeID"));
}

static void put_for(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    put_pod(json_object_get(row, "for"), cell);
}

static void put_for_queue(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(json_object_get(row, "for"), "queueName"));
}

static void put_freed(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(json_object_get(row, "victim"), "resource", cell);
}

static void put_message(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "message"));
}

static const struct yk_ctl_column columns[] = {
    {"AGO", false, put_when},           {"KIND", false, put_kind},  {"VICTIM", false, put_victim},
    {"QUEUE", false, put_victim_queue}, {"FOR", false, put_for},    {"FOR QUEUE", false, put_for_queue},
    {"NODE", true, put_node},           {"FREED", true, put_freed}, {"MESSAGE", true, put_message},
};

enum yk_status yk_ctl_preemptions(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    (void)operands;
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    json_t *answer = NULL;
    yk_ctl_path(ctl, "/preemptions", &path);
    yk_url_query(&path, "limit", ctl->flags.limit != NULL ? ctl->flags.limit : "100");
    enum yk_status st = yk_ctl_get(ctl, yk_buf_cstr(&path), &answer, err);
    if (st != YK_OK)
        return st;
    if (!yk_ctl_print_tree(ctl, answer))
        yk_ctl_print_rows(ctl, json_object_get(answer, "preemptions"), columns, YK_COUNT(columns),
                          "preemptions");
    json_decref(answer);
    return YK_OK;
}

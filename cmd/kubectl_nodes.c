/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn nodes`: lists nodes. */
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_output.h"

#include <inttypes.h>

static void put_name(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "nodeID"));
}

static void put_status(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_truth(row, "schedulable") ? "Schedulable" : "Unschedulable");
    if (yk_ctl_truth(row, "isReserved"))
        yk_buf_text(cell, ",Reserved");
}

static void put_cpu(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_used_of(row, "allocated", "capacity", "vcore", cell);
}

static void put_memory(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_used_of(row, "allocated", "capacity", "memory", cell);
}

static void put_available(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(row, "available", cell);
}

static void put_occupied(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(row, "occupied", cell);
}

static void put_pods(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_printf(cell, "%zu", json_array_size(json_object_get(row, "allocations")));
}

static void put_reservations(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    size_t count = json_array_size(json_object_get(row, "reservations"));
    if (count > 0)
        yk_buf_printf(cell, "%zu", count);
}

static const struct yk_ctl_column columns[] = {
    {"NAME", false, put_name},          {"STATUS", false, put_status},
    {"PODS", false, put_pods},          {"CPU", false, put_cpu},
    {"MEMORY", false, put_memory},      {"AVAILABLE", false, put_available},
    {"OTHER PODS", true, put_occupied}, {"RESERVATIONS", true, put_reservations},
};

enum yk_status yk_ctl_nodes(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    (void)operands;
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    json_t *nodes = NULL;
    yk_ctl_path(ctl, "/nodes", &path);
    enum yk_status st = yk_ctl_list(ctl, yk_buf_cstr(&path), &nodes, err);
    if (st != YK_OK)
        return st;
    if (!yk_ctl_print_tree(ctl, nodes))
        yk_ctl_print_rows(ctl, nodes, columns, YK_COUNT(columns), "nodes");
    json_decref(nodes);
    return YK_OK;
}

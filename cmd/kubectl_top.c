/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `kubectl yunikorn top`: lists queues, users, groups, applications or nodes, the largest share first. A
 * share is the used part of the capacity of the cluster (for a node: of the node), for the resource of which
 * the largest part is used. So rows that use different resources can be compared.
 */
#include "client/url.h"
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_quantity.h"

/* ---- columns: rows are {name, used, capacity, share, resource}, and `placeholders` of applications ---- */

static void put_name(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "name"));
}

static void put_share(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_printf(cell, "%.1f%%", 100 * json_real_value(json_object_get(row, "share")));
}

static void put_resource(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_resource_word(yk_ctl_text(row, "resource")));
}

static void put_part(const json_t *row, const char *resource, struct yk_buf *cell)
{
    double used = (double)yk_ctl_number(json_object_get(row, "used"), resource);
    double whole = (double)yk_ctl_number(json_object_get(row, "capacity"), resource);
    if (whole > 0)
        yk_buf_printf(cell, "%.0f%%", 100 * used / whole);
}

static void put_cpu(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_quantity_put(cell, "vcore", yk_ctl_number(json_object_get(row, "used"), "vcore"));
}

static void put_cpu_part(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    put_part(row, "vcore", cell);
}

static void put_memory(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_quantity_put(cell, "memory", yk_ctl_number(json_object_get(row, "used"), "memory"));
}

static void put_memory_part(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    put_part(row, "memory", cell);
}

static void put_used(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(row, "used", cell);
}

static void put_placeholders(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(row, "placeholders", cell);
}

/* The last one is for applications only. */
static const struct yk_ctl_column columns[] = {
    {"NAME", false, put_name},
    {"SHARE", false, put_share},
    {"OF", false, put_resource},
    {"CPU", false, put_cpu},
    {"CPU%", false, put_cpu_part},
    {"MEMORY", false, put_memory},
    {"MEMORY%", false, put_memory_part},
    {"USED", true, put_used},
    {"PLACEHOLDERS", true, put_placeholders},
};

/* ---- rows ---- */

/* `placeholders`: the part of `used` that placeholders hold; NULL: none. */
static void add(json_t *rows, const char *name, json_t *used, json_t *placeholders, json_t *capacity)
{
    const char *resource = NULL;
    double share = yk_dominant_share(used, capacity, &resource);
    json_t *row =
        json_pack("{s:s,s:O?,s:O*,s:O?,s:f,s:s?}", "name", name, "used", used, "placeholders", placeholders,
                  "capacity", capacity, "share", share, "resource", share > 0 ? resource : NULL);
    (void)json_array_append_new(rows, row); /* fails only without memory */
}

static void add_leaves(json_t *rows, const json_t *queue, json_t *capacity, unsigned depth)
{
    const json_t *children = json_object_get(queue, "children");
    if (yk_ctl_truth(queue, "isLeaf"))
        add(rows, yk_ctl_text(queue, "queuename"), json_object_get(queue, "allocatedResource"), NULL,
            capacity);
    for (size_t i = 0; i < json_array_size(children) && depth < YK_CTL_QUEUE_DEPTH_MAX; i++)
        add_leaves(rows, json_array_get(children, i), capacity, depth + 1);
}

static void add_items(json_t *rows, const json_t *items, const char *name_key, const char *inner_key,
                      const char *used_key, json_t *capacity)
{
    for (size_t i = 0; i < json_array_size(items); i++) {
        const json_t *item = json_array_get(items, i);
        const json_t *holder = inner_key != NULL ? json_object_get(item, inner_key) : item;
        json_t *of = capacity != NULL ? capacity : json_object_get(item, "capacity");
        /* Only applications count their placeholders in a map of their own. */
        json_t *placeholders = json_object_get(holder, "placeholderResource");
        json_t *used = yk_amounts_sum(json_object_get(holder, used_key), placeholders);
        add(rows, yk_ctl_text(item, name_key), used, placeholders, of);
        json_decref(used);
    }
}

/* The largest share first; equal shares by name. */
static int by_share(const void *a, const void *b)
{
    const json_t *left = *(json_t *const *)a, *right = *(json_t *const *)b;
    double x = json_real_value(json_object_get(left, "share"));
    double y = json_real_value(json_object_get(right, "share"));
    return x > y ? -1 : x < y ? 1 : strcmp(yk_ctl_text(left, "name"), yk_ctl_text(right, "name"));
}

static json_t *sorted(const json_t *rows)
{
    size_t count = json_array_size(rows);
    json_t **items = yk_calloc(count + 1, sizeof(json_t *)), *out = json_array();
    for (size_t i = 0; i < count; i++)
        items[i] = json_array_get(rows, i);
    qsort(items, count, sizeof(json_t *), by_share);
    for (size_t i = 0; i < count; i++)
        (void)json_array_append(out, items[i]); /* fails only without memory */
    free(items);
    return out;
}

/* ---- queues, users, groups, applications or nodes ---- */

static const struct subject {
    const char *word, *path, *name_key, *inner_key, *used_key;
    bool has_own_capacity;
} subjects[] = {
    {"queues", NULL, NULL, NULL, NULL, false},
    {"users", "/usage/users", "userName", "queues", "resourceUsage", false},
    {"groups", "/usage/groups", "groupName", "queues", "resourceUsage", false},
    {"apps", "/applications/active?view=summary", "applicationID", NULL, "usedResource", false},
    {"nodes", "/nodes", "nodeID", NULL, "allocated", true},
};

static const struct subject *find_subject(const char *word)
{
    for (size_t i = 0; i < YK_COUNT(subjects); i++) {
        if (strcmp(subjects[i].word, word) == 0)
            return &subjects[i];
    }
    return NULL;
}

static enum yk_status get_tree(struct yk_ctl *ctl, json_t **ret_root, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    yk_ctl_path(ctl, "/queues", &path);
    return yk_ctl_get(ctl, yk_buf_cstr(&path), ret_root, err);
}

static enum yk_status collect(struct yk_ctl *ctl, const struct subject *subject, json_t *rows,
                              struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    json_t *root = NULL, *items = NULL;
    enum yk_status st = get_tree(ctl, &root, err);
    if (st != YK_OK)
        return st;
    json_t *capacity = json_object_get(root, "maxResource");
    if (subject->path == NULL) {
        add_leaves(rows, root, capacity, 0);
    } else {
        yk_ctl_path(ctl, subject->path, &path);
        st = yk_ctl_list(ctl, yk_buf_cstr(&path), &items, err);
        if (st == YK_OK)
            add_items(rows, items, subject->name_key, subject->inner_key, subject->used_key,
                      subject->has_own_capacity ? NULL : capacity);
    }
    json_decref(items);
    json_decref(root);
    return st;
}

enum yk_status yk_ctl_top(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    const struct subject *subject = find_subject(operands[0] != NULL ? operands[0] : "queues");
    ctl->is_misused = subject == NULL;
    if (subject == NULL)
        return yk_fail(err, YK_ERR_INVALID, "top lists queues, users, groups, apps or nodes, not '%s'",
                       operands[0]);
    json_t *rows = json_array();
    enum yk_status st = collect(ctl, subject, rows, err);
    if (st == YK_OK) {
        bool is_apps = strcmp(subject->word, "apps") == 0;
        json_t *out = sorted(rows);
        if (!yk_ctl_print_tree(ctl, out))
            yk_ctl_print_rows(ctl, out, columns, YK_COUNT(columns) - !is_apps, subject->word);
        json_decref(out);
    }
    json_decref(rows);
    return st;
}

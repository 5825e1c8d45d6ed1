/* SPDX-License-Identifier: Apache-2.0 */
/* Queues: docs/reference/rest.md, endpoints 9 and 10, and the name of a queue in a path (1.2, 1.6). */
#include "web/list.h"
#include "web/routes_priv.h"
#include "web/show_priv.h"
#include "web/tenant.h"

/* ---- the name ---- */

bool yk__decode_param(struct yk_job *job, enum yk_param param, struct yk_buf *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    struct yk_str bad;
    if (yk_percent_decode(yk_job_param(job, param), false, out, &bad))
        return true;
    yk_buf_text(&message, "invalid URL escape ");
    yk_json_put_string(&message, bad);
    yk_answer_error(&job->answer, 400, yk_buf_cstr(&message));
    return false;
}

bool yk__decode_queue(struct yk_job *job, struct yk_buf *out)
{
    return yk__decode_param(job, YK_PARAM_QUEUE, out);
}

bool yk__check_queue_name(struct yk_job *job, struct yk_str path)
{
    struct yk_str rest = path, part;
    if (path.len == 0)
        return true; /* Compat: the request fails later, because the queue does not exist */
    while (yk_str_split(&rest, '.', &part)) {
        if (yk_queue_name_valid(part))
            continue;
        yk_answer_error(
            &job->answer, 400,
            "invalid queue name, max 64 characters consisting of alphanumeric characters and '-', '_', "
            "'#', '@', '/', ':' allowed");
        return false;
    }
    return true;
}

/* ---- one queue, or a branch ---- */

static struct yk_queue *find_queue(struct yk_job *job, const struct yk_partition *partition)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    if (!yk__decode_queue(job, &path) || !yk__check_queue_name(job, yk_buf_view(&path)))
        return NULL;
    struct yk_queue *queue = NULL;
    if (path.len > 0)
        queue = yk_queue_find(partition->root, yk_buf_view(&path));
    if (queue == NULL)
        yk_answer_error(&job->answer, 404, "Queue not found");
    return queue;
}

static void collect(struct yk_job *job, const struct yk_queue *top)
{
    for (const struct yk_queue *queue = top; queue != NULL; queue = yk_queue_next(queue, top)) {
        if (yk_tenant_leads_to(job, queue->path))
            yk_names_add(&job->names, yk_str_from(queue->path), 0, NULL);
    }
}

static enum yk_list_open open_tree(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition = yk_list_partition(job);
    (void)until_mono_ns;
    if (partition == NULL) {
        yk_answer_error(&job->answer, 404, "Partition not found");
        return YK_LIST_REFUSED;
    }
    collect(job, partition->root);
    return YK_LIST_READY;
}

static enum yk_list_open open_queue(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition = yk_list_partition(job);
    (void)until_mono_ns;
    if (partition == NULL) {
        yk_answer_error(&job->answer, 404, "Partition not found");
        return YK_LIST_REFUSED;
    }
    const struct yk_queue *queue = find_queue(job, partition);
    if (queue == NULL)
        return YK_LIST_REFUSED;
    if (yk_query_get(job->request.target.query, "subtree", NULL))
        collect(job, queue);
    else
        yk_names_add(&job->names, yk_str_from(queue->path), 0, NULL);
    return YK_LIST_READY;
}

/* The queues whose objects are open. Each one is below the one before it. */
struct open_queues {
    struct {
        char *path;        /* owned */
        bool has_children; /* its list of children is open */
    } * items;
    size_t count, capacity;
};

static void free_open_queues(void *own)
{
    struct open_queues *open = own;
    for (size_t i = 0; i < open->count; i++)
        free(open->items[i].path);
    free(open->items);
    free(open);
}

static void begin(struct yk_job *job)
{
    job->own = yk_new0(struct open_queues);
    job->own_free = free_open_queues;
}

static bool is_below(struct yk_str path, struct yk_str parent)
{
    return path.len > parent.len && path.p[parent.len] == '.' && memcmp(path.p, parent.p, parent.len) == 0;
}

static bool fits_innermost(const struct open_queues *open, struct yk_str path)
{
    return is_below(path, yk_str_from(open->items[open->count - 1].path));
}

static void leave(struct yk_job *job, struct open_queues *open)
{
    if (open->items[open->count - 1].has_children)
        yk_json_array_end(&job->json);
    free(open->items[--open->count].path);
    yk_json_object_end(&job->json);
}

static void enter(struct yk_job *job, struct open_queues *open, struct yk_str path)
{
    if (open->count > 0 && !open->items[open->count - 1].has_children) {
        yk_json_key(&job->json, "children");
        yk_json_array_begin(&job->json);
        open->items[open->count - 1].has_children = true;
    }
    if (open->count == open->capacity) {
        open->capacity = YK_MAX(open->capacity * 2, (size_t)16);
        open->items = yk_realloc_array(open->items, open->capacity, sizeof(*open->items));
    }
    open->items[open->count].path = yk_strndup(path.p, path.len);
    open->items[open->count++].has_children = false;
}

static enum yk_step show(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    const struct yk_partition *partition = yk_list_partition(job);
    struct yk_queue *queue = partition != NULL ? yk_queue_find(partition->root, entry->text) : NULL;
    struct open_queues *open = job->own;
    (void)until_mono_ns;
    if (queue == NULL)
        return YK_STEP_DONE; /* the queue was removed meanwhile, after all queues below it */
    while (open->count > 0 && !fits_innermost(open, entry->text))
        leave(job, open);
    if (open->count == 0 && yk_job_has_written(job))
        return YK_STEP_DONE; /* the top was removed and added again: the answer can have only one object */
    enter(job, open, entry->text);
    if (yk_tenant_shows(job, queue->path) && job->selection.summary)
        yk__show_queue_summary_open(&job->json, partition, queue);
    else if (yk_tenant_shows(job, queue->path))
        yk__show_queue_open(&job->json, partition, queue);
    else
        yk__show_queue_above(&job->json, partition, queue);
    return YK_STEP_DONE;
}

static void end(struct yk_job *job)
{
    struct open_queues *open = job->own;
    while (open->count > 0)
        leave(job, open);
    if (!yk_job_has_written(job))
        /* The queue was removed before it was written. */
        yk_answer_error(&job->answer, 404, "Queue not found");
    else
        yk_buf_char(&job->answer.body, '\n');
}

static const struct yk_list_kind tree = {
    .open = open_tree, .item = show, .begin = begin, .end = end, .as_paths = true};
static const struct yk_list_kind branch = {
    .open = open_queue, .item = show, .begin = begin, .end = end, .as_paths = true};

YK_LIST_WORK(yk__get_queue_tree, tree)
YK_LIST_WORK(yk__get_queue, branch)

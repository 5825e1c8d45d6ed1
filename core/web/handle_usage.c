/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The usage of users and groups: docs/reference/rest.md, endpoints 18 to 21.
 *
 * A user or group is written in two parts, each in slices: its applications (for a user, with the group that
 * each counts for), then its queues, parents before children, each with its running applications. If the
 * usage of a queue is removed meanwhile, the usages of the queues below it are removed, too, so the nesting
 * is always right.
 */
#include "web/list.h"
#include "web/routes_priv.h"
#include "web/show_priv.h"
#include "web/slots.h"

/* More than SORTED_HERE names are sorted on the I/O thread. More than APPS_AT_ONCE applications are collected
 * in slices. */
enum { SORTED_HERE = 512, APPS_AT_ONCE = 512, APPS_PER_LOOK = 16 };

enum { PART_NONE = 0, PART_APPS, PART_QUEUES };

/* Compat: as in YuniKorn 1.9, an unknown name of a partition stands for "default". */
static const struct yk_partition *partition_for(const struct yk_job *job)
{
    const struct yk_partition *partition = yk_list_partition(job);
    return partition != NULL ? partition : yk_core_find_partition(job->core, YK_STR("default"));
}

static const struct yk_tracker *find_tracker(const struct yk_job *job, bool group, struct yk_str name)
{
    const struct yk_partition *partition = partition_for(job);
    return partition == NULL ? NULL : yk_usages_find(&partition->usages, group, name);
}

/* ---- the first part: which applications, or which groups they count for ---- */

/* YK_STEP_SORT: there are many names, and the I/O thread has to sort them. */
static enum yk_step sort_names(struct yk_job *job, struct yk_names *names)
{
    if (names->count <= SORTED_HERE) {
        yk_names_sort(names);
        return YK_STEP_DONE;
    }
    job->sorting = names;
    return YK_STEP_SORT;
}

/* Called when job->inner is complete; the result is as for sort_names(). */
static enum yk_step sorted(struct yk_job *job)
{
    job->inner_at = 0;
    job->inner_is_ready = true;
    return sort_names(job, &job->inner);
}

static void open_part(struct yk_job *job, int part)
{
    job->inner_stage = part;
    job->inner_is_ready = false;
    job->seen = 0;
    job->slots.at = 0;
    job->inner.as_paths = part == PART_QUEUES;
    job->inner.window = part == PART_APPS ? job->names.window : 0;
    yk_names_go_to_start(&job->inner);
}

static struct yk_app *member_of(const struct yk_tracker *tracker, struct yk_list *link)
{
    return tracker->is_group ? YK_CONTAINER(link, struct yk_app, limit.in_group)
                             : YK_CONTAINER(link, struct yk_app, limit.in_user);
}

/* Whether an application is listed: for a user, if it counts for a group; for a group, only if it also counts
 * as running. */
static bool is_listed(const struct yk_app *app, bool of_group)
{
    return app->limit.group != NULL && (!of_group || app->limit.counted);
}

static void take_app(struct yk_job *job, const void *item)
{
    const struct yk_app *app = item;
    const struct yk_tracker *tracker = job->cursor;
    const struct yk_usage *usage = tracker->is_group ? app->limit.group : app->limit.user;
    if (usage != NULL && usage->tracker == tracker && is_listed(app, tracker->is_group))
        yk_names_add(&job->inner, yk_str_from(app->id), 0, NULL);
}

/* False: there are too many for one step. */
static bool collect_few(struct yk_job *job, const struct yk_tracker *tracker)
{
    size_t seen = 0;
    for (struct yk_usage *at = tracker->root; at != NULL; at = yk_usage_next(at)) {
        for (struct yk_list *link = at->members.next; link != &at->members; link = link->next) {
            if (++seen > APPS_AT_ONCE)
                return false;
            take_app(job, member_of(tracker, link));
        }
    }
    return true;
}

/* False: the slice is over. */
static bool collect_apps(struct yk_job *job, const struct yk_tracker *tracker, int64_t until_mono_ns)
{
    const struct yk_partition *partition = partition_for(job);
    bool is_complete = true;
    if (tracker == NULL || partition == NULL) {
        yk_names_clear(&job->inner);
        return true;
    }
    job->cursor = tracker;
    if (job->slots.at > 0 || !collect_few(job, tracker))
        is_complete = yk__walk_map(job, &partition->apps, &job->inner, take_app, until_mono_ns);
    job->cursor = NULL;
    return is_complete;
}

static void show_app(struct yk_job *job, bool group, const struct yk_app *app)
{
    if (job->seen++ == 0) {
        yk_json_key(&job->json, group ? "applications" : "groups");
        if (group)
            yk_json_array_begin(&job->json);
        else
            yk_json_object_begin(&job->json);
    }
    if (group)
        yk_json_text(&job->json, app->id);
    else
        yk_json_add_text(&job->json, app->id, app->limit.group->tracker->name);
}

/* False: the slice is over, or a piece is complete. */
static bool show_window(struct yk_job *job, bool group, int64_t until_mono_ns)
{
    const struct yk_partition *partition = partition_for(job);
    while (job->inner_at < job->inner.count) {
        struct yk_str id = job->inner.items[job->inner_at++].text;
        const struct yk_app *app = partition == NULL ? NULL : yk_strmap_get(&partition->apps, id);
        if (app != NULL && is_listed(app, group))
            show_app(job, group, app);
        bool is_full = job->answer.body.len >= YK_PIECE_BYTES;
        if (job->inner_at % APPS_PER_LOOK == 0 && (is_full || yk_job_must_pause(job, until_mono_ns)))
            return false;
    }
    return true;
}

static enum yk_step show_apps(struct yk_job *job, bool group, const struct yk_tracker *tracker,
                              int64_t until_mono_ns)
{
    do {
        if (!job->inner_is_ready) {
            if (!collect_apps(job, tracker, until_mono_ns))
                return YK_STEP_AGAIN;
            enum yk_step step = sorted(job);
            if (step != YK_STEP_DONE)
                return step;
        }
        if (!show_window(job, group, until_mono_ns))
            return YK_STEP_AGAIN;
        job->inner_is_ready = false;
    } while (yk_names_go_on(&job->inner));
    if (job->seen > 0 && group)
        yk_json_array_end(&job->json);
    else if (job->seen > 0)
        yk_json_object_end(&job->json);
    return YK_STEP_DONE;
}

/* ---- the second part: the queues ---- */

static enum yk_step collect_queues(struct yk_job *job, const struct yk_tracker *tracker)
{
    yk_names_clear(&job->inner);
    for (const struct yk_usage *at = tracker == NULL ? NULL : tracker->root; at != NULL;
         at = yk_usage_next(at))
        yk_names_add(&job->inner, yk_str_from(at->queue->path), 0, NULL);
    return sorted(job);
}

/* The running applications of one queue and the queues below it; there may be many. */
struct running {
    /* RUNNING_OPEN: the names have to be collected */
    enum { RUNNING_NONE = 0, RUNNING_OPEN, RUNNING_READY } stage;
    struct yk_names names; /* in order of submission; in windows */
    size_t at;
};

static void free_running(void *own)
{
    struct running *running = own;
    yk_names_done(&running->names);
    free(running);
}

static struct running *running_of(struct yk_job *job)
{
    if (job->own == NULL) {
        job->own = yk_new0(struct running);
        job->own_free = free_running;
    }
    return job->own;
}

static bool is_inside(const struct yk_usage *at, const struct yk_usage *top)
{
    while (at != NULL && at != top)
        at = at->parent;
    return at != NULL;
}

static bool runs_in(const struct yk_app *app, const struct yk_usage *top)
{
    const struct yk_usage *usage = top->tracker->is_group ? app->limit.group : app->limit.user;
    return app->limit.counted && is_inside(usage, top);
}

static void take_running(struct yk_job *job, const void *item)
{
    const struct yk_app *app = item;
    const struct yk_usage *top = job->cursor;
    struct running *running = job->own;
    if (runs_in(app, top))
        yk_names_add(&running->names, yk_str_from(app->id), app->submit_wall_ns, NULL);
}

/* False: there are too many for one step. */
static bool collect_few_running(struct yk_job *job, const struct yk_usage *top)
{
    size_t seen = 0;
    for (const struct yk_usage *at = top; at != NULL && is_inside(at, top); at = yk_usage_next(at)) {
        for (struct yk_list *link = at->members.next; link != &at->members; link = link->next) {
            if (++seen > APPS_AT_ONCE)
                return false;
            take_running(job, member_of(at->tracker, link));
        }
    }
    return true;
}

/* `top` NULL: it is gone. YK_STEP_DONE: the running applications are collected and sorted. */
static enum yk_step collect_running(struct yk_job *job, const struct yk_usage *top, int64_t until_mono_ns)
{
    struct running *running = job->own;
    const struct yk_partition *partition = partition_for(job);
    bool is_complete = true;
    job->cursor = top;
    if (top == NULL || partition == NULL)
        yk_names_clear(&running->names);
    else if (job->slots.at > 0 || !collect_few_running(job, top))
        is_complete = yk__walk_map(job, &partition->apps, &running->names, take_running, until_mono_ns);
    job->cursor = NULL;
    if (!is_complete)
        return YK_STEP_AGAIN;
    running->stage = RUNNING_READY;
    running->at = 0;
    return sort_names(job, &running->names);
}

/* `top` NULL: it is gone. False: the slice is over, or a piece is complete. */
static bool show_running(struct yk_job *job, const struct yk_usage *top, int64_t until_mono_ns)
{
    struct running *running = job->own;
    const struct yk_partition *partition = partition_for(job);
    while (running->at < running->names.count) {
        struct yk_str id = running->names.items[running->at++].text;
        const struct yk_app *app = partition == NULL ? NULL : yk_strmap_get(&partition->apps, id);
        if (top != NULL && app != NULL && runs_in(app, top))
            yk_json_text(&job->json, app->id);
        bool is_full = job->answer.body.len >= YK_PIECE_BYTES;
        if (running->at % APPS_PER_LOOK == 0 && (is_full || yk_job_must_pause(job, until_mono_ns)))
            return false;
    }
    return true;
}

/* `top` NULL: it is gone. */
static enum yk_step go_on_running(struct yk_job *job, const struct yk_usage *top, int64_t until_mono_ns)
{
    struct running *running = job->own;
    do {
        if (running->stage == RUNNING_OPEN) {
            enum yk_step step = collect_running(job, top, until_mono_ns);
            if (step != YK_STEP_DONE)
                return step;
        }
        if (!show_running(job, top, until_mono_ns))
            return YK_STEP_AGAIN;
        running->stage = RUNNING_OPEN;
    } while (yk_names_go_on(&running->names));
    running->stage = RUNNING_NONE;
    yk_json_array_end(&job->json);
    return YK_STEP_DONE;
}

static void open_running(struct yk_job *job, const struct yk_usage *usage)
{
    struct running *running = running_of(job);
    if (usage->running == 0)
        return;
    yk_json_key(&job->json, "runningApplications");
    yk_json_array_begin(&job->json);
    running->stage = RUNNING_OPEN;
    running->names.window = job->names.window;
    yk_names_go_to_start(&running->names);
    job->slots.at = 0;
}

/* The object is left open for the limits and the children of the queue. */
static void show_entry_open(struct yk_job *job, const struct yk_usage *usage)
{
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "queuePath", usage->queue->path);
    yk__put_amounts_if(&job->json, "resourceUsage", &usage->allocated);
    open_running(job, usage);
}

static void show_limits(struct yk_json *json, const struct yk_usage *usage)
{
    const struct yk_limit *limit = usage->limit;
    if (limit == NULL)
        return;
    yk__put_amounts_if(json, "maxResources", limit->has_resources ? &limit->resources : NULL);
    yk__put_uint_if(json, "maxApplications", limit->max_apps);
}

static size_t depth_of(struct yk_str path)
{
    size_t dots = 0;
    for (size_t i = 0; i < path.len; i++)
        dots += path.p[i] == '.';
    return dots;
}

/* Whether the parent of `path` is `open` or a queue above `open`. */
static bool fits_below(struct yk_str path, struct yk_str open)
{
    size_t parent = path.len;
    while (parent > 0 && path.p[parent] != '.')
        parent--;
    return parent > 0 && open.len >= parent && memcmp(open.p, path.p, parent) == 0 &&
           (open.len == parent || open.p[parent] == '.');
}

/* The open objects are a chain: each one is in the list of children of the one before. */
static void close_queues(struct yk_json *json, size_t from, size_t down_to)
{
    yk_json_object_end(json);
    for (size_t depth = from; depth > down_to; depth--) {
        yk_json_array_end(json);
        yk_json_object_end(json);
    }
}

static void show_queue(struct yk_job *job, const struct yk_usage *usage, struct yk_str path)
{
    if (job->seen == 0) {
        if (usage->parent != NULL)
            return; /* the usage of the root was removed and made again meanwhile */
        yk_json_key(&job->json, "queues");
    } else {
        struct yk_str last = job->inner.items[job->seen - 1].text;
        if (!fits_below(path, last))
            return;
        if (depth_of(path) > depth_of(last)) {
            yk_json_key(&job->json, "children");
            yk_json_array_begin(&job->json);
        } else {
            close_queues(&job->json, depth_of(last), depth_of(path));
        }
    }
    show_entry_open(job, usage);
    job->seen = job->inner_at + 1;
}

/* `usage` NULL: it is gone. */
static enum yk_step go_on_queue(struct yk_job *job, const struct yk_usage *usage, struct yk_str path,
                                int64_t until_mono_ns)
{
    struct running *running = running_of(job);
    bool begins = running->stage == RUNNING_NONE;
    if (begins && usage != NULL)
        show_queue(job, usage, path);
    if (running->stage != RUNNING_NONE) {
        enum yk_step step = go_on_running(job, usage, until_mono_ns);
        if (step != YK_STEP_DONE)
            return step;
    }
    if (usage != NULL && job->seen == job->inner_at + 1)
        show_limits(&job->json, usage);
    return YK_STEP_DONE;
}

static enum yk_step show_queues(struct yk_job *job, const struct yk_tracker *tracker, int64_t until_mono_ns)
{
    const struct yk_partition *partition = partition_for(job);
    while (job->inner_at < job->inner.count) {
        struct yk_str path = job->inner.items[job->inner_at].text;
        const struct yk_queue *queue =
            partition == NULL || tracker == NULL ? NULL : yk_queue_find(partition->root, path);
        const struct yk_usage *usage = queue == NULL ? NULL : yk_tracker_entry(tracker, queue);
        enum yk_step step = go_on_queue(job, usage, path, until_mono_ns);
        if (step != YK_STEP_DONE)
            return step;
        if (++job->inner_at < job->inner.count && yk_job_must_pause(job, until_mono_ns))
            return YK_STEP_AGAIN;
    }
    if (job->seen > 0)
        close_queues(&job->json, depth_of(job->inner.items[job->seen - 1].text), 0);
    return YK_STEP_DONE;
}

/* ---- one user or group ---- */

static enum yk_step show(struct yk_job *job, bool group, struct yk_str name, int64_t until_mono_ns)
{
    const struct yk_tracker *tracker = find_tracker(job, group, name);
    if (job->inner_stage == PART_NONE) {
        if (tracker == NULL)
            return YK_STEP_DONE; /* it was removed meanwhile */
        yk_json_object_begin(&job->json);
        yk_json_add_text(&job->json, tracker->is_group ? "groupName" : "userName", tracker->name);
        open_part(job, PART_APPS);
    }
    if (job->inner_stage == PART_APPS) {
        enum yk_step step = show_apps(job, group, tracker, until_mono_ns);
        if (step != YK_STEP_DONE)
            return step;
        open_part(job, PART_QUEUES);
    }
    if (!job->inner_is_ready) {
        enum yk_step step = collect_queues(job, tracker);
        if (step != YK_STEP_DONE)
            return step;
    }
    enum yk_step step = show_queues(job, tracker, until_mono_ns);
    if (step != YK_STEP_DONE)
        return step;
    yk_json_object_end(&job->json);
    job->inner_stage = PART_NONE;
    return YK_STEP_DONE;
}

static enum yk_step show_user(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    return show(job, false, entry->text, until_mono_ns);
}

static enum yk_step show_group(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    return show(job, true, entry->text, until_mono_ns);
}

/* ---- lists, and single users and groups ---- */

static void collect(struct yk_job *job, bool group)
{
    const struct yk_partition *partition = partition_for(job);
    const struct yk_tracker *tracker;
    if (partition == NULL)
        return;
    yk_list_foreach (tracker, group ? &partition->usages.group_list : &partition->usages.user_list,
                     struct yk_tracker, in_list)
        if (yk_selection_has_name(&job->selection, tracker->name))
            yk_names_add(&job->names, yk_str_from(tracker->name), 0, NULL);
}

static enum yk_list_open open_users(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    collect(job, false);
    return YK_LIST_READY;
}

static enum yk_list_open open_groups(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    collect(job, true);
    return YK_LIST_READY;
}

static const char no_user[] = "User not found", no_group[] = "Group not found";

static enum yk_list_open open_one(struct yk_job *job, bool group)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    if (!yk__decode_param(job, group ? YK_PARAM_GROUP : YK_PARAM_USER, &name))
        return YK_LIST_REFUSED;
    bool valid = group ? yk_group_name_valid(yk_buf_view(&name)) : yk_user_name_valid(yk_buf_view(&name));
    if (!valid) {
        yk_answer_error(&job->answer, 400, group ? "Invalid group name" : "Invalid user name");
        return YK_LIST_REFUSED;
    }
    if (find_tracker(job, group, yk_buf_view(&name)) == NULL) {
        yk_answer_error(&job->answer, 404, group ? no_group : no_user);
        return YK_LIST_REFUSED;
    }
    yk_names_add(&job->names, yk_buf_view(&name), 0, NULL);
    return YK_LIST_READY;
}

static enum yk_list_open open_user(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    return open_one(job, false);
}

static enum yk_list_open open_group(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    return open_one(job, true);
}

static const struct yk_list_kind users = {.open = open_users, .item = show_user, .has_page = true};
static const struct yk_list_kind groups = {.open = open_groups, .item = show_group, .has_page = true};
static const struct yk_list_kind user = {.open = open_user, .item = show_user, .not_found = no_user};
static const struct yk_list_kind group_ = {.open = open_group, .item = show_group, .not_found = no_group};

YK_LIST_WORK(yk__get_users_usage, users)
YK_LIST_WORK(yk__get_user_usage, user)
YK_LIST_WORK(yk__get_groups_usage, groups)
YK_LIST_WORK(yk__get_group_usage, group_)

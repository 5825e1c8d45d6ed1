/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the pods of a simulation by leaf, application and class, for the figures of fairness. */
#include "cmd/steady_priv.h"

#define APP_LABEL        "yunikorn.apache.org/app-id"
#define QUEUE_LABEL      "yunikorn.apache.org/queue"
#define GROUP_NOTE       "yunikorn.apache.org/task-group-name"
#define PLACEHOLDER_NOTE "internal.yunikorn.apache.org/placeholder"

static const int64_t default_run_ns = 60 * YK_NS_PER_S;

/* ---- queues ---- */

static size_t queue_index(const struct yk_core_view *view, const char *path)
{
    size_t i = 0;
    while (i < view->count && strcmp(view->queues[i].path, path) != 0)
        i++;
    return i;
}

static void add_up_path(const struct yk_steady *steady, struct yk_resvec *sums, size_t queue,
                        const struct yk_resvec *amounts, bool more)
{
    for (size_t i = queue; i < steady->view.count; i = steady->view.queues[i].parent) {
        if (more)
            yk_resvec_add(&sums[i], amounts);
        else
            yk_resvec_sub(&sums[i], amounts);
        if (steady->view.queues[i].parent == i)
            return;
    }
}

static void count_leaf(struct yk_steady *steady, const struct steady_leaf *leaf)
{
    const struct steady_class *class;
    yk_vec_foreach (class, &leaf->classes) {
        YK_RESVEC(used);
        YK_RESVEC(pending);
        yk_resvec_copy(&used, &class->size);
        yk_resvec_copy(&pending, &class->size);
        yk_resvec_mul(&used, (int64_t) class->bound_count);
        yk_resvec_mul(&pending, (int64_t) class->pending_count);
        add_up_path(steady, steady->used, leaf->queue, &used, true);
        if (class->kind != STEADY_PLACEHOLDER)
            add_up_path(steady, steady->pending, leaf->queue, &pending, true);
    }
}

/* Converts the queues of the view for the functions of cmd/entitled.h. The caller frees the array and its
 * vectors. */
static struct yk_entitled_queue *settings_of(const struct yk_core_view *view)
{
    struct yk_entitled_queue *queues = yk_new0_array(struct yk_entitled_queue, view->count + 1);
    for (size_t i = 0; i < view->count; i++) {
        const struct yk_queue_view *from = &view->queues[i];
        queues[i].parent = from->parent;
        queues[i].is_leaf = from->is_leaf;
        queues[i].priority_sort = from->priority_sort;
        queues[i].priority_fence = from->priority_fence;
        queues[i].priority_offset = from->priority_offset;
        queues[i].has_guaranteed = from->has_guaranteed;
        yk_resvec_copy(&queues[i].guaranteed, &from->guaranteed);
        queues[i].has_max = from->has_max;
        yk_resvec_copy(&queues[i].max, &from->max);
    }
    return queues;
}

/* Limits of users are not read from the core: `maxima` of the scenario say what they allow each queue. */
static void apply_maxima(struct yk_steady *steady)
{
    const struct yk_scenario_steady *goals = &steady->scenario->steady;
    for (uint32_t i = 0; i < goals->maximum_count; i++) {
        size_t index = queue_index(&steady->view, goals->maxima[i].queue.p);
        if (index == steady->view.count)
            continue;
        yk_sim_amounts_add(&steady->settings[index].limit, &goals->maxima[i].amounts);
        steady->settings[index].has_limit = true;
    }
}

static void refresh_classes(struct yk_steady *steady, const struct steady_leaf *leaf)
{
    struct steady_class *class;
    yk_vec_foreach (class, &leaf->classes)
        class->can_run = yk__steady_is_below_max(steady, leaf->queue, &class->size, false) &&
                         yk__steady_fits_somewhere(steady, class, false);
}

static void add_node(void *context, const struct yk_object *object)
{
    struct yk_steady *steady = context;
    YK_RESVEC(used);
    YK_RESVEC(allocatable);
    YK_CLEANUP(yk_freep) char *name = yk_str_dup(object->name);
    if (yk_cluster_node_usage(steady->cluster, name, &used, &allocatable))
        yk_resvec_add(&steady->capacity, &allocatable);
}

/* Frees the view, and the arrays with an item per queue of the view. */
static void free_queues(struct yk_steady *steady)
{
    for (size_t i = 0; i < steady->view.count && steady->settings != NULL; i++) {
        yk_resvec_done(&steady->settings[i].guaranteed);
        yk_resvec_done(&steady->settings[i].max);
        yk_resvec_done(&steady->settings[i].limit);
        yk_resvec_done(&steady->used[i]);
        yk_resvec_done(&steady->pending[i]);
    }
    free(steady->settings);
    free(steady->used);
    free(steady->pending);
    yk_core_view_done(&steady->view);
}

void yk__steady_refresh(struct yk_steady *steady)
{
    free_queues(steady);
    yk_core_view_take(steady->core, &steady->view);
    steady->settings = settings_of(&steady->view);
    apply_maxima(steady);
    yk_resvec_clear(&steady->capacity);
    yk_cluster_each(steady->cluster, YK_KIND_NODE, add_node, steady);
    steady->used = yk_new0_array(struct yk_resvec, steady->view.count + 1);
    steady->pending = yk_new0_array(struct yk_resvec, steady->view.count + 1);
    struct steady_leaf *leaf;
    for (size_t i = 0; i < steady->leaves.count; i++) {
        leaf = steady->leaves.items[i];
        leaf->queue = queue_index(&steady->view, leaf->path);
        leaf->changed = true;
        count_leaf(steady, leaf);
        refresh_classes(steady, leaf);
    }
    yk__steady_settings_changed(steady);
}

bool yk__steady_is_below_max(const struct yk_steady *steady, size_t leaf, const struct yk_resvec *size,
                             bool with_used)
{
    static const struct yk_resvec nothing;
    const struct yk_entitled_queue *queues = steady->settings;
    for (size_t i = leaf; i < steady->view.count && queues[i].parent != i; i = queues[i].parent) {
        const struct yk_resvec *used = with_used ? &steady->used[i] : &nothing;
        if ((queues[i].has_max && !yk_resvec_fit_sum(&queues[i].max, used, size)) ||
            (queues[i].has_limit && !yk_resvec_fit_sum(&queues[i].limit, used, size)))
            return false;
    }
    return leaf < steady->view.count;
}

/* ---- leaves, applications, classes ---- */

static struct steady_leaf *leaf_of(struct yk_steady *steady, struct yk_str path)
{
    struct steady_leaf *leaf;
    yk_vec_foreach (leaf, &steady->leaves) {
        if (yk_str_is(path, leaf->path))
            return leaf;
    }
    leaf = yk_new0(struct steady_leaf);
    leaf->path = yk_str_dup(path);
    leaf->queue = queue_index(&steady->view, leaf->path);
    leaf->created_ns = yk__steady_now(steady);
    leaf->changed = true;
    yk_vec_append(&steady->leaves, leaf);
    return leaf;
}

static struct steady_app *app_of(struct yk_steady *steady, struct yk_str id, struct yk_str queue)
{
    struct steady_app *app = yk_strmap_get(&steady->apps, id);
    if (app != NULL)
        return app;
    app = yk_new0(struct steady_app);
    app->id = yk_str_dup(id);
    app->leaf = leaf_of(steady, queue);
    app->sequence = steady->sequence++;
    yk_vec_append(&steady->app_list, app);
    (void)yk_strmap_put(&steady->apps, yk_str_from(app->id), app); /* the id is new */
    return app;
}

static enum steady_kind kind_of(const struct yk_pod *pod)
{
    if (yk_pairs_get(&pod->object.annotations, PLACEHOLDER_NOTE).p != NULL)
        return STEADY_PLACEHOLDER;
    if (yk_pairs_get(&pod->object.annotations, GROUP_NOTE).p != NULL)
        return STEADY_MEMBER;
    return pod->required_term_count > 0 ? STEADY_DAEMON : STEADY_ORDINARY;
}

static void describe(struct yk_buf *key, const struct steady_app *app, const struct yk_pod *pod,
                     const struct yk_resvec *size)
{
    yk_buf_printf(key, "%s %d %d ", app->id, (int)kind_of(pod), pod->priority);
    yk_resvec_print(size, key);
    for (uint32_t i = 0; i < pod->node_selector.count; i++) {
        const struct yk_pair *pair = &pod->node_selector.items[i];
        yk_buf_printf(key, " " YK_STR_FMT "=" YK_STR_FMT, YK_STR_ARG(pair->key), YK_STR_ARG(pair->value));
    }
    for (uint32_t i = 0; i < pod->toleration_count; i++) {
        const struct yk_toleration *t = &pod->tolerations[i];
        yk_buf_printf(key, " ~" YK_STR_FMT ":" YK_STR_FMT ":" YK_STR_FMT ":" YK_STR_FMT, YK_STR_ARG(t->key),
                      YK_STR_ARG(t->operator_), YK_STR_ARG(t->value), YK_STR_ARG(t->effect));
    }
    if (pod->required_term_count > 0)
        yk_buf_printf(key, " @" YK_STR_FMT, YK_STR_ARG(pod->required_terms[0].fields[0].values[0]));
}

static struct steady_class *class_of(struct yk_steady *steady, struct steady_app *app,
                                     const struct yk_pod *pod)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    YK_RESVEC(size);
    yk_sim_pod_size(pod, &size);
    describe(&key, app, pod, &size);
    struct steady_class *class = yk_strmap_get(&steady->classes, yk_buf_view(&key));
    if (class != NULL)
        return class;
    class = yk_new0(struct steady_class);
    class->key = yk_buf_take(&key);
    class->app = app;
    class->kind = kind_of(pod);
    class->example = yk_sim_object_copy(&pod->object);
    class->pod = (const struct yk_pod *)(const void *)class->example;
    class->priority = pod->priority;
    yk_resvec_copy(&class->size, &size);
    yk_list_init(&class->pending);
    steady->has_priorities |= steady->classes.count > 0 && class->priority != steady->priority;
    steady->priority = class->priority;
    yk_vec_append(&app->classes, class);
    yk_vec_append(&app->leaf->classes, class);
    (void)yk_strmap_put(&steady->classes, yk_str_from(class->key), class); /* the key is new */
    if (app->leaf->queue == steady->view.count)
        yk__steady_refresh(steady);
    class->can_run = yk__steady_is_below_max(steady, app->leaf->queue, &class->size, false) &&
                     yk__steady_fits_somewhere(steady, class, false);
    return class;
}

uint64_t yk__steady_lacking(const struct steady_class *class)
{
    if (class->kind == STEADY_PLACEHOLDER)
        return 0;
    if (class->kind != STEADY_MEMBER)
        return class->pending_count;
    return class->pending_count - YK_MIN(class->pending_count, class->app->placeholders);
}

/* ---- moments of pods ---- */

static char *key_of(const struct yk_pod *pod)
{
    struct yk_buf key = {0};
    yk_buf_printf(&key, YK_STR_FMT "/" YK_STR_FMT, YK_STR_ARG(pod->object.namespace_),
                  YK_STR_ARG(pod->object.name));
    return yk_buf_take(&key);
}

static bool is_counted(const struct steady_pod *pod)
{
    return pod->class->kind != STEADY_PLACEHOLDER;
}

static void was_created(struct yk_steady *steady, struct yk_str app_id, const struct yk_pod *object)
{
    struct yk_str queue = yk_pairs_get(&object->object.labels, QUEUE_LABEL);
    if (yk_str_empty(queue) && yk_strmap_get(&steady->apps, app_id) == NULL)
        return; /* a placement rule chooses its queue, which is not known here */
    struct steady_app *app = app_of(steady, app_id, queue);
    struct steady_pod *pod = yk_new0(struct steady_pod);
    pod->key = key_of(object);
    pod->class = class_of(steady, app, object);
    pod->created_ns = yk__steady_now(steady);
    pod->sequence = steady->sequence++;
    (void)yk_strmap_put(&steady->pods, yk_str_from(pod->key), pod); /* the caller knows that the key is new */
    if (is_counted(pod)) {
        yk__steady_wanted(steady, pod->class);
        add_up_path(steady, steady->pending, app->leaf->queue, &pod->class->size, true);
        app->counts.pods++;
    }
    yk_list_append(&pod->class->pending, &pod->link);
    pod->class->pending_count++;
    app->leaf->changed = true;
}

static void stops_waiting(struct yk_steady *steady, struct steady_pod *pod)
{
    struct steady_app *app = pod->class->app;
    yk__steady_head_left(steady, pod);
    yk_list_remove(&pod->link);
    pod->class->pending_count--;
    app->leaf->changed = true;
    if (!is_counted(pod))
        return;
    int64_t wait_ns = yk__steady_now(steady) - pod->created_ns;
    app->counts.wait_max_ns = YK_MAX(app->counts.wait_max_ns, wait_ns);
    add_up_path(steady, steady->pending, app->leaf->queue, &pod->class->size, false);
}

static void was_bound(struct yk_steady *steady, struct steady_pod *pod, struct yk_str node)
{
    struct steady_app *app = pod->class->app;
    if (app->leaf->queue == steady->view.count)
        yk__steady_refresh(steady); /* the core may have created the queue for this application */
    yk__steady_binding(steady, pod, node);
    stops_waiting(steady, pod);
    pod->bound = true;
    pod->class->bound_count++;
    app->counts.bound += is_counted(pod);
    app->placeholders += pod->class->kind == STEADY_PLACEHOLDER;
    yk_resvec_add(&app->used, &pod->class->size);
    add_up_path(steady, steady->used, app->leaf->queue, &pod->class->size, true);
}

static void left_its_node(struct yk_steady *steady, struct steady_pod *pod, const struct yk_pod *object,
                          bool has_ended)
{
    struct steady_app *app = pod->class->app;
    pod->bound = false;
    pod->class->bound_count--;
    app->placeholders -= pod->class->kind == STEADY_PLACEHOLDER;
    app->leaf->changed = true;
    yk_resvec_sub(&app->used, &pod->class->size);
    add_up_path(steady, steady->used, app->leaf->queue, &pod->class->size, false);
    bool node_is_there = yk_cluster_find(steady->cluster, YK_KIND_NODE, NULL, object->node_name.p) != NULL;
    if (!pod->evicted)
        yk__steady_gone(steady, pod->class, node_is_there, has_ended);
}

static void has_ended(struct yk_steady *steady, struct steady_pod *pod, const struct yk_pod *object)
{
    if (!pod->bound) {
        stops_waiting(steady, pod);
        return;
    }
    if (is_counted(pod)) {
        pod->class->app->counts.ended++;
        pod->class->app->counts.last_end_ns = yk__steady_now(steady);
    }
    left_its_node(steady, pod, object, true);
}

static void was_evicted(struct yk_steady *steady, struct steady_pod *pod)
{
    pod->evicted = true;
    if (!is_counted(pod))
        return;
    pod->class->app->counts.killed++;
    steady->killed++;
    yk_resvec_add(&steady->killed_amount, &pod->class->size);
}

static void pod_free(struct steady_pod *pod)
{
    free(pod->key);
    free(pod);
}

static void was_removed(struct yk_steady *steady, struct steady_pod *pod, const struct yk_pod *object)
{
    if (pod->bound)
        left_its_node(steady, pod, object, false);
    else if (yk_list_linked(&pod->link))
        stops_waiting(steady, pod);
    (void)yk_strmap_remove(&steady->pods, yk_str_from(pod->key)); /* it is in the map */
    pod_free(pod);
}

static void pod_moment(void *context, enum yk_pod_moment moment, const struct yk_pod *object, int64_t age_ns)
{
    struct yk_steady *steady = context;
    YK_CLEANUP(yk_freep) char *key = key_of(object);
    struct steady_pod *pod = yk_strmap_get(&steady->pods, yk_str_from(key));
    struct yk_str app = yk_pairs_get(&object->object.labels, APP_LABEL);
    (void)age_ns;
    if (moment == YK_POD_CREATED && !yk_str_empty(app) && pod == NULL)
        was_created(steady, app, object);
    if (pod == NULL)
        return;
    switch (moment) {
    case YK_POD_CREATED:
    case YK_POD_STARTED:
        break;
    case YK_POD_BOUND:
        was_bound(steady, pod, object->node_name);
        break;
    case YK_POD_EVICTED:
        was_evicted(steady, pod);
        break;
    case YK_POD_ENDED:
        has_ended(steady, pod, object);
        break;
    case YK_POD_REMOVED:
        was_removed(steady, pod, object);
        break;
    }
}

/* ---- life ---- */

/* How long the pods run; 0: until they are deleted. */
static int64_t run_time(const struct yk_scenario_submit *submit)
{
    bool has_both = submit->run_ns > 0 && submit->deadline_ns > 0;
    return has_both ? YK_MIN(submit->run_ns, submit->deadline_ns)
                    : YK_MAX(submit->run_ns, submit->deadline_ns);
}

static int64_t longest_run(const struct yk_scenario *scenario)
{
    int64_t longest_ns = scenario->steady.longest_run_ns;
    for (uint32_t i = 0; i < scenario->step_count && scenario->steady.longest_run_ns == 0; i++) {
        if (scenario->steps[i].kind == YK_STEP_SUBMIT)
            longest_ns = YK_MAX(longest_ns, run_time(&scenario->steps[i].with.submit));
    }
    return longest_ns > 0 ? longest_ns : default_run_ns;
}

struct yk_steady *yk_steady_new(const struct yk_scenario *scenario, const struct yk_clock *clock)
{
    struct yk_steady *steady = yk_new0(struct yk_steady);
    steady->scenario = scenario;
    steady->clock = clock;
    steady->start_ns = yk_clock_mono_ns(clock);
    steady->longest_run_ns = longest_run(scenario);
    steady->settle_ns =
        scenario->steady.settle_ns > 0 ? scenario->steady.settle_ns : 2 * steady->longest_run_ns;
    steady->observer = (struct yk_cluster_observer){steady, pod_moment};
    steady->sums.jain_min = steady->sums.jain_raw_min = 1;
    steady->settled_since_ns = -1;
    return steady;
}

void yk_steady_watch(struct yk_steady *steady, const struct yk_cluster *cluster, const struct yk_core *core)
{
    steady->cluster = cluster;
    steady->core = core;
}

const struct yk_cluster_observer *yk_steady_observer(const struct yk_steady *steady)
{
    return &steady->observer;
}

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

void yk_steady_finish(struct yk_steady *steady)
{
    const struct steady_class *class;
    int64_t now_ns = yk__steady_now(steady);

    for (size_t i = 0; i < steady->app_list.count; i++) {
        struct steady_app *app = steady->app_list.items[i];
        yk_vec_foreach (class, &app->classes) {
            const struct steady_pod *pod;
            yk_list_foreach (pod, &class->pending, struct steady_pod, link) {
                yk__steady_head_left(steady, pod);
                if (is_counted(pod))
                    app->counts.wait_max_ns = YK_MAX(app->counts.wait_max_ns, now_ns - pod->created_ns);
            }
        }
    }
    if (steady->overtaken_count > 0)
        qsort(steady->overtaken, steady->overtaken_count, sizeof(*steady->overtaken), by_value);
}

static void leaf_free(struct steady_leaf *leaf)
{
    struct steady_class *class;
    yk_vec_foreach (class, &leaf->classes) {
        yk_object_free(class->example);
        free(class->key);
        yk_resvec_done(&class->size);
        free(class);
    }
    yk_vec_done(&leaf->classes);
    free(leaf->owed);
    free(leaf->path);
    free(leaf);
}

static void pods_free(struct yk_steady *steady)
{
    struct steady_pod *pod;
    struct steady_app *app;
    struct steady_leaf *leaf;
    yk_strmap_foreach (pod, &steady->pods)
        pod_free(pod);
    yk_strmap_done(&steady->pods);
    yk_vec_foreach (app, &steady->app_list) {
        yk_vec_done(&app->classes);
        free(app->id);
        yk_resvec_done(&app->used);
        free(app);
    }
    yk_vec_done(&steady->app_list);
    yk_vec_foreach (leaf, &steady->leaves)
        leaf_free(leaf);
    yk_vec_done(&steady->leaves);
    yk_strmap_done(&steady->classes);
    yk_strmap_done(&steady->apps);
}

void yk_steady_free(struct yk_steady *steady)
{
    if (steady == NULL)
        return;
    pods_free(steady);
    struct steady_guarantee *guarantee;
    yk_vec_foreach (guarantee, &steady->guarantees) {
        free(guarantee->path);
        yk_resvec_done(&guarantee->guaranteed);
        yk_resvec_done(&guarantee->max);
        free(guarantee);
    }
    yk_vec_done(&steady->guarantees);
    free_queues(steady);
    yk_resvec_done(&steady->capacity);
    yk_resvec_done(&steady->killed_amount);
    yk_resvec_done(&steady->deficit);
    free(steady->overtaken);
    free(steady->worst);
    free(steady);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Tries the rules one after the other, until one gives a queue that accepts the application (P6 to P8). */
#include "placement/placement.h"

#include "placement/rule_priv.h"

#define RECOVERY_PATH "root." YK_RECOVERY_QUEUE

/* R8: the recovery queue accepts only forced applications, and no queue is created below it. */
static bool is_below_recovery(struct yk_str path)
{
    return yk_str_starts(path, RECOVERY_PATH ".");
}

static bool acceptable(const struct yk__target *target, const struct yk_app *app)
{
    struct yk_str path = yk_buf_view(target->path);
    const struct yk_queue *queue = target->deepest;
    if (yk_str_is(path, RECOVERY_PATH))
        return app->forced;
    if (queue == NULL || is_below_recovery(path) || yk_queue_is_draining(queue))
        return false;
    /* A queue that exists has to be a leaf. A queue that does not exist is created below `queue`, which must
     * be no leaf (P8). */
    return target->exists == queue->is_leaf &&
           yk_queue_may_submit(queue, app->user, (const char *const *)app->groups, app->group_count);
}

/* P7: applications that no rule matched are placed in the queue root.default, if it exists and accepts
 * them. */
static bool accepts_default(struct yk__evaluation *evaluation)
{
    yk__target_reset(&evaluation->target);
    yk__target_add(&evaluation->target, YK_STR("default"));
    return evaluation->target.exists && acceptable(&evaluation->target, evaluation->app);
}

/* Appends why the application cannot be placed in the queue that it names: ", queue 'root.a' does not exist".
 * Leaves the text empty if the application names no full path, or if the queue would accept it. */
static void say_named(struct yk_queue *root, const struct yk_app *app, struct yk_buf *text)
{
    struct yk_str path = yk_str_from(app->submitted_queue), rest;
    const struct yk_queue *queue;
    if (path.len == 0 || (queue = yk_queue_find_deepest(root, path, &rest)) == NULL)
        return;
    yk_buf_printf(text, ", queue '" YK_STR_FMT "' ", YK_STR_ARG(path));
    if (yk_queue_is_draining(queue))
        yk_buf_text(text, "is being removed");
    else if (rest.p != NULL)
        yk_buf_text(text, "does not exist");
    else if (!queue->is_leaf)
        yk_buf_text(text, "has queues below it");
    else if (!yk_queue_may_submit(queue, app->user, (const char *const *)app->groups, app->group_count))
        yk_buf_printf(text, "does not accept user '%s'", app->user);
    else
        yk_buf_clear(text);
}

enum yk_status yk_placement_place(const struct yk_placement *placement, struct yk_queue *root,
                                  const struct yk_app *app, struct yk_buf *ret_path, struct yk_err *err)
{
    struct yk__evaluation evaluation = {.app = app, .target = {.root = root, .path = ret_path}, .err = err};
    for (size_t i = 0; i < placement->count; i++) {
        switch (yk__rule_run(placement->rules[i], &evaluation)) {
        case YK__NO_MATCH:
            break;
        case YK__FAILED:
            return yk_fail_in(err, YK_ERR_INVALID, "failed to place application %s", app->id);
        case YK__PATH:
            if (acceptable(&evaluation.target, app))
                return YK_OK;
            break;
        }
    }
    if (accepts_default(&evaluation))
        return YK_OK;
    YK_CLEANUP(yk_buf_done) struct yk_buf named = {.max = YK_ERR_TEXT_MAX};
    say_named(root, app, &named);
    return yk_fail(err, YK_ERR_NOT_FOUND,
                   "failed to place application %s: application rejected: no placement rule matched%s",
                   app->id, yk_buf_cstr(&named));
}

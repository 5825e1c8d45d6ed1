/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/pending_count.h"

#include "objects/app.h"
#include "objects/queue.h"

static enum yk_pending_status status_of(enum yk_wait wait)
{
    switch (wait) {
    case YK_WAIT_NONE:
        return YK_PENDING_ACTIVE;
    case YK_WAIT_APP_LIMIT:
    case YK_WAIT_USER_QUOTA:
    case YK_WAIT_QUEUE_QUOTA:
        return YK_PENDING_QUOTA;
    case YK_WAIT_NODES:
    case YK_WAIT_GANG:
        return YK_PENDING_UNSCHEDULABLE;
    case YK_WAIT_PLACEHOLDER:
    case YK_WAIT_REQUIRED_NODE:
        break;
    }
    return YK_PENDING_OTHER;
}

static int shown_as(enum yk_pending_hold hold, int status)
{
    if (hold == YK_PENDING_FREE)
        return status;
    return hold == YK_PENDING_GATED ? YK_PENDING_QUOTA : YK_PENDING_BACKOFF;
}

static void add_to_leaf(const struct yk_app *app, enum yk_pending_hold hold, int status, int64_t delta)
{
    int shown = shown_as(hold, status);
    if (!app->pending_count.in_leaf || delta == 0)
        return;
    app->leaf->pending_asks[shown] += (uint64_t)delta;
    app->leaf->pending_seen |= (uint8_t)(1U << shown);
}

void yk_pending_add(struct yk_group *group, int delta)
{
    struct yk_app *app = group->app;
    int status = (int)status_of(group->wait);
    app->pending_count.asks[status] += (uint32_t)delta;
    add_to_leaf(app, yk_pending_hold(app), status, delta);
}

void yk_pending_set_wait(struct yk_group *group, enum yk_wait wait)
{
    int asks = (int)group->asks.count;
    if (group->wait == wait)
        return;
    yk_pending_add(group, -asks);
    group->wait = wait;
    yk_pending_add(group, asks);
}

enum yk_pending_hold yk_pending_hold(const struct yk_app *app)
{
    if (app->start.held || yk_list_linked(&app->start.in_gated))
        return YK_PENDING_GATED;
    return yk_timer_armed(&app->backoff.pause) ? YK_PENDING_PAUSED : YK_PENDING_FREE;
}

void yk_pending_hold_changed(struct yk_app *app, enum yk_pending_hold before)
{
    enum yk_pending_hold now = yk_pending_hold(app);
    for (int status = 0; before != now && status < YK_PENDING_COUNT; status++) {
        add_to_leaf(app, before, status, -(int64_t)app->pending_count.asks[status]);
        add_to_leaf(app, now, status, app->pending_count.asks[status]);
    }
}

static void add_all(const struct yk_app *app, int64_t sign)
{
    for (int status = 0; status < YK_PENDING_COUNT; status++)
        add_to_leaf(app, yk_pending_hold(app), status, sign * (int64_t)app->pending_count.asks[status]);
}

void yk_pending_enter(struct yk_app *app)
{
    if (app->pending_count.in_leaf || app->leaf == NULL)
        return;
    app->pending_count.in_leaf = true;
    add_all(app, 1);
}

void yk_pending_leave(struct yk_app *app)
{
    add_all(app, -1);
    app->pending_count.in_leaf = false;
}

/* ---- for tests ---- */

static void recount(const struct yk_app *app, uint64_t own[YK_PENDING_COUNT],
                    uint64_t shown[YK_PENDING_COUNT])
{
    const struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        int status = (int)status_of(group->wait);
        own[status] += group->asks.count;
        shown[shown_as(yk_pending_hold(app), status)] += group->asks.count;
    }
}

bool yk_pending_valid(const struct yk_queue *leaf)
{
    uint64_t shown[YK_PENDING_COUNT] = {0};
    const struct yk_app *app;
    yk_list_foreach (app, &leaf->apps, struct yk_app, in_leaf) {
        uint64_t own[YK_PENDING_COUNT] = {0};
        recount(app, own, shown);
        for (int status = 0; status < YK_PENDING_COUNT; status++) {
            if (app->pending_count.asks[status] != own[status])
                return false;
        }
    }
    return memcmp(shown, leaf->pending_asks, sizeof(shown)) == 0;
}

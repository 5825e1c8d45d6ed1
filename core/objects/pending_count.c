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

static void add_to_leaf(const struct yk_app *app, bool gated, int status, int64_t delta)
{
    int shown = gated ? YK_PENDING_QUOTA : status;
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
    add_to_leaf(app, yk_pending_is_gated(app), status, delta);
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

bool yk_pending_is_gated(const struct yk_app *app)
{
    return app->start.held || yk_list_linked(&app->start.in_gated);
}

void yk_pending_gate_changed(struct yk_app *app, bool was_gated)
{
    bool is_gated = yk_pending_is_gated(app);
    for (int status = 0; was_gated != is_gated && status < YK_PENDING_COUNT; status++) {
        add_to_leaf(app, was_gated, status, -(int64_t)app->pending_count.asks[status]);
        add_to_leaf(app, is_gated, status, app->pending_count.asks[status]);
    }
}

static void add_all(const struct yk_app *app, int64_t sign)
{
    for (int status = 0; status < YK_PENDING_COUNT; status++)
        add_to_leaf(app, yk_pending_is_gated(app), status, sign * (int64_t)app->pending_count.asks[status]);
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
        shown[yk_pending_is_gated(app) ? YK_PENDING_QUOTA : status] += group->asks.count;
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

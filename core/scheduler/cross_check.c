/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/cross_check.h"

#include "state/core.h"

struct yk_suspect {
    int64_t since_mono_ns; /* when it was found first; all passes since then have found it */
    bool is_confirmed;     /* the pass before this one has found it, too */
    char text[];
};

static void clear(struct yk_suspects *suspects)
{
    struct yk_suspect *suspect;
    yk_vec_foreach (suspect, &suspects->items)
        free(suspect);
    yk_vec_done(&suspects->items);
    *suspects = (struct yk_suspects){0};
}

static void add(struct yk_cross_check *check, enum yk_difference kind, const char *text)
{
    struct yk_suspects *found = &check->found[kind];
    if (found->items.count == YK_CROSS_CHECK_SUSPECTS) {
        found->more++;
        return;
    }
    size_t bytes = strlen(text) + 1;
    struct yk_suspect *suspect = yk_alloc0(sizeof(*suspect) + bytes);
    suspect->since_mono_ns = yk_clock_mono_ns(check->core->clock);
    memcpy(suspect->text, text, bytes);
    yk_vec_append(&found->items, suspect);
}

/* ---- allocations ---- */

static void add_allocation(struct yk_cross_check *check, const struct yk_ask *ask)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4 << 10};
    const struct yk_app *app = yk_ask_app(ask);
    yk_buf_printf(&text, "allocationKey %s, applicationID %s, node %s", ask->key, app != NULL ? app->id : "",
                  ask->node->id);
    add(check, YK_DIFFERENCE_NO_OBJECT, yk_buf_cstr(&text));
}

static size_t look_at_node(struct yk_cross_check *check, const struct yk_rm *rm, const struct yk_node *node)
{
    const struct yk_ask *ask;
    size_t looked_at = 1;
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        looked_at++;
        if (!rm->callbacks.is_placed(rm->context, ask->cookie, node->cookie))
            add_allocation(check, ask);
    }
    return looked_at;
}

/* Looks at nodes one by one, until `max` nodes and allocations were looked at. Returns their number, which
 * may be larger. */
static size_t look_at_partition(struct yk_cross_check *check, const struct yk_partition *partition,
                                size_t max)
{
    const struct yk_rm *rm = partition->rm;
    size_t looked_at = 0;
    if (rm->callbacks.is_placed == NULL)
        check->node = partition->nodes.count;
    while (check->node < partition->nodes.count && looked_at < max) {
        const struct yk_node *node = partition->nodes.items[check->node++];
        looked_at += node != NULL ? look_at_node(check, rm, node) : 1;
    }
    if (check->node >= partition->nodes.count) {
        check->partition++;
        check->node = 0;
    }
    return looked_at;
}

/* ---- objects ---- */

static void add_object(void *context, const char *name)
{
    add(context, YK_DIFFERENCE_NO_ALLOCATION, name);
}

static void look_at_objects(struct yk_cross_check *check, const struct yk_rm *rm)
{
    if (rm->callbacks.find_unallocated != NULL &&
        rm->callbacks.find_unallocated(rm->context, &check->cursor, YK_CROSS_CHECK_STEP, add_object, check))
        return;
    check->rm++;
    check->cursor = 0;
}

/* ---- passes ---- */

static int suspect_order(const void *a, const void *b)
{
    return strcmp(((const struct yk_suspect *)a)->text, ((const struct yk_suspect *)b)->text);
}

/* Copies the times of differences that the pass before has found, too. Both lists are sorted by text. */
static void take_times(struct yk_suspects *found, const struct yk_suspects *known)
{
    struct yk_suspect *suspect;
    size_t at = 0;
    yk_vec_foreach (suspect, &found->items) {
        while (at < known->items.count && suspect_order(known->items.items[at], suspect) < 0)
            at++;
        if (at == known->items.count)
            return;
        const struct yk_suspect *before = known->items.items[at];
        if (suspect_order(before, suspect) != 0)
            continue;
        suspect->since_mono_ns = before->since_mono_ns;
        suspect->is_confirmed = true;
    }
}

static void end_pass(struct yk_cross_check *check)
{
    check->under_way = false;
    for (int kind = 0; kind < YK_DIFFERENCE_COUNT; kind++) {
        struct yk_suspects *found = &check->found[kind], *known = &check->known[kind];
        yk_vec_sort(&found->items, suspect_order);
        take_times(found, known);
        clear(known);
        *known = *found;
        *found = (struct yk_suspects){0};
    }
}

bool yk_cross_check_step(struct yk_cross_check *check)
{
    const struct yk_core *core = check->core;
    if (!check->under_way)
        return false;
    size_t looked_at = 0;
    while (check->partition < core->partitions.count && looked_at < YK_CROSS_CHECK_STEP)
        looked_at += look_at_partition(check, core->partitions.items[check->partition],
                                       YK_CROSS_CHECK_STEP - looked_at);
    if (check->partition < core->partitions.count)
        return true;
    if (check->rm < core->rms.count) {
        look_at_objects(check, core->rms.items[check->rm]);
        return true;
    }
    end_pass(check);
    return false;
}

static void on_timer(struct yk_timer *timer)
{
    struct yk_cross_check *check = YK_CONTAINER(timer, struct yk_cross_check, timer);
    if (yk_cross_check_step(check))
        yk_timer_arm(check->core->timers, timer, YK_CROSS_CHECK_PAUSE_NS);
    yk_timers_nothing_changed(check->core->timers);
}

void yk_cross_check_begin(struct yk_cross_check *check)
{
    if (check->under_way)
        return;
    check->under_way = true;
    check->partition = check->node = check->rm = 0;
    check->cursor = 0;
    if (!check->core->manual)
        yk_timer_arm(check->core->timers, &check->timer, YK_CROSS_CHECK_PAUSE_NS);
}

size_t yk_cross_check_list(const struct yk_cross_check *check, enum yk_difference kind, size_t max,
                           void (*sink)(void *context, const char *text), void *context)
{
    int64_t now_ns = yk_clock_mono_ns(check->core->clock);
    const struct yk_suspects *known = &check->known[kind];
    const struct yk_suspect *suspect;
    size_t count = 0;
    yk_vec_foreach (suspect, &known->items) {
        if (!suspect->is_confirmed || now_ns - suspect->since_mono_ns < YK_CROSS_CHECK_GRACE_NS)
            continue;
        if (count++ < max)
            sink(context, suspect->text);
    }
    return count > 0 ? count + known->more : 0;
}

void yk_cross_check_init(struct yk_cross_check *check, struct yk_core *core)
{
    *check = (struct yk_cross_check){.core = core, .timer.fire = on_timer};
}

void yk_cross_check_done(struct yk_cross_check *check)
{
    yk_timer_cancel(check->core->timers, &check->timer);
    for (int kind = 0; kind < YK_DIFFERENCE_COUNT; kind++) {
        clear(&check->found[kind]);
        clear(&check->known[kind]);
    }
}

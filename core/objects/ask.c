/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/ask.h"

#include "objects/gang.h"
#include "resources/shared.h"

_Static_assert(offsetof(struct yk_ask, bind_wall_ns) + sizeof(int64_t) <=
                   offsetof(struct yk_tree_link, height),
               "the fields of an allocation leave the heights of the link 0, so it is not linked");
_Static_assert(offsetof(struct yk_ask, bound_after_ms) > offsetof(struct yk_tree_link, right_height),
               "the fields of an allocation leave the heights of the link 0, so it is not linked");

const char *yk_wait_text(enum yk_wait wait)
{
    switch (wait) {
    case YK_WAIT_NONE:
        return "Not attempted yet";
    case YK_WAIT_APP_LIMIT:
        return "Queue or user runs its maximum of applications";
    case YK_WAIT_USER_QUOTA:
        return "Not enough user quota";
    case YK_WAIT_QUEUE_QUOTA:
        return "Not enough queue quota";
    case YK_WAIT_NODES:
        return "No node fits";
    case YK_WAIT_PLACEHOLDER:
        return "Waits for a placeholder to be replaced";
    case YK_WAIT_REQUIRED_NODE:
        return "No fit on required node, preemption does not help";
    case YK_WAIT_GANG:
        return "Not all members of the gang fit";
    }
    return "";
}

const char *yk_preempt_text(enum yk_preempt_note note)
{
    switch (note) {
    case YK_PREEMPT_NOT_YET:
        return "Preemption preconditions failed";
    case YK_PREEMPT_GUARANTEES:
        return "Preemption queue guarantees check failed";
    case YK_PREEMPT_SHORT:
        return "Preemption helped but short of resources";
    case YK_PREEMPT_NO_HELP:
        return "Preemption does not help";
    case YK_PREEMPT_EXHAUSTED:
        return "Preemption max attempts exhausted";
    case YK_PREEMPT_TOO_LATE:
        return "Victims picked earlier were released at the final stage";
    }
    return "";
}

static uint32_t flags_of(const struct yk_si_allocation *from)
{
    return (from->placeholder ? YK_ASK_PLACEHOLDER : 0) | (from->originator ? YK_ASK_ORIGINATOR : 0) |
           (from->allow_preempt_self ? YK_ASK_PREEMPT_SELF : 0) |
           (from->allow_preempt_other ? YK_ASK_PREEMPT_OTHER : 0) | (from->foreign ? YK_ASK_FOREIGN : 0) |
           (from->foreign_static ? YK_ASK_STATIC : 0) | (from->key_stays ? YK_ASK_KEY_STAYS : 0);
}

static struct yk_ask_extra *extra_of(struct yk_ask *ask)
{
    if (ask->extra == NULL)
        ask->extra = yk_new0(struct yk_ask_extra);
    return ask->extra;
}

static void extra_free(struct yk_ask *ask)
{
    yk_shared_put(ask->extra->foreign_size);
    yk_tags_done(&ask->extra->tags);
    free(yk_move(ask->extra));
}

static void drop_extra_if_empty(struct yk_ask *ask)
{
    const struct yk_ask_extra *extra = ask->extra;
    bool is_used = extra->reservation != NULL || extra->nomination != NULL || extra->handover != NULL ||
                   extra->peer != NULL || extra->place != NULL || extra->placeholder_wall_ns != 0 ||
                   extra->run_limit_ns != 0 || extra->tags.count > 0 || extra->foreign_size != NULL;
    if (!is_used)
        extra_free(ask);
}

void yk_ask_set_foreign_size(struct yk_ask *ask, const struct yk_resvec *size)
{
    struct yk_ask_extra *extra = extra_of(ask);
    const struct yk_resvec *before = extra->foreign_size;
    extra->foreign_size = yk_shared_get(size);
    yk_shared_put(before);
}

/* Whether the ask has no extra fields and needs none for the new value of a field. */
static bool stays_without(const struct yk_ask *ask, bool is_set)
{
    return ask->extra == NULL && !is_set;
}

void yk_ask_set_reservation(struct yk_ask *ask, struct yk_reservation *reservation)
{
    if (stays_without(ask, reservation != NULL))
        return;
    extra_of(ask)->reservation = reservation;
    drop_extra_if_empty(ask);
}

void yk_ask_set_nomination(struct yk_ask *ask, struct yk_nomination *nomination)
{
    if (stays_without(ask, nomination != NULL))
        return;
    extra_of(ask)->nomination = nomination;
    drop_extra_if_empty(ask);
}

void yk_ask_set_handover(struct yk_ask *ask, struct yk_handover *handover)
{
    if (stays_without(ask, handover != NULL))
        return;
    extra_of(ask)->handover = handover;
    drop_extra_if_empty(ask);
}

void yk_ask_set_peer(struct yk_ask *ask, struct yk_ask *peer)
{
    if (stays_without(ask, peer != NULL))
        return;
    extra_of(ask)->peer = peer;
    drop_extra_if_empty(ask);
}

void yk_ask_set_placeholder_wall_ns(struct yk_ask *ask, int64_t wall_ns)
{
    extra_of(ask)->placeholder_wall_ns = wall_ns;
    drop_extra_if_empty(ask);
}

void yk_ask_set_run_limit_ns(struct yk_ask *ask, int64_t limit_ns)
{
    if (stays_without(ask, limit_ns != 0))
        return;
    extra_of(ask)->run_limit_ns = limit_ns;
    drop_extra_if_empty(ask);
}

const struct yk_tags *yk_ask_tags(const struct yk_ask *ask)
{
    static const struct yk_tags none;
    return ask->extra != NULL ? &ask->extra->tags : &none;
}

struct yk_ask *yk_ask_new(struct yk_pool *pool, const struct yk_si_allocation *from, int64_t now_wall_ns,
                          uint64_t sequence)
{
    struct yk_ask *ask = yk_pool_take(pool);
    ask->key = from->key_stays ? from->key : yk_strdup(from->key);
    ask->cookie = from->cookie;
    ask->create_wall_ns = from->create_wall_ns > 0 ? from->create_wall_ns : now_wall_ns;
    ask->sequence = sequence;
    ask->flags = flags_of(from);
    yk_ask_set_run_limit_ns(ask, from->run_limit_ns);
    if (from->tag_count > 0)
        yk_tags_init(&extra_of(ask)->tags, from->tags, from->tag_count);
    if (from->foreign) {
        yk_ask_set_foreign_size(ask, from->resource);
        ask->extra->foreign_priority = from->priority;
    }
    return ask;
}

struct yk_str yk_ask_key(const void *ask)
{
    return yk_str_from(((const struct yk_ask *)ask)->key);
}

uint32_t yk_ask_key_hash(const void *ask)
{
    return ((const struct yk_ask *)ask)->key_hash;
}

void yk_ask_free(struct yk_pool *pool, struct yk_ask *ask)
{
    if (ask == NULL)
        return;
    YK_ASSERT(!yk_tree_linked(&ask->in_group) && ask->node == NULL && yk_ask_place(ask) == NULL);
    if ((ask->flags & YK_ASK_KEY_STAYS) == 0)
        free((void *)(uintptr_t)ask->key); /* the key is a copy */
    if (ask->extra != NULL)
        extra_free(ask);
    yk_pool_give(pool, ask);
}

static int compare_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}
static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_asks(const struct yk_ask *a, const struct yk_ask *b)
{
    int order = compare_i64(a->create_wall_ns, b->create_wall_ns);
    return order != 0 ? order : compare_u64(a->sequence, b->sequence);
}

int yk_ask_order(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return compare_asks(YK_CONTAINER(a, struct yk_ask, in_group), YK_CONTAINER(b, struct yk_ask, in_group));
}

int yk_ask_arrival_order(const void *a, const void *b)
{
    const struct yk_ask *x = a, *y = b;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

int yk_ask_place_order(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return compare_asks(yk_ask_of_place(a), yk_ask_of_place(b));
}

void yk_ask_enter_place(struct yk_ask *placeholder)
{
    struct yk_ask_extra *extra = extra_of(placeholder);
    if (!YK_ASSERT(extra->place == NULL))
        return;
    extra->place = yk_new0(struct yk_ask_place);
    extra->place->ask = placeholder;
    yk_tree_insert(&placeholder->group->task_group->placeholders, &extra->place->in_task_group);
}

void yk_ask_leave_place(struct yk_ask *placeholder)
{
    struct yk_ask_place *place = yk_ask_place(placeholder);
    if (place == NULL)
        return;
    yk_tree_remove(&placeholder->group->task_group->placeholders, &place->in_task_group);
    placeholder->extra->place = NULL;
    free(place);
    drop_extra_if_empty(placeholder);
}

static struct yk_ask *ask_before(const struct yk_ask *ask)
{
    struct yk_tree_link *prev = yk_tree_prev(&ask->in_group);
    return prev == NULL ? NULL : YK_CONTAINER(prev, struct yk_ask, in_group);
}

void yk_group_insert(struct yk_group *group, struct yk_ask *ask)
{
    yk_tree_insert(&group->asks, &ask->in_group);
    group->report.unreported += (ask->flags & YK_ASK_TOLD_FAILED) == 0;
    group->report.unskipped += (ask->flags & YK_ASK_TOLD_SKIPPED) == 0;
    if (group->first == NULL || compare_asks(ask, group->first) < 0)
        group->first = ask;
    if (group->preempt.passed != NULL && compare_asks(ask, group->preempt.passed) < 0)
        group->preempt.passed = ask_before(ask); /* preemption has not looked at the new ask */
    if (group->report.next != NULL && compare_asks(ask, group->report.next) < 0) {
        group->report.before++;
        group->report.joined_before = true;
    }
}

void yk_group_remove(struct yk_group *group, struct yk_ask *ask)
{
    if (group->first == ask) {
        struct yk_tree_link *next = yk_tree_next(&ask->in_group);
        group->first = next == NULL ? NULL : YK_CONTAINER(next, struct yk_ask, in_group);
    }
    if (group->preempt.passed == ask)
        group->preempt.passed = ask_before(ask);
    if (group->report.next == ask) {
        struct yk_tree_link *next = yk_tree_next(&ask->in_group);
        group->report.next = next == NULL ? NULL : YK_CONTAINER(next, struct yk_ask, in_group);
    } else if (group->report.next != NULL && compare_asks(ask, group->report.next) < 0) {
        group->report.before--;
    }
    yk_tree_remove(&group->asks, &ask->in_group);
    group->report.unreported -= (ask->flags & YK_ASK_TOLD_FAILED) == 0;
    group->report.unskipped -= (ask->flags & YK_ASK_TOLD_SKIPPED) == 0;
}

void yk_group_set_waits_for(struct yk_group *group, struct yk_queue *queue)
{
    group->waits_for = queue;
}

int yk_group_compare(const struct yk_group *a, const struct yk_group *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return compare_asks(a->first, b->first);
}

int yk_group_order_pending(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    const struct yk_group *x = YK_CONTAINER(a, struct yk_group, in_pending),
                          *y = YK_CONTAINER(b, struct yk_group, in_pending);
    int order = yk_group_lends_priority(y) - yk_group_lends_priority(x);
    return order != 0 ? order : yk_group_compare(x, y);
}

int yk_group_order_active(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return yk_group_compare(YK_CONTAINER(a, struct yk_group, in_active),
                            YK_CONTAINER(b, struct yk_group, in_active));
}

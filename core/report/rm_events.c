/* SPDX-License-Identifier: Apache-2.0 */
#include "report/rm_events.h"

#include "base/log.h"
#include "state/core.h"

#define PUSH_NS (2 * YK_NS_PER_S)

enum { HANDLE_MAX = 1024, KEPT_ITEMS = 64 };

static void clear(struct yk_rm_events *told)
{
    yk_arena_done(&told->texts);
    told->count = 0;
    if (told->capacity > KEPT_ITEMS) {
        free(told->items);
        told->items = NULL;
        told->capacity = 0;
    }
}

void yk_rm_events_done(struct yk_rm *rm)
{
    struct yk_rm_events *told = &rm->events;
    yk_timer_cancel(rm->core->timers, &told->push);
    clear(told);
    free(told->items);
    *told = (struct yk_rm_events){.items = NULL};
}

static void on_push(struct yk_timer *timer)
{
    struct yk_rm *rm = YK_CONTAINER(timer, struct yk_rm, events.push);
    struct yk_rm_events *told = &rm->events;
    rm->core->events.collected += told->count;
    rm->callbacks.events(rm->context, told->items, told->count);
    clear(told);
}

static bool has_capacity(struct yk_rm *rm)
{
    struct yk_rm_events *told = &rm->events;
    struct yk_events *events = &rm->core->events;
    if (told->count >= events->settings.request_capacity) {
        events->not_stored++;
        return false;
    }
    if (told->count == told->capacity) {
        told->capacity = YK_MIN(YK_MAX(told->capacity * 2, 16), events->settings.request_capacity);
        told->items = yk_realloc_array(told->items, told->capacity, sizeof(*told->items));
    }
    events->stored++;
    return true;
}

/* The handle by which the resource manager finds the object of the ask later, when the ask may have ended;
 * NULL: none. */
static const char *handle_of(struct yk_rm *rm, const struct yk_ask *ask)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf handle = {.max = HANDLE_MAX};
    if (ask == NULL || rm->callbacks.ask_handle == NULL)
        return NULL;
    rm->callbacks.ask_handle(rm->context, ask->cookie, &handle);
    return yk_arena_str(&rm->events.texts, yk_buf_view(&handle)).p;
}

static const char *copy(struct yk_rm_events *told, struct yk_str text)
{
    return text.len > 0 ? yk_arena_str(&told->texts, text).p : "";
}

/* The parts that are left of a message that was cut to `kept` bytes: the key only if it is complete, the
 * amounts if they begin within these bytes. */
static struct yk_si_message_parts parts_within(struct yk_si_message_parts parts, size_t key_len, size_t kept)
{
    return (struct yk_si_message_parts){
        .key = parts.key + key_len <= kept ? parts.key : 0,
        .amounts = parts.amounts <= kept ? parts.amounts : 0,
    };
}

void yk_rm_events_add(struct yk_rm *rm, const struct yk_event *event, const struct yk_ask *ask,
                      struct yk_si_message_parts parts)
{
    char space[YK_EVENT_MESSAGE_MAX];
    struct yk_rm_events *told = &rm->events;
    if (rm->callbacks.events == NULL || !has_capacity(rm))
        return;
    struct yk_str message = yk_event_cut_message(event->message, space);
    size_t kept = message.len < event->message.len ? message.len - YK_EVENT_DOTS_LEN : message.len;
    told->items[told->count++] = (struct yk_si_event){
        .type = (int)event->type,
        .change = (int)event->change,
        .detail = (int)event->detail,
        .wall_ns = event->wall_ns,
        .object_id = copy(told, event->object_id),
        .reference_id = copy(told, event->reference_id),
        .message = copy(told, message),
        .handle = handle_of(rm, ask),
        .parts = parts_within(parts, event->object_id.len, kept),
    };
    told->push.fire = on_push;
    if (!yk_timer_armed(&told->push))
        yk_timer_arm(rm->core->timers, &told->push, PUSH_NS);
}

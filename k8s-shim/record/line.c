/* SPDX-License-Identifier: Apache-2.0 */
#include "record/line.h"

static const char *const events[] = {
    [YK_WATCH_UPSERT] = "upsert",
    [YK_WATCH_DELETED] = "deleted",
    [YK_WATCH_REPLACE_BEGIN] = "list begins",
    [YK_WATCH_REPLACE_END] = "list ends",
    [YK_WATCH_REPLACE_GAPS] = "list ends with gaps",
};

static const char *const results[] = {
    [YK_OP_OK] = "ok",           [YK_OP_NOT_FOUND] = "not found", [YK_OP_CONFLICT] = "conflict",
    [YK_OP_INVALID] = "invalid", [YK_OP_GONE] = "gone",           [YK_OP_UNAUTHORIZED] = "unauthorized",
    [YK_OP_RETRY] = "retry",     [YK_OP_CANCELLED] = "cancelled",
};

static const char *const orders[] = {[YK_RECORD_LEAD] = "lead", [YK_RECORD_STOP] = "stop"};

static size_t find(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && (name == NULL || strcmp(names[i], name) != 0))
        i++;
    return i;
}

const char *yk_record_event_name(enum yk_watch_event event)
{
    return events[event];
}

bool yk_record_event_of(const char *name, enum yk_watch_event *ret)
{
    size_t i = find(events, YK_COUNT(events), name);
    *ret = i < YK_COUNT(events) ? (enum yk_watch_event)i : YK_WATCH_UPSERT;
    return i < YK_COUNT(events);
}

const char *yk_record_result_name(enum yk_op_result result)
{
    return results[result];
}

bool yk_record_result_of(const char *name, enum yk_op_result *ret)
{
    size_t i = find(results, YK_COUNT(results), name);
    *ret = i < YK_COUNT(results) ? (enum yk_op_result)i : YK_OP_OK;
    return i < YK_COUNT(results);
}

const char *yk_record_order_name(enum yk_record_order order)
{
    return orders[order];
}

bool yk_record_order_of(const char *name, enum yk_record_order *ret)
{
    size_t i = find(orders, YK_COUNT(orders), name);
    *ret = i < YK_COUNT(orders) ? (enum yk_record_order)i : YK_RECORD_LEAD;
    return i < YK_COUNT(orders);
}

bool yk_record_kind_of(const char *name, enum yk_kind *ret)
{
    for (int kind = 0; name != NULL && kind < YK_KIND_COUNT; kind++) {
        if (strcmp(yk_kind_name((enum yk_kind)kind), name) == 0) {
            *ret = (enum yk_kind)kind;
            return true;
        }
    }
    return false;
}

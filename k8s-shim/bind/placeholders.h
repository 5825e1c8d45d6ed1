/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates the placeholder pods that gangs need, a few requests at a time, and passes the answers on.
 *
 * A request that fails temporarily is repeated with growing pauses, as long as the gang waits. A placeholder
 * that exists already (its name identifies it) counts as created: the answer to an earlier request was lost,
 * perhaps with the process that had sent it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md, "Gangs" (S14).
 */
#ifndef YK_BIND_PLACEHOLDERS_H
#define YK_BIND_PLACEHOLDERS_H

#include "app/apps.h"
#include "base/timer.h"

enum {
    YK_PLACEHOLDERS_IN_FLIGHT_MAX = 32, /* including those that wait to be repeated */
    YK_PLACEHOLDER_TRIES_MAX = 8,
};

/* Written by: bind; shim sets `in_flight` to 0 in a copy of the process. */
struct yk_placeholders {
    struct yk_api_server *api; /* borrowed for life, as the next two */
    struct yk_timers *timers;
    struct yk_apps *apps;
    struct yk_list waiting; /* requests that wait to be repeated */
    size_t in_flight;
    struct yk_timer again; /* for placeholders that were not seen */
    bool stopping;
    uint64_t made, refused; /* answers so far */
};

/* Makes it idle. The pointers are borrowed for life. */
void yk_placeholders_init(struct yk_placeholders *placeholders, struct yk_api_server *api,
                          struct yk_timers *timers, struct yk_apps *apps);
/* Sends requests as long as the limit allows. O(1) if there is nothing to create. */
void yk_placeholders_run(struct yk_placeholders *placeholders);
/* Sends no further requests. */
void yk_placeholders_stop(struct yk_placeholders *placeholders);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates the placeholder pods that gangs need, a few requests at a time, and reports the answers to app/.
 *
 * A request that fails temporarily is repeated with growing pauses, as long as the gang waits for its
 * placeholders; after YK_PLACEHOLDER_TRIES_MAX tries it counts as refused. If a pod of that name exists, the
 * placeholder counts as created: the answer to an earlier request was lost, maybe because the process was
 * restarted.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md, "Gangs" (S14).
 */
#ifndef YK_BIND_PLACEHOLDERS_H
#define YK_BIND_PLACEHOLDERS_H

#include "app/apps.h"
#include "base/timer.h"

enum {
    YK_PLACEHOLDERS_IN_FLIGHT_MAX = 32, /* requests in flight, and those that wait to be repeated */
    YK_PLACEHOLDER_TRIES_MAX = 8,       /* how often a request is sent that fails temporarily */
};

/* Written by: bind; shim sets `in_flight` to 0 in a copy of the process. */
struct yk_placeholders {
    struct yk_api_server *api; /* borrowed for life, as the next two */
    struct yk_timers *timers;
    struct yk_apps *apps;
    struct yk_list waiting; /* struct order: requests that wait to be repeated */
    size_t in_flight;       /* requests without a final answer, those in `waiting` included */
    struct yk_timer again;  /* when missing placeholders are created again */
    bool stopping;
    /* So far: placeholders that were created, existed or were not needed any longer; refused ones. */
    uint64_t made, refused;
};

/* Makes it without requests. `api`, `timers` and `apps` are borrowed for its life. */
void yk_placeholders_init(struct yk_placeholders *placeholders, struct yk_api_server *api,
                          struct yk_timers *timers, struct yk_apps *apps);
/* Sends requests for the gangs in apps->making, up to YK_PLACEHOLDERS_IN_FLIGHT_MAX in flight, and starts
 * the timer after which the gangs in apps->incomplete are checked. To be called after each change and each
 * timer, when recovery is complete; not on a standby. No effect after yk_placeholders_stop(). O(1) if there
 * is nothing to create. */
void yk_placeholders_run(struct yk_placeholders *placeholders);
/* Sends no further requests, and drops those that wait to be repeated. Answers to those in flight are not
 * reported to app/. Before the struct is freed, all of them must have come. */
void yk_placeholders_stop(struct yk_placeholders *placeholders);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates the placeholder pods that gangs need, a few requests at a time, and reports the answers to app/.
 *
 * A request that fails temporarily is repeated with growing pauses, as long as the gang waits for its
 * placeholders. After YK_PLACEHOLDER_TRIES_MAX tries, the placeholder counts as refused. If the cache has a
 * pod with the name of the placeholder when a request has failed, the placeholder counts as created, because
 * the answer to an earlier request may have been lost, for example when the process was restarted.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md, "Gangs" (S14).
 */
#ifndef YK_BIND_PLACEHOLDERS_H
#define YK_BIND_PLACEHOLDERS_H

#include "app/apps.h"
#include "base/timer.h"

enum {
    YK_PLACEHOLDERS_IN_FLIGHT_MAX = 32, /* requests that are in flight or wait to be repeated */
    YK_PLACEHOLDER_TRIES_MAX = 8,       /* how often a request that fails temporarily is sent */
};

/* Written by: bind. */
struct yk_placeholders {
    struct yk_api_server *api; /* borrowed for life */
    struct yk_timers *timers;  /* borrowed for life */
    struct yk_apps *apps;      /* borrowed for life */
    struct yk_list waiting;    /* struct order: requests that wait to be repeated */
    size_t in_flight;          /* requests without a final answer, including those in `waiting` */
    struct yk_timer again;     /* when it fires, missing placeholders are created again */
    bool stopping;
    /* Counts since the start. `made`: placeholders that were created, existed or were no longer needed. */
    uint64_t made, refused;
};

/* Makes `placeholders` without requests. `api`, `timers` and `apps` are borrowed for its life. */
void yk_placeholders_init(struct yk_placeholders *placeholders, struct yk_api_server *api,
                          struct yk_timers *timers, struct yk_apps *apps);
/* Sends requests for the gangs in apps->making, until `in_flight` is YK_PLACEHOLDERS_IN_FLIGHT_MAX. Starts
 * the timer after which the gangs in apps->incomplete are checked. To be called after each change and each
 * timer, once recovery is complete. A standby does not call it. No effect after yk_placeholders_stop(). O(1)
 * if there is nothing to create. */
void yk_placeholders_run(struct yk_placeholders *placeholders);
/* In a copy of the process, to which no answers come: takes the requests in flight as answered, without a
 * result. Those that wait to be repeated stay. */
void yk_placeholders_detach(struct yk_placeholders *placeholders);
/* Sends no further requests, and drops the requests that wait to be repeated. Answers to requests in flight
 * are not reported to app/. All these answers must have come before the struct is freed. */
void yk_placeholders_stop(struct yk_placeholders *placeholders);

#endif

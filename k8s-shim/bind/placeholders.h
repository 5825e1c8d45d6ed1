/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placeholder pods are made: what gangs still lack becomes requests, a few at a time, and answers.
 *
 * What the API server does not take for the moment is tried again with growing pauses, as long as the gang
 * waits for it. One that is there already (its name says that it is this one) counts as made: the answer to
 * an earlier request was lost, perhaps with the process that had sent it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md, "Gangs" (S14).
 */
#ifndef YK_BIND_PLACEHOLDERS_H
#define YK_BIND_PLACEHOLDERS_H

#include "app/apps.h"
#include "base/timer.h"

enum {
    YK_PLACEHOLDERS_IN_FLIGHT_MAX = 32, /* those that wait to be tried again included */
    YK_PLACEHOLDER_TRIES_MAX = 8,
};

struct yk_placeholders {
    struct yk_api_server *api; /* borrowed for life, as the next two */
    struct yk_timers *timers;
    struct yk_apps *apps;
    struct yk_list waiting; /* to be tried again */
    size_t in_flight;
    struct yk_timer again; /* for what has not come up */
    bool stopping;
    uint64_t made, refused; /* answers so far */
};

void yk_placeholders_init(struct yk_placeholders *placeholders, struct yk_api_server *api,
                          struct yk_timers *timers, struct yk_apps *apps);
/* Sends what there is to be made and room for. Cheap when there is nothing. */
void yk_placeholders_run(struct yk_placeholders *placeholders);
/* Nothing is sent any more. */
void yk_placeholders_stop(struct yk_placeholders *placeholders);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The application state machine: for each state, the events that are allowed in it and the states that they
 * lead to. partition/lifecycle.h has the actions that belong to a change of state.
 * Thread: any.
 * Source: docs/reference/scheduling.md 2.1 and 2.2.
 */
#ifndef YK_OBJECTS_APP_STATE_H
#define YK_OBJECTS_APP_STATE_H

#include "si.h"

enum yk_app_event {
    YK_APP_RUN,
    YK_APP_REJECT,
    YK_APP_COMPLETE,
    YK_APP_FAIL,
    YK_APP_EXPIRE,
    YK_APP_RESUME,
};

/* The name of the state for REST and the resource manager, such as "Accepted"; static. */
const char *yk_app_state_name(enum yk_app_state state);
/* The name of the event for logs and messages, such as "runApplication"; static. */
const char *yk_app_event_name(enum yk_app_event event);
/* Sets `*ret_to` to the state that `event` leads to from the state `from`; it may be `from` itself. False:
 * the event is not allowed in `from`, and `*ret_to` is untouched. Changes no application: yk_lifecycle_fire()
 * does. In a stateaware leaf, yk_lifecycle_fire() enters Starting in place of Running from Accepted. */
bool yk_app_next_state(enum yk_app_state from, enum yk_app_event event, enum yk_app_state *ret_to);

#endif

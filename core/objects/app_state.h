/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The application state machine: which event leads from which state where. What happens on the way is
 * partition/lifecycle.h.
 * Thread: any.
 * Source: docs/reference/scheduling.md 2.1 and 2.4.
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

/* "Accepted", "Running", ... as REST and the resource manager see it; static. */
const char *yk_app_state_name(enum yk_app_state state);
/* "runApplication", ... as logs and messages show it; static. */
const char *yk_app_event_name(enum yk_app_event event);
/* Sets `*ret_to` to the state that `event` leads to, which may be `from`. False: the state refuses the
 * event, and `*ret_to` is untouched. */
bool yk_app_next_state(enum yk_app_state from, enum yk_app_event event, enum yk_app_state *ret_to);

#endif

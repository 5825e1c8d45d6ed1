/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the shim has to say in a state dump: its cache, as one JSON value. For people who look for a fault;
 * what the cache does not keep of an object is not there, and objects stand in no order.
 *
 * Thread: scheduling thread; O(nodes + pods), in one go.
 * Source: docs/reference/kubernetes.md 3.11 (S25).
 */
#ifndef YK_APP_STATE_DUMP_H
#define YK_APP_STATE_DUMP_H

#include "app/apps.h"

/* Appends the tasks and applications of the shim as JSON. O(tasks). */
void yk_state_dump(const struct yk_apps *apps, struct yk_buf *json);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of the events that concern waiting asks: which modules get each event, and in which order
 * (state/wait_listener.h).
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_PARTITION_WAIT_EVENTS_H
#define YK_PARTITION_WAIT_EVENTS_H

#include "state/wait_listener.h"

/* yk_partition_new() stores it in `wait_listener` of each partition. */
extern const struct yk_wait_listener yk_wait_events;

#endif

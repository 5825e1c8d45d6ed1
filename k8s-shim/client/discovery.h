/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of the API server, and the API groups that it serves.
 *
 * Requested at the start, and again after an outage or when a kind was unknown. Nothing is known until the
 * first answer, and nothing waits for it.
 *
 * Thread: I/O thread.
 * Source: docs/reference/kubernetes.md, 7.1 "Discovery rule" (K17).
 */
#ifndef YK_CLIENT_DISCOVERY_H
#define YK_CLIENT_DISCOVERY_H

#include "base/random.h"
#include "client/transport.h"

enum yk_served { YK_SERVED_UNKNOWN, YK_SERVED_YES, YK_SERVED_NO };

struct yk_discovery;

/* Makes a discovery and sends the first request. The pointers are borrowed for life. `on_groups` (may be
 * NULL) is called with `context` each time after the groups were read. The caller frees the result. */
struct yk_discovery *yk_discovery_new(struct yk_transport *transport, struct yk_io_timers *timers,
                                      struct yk_random *random, void (*on_groups)(void *context),
                                      void *context);
void yk_discovery_free(struct yk_discovery *discovery);
YK_DEFINE_FREEP(yk_discovery)
/* Asks again, unless it is asking. */
void yk_discovery_refresh(struct yk_discovery *discovery);
/* Whether the API server serves that version ("v1") of that group ("scheduling.k8s.io"). */
enum yk_served yk_discovery_serves(const struct yk_discovery *discovery, const char *group,
                                   const char *version);
/* The version of the API server, such as "v1.36.1"; "" until it is known. Borrowed until the next refresh. */
const char *yk_discovery_version(const struct yk_discovery *discovery);

#endif

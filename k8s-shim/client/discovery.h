/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of the API server, and the API groups that it serves.
 *
 * Both are requested at the start, and again when yk_discovery_refresh() is called: first the version, and
 * the groups after its answer. Until the first answer, they are unknown. A request that fails is repeated
 * with back-off (client/backoff.h), also after a 403, because an operator may grant the permission while the
 * program runs. After a 404, the request is not repeated, because the API server does not serve the path.
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

/* Makes a discovery and sends the first request. `transport`, `timers`, `random` and `context` are borrowed
 * for its life. `on_groups` is called with `context` after each answer with the groups, but not before this
 * function has returned. `on_groups` must not free the discovery; it may be NULL. The caller frees the result
 * with yk_discovery_free(). */
struct yk_discovery *yk_discovery_new(struct yk_transport *transport, struct yk_io_timers *timers,
                                      struct yk_random *random, void (*on_groups)(void *context),
                                      void *context);
void yk_discovery_free(struct yk_discovery *discovery);
YK_DEFINE_FREEP(yk_discovery)
/* Requests version and groups again, soon after this call. No effect while a request is under way or waits
 * for its repetition. */
void yk_discovery_refresh(struct yk_discovery *discovery);
/* Whether the API server serves this version (such as "v1") of this group (such as "scheduling.k8s.io"),
 * according to the last answer. YK_SERVED_UNKNOWN: no answer with groups has come yet; ask again after
 * on_groups. */
enum yk_served yk_discovery_serves(const struct yk_discovery *discovery, const char *group,
                                   const char *version);
/* The version of the API server, such as "v1.36.1"; "" until it is known, "unknown" if the answer contains no
 * version. Borrowed from the discovery; the text may change when an answer arrives. */
const char *yk_discovery_version(const struct yk_discovery *discovery);

#endif

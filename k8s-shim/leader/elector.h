/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leader election: of several schedulers, the one that holds a Lease writes, and renews the Lease.
 *
 * A candidate asks for the Lease again and again, after pauses of random length; the leader renews it. Times
 * that other replicas write are never compared with the clock of this process. A Lease has expired when its
 * spec has not changed for the duration that it names, counted from when this process saw the last change.
 * The leader counts its own time from just before it sent the renewal, so it stops writing before another
 * replica can start. The lead is lost when no renewal succeeds within the renew deadline, or when another
 * replica holds the Lease: the fence closes at once, and the process is expected to end.
 *
 * Owns:      its copy of the Lease. Borrows the API server, timers, clock and fence for life.
 * Thread:    scheduling thread; yk_elector_is_healthy() and yk_elector_leads() any.
 * Invariant: the fence is open only while this process leads, and at most until the renew deadline after the
 *            last successful renewal was sent. At most one request is in flight.
 * Source:    docs/reference/kubernetes.md, "Leader election" (H1 to H6).
 */
#ifndef YK_LEADER_ELECTOR_H
#define YK_LEADER_ELECTOR_H

#include "api/fence.h"
#include "base/random.h"
#include "base/timer.h"

struct yk_elector;

struct yk_elector_times {
    int64_t lease_ns; /* lease duration: how long after the last renewal other replicas wait */
    int64_t renew_ns; /* renew deadline: how long the leader may write after its last successful renewal */
    int64_t retry_ns; /* pause between two requests; a candidate multiplies it by 1 to 2.2, at random */
};

/* 15 s, 10 s and 2 s, the defaults of other components of Kubernetes. */
extern const struct yk_elector_times yk_elector_times_default;
/* Checks that lease_ns > renew_ns > 1.2 x retry_ns > 0, and that `lease_ns` is at most INT32_MAX seconds.
 * Errors: YK_ERR_INVALID; `err` names the time that is wrong. */
YK_NODISCARD enum yk_status yk_elector_times_check(const struct yk_elector_times *times, struct yk_err *err);

struct yk_elector_options {
    struct yk_api_server *api; /* the requests for the Lease go there */
    struct yk_timers *timers;
    const struct yk_clock *clock;
    struct yk_fence *fence;        /* only the elector moves it */
    const char *namespace_, *name; /* of the Lease; copied */
    const char *hostname;          /* the identity is <hostname>_<uuid>; copied; not used with `identity` */
    /* Identity of an earlier process whose place this one takes, so that it need not wait for the Lease of
     * that process to expire. Copied. NULL: a new identity. */
    const char *identity;
    struct yk_elector_times times; /* yk_elector_times_check() has accepted them */
    uint64_t seed;                 /* of the UUID and the pauses */
    void *context;                 /* passed to `leads` and `lost` */
    /* Called when this process has got the Lease. The fence is open. At most once. The elector must not be
     * freed in the call. */
    void (*leads)(void *context);
    /* Called when the lead was lost, at most once: the fence is closed, and the elector sends nothing more.
     * `why` is a sentence, borrowed for the call. The elector must not be freed in the call. */
    void (*lost)(void *context, const char *why);
};

/* Makes an elector that has not started, and closes the fence. `options` and its texts are copied; the other
 * pointers in it are borrowed for life. The caller calls yk_elector_start(), and yk_elector_stand() when the
 * process is ready to lead. The caller frees the result with yk_elector_free(). */
struct yk_elector *yk_elector_new(const struct yk_elector_options *options);
/* Cancels the timers and frees the elector. No request may be in flight: call it when yk_elector_is_gone(),
 * or when the API server has been stopped. NULL is allowed. Neither `lost` is called nor the Lease
 * released. */
void yk_elector_free(struct yk_elector *elector);
YK_DEFINE_FREEP(yk_elector)
/* Sends the first request that reads the Lease; more follow with pauses. The duration of a Lease of another
 * replica is therefore measured from now on. Does not request the lead. Call it once. */
void yk_elector_start(struct yk_elector *elector);
/* Allows the elector to request the Lease, from the next round of the timers on. `leads` is called once this
 * process has got the Lease. Without effect after the lead was lost or yk_elector_leave(). */
void yk_elector_stand(struct yk_elector *elector);
/* Closes the fence, and begins to release the Lease if this process holds it. Call it when the process ends
 * and no write is in flight. Then wait for yk_elector_is_gone(); the API server and the timers must run until
 * then. `leads` and `lost` are not called after that. A second call has no effect. */
void yk_elector_leave(struct yk_elector *elector);
/* Whether the elector has finished: the lead was lost, or yk_elector_leave() has released the Lease or tried
 * for the renew deadline; and no request is in flight. True does not mean that the Lease was released. */
bool yk_elector_is_gone(const struct yk_elector *elector);

/* The name that the elector writes into the Lease: `identity` of the options, or hostname, "_" and a UUID.
 * Borrowed for the life of the elector. */
const char *yk_elector_identity(const struct yk_elector *elector);
/* The holder that the last answer named; "": no holder, or no answer yet. Borrowed until the next answer. */
const char *yk_elector_holder(const struct yk_elector *elector);
/* Whether this process leads: from just before `leads` is called, until the lead is lost or
 * yk_elector_leave(). Any thread. */
bool yk_elector_leads(const struct yk_elector *elector);
/* False if this process leads and the last successful renewal was sent more than the lease duration and 20 s
 * ago: the scheduling thread hangs. True otherwise, also if this process does not lead. Any thread. */
bool yk_elector_is_healthy(const struct yk_elector *elector);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leader election: of several schedulers, only the one that holds a Lease writes. It is the leader.
 *
 * A candidate asks for the Lease again and again, after pauses of random length. The leader renews the Lease.
 * Times that other replicas write are never compared with the clock of this process. A Lease has expired when
 * this process has seen no change of its spec for the duration that the spec names. The leader counts the
 * renew deadline from just before it sent the renewal, so it stops writing before another replica can start.
 * The lead is lost when no renewal succeeds within the renew deadline, or when it turns out that another
 * replica holds the Lease. The fence then closes at once, and the process is expected to end.
 *
 * Owns:      its copy of the Lease. Borrows the API server, timers, clock and fence for life.
 * Thread:    scheduling thread; yk_elector_is_healthy() and yk_elector_leads() any.
 * Invariant: the fence is open only while this process leads. It closes when the renew deadline has passed
 *            since the last successful renewal was sent. At most one request is in flight.
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
    int64_t retry_ns; /* pause between two tries; a candidate multiplies it by 1 to 2.2, at random */
};

/* 15 s, 10 s and 2 s, the defaults of other components of Kubernetes. */
extern const struct yk_elector_times yk_elector_times_default;
/* Checks that lease_ns > renew_ns > 1.2 x retry_ns > 0, and that `lease_ns` is at most INT32_MAX seconds.
 * Errors: YK_ERR_INVALID; `err` names the time that is wrong. */
YK_NODISCARD enum yk_status yk_elector_times_check(const struct yk_elector_times *times, struct yk_err *err);

struct yk_elector_options {
    struct yk_api_server *api; /* the API server that stores the Lease */
    struct yk_timers *timers;
    const struct yk_clock *clock;
    struct yk_fence *fence;        /* only the elector opens and closes it */
    const char *namespace_, *name; /* of the Lease; copied */
    const char *hostname;          /* copied; without `identity`, the identity is <first 200 bytes>_<uuid> */
    /* Identity of an earlier process whose place this process takes. This process then need not wait until
     * the Lease of the earlier one expires. Copied. NULL: a new identity. */
    const char *identity;
    struct yk_elector_times times; /* yk_elector_times_check() has accepted them */
    uint64_t seed;                 /* for the random numbers of the UUID and the pauses */
    void *context;                 /* passed to `leads` and `lost` */
    /* Called at most once, when this process has got the Lease and the fence is open. The elector must not be
     * freed in the call. */
    void (*leads)(void *context);
    /* Called at most once, when the lead was lost. The fence is closed, and the elector sends nothing more.
     * `why` is a sentence, borrowed for the call. The elector must not be freed in the call. */
    void (*lost)(void *context, const char *why);
};

/* Makes an elector that has not started, and closes the fence. `options` and its texts are copied; the other
 * pointers in `options` are borrowed for the life of the elector. The caller calls yk_elector_start(), and
 * yk_elector_stand() when the process is ready to lead, and frees the result with yk_elector_free(). */
struct yk_elector *yk_elector_new(const struct yk_elector_options *options);
/* Cancels the timers and frees the elector. No request may be in flight: call the function when
 * yk_elector_is_gone() is true, or when `options->api` has been stopped. NULL is allowed. The function does
 * not call `lost`, and does not release the Lease. */
void yk_elector_free(struct yk_elector *elector);
YK_DEFINE_FREEP(yk_elector)
/* Sends the first request that reads the Lease; more follow with pauses. The duration of a Lease of another
 * replica is measured from the first answer on. The function does not request the Lease. Call it once. */
void yk_elector_start(struct yk_elector *elector);
/* Allows the elector to request the Lease; `leads` is called when this process has got it. The function has
 * no effect after the lead was lost or yk_elector_leave() was called. */
void yk_elector_stand(struct yk_elector *elector);
/* Closes the fence, and begins to release the Lease if this process holds it. Call it when the process ends
 * and no write is in flight. Then wait until yk_elector_is_gone() is true; the API server and the timers must
 * run until then. `leads` and `lost` are not called after yk_elector_leave(). A second call has no effect. */
void yk_elector_leave(struct yk_elector *elector);
/* Whether the elector has finished and no request is in flight. The elector finishes when the lead is lost.
 * After yk_elector_leave() it finishes when this process does not hold the Lease any longer, at the latest
 * after the renew deadline. True does not mean that the Lease was released. */
bool yk_elector_is_gone(const struct yk_elector *elector);

/* The name that the elector writes into the Lease: `identity` of the options, or the hostname (at most 200
 * bytes), "_" and a UUID. Borrowed for the life of the elector. */
const char *yk_elector_identity(const struct yk_elector *elector);
/* The holder of the Lease as it was received last; "": there was no holder, or no Lease was received yet.
 * Borrowed until the next answer. */
const char *yk_elector_holder(const struct yk_elector *elector);
/* Whether this process leads: from just before `leads` is called, until the lead is lost or
 * yk_elector_leave() is called. Any thread. */
bool yk_elector_leads(const struct yk_elector *elector);
/* False if this process leads and the time since it sent the last successful renewal is the lease duration
 * plus 20 s, or longer. The scheduling thread then hangs. True otherwise, also if this process does not lead.
 * Any thread. */
bool yk_elector_is_healthy(const struct yk_elector *elector);

#endif

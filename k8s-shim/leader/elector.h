/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leader election: of several schedulers, the one that holds a Lease writes, and renews the Lease.
 *
 * A candidate asks for the Lease again and again, after a pause of random length; the leader renews it. Times
 * of others are never compared with our clock: a Lease has run out when it has not changed for its duration
 * since we saw it change. The leader counts from the moment before it asked, so its time to write ends before
 * that of another replica can begin. The Lease is lost when no renewal succeeds in time, or when another
 * replica holds it: the fence closes at once, and the process is expected to end.
 *
 * Owns:      its copy of the Lease. Borrows the API server, timers, clock and fence for life.
 * Thread:    scheduling thread; yk_elector_is_healthy() and yk_elector_leads() any.
 * Invariant: the fence is open only while we lead, and at most for the renew deadline after a renewal was
 *            sent that succeeded; one request is on its way at a time.
 * Source:    docs/reference/kubernetes.md, "Leader election" (H1 to H6).
 */
#ifndef YK_LEADER_ELECTOR_H
#define YK_LEADER_ELECTOR_H

#include "api/fence.h"
#include "base/random.h"
#include "base/timer.h"

struct yk_elector;

struct yk_elector_times {
    int64_t lease_ns; /* how long others wait for a holder that says nothing */
    int64_t renew_ns; /* how long the leader goes on without a renewal */
    int64_t retry_ns; /* between two tries */
};

/* 15 s, 10 s, 2 s, as other components of Kubernetes. */
extern const struct yk_elector_times yk_elector_times_default;
/* Checks that lease > renew > 1.2 x retry > 0, and that `lease_ns` in seconds fits into a Lease. Errors:
 * YK_ERR_INVALID naming what does not fit. */
YK_NODISCARD enum yk_status yk_elector_times_check(const struct yk_elector_times *times, struct yk_err *err);

struct yk_elector_options {
    struct yk_api_server *api;
    struct yk_timers *timers;
    const struct yk_clock *clock;
    struct yk_fence *fence;
    const char *namespace_, *name; /* of the Lease; copied */
    const char *hostname;          /* the identity is <hostname>_<uuid>; copied */
    const char *identity; /* of the process before, which this one goes on for; copied; NULL: a new one */
    struct yk_elector_times times; /* checked */
    uint64_t seed;                 /* of the uuid and the pauses */
    void *context;
    /* From now on we lead. */
    void (*leads)(void *context);
    /* The lead was lost: no more writes. `why` is a sentence. Called once; the elector does nothing more. */
    void (*lost)(void *context, const char *why);
};

/* Makes an elector that has not started. `options` and their texts are copied; other pointers are borrowed
 * for life. Closes the fence. The caller frees it with yk_elector_free(). */
struct yk_elector *yk_elector_new(const struct yk_elector_options *options);
/* Frees it, when all its requests have been answered. NULL is fine. */
void yk_elector_free(struct yk_elector *elector);
YK_DEFINE_FREEP(yk_elector)
/* Begins to read the Lease regularly, so that its duration is measured from now on. Does not request the
 * lead. */
void yk_elector_start(struct yk_elector *elector);
/* Begins to request the Lease. `leads` is called when this process holds it. */
void yk_elector_stand(struct yk_elector *elector);
/* Closes the fence, and releases the Lease if this process holds it. Call it at the end, when no write is in
 * flight. Then wait for yk_elector_is_gone(). */
void yk_elector_leave(struct yk_elector *elector);
/* Whether the elector has left or lost the lead and all its requests are answered. The Lease may not have
 * been released. */
bool yk_elector_is_gone(const struct yk_elector *elector);

/* The name that it writes into the Lease: hostname, "_" and a UUID. Borrowed for life. */
const char *yk_elector_identity(const struct yk_elector *elector);
/* The holder as of the last answer; "": none. Borrowed until the next answer. */
const char *yk_elector_holder(const struct yk_elector *elector);
/* Whether it holds the Lease. May be called on any thread. */
bool yk_elector_leads(const struct yk_elector *elector);
/* Whether this process does not lead, or has renewed the Lease within its duration and some tolerance. False:
 * the process hangs. Any thread. */
bool yk_elector_is_healthy(const struct yk_elector *elector);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "leader/elector.h"

#include "api/encode.h"
#include "base/log.h"
#include "leader/lease.h"

#include <stdatomic.h>

#define JITTER       1.2
#define TOLERANCE_NS (20 * YK_NS_PER_S) /* the health check adds it to the lease duration */
#define RELEASED_NS  YK_NS_PER_S        /* the duration of a Lease that is released */

enum { IDENTITY_MAX = 256 + 64 };

enum role {
    CANDIDATE,
    LEADER,
    LEAVING, /* releases the Lease if this process holds it */
    GONE,
};

/* What the request in flight is for. The numbers are steps of rule H3. */
enum step {
    RENEW,   /* 1: updates the Lease, which is ours as far as we know */
    LOOK,    /* 2: reads the Lease */
    CLAIM,   /* 2 and 5: creates the Lease, or updates one that has no holder, has expired, or is ours */
    RELEASE, /* removes us as holder */
};

struct yk_elector {
    struct yk_elector_options options;
    char *namespace_, *name, *identity; /* owned */
    struct yk_random random;
    enum role role;
    bool stands;               /* may request the Lease */
    bool busy;                 /* a request is in flight */
    enum step step;            /* what the request in flight, or the last one, is for */
    struct yk_lease *observed; /* the Lease as of the last answer; owned; NULL: none seen */
    /* When the spec of `observed` changed last: the time of the answer if the request read the Lease, the
     * time of the request if it wrote the Lease. */
    int64_t observed_mono_ns;
    int64_t sent_mono_ns;      /* when the request in flight, or the last one, was sent */
    struct yk_timer next;      /* begins the next try */
    struct yk_timer deadline;  /* LEADER: the renew deadline; LEAVING: when releasing is given up */
    char why[YK_ERR_TEXT_MAX]; /* the reason to name if the lead is lost now */
    /* When the last successful renewal was sent; 0: this process does not lead. Relaxed: other threads may
     * see a change a moment late. */
    _Atomic int64_t renewed_mono_ns;
};

const struct yk_elector_times yk_elector_times_default = {15 * YK_NS_PER_S, 10 * YK_NS_PER_S,
                                                          2 * YK_NS_PER_S};

static int64_t now_of(const struct yk_elector *elector)
{
    return yk_clock_mono_ns(elector->options.clock);
}

static bool is_ours(const struct yk_elector *elector)
{
    return elector->observed != NULL && strcmp(elector->observed->holder, elector->identity) == 0;
}

static void set_why(struct yk_elector *elector, const char *format, ...) YK_PRINTF(2, 3);
static void set_why(struct yk_elector *elector, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(elector->why, sizeof(elector->why), format, args); /* cut if too long */
    va_end(args);
}

/* ---- check of the times ---- */

static enum yk_status refuse(struct yk_err *err, const char *what, int64_t is_ns, const char *limit,
                             int64_t limit_ns)
{
    char is_text[YK_TIME_TEXT_MAX], limit_text[YK_TIME_TEXT_MAX];
    yk_duration_format(is_ns, is_text);
    yk_duration_format(limit_ns, limit_text);
    return yk_fail(err, YK_ERR_INVALID, "the %s (%s) must be longer than %s (%s)", what, is_text, limit,
                   limit_text);
}

enum yk_status yk_elector_times_check(const struct yk_elector_times *times, struct yk_err *err)
{
    if (times->retry_ns <= 0)
        return refuse(err, "retry period", times->retry_ns, "nothing", 0);
    if (times->lease_ns > INT32_MAX * YK_NS_PER_S)
        return yk_fail(err, YK_ERR_INVALID, "the lease duration is at most %d seconds", INT32_MAX);
    if (times->lease_ns <= times->renew_ns)
        return refuse(err, "lease duration", times->lease_ns, "the renew deadline", times->renew_ns);
    if ((double)times->renew_ns <= JITTER * (double)times->retry_ns)
        return refuse(err, "renew deadline", times->renew_ns, "1.2 times the retry period",
                      (int64_t)(JITTER * (double)times->retry_ns));
    return YK_OK;
}

/* ---- requests ---- */

static void answered(struct yk_op *op);

static struct yk_op *op_for(struct yk_elector *elector, enum yk_op_kind kind)
{
    struct yk_op *op = yk_op_new(kind, &(struct yk_op_target){.namespace_ = yk_str_from(elector->namespace_),
                                                              .name = yk_str_from(elector->name)});
    op->timeout_ns = elector->options.times.renew_ns / 2; /* leaves time for a second try */
    op->context = elector;
    op->done = answered;
    return op;
}

static void submit(struct yk_elector *elector, struct yk_op *op, enum step step)
{
    elector->busy = true;
    elector->step = step;
    elector->sent_mono_ns = now_of(elector);
    yk_api_submit(elector->options.api, op);
}

static struct yk_lease_claim claim_of(const struct yk_elector *elector)
{
    return (struct yk_lease_claim){.holder = elector->identity,
                                   .duration_ns = elector->options.times.lease_ns,
                                   .now_wall_ns = yk_clock_wall_ns(elector->options.clock)};
}

static void put(struct yk_elector *elector, const struct yk_lease_claim *claim, enum step step)
{
    struct yk_op *op = op_for(elector, YK_OP_UPDATE_LEASE);
    yk_lease_write(&op->body, elector->observed, claim);
    submit(elector, op, step);
}

static void look(struct yk_elector *elector)
{
    submit(elector, op_for(elector, YK_OP_GET_LEASE), LOOK);
}

/* Begins a try: renews a Lease that is ours and valid (step 1 of H3), or reads the Lease (step 2). A process
 * that leaves, or may not request the Lease yet, only reads it. */
static void begin(struct yk_elector *elector)
{
    int64_t valid_until_ns = elector->observed_mono_ns + elector->options.times.lease_ns;
    bool renews = elector->role != LEAVING && elector->stands && is_ours(elector);
    if (renews && now_of(elector) < valid_until_ns) {
        struct yk_lease_claim claim = claim_of(elector);
        put(elector, &claim, RENEW);
    } else {
        look(elector);
    }
}

static void next_try(struct yk_timer *timer)
{
    struct yk_elector *elector = YK_CONTAINER(timer, struct yk_elector, next);
    if (!elector->busy && elector->role != GONE)
        begin(elector);
    yk_timers_nothing_changed(elector->options.timers);
}

/* ---- results of a try ---- */

static void tell_lost(struct yk_elector *elector)
{
    char why[2 * YK_ERR_TEXT_MAX];
    (void)snprintf(why, sizeof(why), "the Lease '%s/%s' is lost, and with it the lead: %s",
                   elector->namespace_, elector->name, elector->why); /* cut if too long */
    elector->role = GONE;
    yk_fence_set(elector->options.fence, 0);
    atomic_store_explicit(&elector->renewed_mono_ns, 0, memory_order_relaxed);
    yk_timer_cancel(elector->options.timers, &elector->next);
    yk_timer_cancel(elector->options.timers, &elector->deadline);
    yk_error(yk_log_shim, "no longer leading", KV("lease", (const char *)elector->name),
             KV("identity", (const char *)elector->identity), KV("err", (const char *)elector->why));
    elector->options.lost(elector->options.context, why);
}

static void go(struct yk_elector *elector)
{
    elector->role = GONE;
    yk_timer_cancel(elector->options.timers, &elector->next);
    yk_timer_cancel(elector->options.timers, &elector->deadline);
}

static void deadline_over(struct yk_timer *timer)
{
    struct yk_elector *elector = YK_CONTAINER(timer, struct yk_elector, deadline);
    if (elector->role == LEAVING)
        go(elector);
    else if (elector->role == LEADER)
        tell_lost(elector);
}

/* The renew deadline is counted from just before the request was sent, so it has passed before the Lease
 * expires for another replica. */
static void renewed(struct yk_elector *elector)
{
    int64_t until_ns = elector->sent_mono_ns + elector->options.times.renew_ns;
    yk_fence_set(elector->options.fence, until_ns);
    atomic_store_explicit(&elector->renewed_mono_ns, elector->sent_mono_ns, memory_order_relaxed);
    yk_timer_arm(elector->options.timers, &elector->deadline, until_ns - now_of(elector));
    set_why(elector, "no request for the Lease was answered in time");
}

static void lead(struct yk_elector *elector)
{
    elector->role = LEADER;
    renewed(elector);
    yk_info(yk_log_shim, "leading", KV("lease", (const char *)elector->name),
            KV("identity", (const char *)elector->identity));
    elector->options.leads(elector->options.context);
}

/* When LEAVING, the next try reads the Lease again, to see whether it must still be released. */
static void try_later(struct yk_elector *elector)
{
    double retry_ns = (double)elector->options.times.retry_ns;
    if (elector->role == CANDIDATE)
        retry_ns *= 1 + JITTER * yk_random_unit(&elector->random);
    yk_timer_arm(elector->options.timers, &elector->next, (int64_t)retry_ns);
}

static void give_back(struct yk_elector *elector)
{
    if (!is_ours(elector)) {
        go(elector);
        return;
    }
    struct yk_lease_claim claim = claim_of(elector);
    claim.holder = "";
    claim.duration_ns = RELEASED_NS;
    claim.acquires = true;
    put(elector, &claim, RELEASE);
}

/* The Lease is ours. A process that leaves gives it back. Otherwise, an answer after the renew deadline does
 * not count. */
static void won(struct yk_elector *elector)
{
    bool in_time = now_of(elector) < elector->sent_mono_ns + elector->options.times.renew_ns;
    if (elector->role == LEAVING) {
        give_back(elector);
        return;
    }
    if (in_time && elector->role == CANDIDATE)
        lead(elector);
    else if (in_time)
        renewed(elector);
    if (elector->role != GONE)
        try_later(elector);
}

/* ---- steps ---- */

/* Step 3 of rule H3. If the spec has changed, its duration is counted from `seen_mono_ns`. `lease` is
 * taken. */
static void observe(struct yk_elector *elector, struct yk_lease *lease, int64_t seen_mono_ns)
{
    const char *before = yk_elector_holder(elector);
    if (strcmp(before, lease->holder) != 0 && strcmp(lease->holder, elector->identity) != 0)
        yk_info(yk_log_shim, "the Lease has another holder", KV("lease", (const char *)elector->name),
                KV("holder", (const char *)lease->holder), KV("before", before));
    if (!yk_lease_same_record(elector->observed, lease))
        elector->observed_mono_ns = seen_mono_ns;
    yk_lease_free(elector->observed);
    elector->observed = lease;
}

static bool take_answer(struct yk_elector *elector, const struct yk_op *op, int64_t seen_mono_ns)
{
    struct yk_lease *lease = NULL;
    struct yk_err err;
    if (yk_lease_read(yk_buf_view(&op->answer), &lease, &err) != YK_OK) {
        set_why(elector, "the answer cannot be used: %s", err.text);
        return false;
    }
    observe(elector, lease, seen_mono_ns);
    return true;
}

static void create(struct yk_elector *elector)
{
    struct yk_op *op = op_for(elector, YK_OP_CREATE_LEASE);
    struct yk_lease_claim claim = claim_of(elector);
    claim.acquires = true;
    yk_lease_write_new(&op->body, elector->namespace_, elector->name, &claim);
    submit(elector, op, CLAIM);
}

/* Requests the Lease if it has no holder, has expired or is ours (step 5 of H3). If another replica holds it,
 * a candidate waits until it has expired (step 4 of H3), and a leader has lost the lead. */
static void claim(struct yk_elector *elector)
{
    const struct yk_lease *lease = elector->observed;
    bool is_free = lease->holder[0] == '\0', ours = is_ours(elector);
    if (!is_free && !ours && elector->role == LEADER) {
        set_why(elector, "it is held by '%s'", lease->holder);
        tell_lost(elector);
        return;
    }
    if (!is_free && !ours && now_of(elector) < elector->observed_mono_ns + lease->duration_ns) {
        set_why(elector, "it is held by '%s'", lease->holder);
        try_later(elector);
        return;
    }
    struct yk_lease_claim mine = claim_of(elector);
    mine.acquires = mine.changes_hands = !ours;
    put(elector, &mine, CLAIM);
}

static void looked(struct yk_elector *elector, const struct yk_op *op)
{
    bool is_missing = op->result == YK_OP_NOT_FOUND;
    if (op->result == YK_OP_OK ? !take_answer(elector, op, now_of(elector)) : !is_missing) {
        try_later(elector);
    } else if (elector->role == LEAVING) {
        if (is_missing)
            go(elector);
        else
            give_back(elector);
    } else if (!elector->stands) {
        try_later(elector);
    } else if (is_missing) {
        create(elector);
    } else {
        claim(elector);
    }
}

/* After a failed renewal the Lease is read: another replica may have changed it, or the answer was lost. */
static void claimed(struct yk_elector *elector, const struct yk_op *op)
{
    if (op->result == YK_OP_OK && take_answer(elector, op, elector->sent_mono_ns) && is_ours(elector))
        won(elector);
    else if (elector->step == RENEW)
        look(elector);
    else
        try_later(elector);
}

static void released(struct yk_elector *elector, const struct yk_op *op)
{
    if (op->result == YK_OP_OK) {
        yk_info(yk_log_shim, "the Lease is given back", KV("lease", (const char *)elector->name));
        go(elector);
    } else if (op->result == YK_OP_CONFLICT) {
        look(elector);
    } else {
        try_later(elector);
    }
}

static void answered(struct yk_op *op)
{
    struct yk_elector *elector = op->context;
    elector->busy = false;
    if (op->result != YK_OP_OK)
        set_why(elector, "%s", yk_op_reason(op));
    if (elector->role == GONE) {
        yk_op_free(op);
        return;
    }
    switch (elector->step) {
    case LOOK:
        looked(elector, op);
        break;
    case RENEW:
    case CLAIM:
        claimed(elector, op);
        break;
    case RELEASE:
        released(elector, op);
        break;
    }
    yk_op_free(op);
}

/* ---- life ---- */

struct yk_elector *yk_elector_new(const struct yk_elector_options *options)
{
    struct yk_elector *elector = yk_new0(struct yk_elector);
    struct yk_buf identity = {.max = IDENTITY_MAX};
    elector->options = *options;
    yk_random_init(&elector->random, options->seed);
    elector->namespace_ = yk_strdup(options->namespace_);
    elector->name = yk_strdup(options->name);
    if (options->identity != NULL) {
        yk_buf_text(&identity, options->identity);
    } else {
        yk_buf_printf(&identity, "%.200s_", options->hostname);
        yk_uuid_add(&identity, &elector->random);
    }
    elector->identity = yk_buf_take(&identity);
    /* The texts are copied; the borrowed pointers must not be used later. */
    elector->options.namespace_ = elector->options.name = NULL;
    elector->options.hostname = elector->options.identity = NULL;
    elector->next.fire = next_try;
    elector->deadline.fire = deadline_over;
    yk_fence_set(options->fence, 0);
    return elector;
}

void yk_elector_free(struct yk_elector *elector)
{
    if (elector == NULL)
        return;
    go(elector);
    yk_lease_free(elector->observed);
    free(elector->namespace_);
    free(elector->name);
    free(elector->identity);
    free(elector);
}

void yk_elector_start(struct yk_elector *elector)
{
    begin(elector);
}

void yk_elector_stand(struct yk_elector *elector)
{
    elector->stands = true;
    if (!elector->busy && elector->role == CANDIDATE)
        yk_timer_arm(elector->options.timers, &elector->next, 0);
}

void yk_elector_leave(struct yk_elector *elector)
{
    if (elector->role == LEAVING || elector->role == GONE)
        return;
    if (elector->role == LEADER)
        yk_info(yk_log_shim, "no longer leading", KV("lease", (const char *)elector->name),
                KV("identity", (const char *)elector->identity));
    elector->role = LEAVING;
    yk_fence_set(elector->options.fence, 0);
    atomic_store_explicit(&elector->renewed_mono_ns, 0, memory_order_relaxed);
    yk_timer_cancel(elector->options.timers, &elector->next);
    yk_timer_arm(elector->options.timers, &elector->deadline, elector->options.times.renew_ns);
    if (!elector->busy)
        give_back(elector);
}

bool yk_elector_is_gone(const struct yk_elector *elector)
{
    return elector->role == GONE && !elector->busy;
}

const char *yk_elector_identity(const struct yk_elector *elector)
{
    return elector->identity;
}

const char *yk_elector_holder(const struct yk_elector *elector)
{
    return elector->observed != NULL ? elector->observed->holder : "";
}

bool yk_elector_leads(const struct yk_elector *elector)
{
    return atomic_load_explicit(&elector->renewed_mono_ns, memory_order_relaxed) != 0;
}

bool yk_elector_is_healthy(const struct yk_elector *elector)
{
    int64_t renewed_ns = atomic_load_explicit(&elector->renewed_mono_ns, memory_order_relaxed);
    return renewed_ns == 0 || now_of(elector) < renewed_ns + elector->options.times.lease_ns + TOLERANCE_NS;
}

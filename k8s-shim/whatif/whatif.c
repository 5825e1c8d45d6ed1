/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/whatif.h"

#include "base/log.h"
#include "whatif/check.h"

#define LOOK_NS (2 * YK_NS_PER_MS)

enum {
    STATUS_DIGITS = 3,
    MIB = 1 << 20,
    CHECKED_BYTES_MAX = 4 << 10, /* of a question that is checked before it waits */
};

static const struct yk_clock real = {.is_virtual = false};

/* ---- the answer ---- */

/* Splits an answer such as "200 {...}" into status and text. False: the answer has another form. */
static bool split(const struct yk_buf *answer, int *ret_status, struct yk_str *ret_text)
{
    struct yk_str all = yk_buf_view(answer);
    uint64_t status;
    if (all.len <= STATUS_DIGITS || all.p[STATUS_DIGITS] != ' ' ||
        yk_str_to_u64((struct yk_str){all.p, STATUS_DIGITS}, &status) != YK_OK)
        return false;
    *ret_status = (int)status;
    *ret_text = (struct yk_str){all.p + STATUS_DIGITS + 1, all.len - STATUS_DIGITS - 1};
    return true;
}

/* Appends the answer `object` to `text`, with an additional member about the cost of the trial. */
static void put_cost(const struct yk_copy_cost *cost, struct yk_str object, struct yk_buf *text)
{
    yk_buf_add(text, object.p, object.len - 1);
    yk_buf_printf(text, ",\"cost\":{\"forkMicros\":%lld,\"childMillis\":%lld,\"childMiB\":%zu}}",
                  (long long)(cost->fork_ns / YK_NS_PER_US), (long long)(cost->child_ns / YK_NS_PER_MS),
                  cost->bytes / MIB);
}

static void answer(struct yk_whatif *whatif, int status, const char *text, const struct yk_copy_cost *cost)
{
    const struct yk_whatif_result result = {status, text, *cost};
    void (*answered)(void *, uint64_t, const struct yk_whatif_result *) = whatif->answered;
    whatif->answered = NULL;
    yk_info(yk_log_shim, "what-if question answered", KV("status", status),
            KV("fork_us", cost->fork_ns / YK_NS_PER_US), KV("trial_ms", cost->child_ns / YK_NS_PER_MS),
            KV("copied_bytes", cost->bytes));
    if (answered != NULL)
        answered(whatif->asker, whatif->ticket, &result);
}

static void end(struct yk_whatif *whatif, enum yk_copy_end how, const struct yk_copy_cost *cost)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf raw = whatif->copy.answer, text = {0};
    int status = 0;
    struct yk_str rest = {0};
    whatif->copy.answer = (struct yk_buf){0};
    whatif->not_before_mono_ns = whatif->no_pause ? 0 : yk_clock_mono_ns(&real) + cost->child_ns;
    if (how == YK_COPY_LATE) {
        yk_buf_printf(&text, "the trial took longer than %d s", YK_COPY_SECONDS_MAX);
        answer(whatif, 503, yk_buf_cstr(&text), cost);
    } else if (how == YK_COPY_DIED || !split(&raw, &status, &rest)) {
        yk_error(yk_log_shim, "the copy of the process for a what-if question ended without an answer");
        answer(whatif, 500, "the trial ended without an answer; the scheduler is not affected", cost);
    } else if (status == 200) {
        put_cost(cost, rest, &text);
        answer(whatif, status, yk_buf_cstr(&text), cost);
    } else {
        yk_buf_str(&text, rest);
        answer(whatif, status, yk_buf_cstr(&text), cost);
    }
}

/* ---- the question ---- */

static void try_it(void *context, struct yk_buf *answer)
{
    const struct yk_whatif *whatif = context;
    yk_trial_run(&whatif->stage, whatif->body, answer);
}

static enum yk_status check_open(const struct yk_whatif *whatif, struct yk_err *err)
{
    if (!yk_shim_is_ready(whatif->stage.shim))
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is starting or ending");
    if (!yk_shim_leads(whatif->stage.shim))
        return yk_fail(err, YK_ERR_UNAVAILABLE, "this scheduler is a standby: ask the one that leads");
    return YK_OK;
}

/* How long until the next trial may begin; INT64_MAX: until the present one has ended. */
static int64_t pause_ns(const struct yk_whatif *whatif)
{
    if (whatif->copy.pid != 0)
        return INT64_MAX;
    return YK_MAX(whatif->not_before_mono_ns - yk_clock_mono_ns(&real), INT64_C(0));
}

static enum yk_status begin(struct yk_whatif *whatif, struct yk_str body, struct yk_err *err)
{
    whatif->body = body;
    enum yk_status st = yk_copy_begin(&whatif->copy, try_it, whatif, err);
    whatif->body = (struct yk_str){0};
    return st;
}

/* ---- the question that waits ---- */

static void drop_next(struct yk_whatif *whatif)
{
    yk_buf_done(&whatif->next.body);
    whatif->next = (struct yk_whatif_next){.answered = NULL};
}

static enum yk_status begin_next(struct yk_whatif *whatif, struct yk_err *err)
{
    enum yk_status st = check_open(whatif, err);
    return st == YK_OK ? begin(whatif, yk_buf_view(&whatif->next.body), err) : st;
}

/* Begins the trial of the question that waits. */
static void take_next(struct yk_whatif *whatif)
{
    struct yk_err err = {0};
    enum yk_status st = begin_next(whatif, &err);
    whatif->ticket = whatif->next.ticket;
    whatif->asker = whatif->next.asker;
    whatif->answered = whatif->next.answered;
    drop_next(whatif);
    if (st != YK_OK)
        answer(whatif, 503, err.text, &(struct yk_copy_cost){.fork_ns = 0});
}

static void look(struct yk_timer *timer)
{
    struct yk_whatif *whatif = YK_CONTAINER(timer, struct yk_whatif, look);
    enum yk_copy_end how;
    struct yk_copy_cost cost;
    if (yk_copy_poll(&whatif->copy, &how, &cost))
        end(whatif, how, &cost);
    if (whatif->next.answered != NULL && pause_ns(whatif) == 0)
        take_next(whatif);
    if (whatif->copy.pid != 0)
        yk_timer_arm(whatif->timers, timer, LOOK_NS);
    else if (whatif->next.answered != NULL)
        yk_timer_arm(whatif->timers, timer, pause_ns(whatif));
}

/* Refuses a malformed question, which need not wait. A large one takes this thread too long to read: 64 KiB
 * of JSON 3 ms, of YAML more. */
static enum yk_status check_early(struct yk_str body, struct yk_err *err)
{
    struct yk_whatif_question question;
    if (body.len > CHECKED_BYTES_MAX)
        return YK_OK;
    enum yk_status st = yk_whatif_question_parse(body, &question, err);
    if (st != YK_OK)
        return st;
    st = yk_whatif_check(&question, err);
    yk_whatif_question_done(&question);
    return st;
}

static enum yk_status wait_for_turn(struct yk_whatif *whatif, const struct yk_whatif_next *question,
                                    struct yk_str body, struct yk_err *err)
{
    if (whatif->next.answered != NULL)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "other what-if questions are being answered, try again");
    enum yk_status st = check_early(body, err);
    if (st != YK_OK)
        return st;
    whatif->next = *question;
    yk_buf_str(&whatif->next.body, body);
    if (whatif->copy.pid == 0)
        yk_timer_arm(whatif->timers, &whatif->look, pause_ns(whatif));
    return YK_OK;
}

/* ---- asking ---- */

enum yk_status yk_whatif_ask(struct yk_whatif *whatif, struct yk_str body, uint64_t ticket, void *asker,
                             void (*answered)(void *asker, uint64_t ticket,
                                              const struct yk_whatif_result *result),
                             struct yk_err *err)
{
    enum yk_status st = check_open(whatif, err);
    if (st != YK_OK)
        return st;
    if (pause_ns(whatif) > 0 || whatif->next.answered != NULL)
        return wait_for_turn(whatif, &(struct yk_whatif_next){{0}, ticket, asker, answered}, body, err);
    st = begin(whatif, body, err);
    if (st != YK_OK)
        return st;
    whatif->ticket = ticket;
    whatif->asker = asker;
    whatif->answered = answered;
    yk_timer_arm(whatif->timers, &whatif->look, LOOK_NS);
    return YK_OK;
}

void yk_whatif_cancel(struct yk_whatif *whatif, uint64_t ticket)
{
    if (whatif->next.answered != NULL && whatif->next.ticket == ticket)
        drop_next(whatif);
    if (whatif->copy.pid == 0 || whatif->ticket != ticket)
        return;
    whatif->answered = NULL;
    yk_copy_kill(&whatif->copy);
}

void yk_whatif_wait(struct yk_whatif *whatif)
{
    enum yk_copy_end how;
    struct yk_copy_cost cost;
    if (whatif->copy.pid == 0)
        return;
    yk_timer_cancel(whatif->timers, &whatif->look);
    yk_copy_wait(&whatif->copy, &how, &cost);
    end(whatif, how, &cost);
    if (whatif->next.answered != NULL)
        yk_timer_arm(whatif->timers, &whatif->look, pause_ns(whatif));
}

void yk_whatif_init(struct yk_whatif *whatif, const struct yk_whatif_stage *stage, struct yk_timers *timers)
{
    *whatif = (struct yk_whatif){.stage = *stage, .timers = timers};
    whatif->look.fire = look;
}

void yk_whatif_done(struct yk_whatif *whatif)
{
    yk_timer_cancel(whatif->timers, &whatif->look);
    drop_next(whatif);
    yk_copy_done(&whatif->copy);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/settle.h"

#include "base/log.h"

static const int64_t conflict_pause_ns = 50 * YK_NS_PER_MS; /* multiplied by the number of the round */
static const int64_t retry_pause_ns = YK_NS_PER_S;

static void finish(struct yk_settle *settle, enum yk_status status, const struct yk_err *err)
{
    settle->is_busy = false;
    settle->options.done(settle->options.context, status, settle->writes, err);
}

static void fail(struct yk_settle *settle, enum yk_status status, const char *reason)
{
    struct yk_err err = {0};
    const char *namespace_ = settle->options.namespace_;
    (void)yk_fail(&err, status, "'%s%s%s': %s", namespace_ != NULL ? namespace_ : "",
                  namespace_ != NULL ? "/" : "", settle->options.name, reason); /* only the text is used */
    finish(settle, status, &err);
}

static void submit(struct yk_settle *settle, enum yk_op_kind kind, struct yk_buf *body,
                   void (*done)(struct yk_op *op))
{
    struct yk_op *op =
        yk_op_new(kind, &(struct yk_op_target){.namespace_ = yk_str_from(settle->options.namespace_),
                                               .name = yk_str_from(settle->options.name)});
    op->context = settle;
    op->done = done;
    if (body != NULL) {
        yk_buf_done(&op->body);
        op->body = *body;
        *body = (struct yk_buf){0};
    }
    yk_api_submit(settle->options.api, op);
}

static void on_read(struct yk_op *op);

static void begin_round(struct yk_settle *settle)
{
    if (settle->round >= YK_SETTLE_ROUNDS_MAX) {
        struct yk_err err = {0};
        (void)yk_fail(&err, YK_ERR_LIMIT, "not settled after %d rounds: %s", YK_SETTLE_ROUNDS_MAX,
                      settle->why.text); /* only the text is used */
        fail(settle, YK_ERR_LIMIT, err.text);
        return;
    }
    settle->round++;
    submit(settle, settle->options.get, NULL, on_read);
}

static void again_due(struct yk_timer *timer)
{
    begin_round(YK_CONTAINER(timer, struct yk_settle, again));
}

static void pause_round(struct yk_settle *settle, int64_t pause_ns, const char *why)
{
    (void)yk_fail(&settle->why, YK_ERR_UNAVAILABLE, "%s", why); /* the status is not used */
    yk_io_timer_arm(settle->options.timers, &settle->again, pause_ns);
}

static void refused(struct yk_settle *settle, const struct yk_op *op)
{
    switch (op->result) {
    case YK_OP_OK:
        break;
    case YK_OP_NOT_FOUND: /* deleted between the two requests */
    case YK_OP_CONFLICT:
    case YK_OP_GONE:
        pause_round(settle, conflict_pause_ns * settle->round, yk_op_reason(op));
        break;
    case YK_OP_RETRY:
        pause_round(settle, YK_MAX(op->retry_after_ns, retry_pause_ns), yk_op_reason(op));
        break;
    case YK_OP_INVALID:
    case YK_OP_UNAUTHORIZED:
        fail(settle, YK_ERR_DENIED, yk_op_reason(op));
        break;
    case YK_OP_CANCELLED:
        fail(settle, YK_ERR_UNAVAILABLE, yk_op_reason(op));
        break;
    }
}

static void handle_written(struct yk_settle *settle, const struct yk_op *op)
{
    if (op->result != YK_OP_OK) {
        refused(settle, op);
        return;
    }
    settle->writes++;
    yk_info(yk_log_admission, "object written", KV("name", settle->options.name),
            KV("why", (const char *)settle->why.text));
    begin_round(settle);
}

static void on_written(struct yk_op *op)
{
    struct yk_settle *settle = op->context;
    if (!settle->is_stopped)
        handle_written(settle, op);
    yk_op_free(op);
}

static void plan(struct yk_settle *settle, struct yk_str current)
{
    bool differs = false;
    struct yk_buf body = {.max = YK_OP_BODY_MAX};
    struct yk_err err = {0};
    enum yk_status st =
        settle->options.plan(settle->options.context, current, &differs, &body, &settle->why, &err);
    if (st != YK_OK || !differs) {
        yk_buf_wipe(&body); /* it may have private keys */
        finish(settle, st, &err);
        return;
    }
    submit(settle, current.p == NULL ? settle->options.create : settle->options.update, &body, on_written);
}

static void handle_read(struct yk_settle *settle, const struct yk_op *op)
{
    bool must_exist = settle->options.create == settle->options.get;
    if (op->result == YK_OP_OK)
        plan(settle, (struct yk_str){yk_buf_cstr(&op->answer), op->answer.len});
    else if (op->result == YK_OP_NOT_FOUND && must_exist)
        fail(settle, YK_ERR_NOT_FOUND, yk_op_reason(op));
    else if (op->result == YK_OP_NOT_FOUND)
        plan(settle, (struct yk_str){0});
    else
        refused(settle, op);
}

static void on_read(struct yk_op *op)
{
    struct yk_settle *settle = op->context;
    if (!settle->is_stopped)
        handle_read(settle, op);
    yk_op_free(op);
}

void yk_settle_init(struct yk_settle *settle, const struct yk_settle_options *options)
{
    *settle = (struct yk_settle){.options = *options, .again = {.fire = again_due}};
}

void yk_settle_start(struct yk_settle *settle)
{
    if (!YK_ASSERT(!settle->is_busy))
        return;
    settle->round = settle->writes = 0;
    settle->why = (struct yk_err){0};
    settle->is_busy = true;
    begin_round(settle);
}

void yk_settle_stop(struct yk_settle *settle)
{
    settle->is_stopped = true;
    yk_io_timer_cancel(settle->options.timers, &settle->again);
}

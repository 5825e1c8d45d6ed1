/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/trial_api.h"

enum { HTTP_OK = 200 };

static struct yk_trial_api *api_of(struct yk_api_server *server)
{
    union { /* yk_trial_api_init() has set a table that is not constant */
        const struct yk_api_server_ops *shown;
        struct yk_trial_api *api;
    } ops = {.shown = server->ops};
    return ops.api;
}

static void watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context)
{
    (void)server, (void)spec, (void)sink, (void)context;
}

static void submit(struct yk_api_server *server, struct yk_op *op)
{
    struct yk_trial_api *api = api_of(server);
    op->next = NULL;
    *api->last = op;
    api->last = &op->next;
    api->in_flight++;
}

static void stop(struct yk_api_server *server)
{
    (void)server;
}

static size_t in_flight(struct yk_api_server *server)
{
    return api_of(server)->in_flight;
}

void yk_trial_api_init(struct yk_trial_api *api, struct yk_api_server *server, void *context,
                       void (*carry_out)(void *context, struct yk_op *op))
{
    *api = (struct yk_trial_api){
        .ops = {watch, submit, stop, in_flight}, .context = context, .carry_out = carry_out};
    api->last = &api->first;
    server->ops = &api->ops;
}

/* Reads, and writes of whole objects such as Leases, would need the network, which the copy does not use. */
static void answer(struct yk_trial_api *api, struct yk_op *op)
{
    bool is_read = yk_op_is_read(op->kind) || yk_op_has_object(op->kind);
    if (!is_read)
        api->carry_out(api->context, op);
    op->result = is_read ? YK_OP_CANCELLED : YK_OP_OK;
    op->http_status = is_read ? 0 : HTTP_OK;
    api->in_flight--;
    op->done(op);
}

bool yk_trial_api_answer(struct yk_trial_api *api)
{
    struct yk_op *op = api->first;
    bool any = op != NULL;
    api->first = NULL;
    api->last = &api->first;
    while (op != NULL) {
        struct yk_op *next = op->next;
        answer(api, op);
        op = next;
    }
    return any;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/fake_api.h"

static void watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context)
{
    struct fake_api *api = (struct fake_api *)(void *)server;
    api->sinks[spec->kind] = sink;
    api->contexts[spec->kind] = context;
}

static void submit(struct yk_api_server *server, struct yk_op *op)
{
    struct fake_api *api = (struct fake_api *)(void *)server;
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
    return ((struct fake_api *)(void *)server)->in_flight;
}

static const struct yk_api_server_ops ops = {watch, submit, stop, in_flight};

void fake_api_init(struct fake_api *api)
{
    *api = (struct fake_api){.server = {&ops}};
    api->last = &api->first;
}

void fake_api_done(struct fake_api *api)
{
    while (api->first != NULL)
        (void)fake_api_answer(api, api->first->kind, NULL, YK_OP_CANCELLED, 0, NULL);
}

void fake_api_send(struct fake_api *api, enum yk_watch_event event, void *object)
{
    struct yk_object *o = object;
    if (api->sinks[o->kind] == NULL)
        abort();
    api->sinks[o->kind](api->contexts[o->kind], o->kind, event, o);
}

void fake_api_list(struct fake_api *api, enum yk_kind kind, enum yk_watch_event event)
{
    if (api->sinks[kind] == NULL)
        abort();
    api->sinks[kind](api->contexts[kind], kind, event, NULL);
}

static struct yk_op **place_of(struct fake_api *api, enum yk_op_kind kind, const char *name)
{
    for (struct yk_op **at = &api->first; *at != NULL; at = &(*at)->next) {
        if ((*at)->kind == kind && (name == NULL || strcmp((*at)->name, name) == 0))
            return at;
    }
    return NULL;
}

struct yk_op *fake_api_find(struct fake_api *api, enum yk_op_kind kind, const char *name)
{
    struct yk_op **place = place_of(api, kind, name);
    return place == NULL ? NULL : *place;
}

size_t fake_api_count(const struct fake_api *api, enum yk_op_kind kind)
{
    size_t count = 0;
    for (const struct yk_op *op = api->first; op != NULL; op = op->next)
        count += op->kind == kind;
    return count;
}

bool fake_api_answer(struct fake_api *api, enum yk_op_kind kind, const char *name, enum yk_op_result result,
                     int http, const char *reason)
{
    struct yk_op **place = place_of(api, kind, name);
    if (place == NULL)
        return false;
    struct yk_op *op = *place;
    *place = op->next;
    if (op->next == NULL)
        api->last = place;
    op->next = NULL;
    api->in_flight--;
    op->result = result;
    op->http_status = http;
    if (reason != NULL)
        (void)yk_fail(yk_op_err(op), YK_ERR_STATE, "%s", reason); /* only the text is wanted */
    op->done(op);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/fake_api.h"

#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void set_version(struct fake_store *store, json_t *object)
{
    char text[32];
    (void)snprintf(text, sizeof(text), "%lld", (long long)++store->version);
    json_object_set_new(json_object_get(object, "metadata"), "resourceVersion", json_string(text));
}

void fake_put(struct fake_store *store, enum fake_object which, const char *json)
{
    YK_CLEANUP(yk_freep) char *text = yk_strdup(json);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    json_t *object = json_loads(text, 0, NULL);
    assert_non_null(object);
    json_decref(store->objects[which]);
    store->objects[which] = object;
    set_version(store, object);
}

const char *fake_text(const struct fake_store *store, enum fake_object which, const char *key,
                      const char *below)
{
    const char *text = json_string_value(json_object_get(json_object_get(store->objects[which], key), below));
    return text != NULL ? text : "";
}

static bool same_version(json_t *a, json_t *b)
{
    return json_equal(json_object_get(json_object_get(a, "metadata"), "resourceVersion"),
                      json_object_get(json_object_get(b, "metadata"), "resourceVersion"));
}

static void answer(struct yk_op *op, int status, json_t *object)
{
    op->http_status = status;
    op->result = status < 300 ? YK_OP_OK : yk_op_refusal(status);
    if (status >= 300) {
        (void)yk_fail(yk_op_err(op), YK_ERR_STATE, "status %d", status);
        return;
    }
    YK_CLEANUP(yk_freep) char *text = json_dumps(object, JSON_COMPACT);
    yk_buf_text(&op->answer, text);
}

static void take(struct fake_api *api, struct yk_op *op, enum fake_object which, bool is_create)
{
    struct fake_store *store = api->store;
    json_t *object = json_loads(yk_buf_cstr(&op->body), 0, NULL), *now = store->objects[which];
    assert_non_null(object);
    int status = 200;
    if (is_create)
        status = now != NULL ? 409 : 201;
    else
        status = now == NULL ? 404 : same_version(now, object) ? 200 : 409;
    if (status < 300) {
        json_decref(store->objects[which]);
        store->objects[which] = json_incref(object);
        set_version(store, object);
        api->written++;
    }
    answer(op, status, object);
    json_decref(object);
}

static void carry_out(struct fake_api *api, struct yk_op *op)
{
    static const struct {
        enum fake_object which;
        enum { GET, CREATE, UPDATE } verb;
    } requests[] = {
        [YK_OP_GET_SECRET - YK_OP_OBJECT_FIRST] = {FAKE_SECRET, GET},
        [YK_OP_UPDATE_SECRET - YK_OP_OBJECT_FIRST] = {FAKE_SECRET, UPDATE},
        [YK_OP_GET_MUTATING_WEBHOOKS - YK_OP_OBJECT_FIRST] = {FAKE_MUTATING, GET},
        [YK_OP_CREATE_MUTATING_WEBHOOKS - YK_OP_OBJECT_FIRST] = {FAKE_MUTATING, CREATE},
        [YK_OP_UPDATE_MUTATING_WEBHOOKS - YK_OP_OBJECT_FIRST] = {FAKE_MUTATING, UPDATE},
        [YK_OP_GET_VALIDATING_WEBHOOKS - YK_OP_OBJECT_FIRST] = {FAKE_VALIDATING, GET},
        [YK_OP_CREATE_VALIDATING_WEBHOOKS - YK_OP_OBJECT_FIRST] = {FAKE_VALIDATING, CREATE},
        [YK_OP_UPDATE_VALIDATING_WEBHOOKS - YK_OP_OBJECT_FIRST] = {FAKE_VALIDATING, UPDATE},
    };
    assert_true(op->kind >= YK_OP_OBJECT_FIRST);
    enum fake_object which = requests[op->kind - YK_OP_OBJECT_FIRST].which;
    json_t *now = api->store->objects[which];
    if (requests[op->kind - YK_OP_OBJECT_FIRST].verb == GET)
        answer(op, now != NULL ? 200 : 404, now);
    else
        take(api, op, which, requests[op->kind - YK_OP_OBJECT_FIRST].verb == CREATE);
}

bool fake_step(struct fake_api *api)
{
    struct yk_op *op = api->first;
    if (op == NULL)
        return false;
    api->first = op->next;
    if (api->first == NULL)
        api->last = &api->first;
    op->next = NULL;
    if (api->before != NULL)
        api->before(api->context, op);
    bool is_fault = api->fault_count > 0 && op->kind == api->fault_kind;
    if (!is_fault || api->fault_happens)
        carry_out(api, op);
    if (is_fault) {
        api->fault_count--;
        yk_buf_clear(&op->answer);
        op->http_status = api->fault_status;
        op->result = yk_op_refusal(api->fault_status);
        (void)yk_fail(yk_op_err(op), YK_ERR_STATE, "status %d", api->fault_status);
    }
    op->done(op);
    return true;
}

void fake_run(struct fake_api *api)
{
    while (fake_step(api))
        ;
}

static void watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context)
{
    struct fake_api *api = (struct fake_api *)(void *)server;
    api->watches[spec->kind].sink = sink;
    api->watches[spec->kind].context = context;
    api->watches[spec->kind].namespace_ = yk_strdup_or_null(spec->namespace_);
}

static void submit(struct yk_api_server *server, struct yk_op *op)
{
    struct fake_api *api = (struct fake_api *)(void *)server;
    api->asked[op->kind]++;
    op->next = NULL;
    *api->last = op;
    api->last = &op->next;
}

static void stop(struct yk_api_server *server)
{
    ((struct fake_api *)(void *)server)->is_stopped = true;
}

static size_t in_flight(struct yk_api_server *server)
{
    return ((struct fake_api *)(void *)server)->first != NULL;
}

void fake_init(struct fake_api *api, struct fake_store *store)
{
    static const struct yk_api_server_ops ops = {watch, submit, stop, in_flight};
    *api = (struct fake_api){.server = {&ops}, .store = store};
    api->last = &api->first;
}

void fake_done(struct fake_api *api)
{
    while (api->first != NULL) {
        struct yk_op *op = api->first;
        api->first = op->next;
        yk_op_free(op);
    }
    for (int kind = 0; kind < YK_KIND_COUNT; kind++)
        free(api->watches[kind].namespace_);
}

void fake_store_done(struct fake_store *store)
{
    for (int i = 0; i < FAKE_OBJECTS; i++)
        json_decref(store->objects[i]);
}

struct fake_store shared_store;

int fake_set_up(void **state)
{
    (void)state;
    yk_log_set_stream(NULL);
    shared_store = (struct fake_store){.version = 0};
    fake_put(&shared_store, FAKE_SECRET, EMPTY_SECRET);
    return 0;
}

int fake_tear_down(void **state)
{
    (void)state;
    fake_store_done(&shared_store);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Anything that may come in at the REST port: as the head of a request, and as the target of one that is
 * answered from a small cluster. Whatever it is, the answer has a status the server knows.
 */
#include "base/log.h"
#include "base/timer.h"
#include "http/http_head.h"
#include "scheduler/core.h"
#include "si.h"
#include "web/web.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char config[] =
    "partitions: [{name: default, placementrules: [{name: provided, create: true}], "
    "queues: [{name: root, submitacl: '*', queues: [{name: leaf}, {name: 'a/b#c'}]}]}]";

static struct yk_clock clock_;
static struct yk_timers timers;
static struct yk_core *core;

static void set_up(void)
{
    static const struct yk_si_callbacks none;
    yk_log_set_stream(NULL);
    yk_clock_virtual_init(&clock_, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&timers, &clock_);
    struct yk_core_options options = {.clock = &clock_, .timers = &timers, .manual = true};
    core = yk_core_new(&options);
    struct yk_si_register request = {.rm_id = "rm", .config = YK_STR(config)};
    if (yk_core_register(core, &request, &none, NULL, NULL) != YK_OK)
        abort();
    YK_RESVEC(size);
    yk_resvec_put(&size, YK_RESTYPE_VCORE, 1000);
    struct yk_si_node node = {.node_id = "n", .action = YK_SI_NODE_CREATE, .capacity = &size};
    struct yk_si_new_app app = {.application_id = "a", .queue = "root.leaf", .ugi = {.user = "ann"}};
    struct yk_si_allocation ask = {
        .key = "k", .application_id = "a", .resource = &size, .scheduling_class = YK_SI_CLASS_ANY};
    if (yk_core_update_node(core, "rm", &node) != YK_OK || yk_core_add_app(core, "rm", &app) != YK_OK ||
        yk_core_update_allocation(core, "rm", &ask) != YK_OK)
        abort();
    (void)yk_core_schedule(core, 1, INT64_MAX); /* one allocation to show */
}

static void answer(const char *method, const char *target, const char *accept)
{
    struct yk_answer got;
    struct yk_web_query query = {
        .method = method, .target = target, .accept = accept, .accept_encoding = "gzip"};
    yk_web_render(core, NULL, &query, &got);
    if (strcmp(yk_answer_reason(got.status), "Status") == 0 || got.body.failed)
        abort();
    /* What goes back in a header is one line. */
    if (got.location.len > 0 && strpbrk(yk_buf_cstr(&got.location), "\r\n") != NULL &&
        strpbrk(target, "\r\n") == NULL)
        abort();
    yk_answer_done(&got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (core == NULL)
        set_up();
    YK_CLEANUP(yk_freep) char *text = yk_strndup((const char *)data, size);
    struct yk_http_head head;
    size_t scanned = 0, len = yk_http_head_end((struct yk_str){text, size}, &scanned);
    if (len > 0 && yk_http_head_parse((struct yk_str){text, len}, &head) == 0) {
        YK_CLEANUP(yk_freep) char *method = yk_str_dup(head.method), *target = yk_str_dup(head.target);
        YK_CLEANUP(yk_freep) char *accept = head.accept.p != NULL ? yk_str_dup(head.accept) : NULL;
        answer(method, target, accept);
        return 0;
    }
    answer("GET", text, NULL);
    return 0;
}

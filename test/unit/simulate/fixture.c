/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void keep(char *to, size_t bytes, struct yk_str text)
{
    (void)snprintf(to, bytes, YK_STR_FMT, YK_STR_ARG(text)); /* test names are short */
}

static void hear(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct fixture *f = context;
    assert_true(f->heard_count < HEARD_MAX);
    struct heard *heard = &f->heard[f->heard_count++];
    *heard = (struct heard){.kind = kind, .event = event, .at_ns = yk_clock_mono_ns(&f->clock) - f->start_ns};
    assert_int_equal(object == NULL, event == YK_WATCH_REPLACE_BEGIN || event == YK_WATCH_REPLACE_END);
    if (object == NULL)
        return;
    assert_int_equal(object->kind, kind);
    keep(heard->name, sizeof(heard->name), object->name);
    keep(heard->uid, sizeof(heard->uid), object->uid);
    assert_int_equal(yk_str_to_u64(object->resource_version, &heard->version), YK_OK);
    heard->deleting = object->deleting;
    if (kind == YK_KIND_POD) {
        keep(heard->node, sizeof(heard->node), yk_pod_of(object)->node_name);
        keep(heard->phase, sizeof(heard->phase), yk_pod_of(object)->phase);
    }
    if (kind == YK_KIND_NODE)
        heard->unschedulable = yk_node_of(object)->unschedulable;
    yk_object_free(object);
}

void fixture_init(struct fixture *f, const struct yk_cluster_options *options)
{
    *f = (struct fixture){0};
    yk_clock_virtual_init(&f->clock, TEST_WALL_NS);
    yk_timers_init(&f->timers, &f->clock);
    f->start_ns = yk_clock_mono_ns(&f->clock);
    struct yk_cluster_options with = *options;
    with.clock = &f->clock;
    with.timers = &f->timers;
    f->cluster = yk_cluster_new(&with);
    f->api = yk_cluster_api(f->cluster);
}

void fixture_done(struct fixture *f)
{
    yk_cluster_free(f->cluster);
    yk_timers_done(&f->timers);
}

void fixture_watch(struct fixture *f, enum yk_kind kind, const char *field_selector)
{
    struct yk_watch_spec spec = {.kind = kind, .field_selector = field_selector};
    yk_api_watch(f->api, &spec, hear, f);
}

void fixture_pass(struct fixture *f, int64_t ns)
{
    int64_t until_ns = yk_clock_mono_ns(&f->clock) + ns;
    for (;;) {
        while (yk_timers_run(&f->timers) > 0)
            ;
        int64_t next_ns = yk_timers_next_ns(&f->timers);
        if (next_ns > until_ns)
            break;
        yk_clock_advance(&f->clock, next_ns - yk_clock_mono_ns(&f->clock));
    }
    yk_clock_advance(&f->clock, until_ns - yk_clock_mono_ns(&f->clock));
}

const char *fixture_story(struct fixture *f, char *text, size_t bytes)
{
    static const char *const words[] = {[YK_WATCH_UPSERT] = "+",
                                        [YK_WATCH_DELETED] = "-",
                                        [YK_WATCH_REPLACE_BEGIN] = "[",
                                        [YK_WATCH_REPLACE_END] = "]"};
    size_t len = 0;
    text[0] = '\0';
    for (size_t i = 0; i < f->heard_count; i++) {
        const struct heard *heard = &f->heard[i];
        int more =
            snprintf(text + len, bytes - len, "%s%s%s%s%s%s", i > 0 ? " " : "", words[heard->event],
                     heard->name, heard->node[0] != '\0' ? "@" : "", heard->node, heard->deleting ? "!" : "");
        assert_true(more >= 0 && (size_t)more < bytes - len);
        len += (size_t)more;
    }
    f->heard_count = 0;
    return text;
}

void fixture_expect_story(struct fixture *f, const char *want)
{
    char text[4096];
    assert_string_equal(fixture_story(f, text, sizeof(text)), want);
}

void add_node(struct fixture *f, const char *name, const char *cpu, const char *memory)
{
    struct yk_amount amounts[3];
    assert_int_equal(yk_sim_amount(YK_STR("cpu"), yk_str_from(cpu), &amounts[0], NULL), YK_OK);
    assert_int_equal(yk_sim_amount(YK_STR("memory"), yk_str_from(memory), &amounts[1], NULL), YK_OK);
    assert_int_equal(yk_sim_amount(YK_STR("pods"), YK_STR("110"), &amounts[2], NULL), YK_OK);
    struct yk_sim_node node = {.name = name, .allocatable = {amounts, 3}};
    yk_cluster_put(f->cluster, yk_sim_node_new(&node));
}

void add_pod(struct fixture *f, const char *name, const char *cpu, int64_t run_ns)
{
    struct yk_amount amount;
    assert_int_equal(yk_sim_amount(YK_STR("cpu"), yk_str_from(cpu), &amount, NULL), YK_OK);
    struct yk_sim_pod pod = {.namespace_ = "default", .name = name, .requests = {&amount, 1}};
    struct yk_err err = {0};
    if (yk_cluster_create_pod(f->cluster, yk_sim_pod_new(&pod), run_ns, &err) != YK_OK)
        fail_msg("%s", err.text);
}

const struct yk_pod *pod_named(struct fixture *f, const char *name)
{
    return (const struct yk_pod *)(const void *)yk_cluster_find(f->cluster, YK_KIND_POD, "default", name);
}

static void answered(struct yk_op *op)
{
    struct answered *answer = op->context;
    assert_false(answer->came);
    answer->came = true;
    answer->result = op->result;
    answer->http_status = op->http_status;
    answer->retry_after_ns = op->retry_after_ns;
    answer->at_ns = yk_clock_mono_ns(&answer->fixture->clock) - answer->fixture->start_ns;
    (void)snprintf(answer->reason, sizeof(answer->reason), "%s", yk_op_reason(op)); /* cut */
    answer->object = yk_move(op->object);
    yk_op_free(op);
}

void submit(struct fixture *f, enum yk_op_kind kind, const char *name, const char *uid, const char *node,
            const char *body, struct answered *answer)
{
    *answer = (struct answered){.fixture = f};
    struct yk_op *op = yk_op_new(kind, &(struct yk_op_target){.namespace_ = YK_STR("default"),
                                                              .name = yk_str_from(name),
                                                              .uid = yk_str_from(uid),
                                                              .node = yk_str_from(node)});
    if (body != NULL)
        yk_buf_text(&op->body, body);
    op->done = answered;
    op->context = answer;
    yk_api_submit(f->api, op);
}

void bind_pod(struct fixture *f, const char *name, const char *node, struct answered *answer)
{
    submit(f, YK_OP_BIND, name, NULL, node, NULL, answer);
}

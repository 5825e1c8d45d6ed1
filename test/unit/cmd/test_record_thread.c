/* SPDX-License-Identifier: Apache-2.0 */
/* A recording whose objects are written by the thread of the file: the same lines as when the recorder writes them. */
#include "cmd/record_thread.h"

#include "api/json_reader.h"
#include "record/line.h"
#include "record/record_file.h"
#include "record/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

/* An API server that only takes the watch, and a shim that frees what it gets. */
struct stage {
    struct yk_api_server server; /* the first member */
    yk_watch_sink *sink;
    void *context;
    struct yk_clock clock;
    struct yk_mailbox inbox;
    struct yk_run_recorder *recorder;
    struct yk_buf text; /* what the recorder has written itself */
};

static void watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context)
{
    struct stage *stage = (struct stage *)(void *)server;
    (void)spec;
    stage->sink = sink;
    stage->context = context;
}

static void drop(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    (void)context, (void)kind, (void)event;
    yk_object_free(object);
}

static void take_text(void *context, struct yk_str lines)
{
    yk_buf_str(&((struct stage *)context)->text, lines);
}

static void begin(struct stage *stage, struct yk_run_recorder_options options)
{
    static const struct yk_api_server_ops ops = {.watch = watch};
    static const struct yk_record_start start = {.program = "p", .namespace_ = "n", .hostname = "h"};
    static const struct yk_watch_spec pods = {.kind = YK_KIND_POD};
    stage->server.ops = &ops;
    yk_clock_virtual_init(&stage->clock, YK_NS_PER_S);
    yk_mailbox_init(&stage->inbox, 4);
    options.inbox = &stage->inbox;
    options.clock = &stage->clock;
    stage->recorder = yk_run_recorder_new(&options);
    yk_run_recorder_begin(stage->recorder, &stage->server, &start);
    yk_api_watch(yk_run_recorder_api(stage->recorder), &pods, drop, NULL);
}

static void tell(struct stage *stage, enum yk_watch_event event, const char *name, size_t padding)
{
    struct yk_object *object = NULL;
    if (name != NULL) {
        YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
        yk_buf_printf(&json, "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"n\",\"labels\":{\"a\":\"", name);
        for (size_t i = 0; i < padding; i++)
            yk_buf_char(&json, 'x');
        yk_buf_text(&json, "\"}},\"spec\":{\"nodeName\":\"n1\"}}");
        assert_int_equal(yk_object_from_json(YK_KIND_POD, yk_buf_view(&json), &object, NULL), YK_OK);
    }
    stage->sink(stage->context, YK_KIND_POD, event, object);
}

/* Events with and without an object, a large object, and one that comes while lines are held back. */
static void play(struct stage *stage)
{
    tell(stage, YK_WATCH_REPLACE_BEGIN, NULL, 0);
    for (int i = 0; i < 300; i++)
        tell(stage, YK_WATCH_UPSERT, "p", (size_t)i * 7);
    tell(stage, YK_WATCH_REPLACE_END, NULL, 0);
    yk_run_recorder_step(stage->recorder);
    tell(stage, YK_WATCH_UPSERT, "large", 2 << 20);
    tell(stage, YK_WATCH_DELETED, "p", 0);
    yk_run_recorder_hold(stage->recorder);
    tell(stage, YK_WATCH_UPSERT, "held", 0);
    yk_run_recorder_timers(stage->recorder, 1);
    tell(stage, YK_WATCH_UPSERT, "last", 0);
    yk_run_recorder_end(stage->recorder);
}

static void end(struct stage *stage)
{
    yk_run_recorder_free(stage->recorder);
    yk_mailbox_done(&stage->inbox);
    yk_buf_done(&stage->text);
}

static void make_path(char path[40])
{
    (void)snprintf(path, 40, "/tmp/yk-record-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
}

static void the_thread_writes_the_same_lines(void **state)
{
    (void)state;
    struct stage text = {.sink = NULL}, shared = {.sink = NULL};
    struct yk_record_thread *thread = NULL;
    struct yk_err err = {0};
    char path[40];
    make_path(path);
    begin(&text, (struct yk_run_recorder_options){.sink = take_text, .context = &text});
    play(&text);
    assert_int_equal(yk_record_thread_new(path, INT64_MAX, &thread, &err), YK_OK);
    begin(&shared, (struct yk_run_recorder_options){.sink = yk_record_thread_put,
                                                    .object_sink = yk_record_thread_put_object,
                                                    .context = thread});
    play(&shared);
    yk_record_thread_finish(thread);
    assert_null(yk_record_thread_failure(thread));
    yk_record_thread_free(thread);
    YK_CLEANUP(yk_buf_done) struct yk_buf file = {0};
    assert_int_equal(yk_file_read(path, &file, &err), YK_OK);
    assert_true(yk_str_eq(yk_buf_view(&file), yk_buf_view(&text.text)));
    (void)unlink(path);
    end(&text);
    end(&shared);
}

static void take_object(void *context, struct yk_str line, struct yk_object *object)
{
    (void)line, (void)object;
    ++*(size_t *)context;
}

static void drop_text(void *context, struct yk_str lines)
{
    (void)context, (void)lines;
}

/* Else the scheduling thread writes the JSON, and recording costs much more. */
static void objects_go_to_their_sink(void **state)
{
    (void)state;
    struct stage stage = {.sink = NULL};
    size_t objects = 0;
    begin(&stage, (struct yk_run_recorder_options){
                      .sink = drop_text, .object_sink = take_object, .context = &objects});
    play(&stage);
    assert_int_equal(objects, 302); /* all but the large one and the one that was held back */
    end(&stage);
}

/* A shared object is counted while it waits, and freed when it is dropped. */
static void objects_that_wait_are_limited(void **state)
{
    (void)state;
    struct yk_record_thread *thread = NULL;
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    char path[40];
    make_path(path);
    assert_int_equal(yk_record_thread_new(path, INT64_MAX, &thread, &err), YK_OK);
    assert_int_equal(
        yk_object_from_json(YK_KIND_POD, YK_STR("{\"metadata\":{\"name\":\"p\"}}"), &object, NULL), YK_OK);
    (void)yk_arena_alloc0(&object->arena, YK_RECORD_WAITING_MAX + 1);
    yk_record_thread_put_object(thread, YK_STR("{\"object\":"), object);
    assert_non_null(yk_record_thread_failure(thread));
    yk_object_free(object); /* not shared: the leak checker sees it */
    yk_record_thread_free(thread);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_thread_writes_the_same_lines),
        cmocka_unit_test(objects_go_to_their_sink),
        cmocka_unit_test(objects_that_wait_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

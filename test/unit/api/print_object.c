/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the readers make of an API server's answer, as text.
 *
 *     print_object KIND json|protobuf object|list|watch FILE
 *
 * KIND as in URLs ("pods"). `object`, `list`: a whole answer; `watch`: a stream that may be cut between two
 * events. The end-to-end test readers.bats gives it the same object in both encodings and compares. Exit code
 * 1: something in it could not be read; standard error says what.
 */
#include "api/json_reader.h"
#include "api/list_reader.h"
#include "api/protobuf_reader.h"
#include "api/watch_reader.h"
#include "lib/object_text.h"

static void die(const char *what)
{
    (void)fprintf(stderr, "print_object: %s\n", what);
    exit(1);
}

static void check(enum yk_status st, const struct yk_err *err)
{
    if (st != YK_OK)
        die(err->text);
}

static void print(const char *what, const struct yk_object *object)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    object_text(object, &text);
    (void)printf("--- %s\n", what);
    (void)fwrite(text.p, 1, text.len, stdout); /* binaryData has bytes of all kinds */
}

static void print_one(enum yk_kind kind, enum yk_wire_format format, struct yk_str bytes)
{
    YK_CLEANUP(yk_object_freep) struct yk_object *object = NULL;
    struct yk_err err = {0};
    check(format == YK_WIRE_JSON ? yk_object_from_json(kind, bytes, &object, &err)
                                 : yk_object_from_protobuf(kind, bytes, &object, &err),
          &err);
    print("object", object);
}

static void print_item(void *context, struct yk_object *object)
{
    (void)context;
    print("item", object);
    yk_object_free(object);
}

static void refuse(void *context, const struct yk_err *reason)
{
    (void)context;
    die(reason->text);
}

/* The version of a list is the whole cluster's: it differs between two requests. */
static void print_list(enum yk_kind kind, enum yk_wire_format format, struct yk_str bytes)
{
    const struct yk_list_sink sink = {.item = print_item, .refused = refuse};
    YK_CLEANUP(yk_list_reader_freep) struct yk_list_reader *reader = yk_list_reader_new(kind, format, &sink);
    struct yk_list_meta meta = {0};
    struct yk_err err = {0};
    check(yk_list_reader_feed(reader, bytes, &err), &err);
    check(yk_list_reader_finish(reader, &meta, &err), &err);
    (void)printf("--- end: has a version %d, continues %d\n", meta.resource_version[0] != '\0',
                 meta.continue_token != NULL);
    free(meta.continue_token);
}

static void print_event(struct yk_event_message *event)
{
    static const char *const names[] = {
        [YK_EVENT_ADDED] = "added", [YK_EVENT_MODIFIED] = "modified", [YK_EVENT_DELETED] = "deleted"};
    if (event->type == YK_EVENT_REFUSED)
        die(event->refused.text);
    if (event->type == YK_EVENT_ERROR)
        die(event->status.message.len > 0 ? event->status.message.p : "the server ended the stream");
    if (event->type != YK_EVENT_BOOKMARK)
        print(names[event->type], event->object);
    else if (event->is_list_end) /* others come when the server likes */
        (void)printf("--- end of the list: has a version %d\n", event->object->resource_version.len > 0);
    yk_event_message_done(event);
}

static void print_watch(enum yk_kind kind, enum yk_wire_format format, struct yk_str bytes)
{
    struct yk_watch_reader reader;
    struct yk_event_message event;
    struct yk_err err = {0};
    bool has_event = true;
    yk_watch_reader_init(&reader, kind, format);
    while (bytes.len > 0 && has_event) {
        check(yk_watch_reader_next(&reader, &bytes, &event, &has_event, &err), &err);
        if (has_event)
            print_event(&event);
    }
    if (!yk_watch_reader_is_between(&reader))
        die("the stream is cut inside an event");
    yk_watch_reader_done(&reader);
}

static enum yk_kind kind_named(const char *name)
{
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        if (strcmp(yk_kind_name((enum yk_kind)kind), name) == 0)
            return (enum yk_kind)kind;
    }
    die("no such kind");
    return YK_KIND_COUNT;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(enum yk_kind kind, enum yk_wire_format format, struct yk_str bytes);
    } forms[] = {{"object", print_one}, {"list", print_list}, {"watch", print_watch}};
    YK_CLEANUP(yk_buf_done) struct yk_buf bytes = {.max = 64u << 20};
    struct yk_err err = {0};
    if (argc != 5)
        die("usage: print_object KIND json|protobuf object|list|watch FILE");
    const enum yk_kind kind = kind_named(argv[1]);
    const enum yk_wire_format format = strcmp(argv[2], "json") == 0 ? YK_WIRE_JSON : YK_WIRE_PROTOBUF;
    check(yk_file_read(argv[4], &bytes, &err), &err);
    for (size_t i = 0; i < YK_COUNT(forms); i++) {
        if (strcmp(forms[i].name, argv[3]) == 0) {
            forms[i].print(kind, format, yk_buf_view(&bytes));
            return 0;
        }
    }
    die("neither object, list nor watch");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "read_wire.h"

#include "api/list_reader.h"
#include "api/watch_reader.h"

static void read_status(enum yk_wire_format wire, struct yk_str bytes)
{
    struct yk_server_status status;
    if (yk_server_status_read(wire, bytes, &status, NULL) == YK_OK)
        yk_server_status_done(&status);
}

static void read_watch(enum yk_wire_format wire, enum yk_kind kind, struct yk_str bytes, size_t chunk)
{
    struct yk_watch_reader reader;
    struct yk_event_message event;
    enum yk_status st = YK_OK;
    yk_watch_reader_init(&reader, kind, wire);
    for (size_t at = 0; st == YK_OK && at < bytes.len; at += chunk) {
        struct yk_str part = {bytes.p + at, YK_MIN(chunk, bytes.len - at)};
        for (bool has_event = true; st == YK_OK && has_event;) {
            st = yk_watch_reader_next(&reader, &part, &event, &has_event, NULL);
            if (st == YK_OK && has_event)
                yk_event_message_done(&event);
        }
    }
    yk_watch_reader_done(&reader);
}

static void drop_item(void *context, struct yk_object *object)
{
    (void)context;
    yk_object_free(object);
}

static void drop_refused(void *context, const struct yk_err *reason)
{
    (void)context;
    (void)reason;
}

static void read_list(enum yk_wire_format wire, enum yk_kind kind, struct yk_str bytes, size_t chunk)
{
    const struct yk_list_sink sink = {drop_item, drop_refused, NULL};
    YK_CLEANUP(yk_list_reader_freep)
    struct yk_list_reader *reader = yk_list_reader_new(kind, wire, &sink);
    struct yk_list_meta meta;
    for (size_t at = 0; at < bytes.len; at += chunk) {
        if (yk_list_reader_feed(reader, (struct yk_str){bytes.p + at, YK_MIN(chunk, bytes.len - at)}, NULL) !=
            YK_OK)
            return;
    }
    if (yk_list_reader_finish(reader, &meta, NULL) == YK_OK)
        free(meta.continue_token);
}

int read_wire(enum yk_wire_format wire, yk_read_object *read_object, const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    struct yk_str bytes = {(const char *)data + 2, size - 2};
    YK_STATIC_ASSERT(YK_KIND_COUNT <= 32, "room for kinds, so that a new one moves no seed to another");
    enum yk_kind kind = (enum yk_kind)((data[0] & 31) % YK_KIND_COUNT);
    size_t chunk = (size_t)data[1] + 1;
    struct yk_object *object = NULL;
    switch (data[0] >> 5 & 3) {
    case 0:
        if (read_object(kind, bytes, &object, NULL) == YK_OK)
            yk_object_free(object);
        break;
    case 1:
        read_status(wire, bytes);
        break;
    case 2:
        read_watch(wire, kind, bytes, chunk);
        break;
    default: /* a number from outside */
        read_list(wire, kind, bytes, chunk);
        break;
    }
    return 0;
}

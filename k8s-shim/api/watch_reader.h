/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a watch stream: the caller passes bytes as they come from the network and gets events (rules K05,
 * K08).
 *
 * The reader keeps the bytes of at most one unfinished event. If the reader cannot find where an event ends
 * (no JSON), or an event is too large or nested too deeply, yk_watch_reader_next() fails and the watch has to
 * be opened again. An event whose object cannot be read becomes YK_EVENT_REFUSED, and the stream continues,
 * so one bad object does not stop the others.
 *
 *     while (bytes.len > 0) {
 *         st = yk_watch_reader_next(&reader, &bytes, &event, &has_event, err);
 *         if (st != YK_OK || !has_event)
 *             break;
 *         ... yk_event_message_done(&event);
 *     }
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "Watch streams".
 */
#ifndef YK_API_WATCH_READER_H
#define YK_API_WATCH_READER_H

#include "api/frame_splitter.h"
#include "api/json_splitter.h"
#include "api/object.h"
#include "api/server_status.h"

enum yk_k8s_event_type {
    YK_EVENT_ADDED,
    YK_EVENT_MODIFIED,
    YK_EVENT_DELETED,
    YK_EVENT_BOOKMARK, /* `object` has the resourceVersion up to which all events have been sent */
    YK_EVENT_ERROR,    /* `status` says why the server ends the stream */
    YK_EVENT_REFUSED,  /* an event could not be read; `refused` says why */
};

struct yk_event_message {
    enum yk_k8s_event_type type;
    /* owned; NULL for ERROR and REFUSED. A caller that keeps it sets this to NULL */
    struct yk_object *object;
    bool is_list_end;               /* of BOOKMARK: the initial events of a streaming list are complete */
    struct yk_server_status status; /* of ERROR; owned */
    struct yk_err refused;          /* of REFUSED */
};

struct yk_watch_reader {
    enum yk_kind kind;
    enum yk_wire_format format;
    struct yk_json_splitter json;
    struct yk_frame_splitter frames;
};

/* Sets `reader` to the beginning of a stream. The caller ends it with yk_watch_reader_done(). */
void yk_watch_reader_init(struct yk_watch_reader *reader, enum yk_kind kind, enum yk_wire_format format);
void yk_watch_reader_done(struct yk_watch_reader *reader);
/*
 * Takes bytes off the front of `*bytes` until an event is complete or all bytes are taken. `*ret_has_event`:
 * whether an event is complete. If so, `*ret`, which need not be initialised, has the event, and the caller
 * ends `*ret` with yk_event_message_done(). Errors: YK_ERR_INVALID, the end of an event cannot be found;
 * YK_ERR_LIMIT, an event is too large or nested too deeply. The reader can then only be ended.
 */
YK_NODISCARD enum yk_status yk_watch_reader_next(struct yk_watch_reader *reader, struct yk_str *bytes,
                                                 struct yk_event_message *ret, bool *ret_has_event,
                                                 struct yk_err *err);
/* Whether no event is unfinished after the bytes taken so far, so that the stream may end here. */
bool yk_watch_reader_is_between(const struct yk_watch_reader *reader);

/* Frees what the event owns. */
void yk_event_message_done(struct yk_event_message *message);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A watch stream: bytes in as they come from the network, events out (rules K05, K08).
 *
 * Holds at most one unfinished event. A stream that is out of step (no JSON, a frame beyond every limit) is
 * an error: the watch has to be opened again. An event whose object cannot be read is an event of its own
 * (YK_EVENT_REFUSED): the stream goes on, one bad object cannot stop the others.
 *
 *     while (bytes.len > 0) {
 *         st = yk_watch_reader_next(&reader, &bytes, &event, &has_event, err);
 *         if (st != YK_OK || !has_event)
 *             break;
 *         ... yk_event_message_done(&event);
 *     }
 * Thread: any, one object at a time.
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
    YK_EVENT_BOOKMARK, /* `object` has a resource version and nothing else */
    YK_EVENT_ERROR,    /* `status` says why; the server ends the stream */
    YK_EVENT_REFUSED,  /* `refused` says what could not be read */
};

struct yk_event_message {
    enum yk_k8s_event_type type;
    struct yk_object *object;       /* owned; all but ERROR and REFUSED */
    bool is_list_end;               /* BOOKMARK: the initial events of a streaming list are complete */
    struct yk_server_status status; /* ERROR */
    struct yk_err refused;          /* REFUSED */
};

struct yk_watch_reader {
    enum yk_kind kind;
    enum yk_wire_format format;
    struct yk_json_splitter json;
    struct yk_frame_splitter frames;
};

/* Makes a reader at the beginning of a stream. End it with yk_watch_reader_done(). */
void yk_watch_reader_init(struct yk_watch_reader *reader, enum yk_kind kind, enum yk_wire_format format);
void yk_watch_reader_done(struct yk_watch_reader *reader);
/*
 * Takes bytes off the front of `*bytes` until an event is complete (`*ret_has_event`, `*ret` filled) or all
 * are taken. Errors: YK_ERR_INVALID, YK_ERR_LIMIT: the stream is out of step.
 */
YK_NODISCARD enum yk_status yk_watch_reader_next(struct yk_watch_reader *reader, struct yk_str *bytes,
                                                 struct yk_event_message *ret, bool *ret_has_event,
                                                 struct yk_err *err);
/* Whether the stream may end here: no event has been read in part. */
bool yk_watch_reader_is_between(const struct yk_watch_reader *reader);

void yk_event_message_done(struct yk_event_message *message);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words in the lines of a recording, which recorder and replay share. Each line is a JSON object. One of
 * its keys, such as "step", says what the line is.
 *
 * Thread: any.
 * Source: docs/record.md, "The file".
 */
#ifndef YK_RECORD_LINE_H
#define YK_RECORD_LINE_H

#include "api/fields.h"
#include "api/server.h"
#include "record/recorder.h"

enum { YK_RECORD_FORMAT = 1 }; /* the version of the format, which is in the first line */

/* Bytes of the longest line that is written; a replay can parse no longer one. */
enum { YK_RECORD_LINE_MAX = YK_JSON_BYTES_MAX };

/* The functions ..._name() return static texts. The functions ..._of() set `*ret` to the value whose word is
 * `name`, and return true. They return false if there is no such value or if `name` is NULL; do not use
 * `*ret` in this case. */

/* The word for an event of a watch, such as "upsert". */
const char *yk_record_event_name(enum yk_watch_event event);
/* The event whose word is `name`. */
bool yk_record_event_of(const char *name, enum yk_watch_event *ret);
/* The word for the result of a request, such as "conflict". */
const char *yk_record_result_name(enum yk_op_result result);
/* The result whose word is `name`. */
bool yk_record_result_of(const char *name, enum yk_op_result *ret);
/* The word for an order: "lead" or "stop". */
const char *yk_record_order_name(enum yk_record_order order);
/* The order whose word is `name`. */
bool yk_record_order_of(const char *name, enum yk_record_order *ret);
/* The kind for which yk_kind_name() returns `name`. */
bool yk_record_kind_of(const char *name, enum yk_kind *ret);

#endif

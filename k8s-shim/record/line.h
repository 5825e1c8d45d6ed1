/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a recording: each is a JSON object, and its first key says what it is. The recorder and the
 * replay share the words here. A `name` may be NULL: no such name.
 *
 * Thread: any.
 * Source: docs/record.md, "The file".
 */
#ifndef YK_RECORD_LINE_H
#define YK_RECORD_LINE_H

#include "api/server.h"
#include "record/recorder.h"

enum { YK_RECORD_FORMAT = 1 }; /* of the file; the first line has it */

/* Longest line: an object with what stands around it. */
enum { YK_RECORD_LINE_MAX = (16 << 20) + 4096 };

/* "upsert", "deleted", ...; static. */
const char *yk_record_event_name(enum yk_watch_event event);
/* Sets `*ret` to the event of that name. False: there is none. */
bool yk_record_event_of(const char *name, enum yk_watch_event *ret);
/* "ok", "conflict", ...; static. */
const char *yk_record_result_name(enum yk_op_result result);
/* Sets `*ret` to the result of that name. False: there is none. */
bool yk_record_result_of(const char *name, enum yk_op_result *ret);
/* "lead", "stop"; static. */
const char *yk_record_order_name(enum yk_record_order order);
/* Sets `*ret` to the order of that name. False: there is none. */
bool yk_record_order_of(const char *name, enum yk_record_order *ret);
/* Sets `*ret` to the kind of that name, as yk_kind_name() writes it. False: there is none. */
bool yk_record_kind_of(const char *name, enum yk_kind *ret);

#endif

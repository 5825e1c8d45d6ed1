/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the recording of a live scheduler to a file on a thread of its own, so that the scheduling thread
 * only copies short lines. Objects are shared with the thread, which writes them as JSON. If the file is
 * written too slowly, grows too large or cannot be written, the recording has to end; scheduling goes on.
 *
 * Owns:   the thread, the file, and lines that are not written yet, with their objects.
 * Thread: scheduling thread, except where a function says otherwise.
 */
#ifndef YK_CMD_RECORD_THREAD_H
#define YK_CMD_RECORD_THREAD_H

#include "api/object.h"

struct yk_record_thread;

/* Bytes of lines and objects that may wait to be written; with more, the recording has to end. */
enum { YK_RECORD_WAITING_MAX = 64 << 20 };

/* Opens the file `path` and starts the thread. Call it with signals blocked: the thread inherits the mask.
 * `bytes_max`: the length of the file, in bytes, at which the recording has to end; the file can become
 * longer. The caller frees `*ret` with yk_record_thread_free(). Errors: YK_ERR_IO, the file cannot be
 * created, or the thread cannot be started. Main thread. */
YK_NODISCARD enum yk_status yk_record_thread_new(const char *path, uint64_t bytes_max,
                                                 struct yk_record_thread **ret, struct yk_err *err);
/* Adds lines to the recording; they are copied. The function is a yk_record_sink, and `thread` is a struct
 * yk_record_thread. Lines are dropped after yk_record_thread_finish(), and once too many wait (see
 * yk_record_thread_failure()). */
void yk_record_thread_put(void *thread, struct yk_str lines);
/* Adds a line: `begin`, which is copied, the JSON of the object, and "}\n", which this function adds. The
 * object is shared until the thread has written it. The function is a yk_record_object_sink, and `thread` is
 * a struct yk_record_thread. Lines are dropped as by yk_record_thread_put(). */
void yk_record_thread_put_object(void *thread, struct yk_str begin, struct yk_object *object);
/* Passes the lines that were collected to the thread, which writes them soon. Call it now and then, so that
 * the file of a killed process is nearly complete. */
void yk_record_thread_flush(struct yk_record_thread *thread);
/* Before yk_record_thread_finish(): why the recording has to end; NULL: it can go on. The caller ends it:
 * yk_engine_cut_record(), then yk_record_thread_finish(). After that: why the file is not complete; NULL: it
 * is complete, or may still become complete. The text is a static clause. */
const char *yk_record_thread_failure(const struct yk_record_thread *thread);
/* Makes the thread write all lines and close the file. Returns at once, before the thread has done so: see
 * yk_record_thread_is_finished(). Later lines are dropped. A second call has no effect. */
void yk_record_thread_finish(struct yk_record_thread *thread);
/* Whether the thread has closed the file after yk_record_thread_finish(). */
bool yk_record_thread_is_finished(const struct yk_record_thread *thread);
/* The length of what was written to the file, in bytes; it ends with a whole line. The value may be some
 * seconds old. */
uint64_t yk_record_thread_bytes(const struct yk_record_thread *thread);
/* A new descriptor that reads the file. The caller closes it. Use it with pread(), because it shares its
 * position with other descriptors. -1: the file is not a regular one, could not be opened for reading, or the
 * descriptor cannot be made; errno says why. */
int yk_record_thread_open(const struct yk_record_thread *thread);
/* Writes all lines, ends the thread, closes the file and frees the struct. NULL is allowed. Main thread,
 * after the scheduling thread has ended. */
void yk_record_thread_free(struct yk_record_thread *thread);

#endif

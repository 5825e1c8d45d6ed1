/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the recording of a live scheduler to a file, on a thread of its own: the scheduling thread only copies
 * lines. If the file takes them too slowly, grows too large or cannot be written, the recording ends; scheduling
 * goes on.
 *
 * Owns:   the thread, the file, and lines that are not written yet.
 * Thread: scheduling thread, except where it says otherwise.
 */
#ifndef YK_CMD_RECORD_THREAD_H
#define YK_CMD_RECORD_THREAD_H

#include "base/str.h"

struct yk_record_thread;

enum { YK_RECORD_WAITING_MAX = 64 << 20 }; /* bytes that wait to be written; more end the recording */

/* Opens the file and starts the thread. Call it with signals blocked. `bytes_max`: of the file; a larger one ends the
 * recording. Errors: YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_record_thread_new(const char *path, uint64_t bytes_max,
                                                 struct yk_record_thread **ret, struct yk_err *err);
/* A yk_record_sink; `thread` is the struct. */
void yk_record_thread_put(void *thread, struct yk_str lines);
/* Lets the thread write what it has, so that a file of a killed process is nearly complete. */
void yk_record_thread_flush(struct yk_record_thread *thread);
/* Why the recording has to end, or after yk_record_thread_finish() why the file is not complete. NULL: it need not, or
 * it is complete. Static. */
const char *yk_record_thread_failure(const struct yk_record_thread *thread);
/* Lets the thread write what it has and close the file. Lines that are put later are lost. No effect the second
 * time. */
void yk_record_thread_finish(struct yk_record_thread *thread);
/* Whether the file is closed after yk_record_thread_finish(). */
bool yk_record_thread_is_finished(const struct yk_record_thread *thread);
/* Length of the file, in bytes: whole lines. At most 2 s old. */
uint64_t yk_record_thread_bytes(const struct yk_record_thread *thread);
/* A descriptor that reads the file; the caller closes it. -1: it cannot be opened, see errno, or it is no regular
 * file. */
int yk_record_thread_open(const struct yk_record_thread *thread);
/* Writes what is left, ends the thread and closes the file. Main thread, after the scheduling thread has ended.
 * NULL has no effect. */
void yk_record_thread_free(struct yk_record_thread *thread);

#endif

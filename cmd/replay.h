/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `yunikorn simulate --replay FILE`: replays a recording.
 *
 * Thread: any; the calling thread does all the work.
 */
#ifndef YK_CMD_REPLAY_H
#define YK_CMD_REPLAY_H

#include "record/replay.h"

/* Replays the recording in the file `path`, and sets `*ret` to the result of yk_replay_run(). Errors, which
 * name the file: as yk_record_reader_open() and yk_replay_run(). */
YK_NODISCARD enum yk_status yk_replay_read(const char *path, struct yk_replay_result *ret,
                                           struct yk_err *err);

/*
 * Replays the recording in the file `path` and writes the result to standard output, as text or JSON. Returns
 * the exit code: YK_EXIT_OK, all decisions are the same; YK_EXIT_FAILURE, one differs (the result says which
 * one), or the file cannot be read or is damaged, or the result cannot be written (standard error says why).
 */
int yk_replay_file(const char *path, bool as_json);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* `yunikorn simulate --replay FILE`: what a recording shows when it is replayed. The calling thread does all. */
#ifndef YK_CMD_REPLAY_H
#define YK_CMD_REPLAY_H

#include "record/replay.h"

/* Replays the file, as yk_replay_run() does. Errors: those of yk_record_reader_open() and yk_replay_run(); the message
 * names the file. */
YK_NODISCARD enum yk_status yk_replay_read(const char *path, struct yk_replay_result *ret,
                                           struct yk_err *err);

/*
 * Replays the file and writes the result to standard output, as text or JSON. The exit code of the program: 0, all
 * decisions are the same; 1, one differs, or the file cannot be read or is damaged, which is said on standard
 * error.
 */
int yk_replay_file(const char *path, bool as_json);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording without the names of the cluster. While its lines are rewritten (record/hash_line.h), they are replayed:
 * the decisions of the new recording are those that the scheduler makes with the new names, and each is compared with
 * the recorded one.
 *
 * A recording is hostile: see record/replay.h. Memory also grows with the number of different words in names, up to a
 * maximum.
 * Thread: the caller's.
 */
#ifndef YK_RECORD_HASH_NAMES_H
#define YK_RECORD_HASH_NAMES_H

#include "record/recorder.h"
#include "record/replay.h"

/*
 * `first` and `second` give the same lines. `sink` gets the new ones. `ret->difference`: the first decision that the
 * scheduler makes otherwise without the names; then the new recording has the rewritten decisions from there on, and
 * no hash. Errors: as yk_replay_run(); YK_ERR_LIMIT, too many words.
 */
YK_NODISCARD enum yk_status yk_hash_names(const struct yk_record_source *first,
                                          const struct yk_record_source *second, yk_record_sink *sink,
                                          void *context, struct yk_replay_result *ret, struct yk_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a copy of a recording without the names of the cluster. The lines are rewritten (record/hash_line.h)
 * and replayed at the same time. The copy contains the decisions that the scheduler makes with the new names;
 * each of them is compared with the rewritten decision of the recording.
 *
 * A recording is hostile: see record/replay.h. Memory also grows with the number of different words in names;
 * record/pseudonyms.h limits this number.
 *
 * Thread: any, one call at a time.
 */
#ifndef YK_RECORD_HASH_NAMES_H
#define YK_RECORD_HASH_NAMES_H

#include "record/recorder.h"
#include "record/replay.h"

/*
 * Makes the copy. `first` and `second`: two sources that read the same recording from its beginning. `sink`
 * gets the copy, with `context`; in contrast to other uses of a yk_record_sink, a line and its newline come
 * in two calls. `*ret`: the result of the replay, set in any case. If yk_replay_differs() is true for `*ret`,
 * the scheduler decides otherwise than in the recording, but the function returns YK_OK. After the
 * difference, the copy contains the rewritten decisions of the recording, and it has no hash.
 * Errors: those of yk_replay_run(); YK_ERR_LIMIT: there are too many words in names. After an error, the copy
 * is incomplete.
 */
YK_NODISCARD enum yk_status yk_hash_names(const struct yk_record_source *first,
                                          const struct yk_record_source *second, yk_record_sink *sink,
                                          void *context, struct yk_replay_result *ret, struct yk_err *err);

#endif

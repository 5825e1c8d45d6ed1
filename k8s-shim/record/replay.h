/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays a recording (record/recorder.h): a new scheduler gets the recorded inputs at the same points and
 * with the same time, and each of its decisions is compared with the recorded one.
 *
 * A recording is hostile, so every line is checked before the scheduler gets it. Memory is needed for one
 * line and for the objects that the scheduler stores because of the recording.
 *
 * Thread: any, one replay at a time.
 * Source: docs/record.md.
 */
#ifndef YK_RECORD_REPLAY_H
#define YK_RECORD_REPLAY_H

#include "base/str.h"
#include "record/decision.h"

/* The lines of a recording, such as those of a struct yk_record_reader (record/record_file.h). */
struct yk_record_source {
    void *context;
    /* Sets `*ret_line` to the next line without its newline, borrowed until the next call. Absent: there are
     * no more lines. An error, such as YK_ERR_IO if the source cannot be read, ends the replay. */
    enum yk_status (*next)(void *context, struct yk_str *ret_line, struct yk_err *err);
};

/* Compares decisions, for recordings with other names. Without a judge, the bytes of decisions are
 * compared. */
struct yk_replay_judge {
    void *context;
    /* Whether the line `recorded` is the decision `made`. `recorded`: the next line of the recording, which
     * may be of any kind. `made`: a decision as yk_decision_put() writes it. Both are borrowed for the
     * call. */
    bool (*is_same)(void *context, struct yk_str recorded, struct yk_str made);
};

struct yk_replay_result {
    uint64_t lines, steps, decisions;     /* lines that were read; steps and decisions that were replayed */
    int64_t begin_mono_ns, end_mono_ns;   /* recorded times of the first line and of the last step */
    char hash[YK_DECISION_HASH_TEXT];     /* the hash of the decisions of the replay */
    char recorded[YK_DECISION_HASH_TEXT]; /* the hash in the last line; "": none was read */
    char why[128];                        /* why the recording was cut; "": no reason was read */
    /* The first difference, with the number of the line; empty: there is none. It says that a decision
     * differs or is missing, that the number of turns of the core differs, or that the hash in the last line
     * differs. */
    struct yk_err difference;
};

/* Whether the replay differs from the recording. */
static inline bool yk_replay_differs(const struct yk_replay_result *result)
{
    return result->difference.text[0] != '\0';
}

/*
 * Replays a recording to its end or to the first difference. A difference is not an error: see
 * yk_replay_differs(). Makes a core and a shim with a virtual clock, and frees them. A recording without a
 * last line is replayed as far as it goes. No line of `source` has been read before. `*ret` is set in any
 * case; after an error, it describes the part before the error. Errors: YK_ERR_INVALID: `source` is not a
 * recording, or a line is malformed; YK_ERR_LIMIT: a line is too large or nested too deeply; those of
 * source->next(). `err` names the number of the line.
 */
YK_NODISCARD enum yk_status yk_replay_run(const struct yk_record_source *source, struct yk_replay_result *ret,
                                          struct yk_err *err);
/* Like yk_replay_run(), but `judge` compares the decisions, in order. `judge` NULL: the bytes are
 * compared. */
YK_NODISCARD enum yk_status yk_replay_run_judged(const struct yk_record_source *source,
                                                 const struct yk_replay_judge *judge,
                                                 struct yk_replay_result *ret, struct yk_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays a recording (record/recorder.h): a new scheduler gets the recorded inputs at the same points and
 * with the same time, and each of its decisions is compared with the recorded one.
 *
 * A recording is hostile: every line is checked before the scheduler gets it. Memory is bounded by a line and
 * by the objects that the scheduler stores because of the recording.
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
    /* Sets `*ret_line` to the next line without its newline, borrowed until the next call; absent: there are
     * no more lines. Errors: YK_ERR_IO, the source cannot be read; YK_ERR_LIMIT, the line is too long. */
    enum yk_status (*next)(void *context, struct yk_str *ret_line, struct yk_err *err);
};

/* A comparison of decisions that replaces the one of bytes, for recordings with other names. */
struct yk_replay_judge {
    void *context;
    /* Whether the recording has the decision `made`. `recorded`: its next line, which may be of any kind.
     * `made`: a decision as yk_decision_put() writes it. Both are borrowed for the call. */
    bool (*is_same)(void *context, struct yk_str recorded, struct yk_str made);
};

struct yk_replay_result {
    uint64_t lines, steps, decisions;     /* lines that were read, steps and decisions that were replayed */
    int64_t begin_mono_ns, end_mono_ns;   /* time of the first and the last step, by the recorded clock */
    char hash[YK_DECISION_HASH_TEXT];     /* of the decisions of the replay */
    char recorded[YK_DECISION_HASH_TEXT]; /* the hash in the last line; "": it has none */
    char why[128];                        /* why the recording was cut; "": it was not */
    /* The first difference, with the number of its line; empty: none. It is a decision that differs or is
     * missing, another number of turns of the core, or at the end another hash. */
    struct yk_err difference;
};

/* Whether the replay differs from the recording. */
static inline bool yk_replay_differs(const struct yk_replay_result *result)
{
    return result->difference.text[0] != '\0';
}

/*
 * Replays a recording to its end or to the first difference, which is no error: see yk_replay_differs().
 * Makes a core and a shim of its own on a virtual clock, and frees them. A recording without a last line is
 * replayed as far as it goes. `source` stands at its first line. `*ret` is set in any case; after an error it
 * describes the part before it. Errors: YK_ERR_INVALID, it is no recording or has a malformed line;
 * YK_ERR_LIMIT, a line is too large or nested too deeply; those of `source->next`. `err` has the number of
 * the line.
 */
YK_NODISCARD enum yk_status yk_replay_run(const struct yk_record_source *source, struct yk_replay_result *ret,
                                          struct yk_err *err);
/* Like yk_replay_run(), with decisions compared by `judge`, whose is_same() is called once per decision, in
 * their order; NULL: by their bytes. */
YK_NODISCARD enum yk_status yk_replay_run_judged(const struct yk_record_source *source,
                                                 const struct yk_replay_judge *judge,
                                                 struct yk_replay_result *ret, struct yk_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays a recording (record/recorder.h): a new scheduler gets the inputs of the recorded one at the same points
 * and with the same time, and each of its requests is compared with the recorded one.
 *
 * A recording is hostile: every line is checked before the scheduler sees it. Memory is bounded by a line and by
 * the objects that the recording makes the scheduler keep.
 * Thread: the caller's.
 * Source: docs/record.md.
 */
#ifndef YK_RECORD_REPLAY_H
#define YK_RECORD_REPLAY_H

#include "base/str.h"
#include "record/decision.h"

struct yk_record_source {
    void *context;
    /* The next line without its newline, borrowed until the next call; absent (p == NULL): there is none.
     * Errors: YK_ERR_IO, YK_ERR_LIMIT. */
    enum yk_status (*next)(void *context, struct yk_str *ret_line, struct yk_err *err);
};

/* Compares each decision instead of the replay: for recordings whose decisions have other texts. */
struct yk_replay_judge {
    void *context;
    /* `recorded`: the line that comes next, whatever it is. `made`: the decision as yk_decision_put() writes it. Both are
     * borrowed for the call. Returns whether they are the same. */
    bool (*is_same)(void *context, struct yk_str recorded, struct yk_str made);
};

struct yk_replay_result {
    uint64_t lines, steps, decisions;
    int64_t begin_mono_ns, end_mono_ns;
    char hash[YK_DECISION_HASH_TEXT];     /* of the decisions of the replay */
    char recorded[YK_DECISION_HASH_TEXT]; /* as the recording says; "": it has no last line */
    char why[128];                        /* why the recording ended; "": it was ended as asked */
    struct yk_err difference; /* the first decision that differs, with its line; empty: there is none */
};

/* Whether a decision of the replay differs from the recorded one. */
static inline bool yk_replay_differs(const struct yk_replay_result *result)
{
    return result->difference.text[0] != '\0';
}

/*
 * Replays to the end or to the first difference. Errors: YK_ERR_INVALID, YK_ERR_LIMIT and YK_ERR_IO: it is not a
 * recording, or it is damaged; the line is in `err`. `*ret` is what there was until then.
 */
YK_NODISCARD enum yk_status yk_replay_run(const struct yk_record_source *source, struct yk_replay_result *ret,
                                          struct yk_err *err);
/* Like yk_replay_run() with a judge, who says whether two lines are the same; NULL: if their bytes are. */
YK_NODISCARD enum yk_status yk_replay_run_judged(const struct yk_record_source *source,
                                                 const struct yk_replay_judge *judge,
                                                 struct yk_replay_result *ret, struct yk_err *err);

#endif

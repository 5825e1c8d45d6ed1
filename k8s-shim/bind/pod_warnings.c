/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/pod_warnings.h"

#include "app/pod_to_app.h"
#include "base/log.h"

enum { GATES_MAX = 1024 };

/* Numbers for yk_recorder_pod_words(). With equal numbers, the second Event about a pod would count as a
 * repetition of the first. */
enum words { ABOUT_ID = 1, ABOUT_QUEUE, ABOUT_GATES };

static void tell(struct yk_recorder *events, const struct yk_cache_pod *pod, bool warning,
                 const struct yk_buf *note, enum words words)
{
    yk_recorder_pod_words(events, pod, warning, "Scheduling", "Scheduling", yk_buf_cstr(note), words);
}

static void tell_conflict(struct yk_recorder *events, const struct yk_cache_pod *pod,
                          const struct yk_buf *note, enum words words)
{
    yk_warn(yk_log_shim_task, "pod says twice what it belongs to", KV("pod", yk_cache_pod_key(pod)),
            KV("note", yk_buf_cstr(note)));
    tell(events, pod, true, note, words);
}

static void tell_gates(struct yk_recorder *events, const struct yk_cache_pod *pod,
                       const struct yk_pod *object)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf note = {.max = GATES_MAX};
    yk_buf_text(&note, "waiting for scheduling gates: ");
    for (uint32_t i = 0; i < object->scheduling_gate_count && !note.failed; i++) {
        if (i > 0)
            yk_buf_char(&note, ',');
        yk_buf_str(&note, object->scheduling_gates[i]);
    }
    tell(events, pod, false, &note, ABOUT_GATES);
}

void yk_pod_warnings_report(struct yk_recorder *events, const struct yk_cache_pod *pod,
                            const struct yk_pod *object, bool unique)
{
    if ((pod->flags & YK_POD_OURS) == 0 || pod->node != NULL)
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf id = {.max = 2 * YK_CONFLICT_NOTE_MAX};
    YK_CLEANUP(yk_buf_done) struct yk_buf queue = {.max = 2 * YK_CONFLICT_NOTE_MAX};
    if (yk_pod_id_conflict(object, unique, &id))
        tell_conflict(events, pod, &id, ABOUT_ID);
    if (yk_pod_queue_conflict(object, &queue))
        tell_conflict(events, pod, &queue, ABOUT_QUEUE);
    if (object->scheduling_gate_count > 0)
        tell_gates(events, pod, object);
}

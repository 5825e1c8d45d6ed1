/* SPDX-License-Identifier: Apache-2.0 */
#include "si.h"

void yk_si_start_basis(const struct yk_si_start *start, bool with_counts, struct yk_buf *text)
{
    unsigned long long seconds = (unsigned long long)(start->window_ns / YK_NS_PER_S);
    const char *pods = start->of_gangs ? "waiting placeholder pods of gangs" : "waiting pods";
    const char *kind = start->application != NULL ? "application" : "queue";
    const char *name = start->application != NULL ? start->application : start->queue;
    if (!start->ends_by_itself) {
        yk_buf_text(text, "what it waits for does not end by itself");
    } else if (start->is_after_timeout) {
        yk_buf_text(text, "its pods start only after the timeout of the gang");
    } else if (start->needs_others) {
        yk_buf_text(text, "other pods have to start or end first");
    } else if (start->is_preempting && !start->is_known) {
        yk_buf_text(text, "it starts when the preempted pods have ended");
    } else if (start->waits_to_start) {
        yk_buf_printf(text,
                      "queue %s starts one application at a time, and how long those before this one take to "
                      "start is not known",
                      start->queue);
    } else if (!start->is_known && start->starts == 0) {
        yk_buf_printf(text, "no %s of %s %s started lately", pods, kind, name);
    } else if (!start->is_known && start->is_overtaken && start->application != NULL) {
        yk_buf_printf(text, "pods of other applications of queue %s start first", start->queue);
    } else if (!start->is_known && start->is_overtaken) {
        yk_buf_printf(text, "new pods of older applications of queue %s come as fast as pods start",
                      start->queue);
    } else if (!start->is_known && !with_counts) {
        yk_buf_printf(text, "too few %s of %s %s started lately", pods, kind, name);
    } else if (!start->is_known && start->starts > 2 * start->batches) {
        yk_buf_printf(text, "%u %s of %s %s started lately, but at only %u moment%s in the last %llu s",
                      start->starts, pods, kind, name, start->batches, start->batches == 1 ? "" : "s",
                      seconds);
    } else if (!start->is_known) {
        yk_buf_printf(text, "too few %s of %s %s started lately: %u in the last %llu s", pods, kind, name,
                      start->starts, seconds);
    } else {
        yk_buf_printf(text, "%u %s of %s %s started in the last %llu s", start->starts, pods, kind, name,
                      seconds);
        if (start->ahead > 0)
            yk_buf_printf(text, ", and %llu come%s first", (unsigned long long)start->ahead,
                          start->ahead == 1 ? "s" : "");
    }
}

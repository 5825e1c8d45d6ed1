/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/app_state.h"

const char *yk_app_state_name(enum yk_app_state state)
{
    static const char *const names[] = {
        [YK_APP_NEW] = "New",
        [YK_APP_ACCEPTED] = "Accepted",
        [YK_APP_STARTING] = "Starting",
        [YK_APP_RUNNING] = "Running",
        [YK_APP_REJECTED] = "Rejected",
        [YK_APP_COMPLETING] = "Completing",
        [YK_APP_COMPLETED] = "Completed",
        [YK_APP_FAILING] = "Failing",
        [YK_APP_FAILED] = "Failed",
        [YK_APP_EXPIRED] = "Expired",
        [YK_APP_RESUMING] = "Resuming",
    };
    YK_INDEXED_BY(names, YK_APP_STATE_COUNT - 1);
    return names[state];
}

const char *yk_app_event_name(enum yk_app_event event)
{
    static const char *const names[] = {
        [YK_APP_RUN] = "runApplication",           [YK_APP_REJECT] = "rejectApplication",
        [YK_APP_COMPLETE] = "completeApplication", [YK_APP_FAIL] = "failApplication",
        [YK_APP_EXPIRE] = "expireApplication",     [YK_APP_RESUME] = "resumeApplication",
    };
    YK_INDEXED_BY(names, YK_APP_RESUME);
    return names[event];
}

struct transition {
    enum yk_app_state from;
    enum yk_app_event event;
    enum yk_app_state to;
};

static const struct transition transitions[] = {
    {YK_APP_NEW, YK_APP_RUN, YK_APP_ACCEPTED},
    {YK_APP_NEW, YK_APP_REJECT, YK_APP_REJECTED},
    {YK_APP_NEW, YK_APP_FAIL, YK_APP_FAILING},
    {YK_APP_NEW, YK_APP_RESUME, YK_APP_RESUMING},
    {YK_APP_ACCEPTED, YK_APP_RUN, YK_APP_RUNNING},
    {YK_APP_ACCEPTED, YK_APP_COMPLETE, YK_APP_COMPLETING},
    {YK_APP_ACCEPTED, YK_APP_FAIL, YK_APP_FAILING},
    {YK_APP_ACCEPTED, YK_APP_RESUME, YK_APP_RESUMING},
    {YK_APP_STARTING, YK_APP_RUN, YK_APP_RUNNING},
    {YK_APP_STARTING, YK_APP_COMPLETE, YK_APP_COMPLETING},
    {YK_APP_STARTING, YK_APP_FAIL, YK_APP_FAILING},
    {YK_APP_RUNNING, YK_APP_RUN, YK_APP_RUNNING},
    {YK_APP_RUNNING, YK_APP_COMPLETE, YK_APP_COMPLETING},
    {YK_APP_RUNNING, YK_APP_FAIL, YK_APP_FAILING},
    {YK_APP_COMPLETING, YK_APP_RUN, YK_APP_RUNNING},
    {YK_APP_COMPLETING, YK_APP_COMPLETE, YK_APP_COMPLETED},
    {YK_APP_RESUMING, YK_APP_RUN, YK_APP_ACCEPTED},
    {YK_APP_FAILING, YK_APP_FAIL, YK_APP_FAILED},
    {YK_APP_COMPLETED, YK_APP_EXPIRE, YK_APP_EXPIRED},
    {YK_APP_FAILED, YK_APP_EXPIRE, YK_APP_EXPIRED},
    {YK_APP_REJECTED, YK_APP_EXPIRE, YK_APP_EXPIRED},
};

bool yk_app_next_state(enum yk_app_state from, enum yk_app_event event, enum yk_app_state *ret_to)
{
    for (size_t i = 0; i < YK_COUNT(transitions); i++) {
        if (transitions[i].from == from && transitions[i].event == event) {
            *ret_to = transitions[i].to;
            return true;
        }
    }
    return false;
}

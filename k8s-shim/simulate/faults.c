/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/faults.h"

enum yk_status yk_faults_add(struct yk_faults *faults, const struct yk_fault *fault, struct yk_err *err)
{
    if (faults->count == YK_SIM_FAULTS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "more than %d faults at once", YK_SIM_FAULTS_MAX);
    if (fault->kind == YK_FAULT_REFUSE && (fault->http_status < 400 || fault->http_status > 599))
        return yk_fail(err, YK_ERR_INVALID, "fault: %d is not the status of a refusal", fault->http_status);
    if (!(fault->probability >= 0 && fault->probability <= 1))
        return yk_fail(err, YK_ERR_INVALID, "fault: probability %g is not between 0 and 1",
                       fault->probability);
    struct yk_fault *added = &faults->items[faults->count++];
    *added = *fault;
    if (added->nth > 0 && added->count == 0)
        added->count = 1;
    return YK_OK;
}

static void drop(struct yk_faults *faults, size_t at)
{
    memmove(&faults->items[at], &faults->items[at + 1], (faults->count - at - 1) * sizeof(faults->items[0]));
    faults->count--;
}

/* Counts a request for the fault, and returns whether the request meets it. Sets `*ret_spent` to true if the
 * fault is now used up. */
static bool takes_its_turn(struct yk_fault *fault, struct yk_random *random, bool *ret_spent)
{
    if (fault->nth > 1) {
        fault->nth--;
        return false;
    }
    if (fault->nth == 0 && yk_random_unit(random) >= fault->probability)
        return false;
    *ret_spent = fault->count > 0 && --fault->count == 0;
    return true;
}

const struct yk_fault *yk_faults_next(struct yk_faults *faults, enum yk_op_kind op, struct yk_random *random,
                                      struct yk_fault *storage)
{
    /* The request meets only the first fault that applies, but all faults count it. */
    bool met = false;
    for (size_t i = 0; i < faults->count;) {
        struct yk_fault *fault = &faults->items[i];
        bool spent = false;
        if (fault->op == op && takes_its_turn(fault, random, &spent) && !met) {
            met = true;
            *storage = *fault;
        }
        if (spent)
            drop(faults, i);
        else
            i++;
    }
    faults->hits += met;
    return met ? storage : NULL;
}

enum yk_op_result yk_sim_result_of(int http_status)
{
    return http_status != 0 && http_status < 400 ? YK_OP_OK : yk_op_refusal(http_status);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a Lease: refused with a sentence, or a holder and numbers in range. What is written for a
 * claim can be read again, says what was claimed and nothing else has changed.
 */
#include "leader/lease.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct yk_lease *read_lease(struct yk_str text)
{
    struct yk_lease *lease = NULL;
    struct yk_err err = {0};
    enum yk_status st = yk_lease_read(text, &lease, &err);
    if ((st == YK_OK) != (lease != NULL) || (st != YK_OK && err.text[0] == '\0'))
        abort();
    if (lease != NULL && (lease->holder == NULL || lease->duration_ns < 0 || lease->transitions < 0))
        abort();
    return lease;
}

static void check_written(struct yk_str body, const char *holder, int32_t transitions)
{
    YK_CLEANUP(yk_lease_freep) struct yk_lease *again = read_lease(body);
    if (again == NULL || strcmp(again->holder, holder) != 0 || again->transitions != transitions ||
        again->duration_ns != 15 * YK_NS_PER_S || !yk_lease_same_record(again, again))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct yk_lease_claim claim = {.holder = "us",
                                         .duration_ns = 14 * YK_NS_PER_S + 1,
                                         .now_wall_ns = 1700000000 * YK_NS_PER_S,
                                         .acquires = true,
                                         .changes_hands = true};
    YK_CLEANUP(yk_buf_done) struct yk_buf update = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf fresh = {0};
    YK_CLEANUP(yk_lease_freep) struct yk_lease *lease = read_lease((struct yk_str){(const char *)data, size});
    if (lease == NULL)
        return 0;
    yk_lease_write(&update, lease, &claim);
    check_written(yk_buf_view(&update), "us", lease->transitions + (lease->transitions < INT32_MAX));
    yk_lease_write_new(
        &fresh, "ns", "name",
        &(struct yk_lease_claim){.holder = lease->holder, .duration_ns = 15 * YK_NS_PER_S, .now_wall_ns = 1});
    check_written(yk_buf_view(&fresh), lease->holder, 0);
    return 0;
}

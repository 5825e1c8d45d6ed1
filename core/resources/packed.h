/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Amounts in as little memory as their types need, for what there is a lot of and that is seldom computed
 * with. The same numbers as in a resource vector (resources/resvec.h): they saturate, and absent is 0. Owns
 * its amounts, and a reference to each of its types; zeroed it is empty.
 * Thread: one at a time.
 */
#ifndef YK_RESOURCES_PACKED_H
#define YK_RESOURCES_PACKED_H

#include "resources/resvec.h"

struct yk_packed {
    struct yk_packed_item *items; /* owned; ascending by type */
    uint32_t count;
};

void yk_packed_done(struct yk_packed *packed);
/* 0 if it is absent. */
int64_t yk_packed_get(const struct yk_packed *packed, int type);
/* `*ret_amounts` is initialised; all types of `packed`. */
void yk_packed_to_vector(const struct yk_packed *packed, struct yk_resvec *ret_amounts);
/* Adds each type of `more`. O(types). */
void yk_packed_add(struct yk_packed *packed, const struct yk_resvec *more);
/* Subtracts each type of `less`; amounts may become negative. O(types). */
void yk_packed_sub(struct yk_packed *packed, const struct yk_resvec *less);

#endif

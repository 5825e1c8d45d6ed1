/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Amounts in as little memory as their types need, for what there is a lot of and that is seldom computed
 * with. The same numbers as in a resource vector (resources/resvec.h): they saturate, and absent is 0.
 * Owns its amounts; zeroed it is empty. Thread: one at a time.
 */
#ifndef YK_RESOURCES_PACKED_H
#define YK_RESOURCES_PACKED_H

#include "resources/resvec.h"

struct yk_packed {
    uint32_t set; /* bit t: type t is present */
    int64_t *v;   /* owned; one for each bit, in slot order */
};

void yk_packed_done(struct yk_packed *packed);
int64_t yk_packed_get(const struct yk_packed *packed, int type);
void yk_packed_add(struct yk_packed *packed, const struct yk_resvec *more);
void yk_packed_sub(struct yk_packed *packed, const struct yk_resvec *less);

#endif

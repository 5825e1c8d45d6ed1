/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks of nodes' ids: a number that orders two ids without a look at them.
 *
 * Ids tend to differ only behind what all have in common ("node-00017"). The rank is made of the first bytes
 * there; ids whose ranks differ are in the order of these, equal ranks say nothing. What all have in common
 * only gets shorter, so that all ranks are made anew a few times, while the first nodes come.
 *
 * Owns: a copy of the common beginning.
 */
#ifndef YK_POLICIES_NODE_RANK_H
#define YK_POLICIES_NODE_RANK_H

#include "base/base.h"

struct yk_node_ranks {
    char *common; /* owned; NULL: no id was seen */
    size_t common_len;
};

void yk_node_ranks_done(struct yk_node_ranks *ranks);
/* Another id is to have a rank. True: all those given before are void. */
YK_NODISCARD bool yk_node_ranks_admit(struct yk_node_ranks *ranks, const char *id);
/* Of an id that was admitted. */
uint64_t yk_node_rank(const struct yk_node_ranks *ranks, const char *id);

#endif

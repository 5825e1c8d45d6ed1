/* SPDX-License-Identifier: Apache-2.0 */
#include "policies/node_rank.h"

void yk_node_ranks_done(struct yk_node_ranks *ranks)
{
    free(ranks->common);
    *ranks = (struct yk_node_ranks){0};
}

static size_t common_len(const struct yk_node_ranks *ranks, const char *id)
{
    size_t len = 0;
    while (len < ranks->common_len && id[len] == ranks->common[len])
        len++;
    return len;
}

bool yk_node_ranks_admit(struct yk_node_ranks *ranks, const char *id)
{
    if (ranks->common == NULL) {
        ranks->common = yk_strdup(id);
        ranks->common_len = strlen(id);
        return false;
    }
    size_t before = ranks->common_len;
    ranks->common_len = common_len(ranks, id);
    return ranks->common_len < before;
}

uint64_t yk_node_rank(const struct yk_node_ranks *ranks, const char *id)
{
    const char *at = id + ranks->common_len;
    uint64_t rank = 0;
    for (size_t i = 0; i < sizeof(rank); i++) {
        rank = rank << 8 | (unsigned char)*at;
        at += *at != '\0'; /* an id that ends is before one that goes on */
    }
    return rank;
}

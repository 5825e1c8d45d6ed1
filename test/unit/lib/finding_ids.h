/* SPDX-License-Identifier: Apache-2.0 */
/* The ids of findings as one text, which a test compares with what it expects. */
#ifndef TEST_LIB_FINDING_IDS_H
#define TEST_LIB_FINDING_IDS_H

#include "migrate/check.h"
#include "migrate/finding.h"

#include <stdio.h>

enum { IDS_MAX = 512 };

/* Writes the ids in their order, with a space between two and a NUL; what does not fit is cut. */
static inline void put_ids(const struct yk_findings *findings, char ids[IDS_MAX])
{
    size_t len = 0;
    ids[0] = '\0';
    for (size_t i = 0; i < findings->count && len < IDS_MAX; i++)
        len += (size_t)snprintf(ids + len, IDS_MAX - len, "%s%s", i > 0 ? " " : "",
                                findings->items[i]->check->id);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What random tests draw, and from where they take the run that they are to repeat. */
#ifndef TEST_LIB_CHANCE_H
#define TEST_LIB_CHANCE_H

#include "base/random.h"
#include "base/str.h"

/* A number from 0 to `bound` - 1; `bound` > 0. */
static inline int below(struct yk_random *random, int bound)
{
    return (int)yk_random_below(random, (uint64_t)bound);
}

/* One of the `count` (> 0) items. */
static inline const char *pick(struct yk_random *random, const char *const *items, size_t count)
{
    return items[below(random, (int)count)];
}
#define PICK(random, ...)                                                                                    \
    pick((random), (const char *const[]){__VA_ARGS__}, YK_COUNT(((const char *const[]){__VA_ARGS__})))

/* Of the environment, YK_SEED and the like. */
static inline int64_t number_from(const char *variable, int64_t otherwise)
{
    int64_t number;
    const char *text = getenv(variable);
    return text != NULL && yk_str_to_i64(yk_str_from(text), &number) == YK_OK ? number : otherwise;
}

#endif

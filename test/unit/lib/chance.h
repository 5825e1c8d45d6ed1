/* SPDX-License-Identifier: Apache-2.0 */
/* Random choices of tests, and the environment variables with which a run is repeated. */
#ifndef TEST_LIB_CHANCE_H
#define TEST_LIB_CHANCE_H

#include "base/random.h"
#include "base/str.h"

/* A number from 0 to `bound` - 1; `bound` > 0. */
static inline int below(struct yk_random *random, int bound)
{
    return (int)yk_random_below(random, (uint64_t)bound);
}

/* A random one of the `count` (above 0) items. */
static inline const char *pick(struct yk_random *random, const char *const *items, size_t count)
{
    return items[below(random, (int)count)];
}
#define PICK(random, ...)                                                                                    \
    pick((random), (const char *const[]){__VA_ARGS__}, YK_COUNT(((const char *const[]){__VA_ARGS__})))

/* The number in an environment variable such as YK_SEED; `otherwise` if it is not set or malformed. */
static inline int64_t number_from(const char *variable, int64_t otherwise)
{
    int64_t number;
    const char *text = getenv(variable);
    return text != NULL && yk_str_to_i64(yk_str_from(text), &number) == YK_OK ? number : otherwise;
}

#endif

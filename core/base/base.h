/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every file may use: attributes, assertions, allocations that never return NULL, checked sizes.
 *
 * Owns:   nothing.
 * Thread: any. When memory runs out, the process ends with one line on standard error, because start-up
 * rebuilds everything from the resource manager (docs/design.md, "Crashes and restarts"). Callers check
 * sizes that come from outside against a named maximum first.
 */
#ifndef YK_BASE_BASE_H
#define YK_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"
#include "base/error.h"

/* YK_COUNT(): the number of items of an array, not of a pointer. YK_CONTAINER(): the T whose field `m` is
 * at `ptr`, which is not NULL. YK_MIN() and YK_MAX() evaluate one argument twice: the one that they
 * return. */
#define YK_NODISCARD            __attribute__((warn_unused_result))
#define YK_PRINTF(fmt, args)    __attribute__((format(printf, fmt, args)))
#define YK_UNUSED               __attribute__((unused))
#define YK_COUNT(array)         (sizeof(array) / sizeof((array)[0]))
#define YK_LIKELY(x)            __builtin_expect(!!(x), 1)
#define YK_UNLIKELY(x)          __builtin_expect(!!(x), 0)
#define YK_CONTAINER(ptr, T, m) ((T *)((uintptr_t)(ptr)-offsetof(T, m)))
#define YK_MIN(a, b)            ((a) < (b) ? (a) : (b))
#define YK_MAX(a, b)            ((a) > (b) ? (a) : (b))
#define YK_STATIC_ASSERT        _Static_assert

/*
 * Checks at compile time that `table`, an array that an enum indexes, has an entry for each value from 0 to
 * `last`. Put this macro behind the definition of the table, whose size must come from its entries.
 */
#define YK_INDEXED_BY(table, last)                                                                           \
    _Static_assert(YK_COUNT(table) == (size_t)(last) + 1,                                                    \
                   #table " needs one entry for each value up to " #last)

/* Runs `done(&variable)` when the variable leaves its scope. */
#define YK_CLEANUP(done) __attribute__((cleanup(done)))

/* The value of the variable `pointer`, which becomes NULL: a cleanup of the variable then frees nothing. */
#define yk_move(pointer)                                                                                     \
    ({                                                                                                       \
        __typeof__(pointer) yk_moved_ = (pointer);                                                           \
        (pointer) = NULL;                                                                                    \
        yk_moved_;                                                                                           \
    })

/* Defines <object>_freep() for YK_CLEANUP. Use this macro next to the declaration of <object>_free(). */
#define YK_DEFINE_FREEP(object)                                                                              \
    static inline void object##_freep(struct object **p)                                                     \
    {                                                                                                        \
        object##_free(*p);                                                                                   \
    }

/*
 * For bugs, not for errors: aborts in debug builds if the condition is false. In release builds the failure
 * is counted, only the first one is logged, and the expression is false, so that the caller takes the safe
 * branch written beside it:
 *     if (!YK_ASSERT(node->used_count > 0)) return;
 * The condition is evaluated in all builds.
 */
#define YK_ASSERT(condition) (YK_LIKELY(condition) ? true : yk_assert_failed(#condition, __FILE__, __LINE__))
/* For YK_ASSERT(): aborts in debug builds. In release builds it counts the failure, writes it to standard
 * error if it is the first one, and returns false. Any thread. */
bool yk_assert_failed(const char *condition, const char *file, int line);
/* How many broken invariants were met since the process started (release builds). Any thread. */
uint64_t yk_assert_failures(void);

enum { YK_LINE_BYTES = 64 }; /* a cache line */

/* Ends the process with a line on standard error which says that an allocation of `bytes` bytes failed. */
_Noreturn void yk_out_of_memory(size_t bytes);
/* `bytes` (may be 0) bytes of zeroed memory, never NULL; the caller frees it with free(). */
void *yk_alloc0(size_t bytes) __attribute__((malloc, returns_nonnull));
/*
 * Resizes the array `p` (NULL: a new one) to `count` items. Items that fit stay; new ones are not zeroed.
 * Returns the array, which may have moved; never NULL. The caller frees it with free().
 */
void *yk_realloc_array(void *p, size_t count, size_t item_bytes) __attribute__((returns_nonnull));
/*
 * Gives free memory of the heap back to the system. No effect without glibc, or if the process has more than
 * 96 MiB of resident memory that belongs to no file, because it would take too long. Call it when the thread
 * has nothing else to do.
 */
void yk_heap_give_back(void);
/* A copy of a terminated text, which the caller frees with free(). */
char *yk_strdup(const char *text) __attribute__((malloc, returns_nonnull, nonnull));
/* Like yk_strdup(), but `text` may be NULL; the result is then NULL. */
char *yk_strdup_or_null(const char *text) __attribute__((malloc));
/*
 * A terminated copy of `bytes` bytes, which the caller frees with free(). `text` need not be terminated, and
 * may be NULL if `bytes` is 0. Unlike strndup(), it does not stop at a zero byte: all `bytes` bytes are
 * read.
 */
char *yk_strndup(const char *text, size_t bytes) __attribute__((malloc, returns_nonnull));
/* Like yk_alloc0(), but the memory begins at the start of a cache line and fills whole cache lines: for
 * structs with _Alignas. */
void *yk_alloc0_aligned(size_t bytes) __attribute__((malloc, returns_nonnull));
/* Zeroed memory for one T, or for `count` (may be 0) of them. Never NULL; the caller frees it with free(). */
#define yk_new0_aligned(T)      ((T *)yk_alloc0_aligned(sizeof(T)))
#define yk_new0(T)              ((T *)yk_alloc0(sizeof(T)))
#define yk_new0_array(T, count) ((T *)yk_calloc((count), sizeof(T)))
/* Zeroed memory for `count` (may be 0) items; never NULL. The caller frees it with free(). */
void *yk_calloc(size_t count, size_t item_bytes) __attribute__((malloc, returns_nonnull));
/*
 * `bytes` bytes of zeroed pages from the system, aligned to `bytes`, which is a power of two and at least a
 * page. Never NULL. The caller frees them with yk_pages_free(), which gives them back to the system at once.
 */
void *yk_pages_new(size_t bytes) __attribute__((malloc, returns_nonnull));
/* Frees what yk_pages_new() returned for the same `bytes`. `pages` may be NULL. */
void yk_pages_free(void *pages, size_t bytes);
/* For YK_CLEANUP(): frees what the pointer at `p` points to. */
static inline void yk_freep(void *p)
{
    free(*(void **)p);
}

/* Returns a + b. Ends the process if the sum does not fit, so check `a` and `b` against a maximum before. */
size_t yk_size_add(size_t a, size_t b);
/* Like yk_size_add() for a * b. */
size_t yk_size_mul(size_t a, size_t b);

/* a + b; INT64_MIN or INT64_MAX if the sum does not fit. For counts and times; amounts of resources have
 * functions of their own (resources/resvec.h). */
static inline int64_t yk_i64_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (YK_UNLIKELY(__builtin_add_overflow(a, b, &sum)))
        return b < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

/* a - b; INT64_MIN or INT64_MAX if the difference does not fit. */
static inline int64_t yk_i64_sub(int64_t a, int64_t b)
{
    int64_t difference;
    if (YK_UNLIKELY(__builtin_sub_overflow(a, b, &difference)))
        return b < 0 ? INT64_MAX : INT64_MIN;
    return difference;
}

#define YK_NS_PER_US INT64_C(1000)
#define YK_NS_PER_MS INT64_C(1000000)
#define YK_NS_PER_S  INT64_C(1000000000)

#endif

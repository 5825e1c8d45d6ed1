/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

void yk_out_of_memory(size_t bytes)
{
    (void)fprintf(stderr, "yunikorn: out of memory (%zu bytes wanted)\n", bytes);
    _exit(70);
}

/* malloc() takes small blocks from a cache of the thread; calloc() of glibc before 2.41 does not, so small
 * blocks are zeroed here. calloc() is faster for large blocks: the system may hand them out as zeros. */
void *yk_alloc0(size_t bytes)
{
    enum { SMALL = 1024 };
    bool is_small = bytes <= SMALL;
    void *p = is_small ? malloc(bytes > 0 ? bytes : 1) : calloc(1, bytes);
    if (p == NULL)
        yk_out_of_memory(bytes);
    return is_small ? memset(p, 0, bytes) : p;
}

void *yk_alloc0_aligned(size_t bytes)
{
    size_t lines = (yk_size_add(bytes, YK_LINE_BYTES - 1)) / YK_LINE_BYTES;
    void *p = aligned_alloc(YK_LINE_BYTES, lines * YK_LINE_BYTES);
    if (p == NULL)
        yk_out_of_memory(bytes);
    return memset(p, 0, bytes);
}

void *yk_calloc(size_t count, size_t item_bytes)
{
    void *p = calloc(count > 0 ? count : 1, item_bytes > 0 ? item_bytes : 1);
    if (p == NULL)
        yk_out_of_memory(yk_size_mul(count, item_bytes));
    return p;
}

void *yk_realloc_array(void *p, size_t count, size_t item_bytes)
{
    void *bigger = reallocarray(p, count > 0 ? count : 1, item_bytes > 0 ? item_bytes : 1);
    if (bigger == NULL)
        yk_out_of_memory(yk_size_mul(count, item_bytes));
    return bigger;
}

#ifdef __GLIBC__
/* Bytes of resident memory that belong to no file: the heap and some more. SIZE_MAX: not known. mallinfo2()
 * would be exact, but it visits each free piece, which takes too long. */
static size_t own_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long resident, shared;
    if (file == NULL)
        return SIZE_MAX;
    bool is_read = fscanf(file, "%*u %lu %lu", &resident, &shared) == 2;
    (void)fclose(file); /* nothing was written */
    return is_read && resident >= shared ? (resident - shared) * (size_t)sysconf(_SC_PAGESIZE) : SIZE_MAX;
}
#endif

void yk_heap_give_back(void)
{
#ifdef __GLIBC__
    static const size_t max_bytes = 96 << 20; /* malloc_trim() takes 200 ms or more per gigabyte */
    if (own_bytes() <= max_bytes)
        (void)malloc_trim(0); /* only returns whether memory was freed */
#endif
}

/* mmap() aligns to a page only. So twice as much is mapped, and what is not needed at both ends is
 * unmapped. */
void *yk_pages_new(size_t bytes)
{
    size_t mapped = yk_size_mul(bytes, 2);
    char *from = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (from == MAP_FAILED)
        yk_out_of_memory(bytes);
    size_t before = -(uintptr_t)from & (bytes - 1);
    if (before > 0)
        (void)munmap(from, before); /* fails only if memory is exhausted; the pages then stay unused */
    (void)munmap(from + before + bytes, mapped - before - bytes); /* as above */
    return from + before;
}

void yk_pages_free(void *pages, size_t bytes)
{
    if (pages != NULL)
        YK_ASSERT(munmap(pages, bytes) == 0);
}

char *yk_strndup(const char *text, size_t bytes)
{
    char *copy = malloc(yk_size_add(bytes, 1));
    if (copy == NULL)
        yk_out_of_memory(bytes);
    if (bytes > 0)
        memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    return copy;
}

char *yk_strdup(const char *text)
{
    return yk_strndup(text, strlen(text));
}

char *yk_strdup_or_null(const char *text)
{
    return text != NULL ? yk_strdup(text) : NULL;
}

size_t yk_size_add(size_t a, size_t b)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        yk_out_of_memory(SIZE_MAX);
    return sum;
}

size_t yk_size_mul(size_t a, size_t b)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        yk_out_of_memory(SIZE_MAX);
    return product;
}

/* Relaxed: a statistic; no other data depends on its order. */
static _Atomic uint64_t assert_failures;

uint64_t yk_assert_failures(void)
{
    return atomic_load_explicit(&assert_failures, memory_order_relaxed);
}

bool yk_assert_failed(const char *condition, const char *file, int line)
{
    uint64_t before = atomic_fetch_add_explicit(&assert_failures, 1, memory_order_relaxed);
    if (before == 0)
        (void)fprintf(stderr, "yunikorn: broken invariant at %s:%d: %s\n", file, line, condition);
#ifndef NDEBUG
    abort();
#endif
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is freed all at once: what one object, request or cycle needs. Allocation O(1); a single
 * allocation cannot be freed. A zeroed arena is empty. A failed malloc ends the process, so callers have to
 * bound the memory that they allocate for input from outside.
 *
 * Thread: any.
 */
#ifndef YK_BASE_ARENA_H
#define YK_BASE_ARENA_H

#include "base/str.h"

struct yk_arena_chunk;

struct yk_arena {
    struct yk_arena_chunk *chunks; /* owned, newest first */
    char *at;                      /* the next free byte of the newest chunk; NULL: no chunk yet */
    size_t left;                   /* free bytes from `at` on */
    size_t used;                   /* bytes handed out, without padding */
    /* The next chunk has at least this number of bytes, which each new chunk doubles, up to 64 KiB. 0: there
     * is no chunk yet. */
    size_t next_chunk;
};

/* Frees everything that was allocated from the arena. The arena is empty afterwards and may be used again. */
void yk_arena_done(struct yk_arena *arena);
/* `bytes` (may be 0) bytes of zeroed memory, aligned for any type, valid until yk_arena_done(). Never
 * NULL. */
void *yk_arena_alloc0(struct yk_arena *arena, size_t bytes);
/* A terminated copy of `text`, valid until yk_arena_done(). An absent text (p == NULL) stays absent. */
struct yk_str yk_arena_str(struct yk_arena *arena, struct yk_str text);
/* The number of bytes that the chunks of the arena take, with their free bytes. O(chunks). */
size_t yk_arena_bytes(const struct yk_arena *arena);

#endif

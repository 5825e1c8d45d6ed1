/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is dropped whole: what one object, request or cycle needs. Allocation O(1), no single free. A
 * zeroed arena is empty. A failed malloc ends the process; callers bound what hostile input can make it hold.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_BASE_ARENA_H
#define YK_BASE_ARENA_H

#include "base/str.h"

struct yk_arena_chunk;

struct yk_arena {
    struct yk_arena_chunk *chunks; /* owned, newest first */
    char *at;
    size_t left;
    size_t used;       /* bytes handed out */
    size_t next_chunk; /* size of the next chunk; doubles up to 64 KiB */
};

void yk_arena_done(struct yk_arena *arena);
/* `bytes` bytes of zeroed memory, aligned for any type, valid until yk_arena_done(). Never NULL. */
void *yk_arena_alloc0(struct yk_arena *arena, size_t bytes);
/* A terminated copy in the arena; absent (p == NULL) stays absent. */
struct yk_str yk_arena_str(struct yk_arena *arena, struct yk_str text);
/* The number of bytes that the arena has allocated. */
size_t yk_arena_bytes(const struct yk_arena *arena);

#endif

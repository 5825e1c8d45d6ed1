/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>

enum { CHUNK_FIRST = 512, CHUNK_LARGEST = 64 << 10 };

struct yk_arena_chunk {
    struct yk_arena_chunk *next;
    size_t bytes;
    alignas(max_align_t) char data[];
};

void yk_arena_done(struct yk_arena *arena)
{
    while (arena->chunks != NULL) {
        struct yk_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    *arena = (struct yk_arena){0};
}

static void add_chunk(struct yk_arena *arena, size_t at_least)
{
    size_t bytes = YK_MAX(arena->next_chunk, (size_t)CHUNK_FIRST);
    arena->next_chunk = YK_MIN(bytes * 2, (size_t)CHUNK_LARGEST);
    bytes = YK_MAX(bytes, at_least);
    struct yk_arena_chunk *chunk = yk_realloc_array(NULL, yk_size_add(sizeof(*chunk), bytes), 1);
    chunk->next = arena->chunks;
    chunk->bytes = bytes;
    arena->chunks = chunk;
    arena->at = chunk->data;
    arena->left = bytes;
}

static char *take(struct yk_arena *arena, size_t bytes)
{
    if (bytes > arena->left || arena->at == NULL)
        add_chunk(arena, bytes);
    char *p = arena->at;
    arena->at += bytes;
    arena->left -= bytes;
    arena->used += bytes;
    return p;
}

void *yk_arena_alloc0(struct yk_arena *arena, size_t bytes)
{
    size_t padding = -(uintptr_t)arena->at % alignof(max_align_t);
    if (arena->at != NULL && padding <= arena->left) {
        arena->at += padding;
        arena->left -= padding;
    } else {
        arena->left = 0;
    }
    bytes = YK_MAX(bytes, 1); /* never NULL */
    return memset(take(arena, bytes), 0, bytes);
}

struct yk_str yk_arena_str(struct yk_arena *arena, struct yk_str text)
{
    if (text.p == NULL)
        return text;
    char *copy = take(arena, yk_size_add(text.len, 1));
    memcpy(copy, text.p, text.len);
    copy[text.len] = '\0';
    return (struct yk_str){copy, text.len};
}

size_t yk_arena_bytes(const struct yk_arena *arena)
{
    size_t bytes = 0;
    for (const struct yk_arena_chunk *chunk = arena->chunks; chunk != NULL; chunk = chunk->next)
        bytes += sizeof(*chunk) + chunk->bytes;
    return bytes;
}

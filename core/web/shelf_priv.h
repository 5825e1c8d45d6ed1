/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers that several requests share: those who ask for the same within a second get one rendering, and
 * those who come while it is made wait for it. Answers that differ by who asks are never here.
 *
 * An entry is being made by one job, or it is ready. The bodies are as they are sent, so clients that take
 * gzip share with each other only.
 *
 * Thread: I/O thread only.
 * Source: docs/reference/rest.md 1.8.
 */
#ifndef YK_WEB_SHELF_PRIV_H
#define YK_WEB_SHELF_PRIV_H

#include "base/str.h"

struct yk_job;

enum { YK_SHELF_MAX = 32 }; /* entries; with YK_POUR_HELD_MAX each 16 MiB */
#define YK_SHELF_AGE_NS (1 * YK_NS_PER_S)
enum { YK_ETAG_MAX = 64 };

struct yk_shared {
    char *key;                              /* owned */
    struct yk_job *maker;                   /* NULL: it is ready, or was given up */
    struct yk_job *waiting, **last_waiting; /* by `next` */
    size_t refs;                            /* the shelf's and one per job that is sent from it */
    int64_t ready_mono_ns;
    /* The answer. */
    struct yk_buf body, next_after;
    char etag[YK_ETAG_MAX];
    int64_t total_count;
    bool gzipped;
};

struct yk_shelf {
    struct yk_shared *entries[YK_SHELF_MAX]; /* NULL: free */
};

/* Drops all references of the shelf. */
void yk_shelf_done(struct yk_shelf *shelf);
/* The entry with that key that is being made, or is ready and younger than YK_SHELF_AGE_NS; borrowed until
 * the shelf changes. NULL: none. Drops old entries. */
struct yk_shared *yk_shelf_find(struct yk_shelf *shelf, struct yk_str key, int64_t now_mono_ns);
/* Adds an entry with that key, which is copied, for the answer that the job `maker` makes. Borrowed until the
 * shelf changes. NULL: the shelf is full. */
struct yk_shared *yk_shelf_begin(struct yk_shelf *shelf, struct yk_str key, struct yk_job *maker);
/* Removes the entry from the shelf and drops the reference of the shelf. */
void yk_shelf_drop(struct yk_shelf *shelf, struct yk_shared *shared);
/* Adds `job` to the jobs that wait for the entry. */
void yk_shared_wait(struct yk_shared *shared, struct yk_job *job);
/* Takes the jobs that wait for it off: returns the first, the others follow by `next`; NULL: none waits. They
 * belong to the caller. */
struct yk_job *yk_shared_take_waiting(struct yk_shared *shared);
/* Adds a reference; returns `shared`. */
struct yk_shared *yk_shared_ref(struct yk_shared *shared);
/* Drops a reference; the last one frees the entry. NULL is fine. */
void yk_shared_unref(struct yk_shared *shared);

#endif

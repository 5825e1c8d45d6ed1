/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shelf: answers that several requests share. An equal request within a second gets the same answer; one
 * that comes while it is being made waits for it. Answers that depend on the caller are never shared.
 *
 * An entry is made by one job (`maker`), and then it is ready. Bodies are stored as they are sent, so clients
 * that take gzip do not share entries with other clients.
 *
 * Thread: I/O thread only.
 * Source: docs/reference/rest.md 1.8.
 */
#ifndef YK_WEB_SHELF_PRIV_H
#define YK_WEB_SHELF_PRIV_H

#include "web/job.h"

/* entries; a body has at most about YK_POUR_HELD_MAX bytes (web/pour_priv.h) */
enum { YK_SHELF_MAX = 32 };
#define YK_SHELF_AGE_NS (1 * YK_NS_PER_S) /* how long an entry that is ready is used */

/* One entry. */
struct yk_shared {
    /* Owned: path, query and use of gzip, which the requests that share the answer have in common. */
    char *key;
    /* The job that makes the answer; NULL: the answer is ready, or was given up. */
    struct yk_job *maker;
    struct yk_job *waiting, **last_waiting; /* jobs that wait for the answer, by `next` */
    /* References: of the shelf, and of each job that sends the body. */
    size_t refs;
    int64_t ready_mono_ns; /* when the answer was complete */
    /* The answer, with the fields of struct yk_answer. */
    struct yk_buf body, next_after;
    char etag[YK_ETAG_MAX];
    int64_t total_count;
    bool gzipped;
};

/* A zeroed one is empty. */
struct yk_shelf {
    struct yk_shared *entries[YK_SHELF_MAX]; /* with a reference each; NULL: free */
};

/* Drops all references of the shelf. The shelf is empty then. */
void yk_shelf_done(struct yk_shelf *shelf);
/* The entry with that key that is being made (`maker` is not NULL: the caller waits with yk_shared_wait()),
 * or has been ready for at most YK_SHELF_AGE_NS (the caller sends its body); borrowed until the shelf
 * changes. NULL: there is none. Drops older entries. */
struct yk_shared *yk_shelf_find(struct yk_shelf *shelf, struct yk_str key, int64_t now_mono_ns);
/*
 * Adds an empty entry with that key, which is copied, for the answer that the job `maker` will make. Call it
 * if yk_shelf_find() found none. The entry stays on the shelf until the answer is complete or given up; the
 * caller stores it in maker->makes until then. NULL: the shelf is full, and the job makes its answer for
 * itself.
 * When the answer is complete, the caller fills the entry, sets `ready_mono_ns`, sets `maker` to NULL, and
 * serves the jobs of yk_shared_take_waiting(). If the answer is given up, the caller sets `maker` to NULL,
 * takes these jobs, and calls yk_shelf_drop().
 */
struct yk_shared *yk_shelf_begin(struct yk_shelf *shelf, struct yk_str key, struct yk_job *maker);
/* Removes the entry from the shelf and drops the reference of the shelf, which may free the entry: take its
 * waiting jobs before. No effect if the entry is not on the shelf. */
void yk_shelf_drop(struct yk_shelf *shelf, struct yk_shared *shared);
/* Adds `job` to the jobs that wait for the entry, which is being made (`maker` is not NULL). The job is not
 * freed with the entry. It must be in no other list with `next`. */
void yk_shared_wait(struct yk_shared *shared, struct yk_job *job);
/* Removes all jobs that wait for the entry. Returns the first one; the others follow by `next`. NULL: no job
 * waits. The caller has to continue these jobs. */
struct yk_job *yk_shared_take_waiting(struct yk_shared *shared);
/* Adds a reference; returns `shared`. */
struct yk_shared *yk_shared_ref(struct yk_shared *shared);
/* Drops a reference; the last one frees the entry. `shared` may be NULL. */
void yk_shared_unref(struct yk_shared *shared);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who uses what: per user a tree of queue paths, from the root to the leaves the user has applications in.
 *
 * An application enters its leaf's entry when it joins the queue and leaves it at its end; what it is given
 * in between is booked on the entry and all above. An entry without applications is dropped, so that users
 * seen once leave no memory behind.
 *
 * Owns:      users and entries. Borrows queues, which outlive their applications.
 * Thread:    scheduling thread only.
 * Invariant: usage is the sum over the user's applications below (docs/design.md, Invariants 1 and 6).
 * Source:    docs/reference/queues.md, rules L6, L7, L10 and L15.
 */
#ifndef YK_LIMITS_USAGE_H
#define YK_LIMITS_USAGE_H

#include "objects/queue.h"

struct yk_usage {            /* of one user in one queue */
    struct yk_usage *parent; /* NULL at the root */
    struct yk_user_usage *user;
    const struct yk_queue *queue;
    struct yk_resvec allocated; /* placeholders included */
    uint32_t apps;              /* applications that are in this branch */
    uint32_t running;           /* of these, with something allocated */
    struct yk_list children;    /* struct yk_usage, by in_parent */
    struct yk_list in_parent;
};

struct yk_user_usage {
    char *name; /* owned */
    struct yk_usage *root;
};

struct yk_usages {
    struct yk_strmap users; /* name -> struct yk_user_usage, owned */
};

/* Everybody must have left. */
void yk_usages_done(struct yk_usages *usages);
/* The entry of `user` for `leaf`, made if new; one application more is in it. Give it back with
 * yk_usage_leave(). */
struct yk_usage *yk_usage_enter(struct yk_usages *usages, const char *user, const struct yk_queue *leaf);
void yk_usage_leave(struct yk_usages *usages, struct yk_usage *usage);
/* Books on the entry and all above. `first`: the application had nothing before; `last`: it has nothing any
 * more. */
void yk_usage_add(struct yk_usage *usage, const struct yk_resvec *size, bool first);
void yk_usage_sub(struct yk_usage *usage, const struct yk_resvec *size, bool last);
/* Books a changed size: `delta` may be negative. */
void yk_usage_resize(struct yk_usage *usage, const struct yk_resvec *delta);

#endif

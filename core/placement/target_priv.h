/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path of a queue, which placement rules make by adding one level at a time, and the part of this path
 * that exists. A level is looked up when it is added, if the level above exists; only yk__target_root_it()
 * looks levels up again. Only the text of the path is allocated. If the path is too long, `failed` of its
 * buffer is set.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_PLACEMENT_TARGET_PRIV_H
#define YK_PLACEMENT_TARGET_PRIV_H

#include "config/config.h"
#include "objects/queue.h"

struct yk__target {
    struct yk_queue *root;
    struct yk_buf *path; /* the caller's; lower case */
    /* The deepest queue on the path that exists; NULL: the path does not begin with the root. */
    struct yk_queue *deepest;
    bool exists; /* `deepest` is the end of the path */
};

/* A valid queue name: in lower case, without dots, not terminated. */
struct yk__name {
    char text[YK_CONFIG_QUEUE_NAME_MAX];
    size_t len;
};

/* The text of the name, borrowed from `name`. */
static inline struct yk_str yk__name_view(const struct yk__name *name)
{
    return (struct yk_str){name->text, name->len};
}

/* Makes a queue name of `value` in lower case, with "_dot_" in place of each dot. False: the result is
 * not valid, and `*ret_name` is not defined. */
bool yk__name_from(struct yk_str value, struct yk__name *ret_name);

/* Sets the path to "root"; its old contents are lost. Call it first. `root` and `path` of the target are set
 * before. */
void yk__target_reset(struct yk__target *target);
/* Adds one level, in lower case. `part` is a valid queue name in any case. */
void yk__target_add(struct yk__target *target, struct yk_str part);
/* Adds the levels of a path, which are valid queue names with dots between them. No effect if `path.p` is
 * NULL. */
void yk__target_add_path(struct yk__target *target, struct yk_str path);
/* Whether the queue of the path exists and has a child with that name, which is in lower case. */
bool yk__target_has_child(const struct yk__target *target, struct yk_str name);
/* If the path does not begin with "root.", puts "root." in front of it and looks its queues up again. The
 * path "root" becomes "root.root". */
void yk__target_root_it(struct yk__target *target);

#endif

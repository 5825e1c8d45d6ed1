/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path that rules build part by part, and which part of it exists. Each part is looked up once, when it
 * is added. Only the text of the path is allocated.
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
    /* The deepest queue on the path that is there; NULL: it is not below the root. */
    struct yk_queue *deepest;
    bool exists; /* `deepest` is the end of the path */
};

/* A legal queue name made of one value: without dots, in lower case. */
struct yk__name {
    char text[YK_CONFIG_QUEUE_NAME_MAX];
    size_t len;
};

/* The text of the name, borrowed from `name`. */
static inline struct yk_str yk__name_view(const struct yk__name *name)
{
    return (struct yk_str){name->text, name->len};
}

/* Makes a queue name of `value`: lower case, dots become "_dot_". False: the result is not a valid queue
 * name. */
bool yk__name_from(struct yk_str value, struct yk__name *ret_name);

/* Empties the path and begins again at the root. */
void yk__target_reset(struct yk__target *target);
/* Adds one level. `part` is a valid queue name, in any case. */
void yk__target_add(struct yk__target *target, struct yk_str part);
/* Adds the levels of a dotted path, each of which is a valid queue name. */
void yk__target_add_path(struct yk__target *target, struct yk_str path);
/* Whether the path exists and has a child of that name, lower case. */
bool yk__target_has_child(const struct yk__target *target, struct yk_str name);
/* Puts "root." in front of a path that is not below the root yet. */
void yk__target_root_it(struct yk__target *target);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path that rules put together part by part, and how much of it exists: each part is looked up once, when
 * it is added, and nothing is allocated but the text of the path itself.
 */
#ifndef YK_PLACEMENT_TARGET_PRIV_H
#define YK_PLACEMENT_TARGET_PRIV_H

#include "config/config.h"
#include "objects/queue.h"

struct yk__target {
    struct yk_queue *root;
    struct yk_buf *path; /* the caller's; lower case */
    struct yk_queue
        *deepest; /* the deepest queue on the path that is there; NULL: it is not below the root */
    bool exists;  /* `deepest` is the end of the path */
};

/* A legal queue name made of one value: without dots, in lower case. */
struct yk__name {
    char text[YK_CONFIG_QUEUE_NAME_MAX];
    size_t len;
};

/* Borrowed from `name`. */
static inline struct yk_str yk__name_view(const struct yk__name *name)
{
    return (struct yk_str){name->text, name->len};
}

/* Dots become "_dot_". False: what comes out is not a queue name. */
bool yk__name_from(struct yk_str value, struct yk__name *ret_name);

/* Starts over at the root. */
void yk__target_reset(struct yk__target *target);
/* One more level. `part` is a legal name, in any case. */
void yk__target_add(struct yk__target *target, struct yk_str part);
/* The levels of a dotted path, each legal. */
void yk__target_add_path(struct yk__target *target, struct yk_str path);
/* Whether the path exists and has a child of that name, lower case. */
bool yk__target_has_child(const struct yk__target *target, struct yk_str name);
/* Puts "root." in front of a path that is not below the root yet. */
void yk__target_root_it(struct yk__target *target);

#endif

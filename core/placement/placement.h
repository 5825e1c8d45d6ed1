/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placement: chooses the queue of an application. Rules are tried in order; each answers with "no match", a
 * path, or an error.
 *
 * The rules of a placement never change; a reload builds a new placement. Placing an application reads the
 * tree of queues and changes nothing: the caller creates missing queues.
 * Thread: yk_placement_place() the scheduling thread; the other functions any.
 * Source: docs/reference/queues.md, section 5 (P1 to P20).
 */
#ifndef YK_PLACEMENT_PLACEMENT_H
#define YK_PLACEMENT_PLACEMENT_H

#include "config/config.h"
#include "objects/app.h"
#include "objects/queue.h"

struct yk_placement;

enum { YK_PLACEMENT_RULE_DEPTH_MAX = 1000 }; /* parent rules below each other */

/* Compiles the rules of a checked configuration, of which nothing is kept, and adds the implicit ones.
 * The caller frees `*ret_placement` with yk_placement_free(). Errors, with the rule: YK_ERR_INVALID
 * (V10); YK_ERR_LIMIT, more than YK_PLACEMENT_RULE_DEPTH_MAX parent rules. */
YK_NODISCARD enum yk_status yk_placement_new(const struct yk_config_partition *config,
                                             struct yk_placement **ret_placement, struct yk_err *err);
/* Checks one rule of a checked configuration as yk_placement_new() does, so that the errors of all rules
 * can be reported. Errors: as yk_placement_new(). */
YK_NODISCARD enum yk_status yk_placement_check_rule(const struct yk_config_rule *rule, struct yk_err *err);
void yk_placement_free(struct yk_placement *placement);
YK_DEFINE_FREEP(yk_placement)

/*
 * Writes the full path, in lower case, of the leaf queue for `app` to `ret_path`, whose old contents are
 * lost. The queue need not exist yet: the caller creates it. `root`: the root queue of the partition. The
 * user may submit to the queue, unless it is the recovery queue. Only the bytes of `ret_path` are allocated,
 * so a caller that uses the buffer again allocates nothing.
 * Errors: YK_ERR_NOT_FOUND, no rule matched; YK_ERR_INVALID, a rule failed. The sentence is the reason of
 * the rejection.
 */
YK_NODISCARD enum yk_status yk_placement_place(const struct yk_placement *placement, struct yk_queue *root,
                                               const struct yk_app *app, struct yk_buf *ret_path,
                                               struct yk_err *err);

/* A rule as REST shows it (rest.md, placement rules). Pointers are borrowed from the placement. */
struct yk_placement_rule_view {
    const char *name;
    bool create;
    const char *value;                     /* of fixed and recovery: the queue; of tag: its name; else NULL */
    bool qualified;                        /* of fixed: the value begins with the root; else false */
    const struct yk_config_filter *filter; /* as configured; empty for implicit rules */
    bool filter_allows;                    /* the type of the filter is allow */
};
/* The number of rules, with the implicit ones and without parent rules. */
size_t yk_placement_rule_count(const struct yk_placement *placement);
/* Sets `*ret_view` to the rule number `index`, from 0 to yk_placement_rule_count() - 1 in the order of
 * their evaluation: at `depth` 0 to the rule itself, at 1 to its parent rule, and so on. False: there are
 * not so many parent rules. */
bool yk_placement_rule_at(const struct yk_placement *placement, size_t index, size_t depth,
                          struct yk_placement_rule_view *ret_view);

#endif

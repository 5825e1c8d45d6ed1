/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placement: which queue an application goes to. Rules are tried in order; each says "no match", a path, or
 * an error.
 *
 * A rule set is immutable; a reload builds a new one and swaps it in. Evaluating reads the queue tree and
 * changes nothing: creating missing queues is the caller's step.
 * Thread: building any; evaluating the scheduling thread.
 * Source: docs/reference/queues.md, section 5 (P1 to P20).
 */
#ifndef YK_PLACEMENT_PLACEMENT_H
#define YK_PLACEMENT_PLACEMENT_H

#include "config/config.h"
#include "objects/app.h"
#include "objects/queue.h"

struct yk_placement;

enum { YK_PLACEMENT_RULE_DEPTH_MAX = 1000 }; /* parent rules below each other */

/* Compiles the rules of a checked configuration, which is borrowed for the call. The caller frees
 * `*ret_placement`. Errors: YK_ERR_INVALID naming the rule (V10). */
YK_NODISCARD enum yk_status yk_placement_new(const struct yk_config_partition *config,
                                             struct yk_placement **ret_placement, struct yk_err *err);
/* Like yk_placement_new() for one rule of it, without keeping the result: to report the errors of all
 * rules. */
YK_NODISCARD enum yk_status yk_placement_check_rule(const struct yk_config_rule *rule, struct yk_err *err);
void yk_placement_free(struct yk_placement *placement);
YK_DEFINE_FREEP(yk_placement)

/*
 * Writes the full path (lower case) of the queue for `app` to `ret_path`; the queue may not exist yet.
 * Allocates nothing but the bytes of `ret_path`, so a caller that keeps the buffer pays for them once.
 * Errors: YK_ERR_NOT_FOUND (no rule matched), YK_ERR_INVALID (a rule failed); the sentence is the rejection.
 */
YK_NODISCARD enum yk_status yk_placement_place(const struct yk_placement *placement, struct yk_queue *root,
                                               const struct yk_app *app, struct yk_buf *ret_path,
                                               struct yk_err *err);

/* The rules as REST shows them (rest.md, placement rules): calls back per rule in evaluation order. */
struct yk_placement_rule_view {
    const char *name;
    bool create;
    const char *value;                     /* fixed: queue; tag: name; else NULL */
    bool qualified;                        /* fixed only */
    const struct yk_config_filter *filter; /* as configured */
    bool filter_allows;
};
/* The number of rules, without their parent rules and with the implicit ones. */
size_t yk_placement_rule_count(const struct yk_placement *placement);
/* Sets `*ret_view` to rule number `index` (from 0): at `depth` 0 the rule itself, at 1 its parent, and so on.
 * Valid as long as the placement. False: there is none. */
bool yk_placement_rule_at(const struct yk_placement *placement, size_t index, size_t depth,
                          struct yk_placement_rule_view *ret_view);

#endif

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

/* Maximum number of rules in a chain: a rule, its parent rule, the parent rule of that, and so on. */
enum { YK_PLACEMENT_RULE_DEPTH_MAX = 1000 };

/* Compiles the rules of a checked configuration and adds the implicit rules. The placement keeps no reference
 * to `config`. The caller frees `*ret_placement` with yk_placement_free(). Errors, at the line and column of
 * the rule: YK_ERR_INVALID, the name, value or filter of a rule is not valid (V10); YK_ERR_LIMIT, a chain of
 * more than YK_PLACEMENT_RULE_DEPTH_MAX rules. */
YK_NODISCARD enum yk_status yk_placement_new(const struct yk_config_partition *config,
                                             struct yk_placement **ret_placement, struct yk_err *err);
/* Checks one rule, with its parent rules, as yk_placement_new() does. yk_placement_new() stops at the first
 * error; a caller that wants the errors of all rules calls this for each rule. Errors: as
 * yk_placement_new(). */
YK_NODISCARD enum yk_status yk_placement_check_rule(const struct yk_config_rule *rule, struct yk_err *err);
void yk_placement_free(struct yk_placement *placement);
YK_DEFINE_FREEP(yk_placement)

/*
 * Writes the full path, in lower case, of the leaf queue for `app` to `ret_path`, whose old contents are
 * lost. `ret_path->max` bounds the path. The queue need not exist yet: the caller creates it. `root`: the
 * root queue of the partition. It does not matter whether `app` has a leaf already. The result is always a
 * queue to which the user of `app` may submit, or the recovery queue, for which this is not checked.
 * Errors: YK_ERR_NOT_FOUND, no rule gave a queue that accepts the application, and root.default does not
 * accept it either (P7); YK_ERR_INVALID, a rule failed, such as for a value that is no queue name. The
 * sentence is the reason of the rejection.
 */
YK_NODISCARD enum yk_status yk_placement_place(const struct yk_placement *placement, struct yk_queue *root,
                                               const struct yk_app *app, struct yk_buf *ret_path,
                                               struct yk_err *err);

/* A rule as REST shows it (rest.md, placement rules). Pointers are borrowed from the placement. */
struct yk_placement_rule_view {
    const char *name; /* the first name of its kind, such as "user" for a rule configured as "username" */
    bool create;
    const char *value; /* of fixed and recovery: the queue; of tag: the name of the tag; else NULL */
    bool qualified;    /* of fixed: whether the value is a path from the root; else false */
    const struct yk_config_filter *filter; /* as configured; empty for implicit rules */
    bool filter_allows;                    /* the type of the filter is allow */
};
/* The number of rules. Implicit rules count, parent rules do not. */
size_t yk_placement_rule_count(const struct yk_placement *placement);
/* Describes a rule in `*ret_view`. `index`: the number of the rule in the order of evaluation, from 0, less
 * than yk_placement_rule_count(). `depth`: 0 is that rule, 1 its parent rule, 2 the parent rule of that, and
 * so on. False: the rule has fewer than `depth` parent rules. */
bool yk_placement_rule_at(const struct yk_placement *placement, size_t index, size_t depth,
                          struct yk_placement_rule_view *ret_view);
/* Calls `see` for each name that a rule may have in a configuration, also those of implicit rules; the name
 * is static and in lower case. */
void yk_placement_rule_names_each(void (*see)(void *context, const char *name), void *context);

#endif

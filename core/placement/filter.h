/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter of a placement rule: for which users and groups the rule applies.
 *
 * Matching a regular expression is bounded in steps, depth, memory and bytes of the name. If a match exceeds
 * a bound, or the name is not UTF-8, this is logged once. The filter then does not let the user through,
 * unless its type is allow and another name of the user matches.
 * Thread: yk_filter_passes() and yk_filter_passes_group() the scheduling thread; the other functions any.
 * Source: docs/reference/queues.md, P15 to P20.
 */
#ifndef YK_PLACEMENT_FILTER_H
#define YK_PLACEMENT_FILTER_H

#include "config/config.h"

struct yk_filter;

/* Compiles the filter of a checked configuration. The filter keeps no reference to `config`. The caller frees
 * `*ret_filter` with yk_filter_free(). Errors: YK_ERR_INVALID, the only entry of a list is neither a name nor
 * a regular expression that compiles. Entries of longer lists that are no names are skipped. */
YK_NODISCARD enum yk_status yk_filter_new(const struct yk_config_filter *config,
                                          struct yk_filter **ret_filter, struct yk_err *err);
void yk_filter_free(struct yk_filter *filter);
YK_DEFINE_FREEP(yk_filter)
/* Whether the filter lets a user through: `user`, who is in the `group_count` groups `groups`. `groups` may
 * be NULL if `group_count` is 0. A filter of type allow lets the user through if it matches the user or one
 * of the groups; a filter of type deny, if it matches none of them. A filter without users and groups lets
 * all users through if its type is allow, and no user if it is deny. */
bool yk_filter_passes(struct yk_filter *filter, const char *user, char *const *groups, size_t group_count);
/* Whether the filter lets the user through as a member of `group` alone, for the secondary group rule. If
 * the filter names groups, its users count only if its type is deny. If it names no groups, the answer is
 * that of yk_filter_passes() without groups. */
bool yk_filter_passes_group(struct yk_filter *filter, const char *user, const char *group);
/* Whether the type is `allow`. Also true for a filter that names no type. */
bool yk_filter_is_allow(const struct yk_filter *filter);

#endif

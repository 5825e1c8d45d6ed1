/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter of a placement rule: which users and groups it is for.
 *
 * Searches for expressions are bounded in steps, depth, memory and bytes of the name. A search that exceeds
 * a bound is undecided: the filter then matches no user, of either type, and logs it once.
 * Thread: building any; asking the scheduling thread.
 * Source: docs/reference/queues.md, P15 to P20.
 */
#ifndef YK_PLACEMENT_FILTER_H
#define YK_PLACEMENT_FILTER_H

#include "config/config.h"

struct yk_filter;

/* Compiles a filter. `config` is borrowed for the call. The caller frees `*ret_filter`. Errors:
 * YK_ERR_INVALID, a regular expression does not compile. */
YK_NODISCARD enum yk_status yk_filter_new(const struct yk_config_filter *config,
                                          struct yk_filter **ret_filter, struct yk_err *err);
void yk_filter_free(struct yk_filter *filter);
YK_DEFINE_FREEP(yk_filter)
/* Whether the filter lets the user through, who has these groups. */
bool yk_filter_passes(struct yk_filter *filter, const char *user, char *const *groups, size_t group_count);
/* Whether the filter lets the user through as a member of `group` and of no other. A filter that names
 * groups can deny a user by name, but not allow one. */
bool yk_filter_passes_group(struct yk_filter *filter, const char *user, const char *group);
/* Whether the type is `allow`, which is also that of an empty filter. */
bool yk_filter_is_allow(const struct yk_filter *filter);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sorting policies, one row each: SYMBOL, name in the configuration, and, for application sorting
 * policies, two properties that the comment at the table explains.
 *
 * A node sorting policy is a row in YK_NODE_SORTS and a file core/policies/node_score_NAME.c. An application
 * sorting policy is a row in YK_APP_SORTS and a file core/policies/app_order_NAME.c. Enumerations, names,
 * messages, REST and the tables of functions in core/policies follow from the rows. Insert a row before the
 * last one: FIRST, NEXT and LAST decide where messages have "," and "or".
 *
 * Thread: any.
 */
#ifndef YK_CONFIG_SORT_POLICIES_H
#define YK_CONFIG_SORT_POLICIES_H

#include "base/str.h"

/* SYMBOL, name */
#define YK_NODE_SORTS(FIRST, NEXT, LAST)                                                                     \
    FIRST(FAIR, fair)                                                                                        \
    LAST(BINPACKING, binpacking)

/*
 * SYMBOL, name, whether the order depends on the shares of applications, whether a leaf with this policy
 * accepts gangs. Shares change while applications run, so a leaf that orders by them accepts no gangs (R42).
 */
#define YK_APP_SORTS(FIRST, NEXT, LAST)                                                                      \
    FIRST(FIFO, fifo, false, true)                                                                           \
    NEXT(FAIR, fair, true, false)                                                                            \
    LAST(STATEAWARE, stateaware, false, true)

#define YK__NODE_SORT(symbol, name)     YK_NODE_SORT_##symbol,
#define YK__APP_SORT(symbol, name, ...) YK_APP_SORT_##symbol,
enum yk_node_sort { YK_NODE_SORTS(YK__NODE_SORT, YK__NODE_SORT, YK__NODE_SORT) YK_NODE_SORT_COUNT };
enum yk_app_sort { YK_APP_SORTS(YK__APP_SORT, YK__APP_SORT, YK__APP_SORT) YK_APP_SORT_COUNT };
#undef YK__NODE_SORT
#undef YK__APP_SORT

/* The names of all node sorting policies in a phrase for messages: "neither 'a' nor 'b'". */
extern const char yk_node_sorts_neither[];
/* The names of all application sorting policies in a phrase for messages: "'a', 'b' or 'c'". */
extern const char yk_app_sorts_either[];

/* The name of the policy in the configuration and in REST; the text is static. */
const char *yk_node_sort_name(enum yk_node_sort sort);
/* Like yk_node_sort_name() for an application sorting policy. */
const char *yk_app_sort_name(enum yk_app_sort sort);
/* Sets `*ret_sort` to the node sorting policy called `name`; the case of letters counts. False: there is no
 * such policy, and `*ret_sort` stays as it is. */
bool yk_node_sort_of(struct yk_str name, enum yk_node_sort *ret_sort);
/* Like yk_node_sort_of() for an application sorting policy. */
bool yk_app_sort_of(struct yk_str name, enum yk_app_sort *ret_sort);
/* Whether a leaf with this policy orders its applications by their shares. The share of an application is
 * what it uses, divided by what is guaranteed to the leaf. */
bool yk_app_sort_by_share(enum yk_app_sort sort);
/* Whether a leaf with this policy accepts gangs. */
bool yk_app_sort_takes_gangs(enum yk_app_sort sort);

#endif

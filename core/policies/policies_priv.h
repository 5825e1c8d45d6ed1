/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the sorting policies, one file each. Their rows are in config/sort_policies.h.
 *
 * Owns nothing.
 * Thread: scheduling thread only.
 */
#ifndef YK_POLICIES_POLICIES_PRIV_H
#define YK_POLICIES_POLICIES_PRIV_H

#include "config/sort_policies.h"
#include "objects/app.h"
#include "policies/node_order.h"

/*
 * node_score_NAME.c: the score of a node; the lowest is tried first, and equal ones by id. It may depend on
 * the node's amounts and on the weights of `order`, and on nothing else: it is computed again when these
 * change.
 */
#define YK__SCORE(symbol, name)                                                                              \
    double yk__node_score_##name(const struct yk_node_order *order, const struct yk_node *node);
YK_NODE_SORTS(YK__SCORE, YK__SCORE, YK__SCORE)
#undef YK__SCORE

/* The part of the node in use, usually from 0 to 1: the weighted mean over the weighted types (O11). */
double yk__node_used_share(const struct yk_node_order *order, const struct yk_node *node);

/*
 * app_order_NAME.c: negative if `a` comes before `b` in their leaf, 0 if the policy does not tell; then
 * priority, submission time and id decide. It may depend on the shares of the two (if the row says so) and on
 * what never changes.
 */
#define YK__ORDER(symbol, name, ...) int yk__app_order_##name(const struct yk_app *a, const struct yk_app *b);
YK_APP_SORTS(YK__ORDER, YK__ORDER, YK__ORDER)
#undef YK__ORDER

#endif

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
 * node_score_NAME.c: the score of a node. The node with the lowest score is tried first; nodes with the same
 * score are ordered by id. The score may depend only on the amounts of the node and on the weights of
 * `order`, because it is computed again when these change.
 */
#define YK__SCORE(symbol, name)                                                                              \
    double yk__node_score_##name(const struct yk_node_order *order, const struct yk_node *node);
YK_NODE_SORTS(YK__SCORE, YK__SCORE, YK__SCORE)
#undef YK__SCORE

/* Which part of the node is in use, usually from 0 to 1: the weighted mean over the types that have a
 * weight and of which the node has some (O11); 0 if there are none. */
double yk__node_used_share(const struct yk_node_order *order, const struct yk_node *node);

/*
 * app_order_NAME.c: negative if `a` comes before `b` in their leaf, positive if `b` comes first, 0 if the
 * policy does not decide; then priority, submission time and id decide (yk_app_compare()). The result may
 * depend on the submission times, on what never changes and on the shares of the two. If it depends on the
 * shares, the third column of the row is true (yk_app_sort_by_share()): otherwise the shares are not
 * computed. If it changes while the applications run, the fourth column is false: the leaf accepts no gangs.
 */
#define YK__ORDER(symbol, name, ...) int yk__app_order_##name(const struct yk_app *a, const struct yk_app *b);
YK_APP_SORTS(YK__ORDER, YK__ORDER, YK__ORDER)
#undef YK__ORDER

#endif

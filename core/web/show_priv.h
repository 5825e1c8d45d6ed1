/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the objects of the REST interface as JSON, with one function per object. "Writes" means: as the next
 * value of `json`. "Adds" means: as keys of the object that is open.
 *
 * The functions do not check what the client may see. Before a queue or an application is written, the caller
 * asks yk_tenant_shows() (web/tenant.h). A queue for which only yk_tenant_leads_to() is true is written with
 * yk__show_queue_above().
 *
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md, sections 3, 4 and 6.
 */
#ifndef YK_WEB_SHOW_PRIV_H
#define YK_WEB_SHOW_PRIV_H

#include "scheduler/core.h"
#include "web/names.h"
#include "web/put_priv.h"

/* Writes the entry of a partition in the list of clusters, with the build of every resource manager. */
void yk__show_cluster(struct yk_json *json, const struct yk_core *core, const struct yk_partition *partition);
/* Writes a partition with its totals, without nodes and applications. */
void yk__show_partition(struct yk_json *json, const struct yk_partition *partition);
/* Writes the placement rules as an array, in their order. `placement` NULL: an empty array. */
void yk__show_rules(struct yk_json *json, const struct yk_placement *placement);
/* Writes the queue without its children, but with their names, and with the ids of the Accepted applications
 * in its branch that have allocations, both sorted. The object is left open: the caller adds the children,
 * then calls yk_json_object_end(). O(n log n) for n names and ids, and O(applications in the leaves of these
 * ids). */
void yk__show_queue_open(struct yk_json *json, const struct yk_partition *partition,
                         const struct yk_queue *queue);
/* Like yk__show_queue_open(), without properties and template. */
void yk__show_queue_summary_open(struct yk_json *json, const struct yk_partition *partition,
                                 const struct yk_queue *queue);
/* Writes only names, state and kind of the queue. Used for a queue that the caller may not see, if the caller
 * may see a queue below it. The object is left open, as by yk__show_queue_open(). */
void yk__show_queue_above(struct yk_json *json, const struct yk_partition *partition,
                          const struct yk_queue *queue);
/* Writes a node with its allocations and foreign allocations, each sorted by key. O(n log n) for n of
 * them. */
void yk__show_node(struct yk_json *json, const struct yk_node *node);
/* Writes a node without its allocations and foreign allocations. */
void yk__show_node_summary(struct yk_json *json, const struct yk_node *node);
/* Writes the application without requests and allocations. The object is left open: the caller adds members,
 * then calls yk_json_object_end(). */
void yk__show_app_open(struct yk_json *json, const struct yk_app *app);
/* Writes the application without requests, allocations and stateLog. */
void yk__show_app_summary(struct yk_json *json, const struct yk_app *app);
/* Writes the whole application in one step: call it only for an application with a bounded number of asks.
 * O(asks log asks). */
void yk__show_app(struct yk_json *json, const struct yk_app *app);
/* Whether the ask of an application is no allocation yet: it is pending, or it has YK_ASK_REPLACING. With
 * this flag its node is decided, but the placeholder or the allocations that it replaces have not ended. Not
 * for foreign allocations. */
bool yk__is_request(const struct yk_ask *ask);
/* Writes the field gangNotUsed, if the resource manager does not use the gang of the application. */
void yk__put_gang_unused(struct yk_json *json, const struct yk_app *app);
/* Writes an ask that is no allocation yet (yk__is_request()). It has a group. */
void yk__show_request(struct yk_json *json, const struct yk_ask *ask);
/* Writes an allocation of an application. `ask` has a node, and yk__is_request() is false. */
void yk__show_allocation(struct yk_json *json, const struct yk_ask *ask);
/* Writes a foreign allocation: one of another scheduler. */
void yk__show_foreign(struct yk_json *json, const struct yk_ask *ask);
/* Adds `isReserved` and `reservations` of the node to the open object. */
void yk__show_node_reservations(struct yk_json *json, const struct yk_node *node);
/* Adds `hasReserved` and `reservations` of the application to the open object. */
void yk__show_app_reservations(struct yk_json *json, const struct yk_app *app);
/* Writes the result of the health checks, which have run (health->has_run). */
void yk__show_health(struct yk_json *json, const struct yk_health *health);

#endif

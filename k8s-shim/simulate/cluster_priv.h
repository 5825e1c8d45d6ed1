/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The struct of the simulated cluster and its entries, for the files of the module. entries.c makes and frees
 * entries, object_changes.c replaces their objects, kubelet.c moves pods through their life, ledger.c counts
 * what is on nodes, volume_controller.c binds claims.
 *
 * Units:  amounts in base units (resources/resvec.h), times in ns of the monotonic clock of the cluster.
 * Thread: scheduling thread only.
 */
#ifndef YK_SIMULATE_CLUSTER_PRIV_H
#define YK_SIMULATE_CLUSTER_PRIV_H

#include "base/list.h"
#include "base/map.h"
#include "simulate/cluster.h"

struct yk_sim_entry {    /* an object of the cluster */
    struct yk_list link; /* of its kind, in order of creation */
    struct yk_cluster *cluster;
    struct yk_object *object; /* the latest version; owned */
    char *key;                /* "<namespace>/<name>"; owned */
    int64_t created_mono_ns;
    struct yk_list unsettled; /* claims and volumes: to be looked at in the next round */
    /* Pods. */
    struct yk_timer life; /* the next step of its life; of a claim: when its volume is made */
    int64_t run_ns;
    bool started;
    struct yk_list in_alive; /* of a pod that has not ended: cluster->alive_pods */
    char *failure; /* message of the status of a failed pod; owned; NULL: it has not failed, or without a
                      message */
    struct yk_sim_entry *node; /* where the ledger counts it; NULL: nowhere */
    struct yk_resvec size;     /* as counted there */
    /* Nodes. */
    struct yk_resvec used;        /* the sum of the sizes of the pods there; ledger.c */
    struct yk_resvec allocatable; /* of the latest version; ledger.c */
    struct yk_resvec counted;     /* only while the books are checked */
    int64_t shrunk_mono_ns;       /* when its allocatable became smaller; 0: never */
};

struct yk_sim_kind {
    struct yk_list entries;
    struct yk_strmap by_key;
};

struct yk_sim_violation {
    uint64_t double_binds, overcommits;
    struct yk_err first;
};

struct yk_cluster {
    struct yk_api_server server; /* first */
    struct yk_cluster_options options;
    struct yk_random random;
    uint64_t version, uids;
    struct yk_sim_kind kinds[YK_KIND_COUNT];
    struct yk_list watches;    /* struct yk_sim_watch, owned */
    struct yk_list alive_pods; /* struct yk_sim_entry, by in_alive, in order of creation */
    struct yk_list flights;    /* requests on their way, owned */
    struct yk_list leases;     /* owned: leases.c */
    struct yk_list unsettled;  /* volume_controller.c, as its timer */
    struct yk_timer volume_round;
    size_t in_flight;
    bool stopped;
    struct yk_faults faults;
    struct yk_cluster_stats stats;
    struct yk_sim_violation violation;
    char *events[YK_SIM_EVENTS_KEPT]; /* owned; a ring, event n at n % size */
    uint64_t event_count;
};

/* The cluster that has this interface. */
static inline struct yk_cluster *yk__cluster_of(struct yk_api_server *server)
{
    return (struct yk_cluster *)(void *)server;
}
/* The entry's object; it must be a pod. */
static inline struct yk_pod *yk__pod_of(const struct yk_sim_entry *entry)
{
    return yk_pod_of(entry->object);
}

/* The object of that name, or NULL. `namespace_` is empty for kinds without namespaces. Borrowed until the
 * cluster changes. */
struct yk_sim_entry *yk__find(const struct yk_cluster *cluster, enum yk_kind kind, struct yk_str namespace_,
                              struct yk_str name);
/* A copy of the object, to be changed and handed to yk__commit(), or freed with yk_object_free(). */
struct yk_object *yk__draft(const struct yk_sim_entry *entry);
/* Adds `object`, which the cluster owns from now on, and sets its uid, version and creation time. Does
 * not tell the watches. There is no object of its kind and name. */
struct yk_sim_entry *yk__entry_add(struct yk_cluster *cluster, struct yk_object *object);
/* Frees the entry, which is in no list and no map, and its object. */
void yk__entry_free(struct yk_sim_entry *entry);
/* Tells the observer of the cluster, if there is one, about the pod. No effect for other kinds. */
void yk__observe(struct yk_cluster *cluster, enum yk_pod_moment moment, const struct yk_sim_entry *entry);

/* object_changes.c */
/* Makes `draft`, which the entry owns from now on, the latest version and tells the watches. */
void yk__commit(struct yk_sim_entry *entry, struct yk_object *draft);
/* Removes the object, frees the entry and tells the watches. */
void yk__remove(struct yk_sim_entry *entry);
/* Adds `object`, which the cluster owns from now on, and tells the watches. A pod ends `run_ns` after its
 * start; 0: it runs on. Errors: YK_ERR_EXISTS; the object is then freed. */
enum yk_status yk__create(struct yk_cluster *cluster, struct yk_object *object, int64_t run_ns,
                          struct yk_err *err);

/* watches.c */
/* Tells the watches of a change. `before` NULL: created; `after` NULL: removed. Both are borrowed for the
 * call. */
void yk__watches_tell(struct yk_cluster *cluster, const struct yk_object *before,
                      const struct yk_object *after);
/* Starts a watch: first a list, then events, to `sink` with `context`, from timers. `spec` is copied. A
 * selector that a server would refuse is logged; then nothing comes. */
void yk__watch_start(struct yk_cluster *cluster, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                     void *context);
/* Breaks all watches of the kind: `gap_ns` long they deliver nothing. YK_WATCH_FAULT_PAUSE: afterwards
 * they go on; otherwise they list again. */
void yk__watches_break(struct yk_cluster *cluster, enum yk_kind kind, enum yk_watch_fault how,
                       int64_t gap_ns);
/* Ends and frees all watches. */
void yk__watches_done(struct yk_cluster *cluster);

/* operations.c */
/* Takes `op`. It reaches the server after the time of a request, and comes back through the callback of
 * the cluster, never from within this call; with YK_OP_CANCELLED once the cluster is stopped. */
void yk__submit(struct yk_cluster *cluster, struct yk_op *op);
/* Frees the requests on their way. They are not answered. */
void yk__flights_done(struct yk_cluster *cluster);

/* pod_status.c */
/* Applies a strategic merge patch (JSON) of the status to the pod. Errors: YK_ERR_INVALID; YK_ERR_STATE,
 * another uid or version. */
YK_NODISCARD enum yk_status yk__pod_status_patch(struct yk_pod *pod, struct yk_str body, struct yk_err *err);
/* The message of the status in such a patch, NULL if it has none; the caller's. */
char *yk__pod_status_message(struct yk_str body);

/* administration.c */
/* Applies a merge patch (JSON) to the ConfigMap. Errors: YK_ERR_INVALID; YK_ERR_STATE, another version. */
YK_NODISCARD enum yk_status yk__config_map_patch(struct yk_config_map *map, struct yk_str body,
                                                 struct yk_err *err);

/* volume_controller.c */
/* Prepares the volume controllers of a new cluster. Once, before anything is added. */
void yk__volumes_init(struct yk_cluster *cluster);
/* A claim, volume or storage class changed: the volume controllers look at it. No effect for other kinds. */
void yk__volumes_changed(struct yk_sim_entry *entry);
/* A claim, volume or storage class is about to be removed: the volume controllers look at what referred to
 * it. */
void yk__volumes_removed(struct yk_sim_entry *entry);

/* volume_patch.c */
/* Applies a merge patch (JSON) to a claim or a persistent volume. Errors: as yk__config_map_patch(). */
YK_NODISCARD enum yk_status yk__volume_patch(struct yk_object *object, struct yk_str body,
                                             struct yk_err *err);

/* leases.c */
/* Carries out a request for a Lease. Returns the HTTP status of the answer; appends the Lease as it is then,
 * as JSON, if it is 200 or 201. */
int yk__lease_request(struct yk_cluster *cluster, const struct yk_op *op, struct yk_buf *answer);
/* Frees the Leases. */
void yk__leases_done(struct yk_cluster *cluster);

/* kubelet.c */
/* The pod was bound to its node: it starts after the kubelet's start time. */
void yk__kubelet_bound(struct yk_sim_entry *pod);
/* The status was written: a pod that has ended releases its capacity. */
void yk__kubelet_status_written(struct yk_sim_entry *pod);
/* Asks a pod to go: at once, or after its termination. */
void yk__kubelet_delete(struct yk_sim_entry *pod);
/* The node was removed: its pods go after a while. */
void yk__kubelet_node_lost(struct yk_sim_entry *node);

/* ledger.c */
/* After `pod` was created or has a new version: pods that have ended leave cluster->alive_pods. */
void yk__ledger_pod_changed(struct yk_sim_entry *pod);
/* The pod is on its node from now on. `by_scheduler`: a binding, so it must fit. */
void yk__ledger_pod_on_node(struct yk_sim_entry *pod, bool by_scheduler);
/* The pod no longer counts on its node. */
void yk__ledger_pod_off_node(struct yk_sim_entry *pod);
/* Counts a new node, on which no pod counts yet. */
void yk__ledger_node_added(struct yk_sim_entry *node);
/* Counts the allocatable amounts of the node again. Call it after the object of the node has changed. */
void yk__ledger_node_changed(struct yk_sim_entry *node);
/* Stops to count the node, and the pods there. Call it before the entry is freed. */
void yk__ledger_node_removed(struct yk_sim_entry *node);
/* Counts a violation: the scheduler asked to bind a bound pod to the other node `node`. */
void yk__ledger_double_bind(const struct yk_sim_entry *pod, const char *node);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The struct of the simulated cluster and its entries, for the files of the module.
 *
 * Units:  amounts in base units (resources/resvec.h), times in ns of the monotonic clock of the cluster.
 * Thread: scheduling thread only.
 */
#ifndef YK_SIMULATE_CLUSTER_PRIV_H
#define YK_SIMULATE_CLUSTER_PRIV_H

#include "base/list.h"
#include "base/map.h"
#include "simulate/cluster.h"

/* An object of the cluster, from its creation until its removal. */
struct yk_sim_entry {
    struct yk_list link; /* in `entries` of its kind, in order of creation */
    struct yk_cluster *cluster;
    struct yk_object *object; /* the latest version; owned */
    char *key;                /* "<namespace>/<name>"; owned */
    int64_t created_mono_ns;
    struct yk_list unsettled; /* linked while the volume controllers have to check this claim or volume */
    struct yk_timer life;     /* next step of the kubelet for a pod; creation of the volume of a claim */
    /* Pods. */
    int64_t run_ns;          /* from the start until the pod succeeds; 0: it does not succeed by itself */
    bool started;            /* the kubelet has started it */
    struct yk_list in_alive; /* in cluster->alive_pods; not linked once the pod has ended */
    /* The message of the first status patch with a message after which the phase of the pod was Failed;
     * owned. NULL: there was no such patch. */
    char *failure;
    struct yk_sim_entry *node; /* the node whose `used` contains `size`; NULL: there is none; ledger.c */
    struct yk_resvec size;     /* what the pod occupies on its node; ledger.c */
    /* Nodes. */
    struct yk_resvec used;        /* the sum of the sizes of the pods on the node; ledger.c */
    struct yk_resvec allocatable; /* amounts of the latest version; ledger.c */
    struct yk_resvec counted;     /* scratch of yk_cluster_check() */
    int64_t shrunk_mono_ns;       /* when `allocatable` last became smaller; 0: never; ledger.c */
};

/* All objects of a kind. */
struct yk_sim_kind {
    struct yk_list entries;  /* struct yk_sim_entry, owned, in order of creation */
    struct yk_strmap by_key; /* key -> struct yk_sim_entry */
};

/* Errors of the scheduler under test (struct yk_cluster_stats). */
struct yk_sim_violation {
    uint64_t double_binds, overcommits;
    struct yk_err first; /* describes the first one; "": there was none */
};

struct yk_cluster {
    struct yk_api_server server; /* must be the first member: see yk__cluster_of() */
    struct yk_cluster_options options;
    struct yk_random random;
    uint64_t version; /* of the last write of any object */
    uint64_t uids;    /* the number in the last uid */
    struct yk_sim_kind kinds[YK_KIND_COUNT];
    struct yk_list watches;       /* struct yk_sim_watch, owned; watches.c */
    struct yk_list alive_pods;    /* struct yk_sim_entry that are pods and have not ended; ledger.c */
    struct yk_list flights;       /* requests in flight, owned; operations.c */
    struct yk_list leases;        /* struct lease, owned; leases.c */
    struct yk_list unsettled;     /* claims and volumes of the next `volume_round`; volume_controller.c */
    struct yk_timer volume_round; /* armed while `unsettled` is not empty */
    size_t in_flight;             /* entries of `flights` */
    /* Set by yk_api_stop(). Watches then deliver no more events, and new requests are cancelled. */
    bool stopped;
    struct yk_faults faults;
    struct yk_cluster_stats stats; /* without the numbers of faults and violations */
    struct yk_sim_violation violation;
    /* Bodies of Events, owned; a ring: number n is at n % YK_SIM_EVENTS_KEPT. */
    char *events[YK_SIM_EVENTS_KEPT];
    uint64_t event_count; /* Events that were created */
};

/* The cluster whose `server` this is. */
static inline struct yk_cluster *yk__cluster_of(struct yk_api_server *server)
{
    return (struct yk_cluster *)(void *)server;
}
/* The entry's object; it must be a pod. */
static inline struct yk_pod *yk__pod_of(const struct yk_sim_entry *entry)
{
    return yk_pod_of(entry->object);
}

/* The entry of that kind and name; NULL: there is none. `namespace_` is empty for kinds without namespaces.
 * Borrowed until the object is removed. */
struct yk_sim_entry *yk__find(const struct yk_cluster *cluster, enum yk_kind kind, struct yk_str namespace_,
                              struct yk_str name);
/* A copy of the latest version. The caller changes it and passes it to yk__commit(), or frees it with
 * yk_object_free(). */
struct yk_object *yk__draft(const struct yk_sim_entry *entry);
/* Adds an entry for `object`, which is taken, and sets the version of the object. Also sets its uid and its
 * creation time if they are missing. Does not report the object to watches and ledger: use yk__create().
 * There must be no object of its kind and name. */
struct yk_sim_entry *yk__entry_add(struct yk_cluster *cluster, struct yk_object *object);
/* Frees the entry and its object, and cancels its timer. Does not unlink the entry: see yk__remove(). */
void yk__entry_free(struct yk_sim_entry *entry);
/* Calls the observer of the cluster, if there is one. No effect if the entry is not a pod. */
void yk__observe(struct yk_cluster *cluster, enum yk_pod_moment moment, const struct yk_sim_entry *entry);

/* object_changes.c */
/* Makes `draft`, which is taken, the latest version, with a new resource version. Passes the change to the
 * watches, the list of pods that have not ended, and the volume controllers. The previous version is freed.
 * Kind, namespace, name and uid stay. After a change of the allocatable amounts of a node, call
 * yk__ledger_node_changed(); after a pod has got its node, yk__ledger_pod_on_node() and yk__kubelet_bound(),
 * and between these, if a request has bound the pod, yk__observe() with YK_POD_BOUND; after its phase may
 * have changed, yk__kubelet_status_written(). */
void yk__commit(struct yk_sim_entry *entry, struct yk_object *draft);
/* Removes the object from the cluster and frees the entry. Passes the removal to the watches, the ledger, the
 * volume controllers and the observer. Before a node is removed, call yk__kubelet_node_lost(). */
void yk__remove(struct yk_sim_entry *entry);
/* Adds `object`, which is taken. Passes the creation to the watches, the ledger, the volume controllers and
 * the observer. A pod that already names its node and has not ended starts. A pod succeeds `run_ns` after its
 * start (0: it does not), unless its deadline comes first. Errors: YK_ERR_EXISTS, there is an object of its
 * kind and name. */
enum yk_status yk__create(struct yk_cluster *cluster, struct yk_object *object, int64_t run_ns,
                          struct yk_err *err);

/* watches.c */
/* Queues a change for the watches whose selectors match the object before or after the change. Skips watches
 * that still have to deliver a whole list, because the list will show the change. `before` is NULL for a
 * created object, `after` for a removed one; both are copied. */
void yk__watches_tell(struct yk_cluster *cluster, const struct yk_object *before,
                      const struct yk_object *after);
/* Starts a watch, which runs until the cluster is stopped or freed. Calls `sink` with `context` from timers,
 * never within this call: first with a list, then with events. `spec` is copied. If a selector is not
 * understood, an error is logged and `sink` is never called. */
void yk__watch_start(struct yk_cluster *cluster, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                     void *context);
/* Breaks all watches of the kind: they deliver nothing for `gap_ns`, and then go on as `how` says. */
void yk__watches_break(struct yk_cluster *cluster, enum yk_kind kind, enum yk_watch_fault how,
                       int64_t gap_ns);
/* Frees all watches, and the events that they have not delivered. */
void yk__watches_done(struct yk_cluster *cluster);

/* operations.c */
/* Performs a request `request_ns` later, and answers it through op->done() after the same time again, both
 * from timers, unless it meets a fault. Takes `op` until then. If the cluster is stopped already, the request
 * is not performed, and the answer YK_OP_CANCELLED comes from a timer without delay. */
void yk__submit(struct yk_cluster *cluster, struct yk_op *op);
/* Frees the requests in flight without a call of done(). */
void yk__flights_done(struct yk_cluster *cluster);

/* pod_status.c */
/* Applies a strategic merge patch (JSON) to the status of `pod`, a draft. Errors, after which the draft may
 * have changed in part: YK_ERR_INVALID; YK_ERR_STATE, the patch names another uid or resource version. */
YK_NODISCARD enum yk_status yk__pod_status_patch(struct yk_pod *pod, struct yk_str body, struct yk_err *err);
/* The field status.message of a patch of a pod's status, which the caller frees; NULL: there is none. */
char *yk__pod_status_message(struct yk_str body);

/* administration.c */
/* Applies a merge patch (JSON) to the data of `map`, a draft. Errors, after which the draft may have changed
 * in part: YK_ERR_INVALID; YK_ERR_LIMIT; YK_ERR_STATE, the patch names another resource version. */
YK_NODISCARD enum yk_status yk__config_map_patch(struct yk_config_map *map, struct yk_str body,
                                                 struct yk_err *err);

/* volume_controller.c */
/* Prepares the volume controllers of a new cluster. Call it once, before objects are added. */
void yk__volumes_init(struct yk_cluster *cluster);
/* A claim, volume or storage class was created or changed: in their next round, the volume controllers check
 * the claims and volumes that the change may affect. No effect for other kinds. */
void yk__volumes_changed(struct yk_sim_entry *entry);
/* An object is about to be removed: the volume controllers no longer check it. If it is a claim or a volume,
 * they check its partner in their next round. Call it for objects of all kinds. */
void yk__volumes_removed(struct yk_sim_entry *entry);

/* volume_patch.c */
/* Applies a merge patch (JSON) to `object`, a draft of a claim or a persistent volume. Only annotations and
 * claimRef are changed. Errors: as yk__config_map_patch(). */
YK_NODISCARD enum yk_status yk__volume_patch(struct yk_object *object, struct yk_str body,
                                             struct yk_err *err);

/* leases.c */
/* Performs a request to get, create or update a Lease. Returns the HTTP status of the answer. If it is 200 or
 * 201, the Lease is appended to `answer` as JSON, with its new resource version. */
int yk__lease_request(struct yk_cluster *cluster, const struct yk_op *op, struct yk_buf *answer);
/* Frees the Leases. */
void yk__leases_done(struct yk_cluster *cluster);

/* kubelet.c */
/* Sets a timer that starts the pod after `start_ns`. Call it after the pod, which has not ended, has got its
 * node. */
void yk__kubelet_bound(struct yk_sim_entry *pod);
/* If the pod has ended: releases its capacity in the ledger, calls the observer with YK_POD_ENDED, and
 * cancels its timer, unless the pod is deleting: its timer then removes it. Otherwise no effect. Call it
 * after the phase may have changed, but only if the pod had not ended before. */
void yk__kubelet_status_written(struct yk_sim_entry *pod);
/* Deletes a pod. A bound pod that has not ended is marked as deleting, and removed after `termination_ns`,
 * or `node_lost_ns` after its node is removed meanwhile. Any other pod is removed within the call, which
 * frees the entry. No effect if the pod is deleting already. */
void yk__kubelet_delete(struct yk_sim_entry *pod);
/* Sets timers that remove the pods of the node after `node_lost_ns`. Pods that have ended stay. Call it
 * before yk__remove() for the node. */
void yk__kubelet_node_lost(struct yk_sim_entry *node);

/* ledger.c */
/* Adds the pod to cluster->alive_pods, or removes it if it has ended. Call it after the pod was created or
 * has a new version. */
void yk__ledger_pod_changed(struct yk_sim_entry *pod);
/* Adds the size of the pod, which has not ended, to `used` of the node that its spec names. If there is no
 * such node yet, yk__ledger_node_added() does that later. The pod must not count on a node already.
 * `by_scheduler`: the scheduler has bound the pod, so a violation is counted if the node is overfull now. A
 * node that shrank less than 5 s before is exempt. */
void yk__ledger_pod_on_node(struct yk_sim_entry *pod, bool by_scheduler);
/* Subtracts the size of the pod from `used` of its node. No effect if the pod counts on no node. */
void yk__ledger_pod_off_node(struct yk_sim_entry *pod);
/* Reads the allocatable amounts of a new node, and adds the pods that name it already. */
void yk__ledger_node_added(struct yk_sim_entry *node);
/* Reads the allocatable amounts of the node again. Call it after yk__commit(). */
void yk__ledger_node_changed(struct yk_sim_entry *node);
/* Makes the pods of the node count on no node. Call it before the entry of the node is freed. */
void yk__ledger_node_removed(struct yk_sim_entry *node);
/* Counts a violation: the scheduler asked to bind the bound pod `pod` to another node, `node`. */
void yk__ledger_double_bind(const struct yk_sim_entry *pod, const char *node);

#endif

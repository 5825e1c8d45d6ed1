/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster in memory behind the interface of the API server: objects with versions, watches, bindings, and
 * simulated kubelets. Simulated volume controllers create persistent volumes for claims, and bind claims to
 * volumes.
 *
 * The cluster behaves like an API server towards a scheduler (docs/reference/kubernetes.md 1.2, 1.4). Each
 * write creates a new version of the object. A watch receives its events in order and after a delay; the
 * order of events of different watches is not kept. A pod can be bound once. A bound pod starts after a
 * while, and ends at its deadline or after its run time; a pod that has neither runs until it is deleted.
 * Requests, watches, kubelets and volume controllers work in the given timers. So with a virtual clock, the
 * same seed gives the same run, request by request.
 *
 * Owns:      all objects, watches and requests in flight.
 * Thread:    scheduling thread only.
 * Invariant: each write gets a larger version than all writes before; the usage of a node in the ledger is
 *            the sum of the pods on it that have not ended.
 */
#ifndef YK_SIMULATE_CLUSTER_H
#define YK_SIMULATE_CLUSTER_H

#include "base/timer.h"
#include "simulate/faults.h"
#include "simulate/objects.h"

struct yk_cluster;

/* The moments of a pod that are reported to the observer. */
enum yk_pod_moment {
    YK_POD_CREATED,
    YK_POD_BOUND,   /* by a request of the scheduler */
    YK_POD_STARTED, /* its kubelet runs it */
    YK_POD_EVICTED, /* the scheduler deletes a bound pod that has not ended; a REMOVED follows */
    YK_POD_ENDED,   /* Succeeded or Failed */
    YK_POD_REMOVED, /* the object is gone; an ENDED may have come before */
};

/* Written by: the caller. */
struct yk_cluster_observer {
    void *context; /* passed to `pod_moment` */
    /* Called when the moment happens. Must not change the cluster. `pod` is borrowed for the call; `age_ns`
     * is the time since the creation of the pod. */
    void (*pod_moment)(void *context, enum yk_pod_moment moment, const struct yk_pod *pod, int64_t age_ns);
};

/* A time of 0 ns means: in the next round of the timers, unless the comment of the field says otherwise. */
struct yk_cluster_options {
    const struct yk_clock *clock; /* borrowed for life */
    struct yk_timers *timers;     /* borrowed for life; run by the caller */
    uint64_t seed;                /* of all random numbers: jitter and faults with a probability */
    /* Time from yk_api_submit() until the request is performed. The same time passes again until the
     * answer. */
    int64_t request_ns;
    int64_t watch_ns;        /* from a change until watches deliver it */
    int64_t watch_jitter_ns; /* the largest additional delay, drawn for each event; 0: none */
    int64_t timeout_ns;      /* the time-out of requests that name none (yk_op.timeout_ns); <= 0: 30 s */
    int64_t start_ns;        /* from the binding of a pod until it runs */
    /* Run time of pods that were created through the API; 0: until they are deleted, or until their
     * deadline. */
    int64_t run_ns;
    int64_t termination_ns;    /* from the deletion of a bound pod until it is removed */
    int64_t node_lost_ns;      /* from the removal of a node until its pods are removed */
    int64_t provision_ns;      /* from when a claim needs a new volume until the volume is created */
    bool no_volume_controller; /* claims and volumes stay as they are written */
    const struct yk_cluster_observer *observer; /* borrowed for life; NULL: none */
};

/* Makes an empty cluster. `options` is copied; what it points to is borrowed for life. The caller frees the
 * result with yk_cluster_free(). */
struct yk_cluster *yk_cluster_new(const struct yk_cluster_options *options);
/* Frees the cluster and its objects. Its timers must still exist. Requests in flight are freed without a call
 * of done(). NULL is allowed. */
void yk_cluster_free(struct yk_cluster *cluster);
YK_DEFINE_FREEP(yk_cluster)

/* The interface of the API server, for the shim. It is a part of the cluster, and valid as long as the
 * cluster. */
struct yk_api_server *yk_cluster_api(struct yk_cluster *cluster);

/* ---- changes by other users of the cluster, such as kubectl and controllers ----
 *
 * They take effect within the call; watches deliver them later. */

/* Creates `object`. If there is an object of its kind, namespace and name, replaces that object and keeps its
 * uid and creation time. `object` is taken. The cluster sets its resource version, and gives a new object a
 * uid and a creation time if it has none. A new pod runs until it is deleted, or until its deadline. A new
 * pod that already names its node starts without a binding. A pod that is replaced keeps its run time. Its
 * node, and whether it has ended, must stay the same, because the kubelet does not notice a change of
 * these. */
void yk_cluster_put(struct yk_cluster *cluster, struct yk_object *object);
/* Creates a pod that runs for `run_ns` from its start (0: until it is deleted), but not beyond its deadline.
 * It starts after it was bound. A pod that already names its node starts without a binding. `pod` is taken.
 * Errors: YK_ERR_EXISTS, there is a pod of its name; that pod stays as it is. */
YK_NODISCARD enum yk_status yk_cluster_create_pod(struct yk_cluster *cluster, struct yk_object *pod,
                                                  int64_t run_ns, struct yk_err *err);
/* Deletes an object, as kubectl delete does. A bound pod that has not ended terminates first: it is removed
 * after `termination_ns`. All other objects are removed within the call. The pods of a deleted node that have
 * not ended are removed after `node_lost_ns`. `namespace_` is NULL or "" for kinds without namespaces. False:
 * there is no such object. If a pod is being deleted already, returns true and has no effect. */
bool yk_cluster_delete(struct yk_cluster *cluster, enum yk_kind kind, const char *namespace_,
                       const char *name);
/* Sets whether a node is unschedulable, as kubectl cordon and uncordon do. False: there is no such node. */
bool yk_cluster_cordon(struct yk_cluster *cluster, const char *node, bool unschedulable);
/* Replaces all allocatable amounts of a node by a copy of `allocatable`. Its pods stay. False: there is no
 * such node. */
bool yk_cluster_resize(struct yk_cluster *cluster, const char *node, const struct yk_amounts *allocatable);

/* ---- questions ---- */

/* The latest version of the object of that kind and name; NULL: there is none. Borrowed until the object
 * changes. `namespace_` is NULL or "" for kinds without namespaces. */
const struct yk_object *yk_cluster_find(const struct yk_cluster *cluster, enum yk_kind kind,
                                        const char *namespace_, const char *name);
/* The message with which the scheduler failed a pod; "" if the scheduler did not fail it or gave no message,
 * or if there is no such pod. Borrowed until the pod is removed. */
const char *yk_cluster_failure(const struct yk_cluster *cluster, struct yk_str namespace_,
                               struct yk_str name);
/* The number of objects of that kind. */
size_t yk_cluster_count(const struct yk_cluster *cluster, enum yk_kind kind);
/* Visits all objects of a kind in the order in which they were created; `visit` must not change the
 * cluster. */
void yk_cluster_each(const struct yk_cluster *cluster, enum yk_kind kind,
                     void (*visit)(void *context, const struct yk_object *object), void *context);

/* A Lease as JSON with sorted keys, which the caller frees with free(); NULL: there is no such Lease. */
char *yk_cluster_lease(const struct yk_cluster *cluster, const char *namespace_, const char *name);

/* ---- faults ---- */

/* Adds a fault that requests meet from now on, also requests that were submitted before and have not reached
 * the cluster. `fault` is copied. Errors: as yk_faults_add(). */
YK_NODISCARD enum yk_status yk_cluster_add_fault(struct yk_cluster *cluster, const struct yk_fault *fault,
                                                 struct yk_err *err);
/* Removes all faults that were added and have not been used up. Broken watches are not affected. */
void yk_cluster_clear_faults(struct yk_cluster *cluster);
/* Breaks all watches of `kind` now. They deliver nothing for `gap_ns`, and then go on as `how` says. */
void yk_cluster_break_watch(struct yk_cluster *cluster, enum yk_kind kind, enum yk_watch_fault how,
                            int64_t gap_ns);

/* ---- counts and checks ---- */

/* Counts since the cluster was made. */
struct yk_cluster_stats {
    uint64_t creates; /* objects that were created, without Leases and Events */
    uint64_t binds;   /* requests that bound a pod */
    /* Binding requests that the cluster refused; without those that a fault refused. */
    uint64_t bind_refusals;
    uint64_t deletes;        /* requests to delete a pod that existed */
    uint64_t status_patches; /* accepted requests to patch the status of a pod */
    uint64_t events;         /* Events that were created */
    uint64_t faults;         /* requests that met a fault */
    uint64_t watch_events;   /* calls of the sinks of watches, including the begin and end of lists */
    uint64_t relists;        /* lists that watches delivered, including first lists and half lists */
    /* Errors of the scheduler. */
    uint64_t double_binds; /* requests to bind a bound pod to another node */
    uint64_t overcommits;  /* bindings that exceeded the capacity of their node */
};

/* Sets `*ret` to the counts since the start. */
void yk_cluster_stats(const struct yk_cluster *cluster, struct yk_cluster_stats *ret);
/*
 * Checks four things:
 * - No request asked to bind a bound pod to another node.
 * - No binding exceeded the capacity of its node. A binding to a node that shrank less than 5 s before does
 *   not count.
 * - The usage of each node is the sum of its pods.
 * - On a node that never shrank, the pods do not exceed the capacity. Pods that the caller has put on a node
 *   count, too.
 *
 * Errors: YK_ERR_STATE; `err` describes the first violation. O(nodes + pods that have not ended).
 */
YK_NODISCARD enum yk_status yk_cluster_check(const struct yk_cluster *cluster, struct yk_err *err);
/* Sets `ret_used` to the requests of the pods on the node, and `ret_allocatable` to its allocatable amounts,
 * in base units. False: there is no such node. */
bool yk_cluster_node_usage(const struct yk_cluster *cluster, const char *node, struct yk_resvec *ret_used,
                           struct yk_resvec *ret_allocatable);
/* Sets `ret` to the amounts that a pod occupies on its node, in base units: requests of containers and init
 * containers (or of the pod as a whole, for resources that have them), overhead, and 1 of "pods". Each amount
 * is limited to 2^48, so that sums of thousands of sizes are exact. */
void yk_sim_pod_size(const struct yk_pod *pod, struct yk_resvec *ret);

/* Adds the amounts to `sum`, in base units. "cpu" counts as the type "vcore", and resources without a type
 * (yk_restype_find()) as YK_RESTYPE_UNKNOWN. */
void yk_sim_amounts_add(struct yk_resvec *sum, const struct yk_amounts *amounts);

enum { YK_SIM_EVENTS_KEPT = 1000 };
/* The body of one of the last YK_SIM_EVENTS_KEPT Events. `index` counts from 0, the oldest of these. Borrowed
 * until the next Event is created. NULL: there are at most `index` such Events. */
const char *yk_cluster_event(const struct yk_cluster *cluster, size_t index);

#endif

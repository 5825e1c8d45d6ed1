/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster in memory behind the interface of the API server: objects with versions, watches, bindings, and
 * simulated kubelets. Claims are bound to persistent volumes, and these are created, as the controllers of
 * Kubernetes do it.
 *
 * It behaves like an API server towards a scheduler (docs/reference/kubernetes.md 1.2, 1.4): each write
 * creates a new version; watches receive it later, in order within a watch, but not between watches; a pod is
 * bound once, guarded by its uid. A bound pod starts after a while, and ends after its run time. Everything
 * is driven by the given timers, so on a virtual clock a run is repeatable from its seed, request by request.
 *
 * Owns:      all objects, watches and requests in flight.
 * Thread:    scheduling thread only.
 * Invariant: the version of an entry is larger than all earlier versions; the usage of a node in the ledger
 * is the sum of the pods on it.
 */
#ifndef YK_SIMULATE_CLUSTER_H
#define YK_SIMULATE_CLUSTER_H

#include "base/timer.h"
#include "simulate/faults.h"
#include "simulate/objects.h"

struct yk_cluster;

enum yk_pod_moment {
    YK_POD_CREATED,
    YK_POD_BOUND,
    YK_POD_STARTED,
    YK_POD_EVICTED, /* the scheduler deletes a bound pod that has not ended; a REMOVED follows */
    YK_POD_ENDED,   /* Succeeded or Failed */
    YK_POD_REMOVED, /* gone; an ENDED may have come before */
};

struct yk_cluster_observer {
    void *context;
    /* After it has happened; must not change the cluster. `pod` is borrowed for the call, `age_ns` since its
     * creation. */
    void (*pod_moment)(void *context, enum yk_pod_moment moment, const struct yk_pod *pod, int64_t age_ns);
};

/* Times of 0 mean at once, that is in the timers' next round. */
struct yk_cluster_options {
    const struct yk_clock *clock; /* borrowed for life */
    struct yk_timers *timers;     /* borrowed for life; run by the caller */
    uint64_t seed;
    int64_t request_ns;        /* from submit() to the change, and again until the answer */
    int64_t watch_ns;          /* from a change until a watch tells of it */
    int64_t watch_jitter_ns;   /* up to this much later, drawn per event: kinds overtake each other */
    int64_t timeout_ns;        /* after which a request without an answer is given up; 0 reads as 30 s */
    int64_t start_ns;          /* from the binding until a pod runs */
    int64_t run_ns;            /* how long pods run that were created through the API; 0: until deleted */
    int64_t termination_ns;    /* from the deletion of a running pod until it is gone */
    int64_t node_lost_ns;      /* from the removal of a node until its pods are removed */
    int64_t provision_ns;      /* from when a claim's volume is wanted until it is made */
    bool no_volume_controller; /* claims and volumes stay as they are written */
    const struct yk_cluster_observer *observer; /* borrowed for life; NULL: none */
};

/* Makes an empty cluster. `options` is copied, what it points to is borrowed for life. The caller frees
 * it. */
struct yk_cluster *yk_cluster_new(const struct yk_cluster_options *options);
/* Frees the cluster. Requests that were not answered are freed without done(). NULL is fine. */
void yk_cluster_free(struct yk_cluster *cluster);
YK_DEFINE_FREEP(yk_cluster)

/* The cluster as the shim sees it; borrowed. */
struct yk_api_server *yk_cluster_api(struct yk_cluster *cluster);

/* ---- the cluster's other users: kubectl, controllers ---- */

/* Creates `object`, or replaces the one of its kind and name, whose uid it gets. The cluster owns it from now
 * on. */
void yk_cluster_put(struct yk_cluster *cluster, struct yk_object *object);
/* Like yk_cluster_put() for a new pod that runs for `run_ns` (0: until it is deleted). Errors:
 * YK_ERR_EXISTS. */
YK_NODISCARD enum yk_status yk_cluster_create_pod(struct yk_cluster *cluster, struct yk_object *pod,
                                                  int64_t run_ns, struct yk_err *err);
/* Deletes an object, as kubectl delete does: a running pod terminates first, the pods of a node go after a
 * while. `namespace_`: NULL or "" for what has none. False: there is no such object. */
bool yk_cluster_delete(struct yk_cluster *cluster, enum yk_kind kind, const char *namespace_,
                       const char *name);
/* Sets whether the node is unschedulable, as kubectl cordon and uncordon do. False: there is no such node. */
bool yk_cluster_cordon(struct yk_cluster *cluster, const char *node, bool unschedulable);
/* Replaces the allocatable amounts of a node; they are copied. Its pods stay. False: there is no such node. */
bool yk_cluster_resize(struct yk_cluster *cluster, const char *node, const struct yk_amounts *allocatable);
/* The latest version of the object of that kind and name, or NULL. Borrowed until the object changes.
 * `namespace_`: NULL or "" for what has none. */
const struct yk_object *yk_cluster_find(const struct yk_cluster *cluster, enum yk_kind kind,
                                        const char *namespace_, const char *name);
/* Why a pod failed, as in its status; "" if it did not fail or does not exist. Borrowed until the pod changes. */
const char *yk_cluster_failure(const struct yk_cluster *cluster, struct yk_str namespace_,
                               struct yk_str name);
/* The number of objects of that kind. */
size_t yk_cluster_count(const struct yk_cluster *cluster, enum yk_kind kind);
/* Visits all objects of a kind in the order in which they were created; `visit` must not change the
 * cluster. */
void yk_cluster_each(const struct yk_cluster *cluster, enum yk_kind kind,
                     void (*visit)(void *context, const struct yk_object *object), void *context);

/* A Lease as JSON with sorted keys, to be freed; NULL: there is none. */
char *yk_cluster_lease(const struct yk_cluster *cluster, const char *namespace_, const char *name);

/* ---- faults ---- */

/* Adds a fault that requests meet from now on. `fault` is copied. Errors: as yk_faults_add(). */
YK_NODISCARD enum yk_status yk_cluster_add_fault(struct yk_cluster *cluster, const struct yk_fault *fault,
                                                 struct yk_err *err);
/* Removes all faults. */
void yk_cluster_clear_faults(struct yk_cluster *cluster);
/* Breaks all watches of `kind` now; they are back after `gap_ns`. */
void yk_cluster_break_watch(struct yk_cluster *cluster, enum yk_kind kind, enum yk_watch_fault how,
                            int64_t gap_ns);

/* ---- what happened ---- */

struct yk_cluster_stats {
    uint64_t creates, binds, bind_refusals, deletes, status_patches, events, faults;
    uint64_t watch_events, relists;
    /* Broken promises of the scheduler. */
    uint64_t double_binds; /* asked to bind a bound pod to another node */
    uint64_t overcommits;  /* bindings beyond what a node has */
};

/* Sets `*ret` to the counts since the start. */
void yk_cluster_stats(const struct yk_cluster *cluster, struct yk_cluster_stats *ret);
/*
 * Checks that no pod was bound twice, that no binding exceeded the capacity of its node (a node that shrank
 * below its usage does not count), and that the accounts agree with a count from scratch. Errors:
 * YK_ERR_STATE naming the first break.
 */
YK_NODISCARD enum yk_status yk_cluster_check(const struct yk_cluster *cluster, struct yk_err *err);
/* Sets `ret_used` to the requests of the pods on the node, and `ret_allocatable` to its allocatable amounts,
 * in base units. False: there is no such node. */
bool yk_cluster_node_usage(const struct yk_cluster *cluster, const char *node, struct yk_resvec *ret_used,
                           struct yk_resvec *ret_allocatable);
/* Sets `ret` to what a node counts for the pod, in base units, with 1 of "pods". */
void yk_sim_pod_size(const struct yk_pod *pod, struct yk_resvec *ret);

/* Adds the amounts to `sum`, in base units; "cpu" is counted as "vcore". */
void yk_sim_amounts_add(struct yk_resvec *sum, const struct yk_amounts *amounts);

enum { YK_SIM_EVENTS_KEPT = 1000 };
/* The body of the Event at `index` of the latest YK_SIM_EVENTS_KEPT, oldest first; borrowed until the next
 * Event. NULL: there are fewer. */
const char *yk_cluster_event(const struct yk_cluster *cluster, size_t index);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler interface: how a resource manager (RM: the Kubernetes shim, a test, a bench) talks to the
 * core.
 *
 * The RM calls yk_core_*() and the core answers through struct yk_si_callbacks, both on the scheduling
 * thread and in one process: a decision reaches the RM in the same step in which it is made. A callback must
 * not call the core, except where its comment names a function; it records what it needs, and the RM acts
 * after the core has returned.
 *
 * All texts and arrays that are passed, in both directions, are borrowed for the call unless a comment says
 * otherwise. `cookie` pointers belong to the RM: the core passes them back and does not use what they point
 * to.
 * Thread: scheduling thread only, except yk_reload_prepare() and yk_reload_free().
 *
 * Written by: structs that a function of this header takes, and what a callback returns: the RM. Structs
 * that a callback takes, and what a function of this header returns: core/scheduler and core/report.
 * Exceptions are at the struct.
 * Source: docs/reference/scheduling.md, section 1.
 */
#ifndef YK_SI_H
#define YK_SI_H

#include "base/base.h"
#include "resources/resvec.h"

struct yk_json; /* base/json_writer.h */

struct yk_core;
struct yk_clock;
struct yk_directory;
struct yk_timers;

/* ---- enumerations: numbers as in the scheduler interface of Apache YuniKorn ---- */

enum yk_si_node_action {
    YK_SI_NODE_UNKNOWN = 0,
    YK_SI_NODE_CREATE = 1,               /* a new node, which gets allocations from now on */
    YK_SI_NODE_UPDATE = 2,               /* changes its capacity or its constraints */
    YK_SI_NODE_DRAIN = 3,                /* gets no new allocations, except asks with tolerates_drain */
    YK_SI_NODE_DECOMMISSION = 4,         /* removes the node and ends its allocations */
    YK_SI_NODE_DRAIN_TO_SCHEDULABLE = 5, /* gets allocations again */
    YK_SI_NODE_CREATE_DRAIN =
        6, /* a new node, which gets no allocations until DRAIN or DRAIN_TO_SCHEDULABLE */
};

/* Why an allocation ends. */
enum yk_si_termination {
    YK_SI_TERMINATION_UNKNOWN = 0, /* its node was removed, or the RM gives no reason */
    YK_SI_STOPPED_BY_RM = 1,
    YK_SI_TIMEOUT = 2,
    YK_SI_PREEMPTED_BY_SCHEDULER = 3,
    YK_SI_PLACEHOLDER_REPLACED = 4,
    YK_SI_SCHEDULING_FAILED_ON_RM = 5, /* the RM could not start it: the ask becomes pending again */
    /* An addition of this project; the number is far from those of Apache YuniKorn. */
    YK_SI_KILLED = 100, /* an administrator ends the application (queues.md A8) */
};

enum yk_si_scheduling_state {
    YK_SI_STATE_UNKNOWN = 0,
    YK_SI_STATE_SKIPPED = 1,
    YK_SI_STATE_SCHEDULED = 2,
    YK_SI_STATE_RESERVED = 3,
    YK_SI_STATE_FAILED = 4,
};

/* Why an ask with YK_SI_STATE_FAILED waits. */
enum yk_si_obstacle {
    YK_SI_NO_CAPACITY = 0, /* no node takes it */
    YK_SI_NO_VICTIMS,      /* no node takes it, and preemption has not found victims */
    YK_SI_GANG_TOO_LARGE,  /* its gang needs more than the nodes have */
};

/* Why an ask or an application waits. Each reason has a token, which is the same in conditions, Events, REST
 * and metrics (docs/reasons.md). */
enum yk_si_reason {
    YK_REASON_NONE, /* it does not wait, or that is not known */
    YK_REASON_REJECTED,
    YK_REASON_GATED,
    YK_REASON_QUEUE_STOPPED,
    YK_REASON_QUEUE_MAX_APPS,
    YK_REASON_USER_MAX_APPS,
    YK_REASON_GROUP_MAX_APPS,
    YK_REASON_EXCEEDS_MAX,
    YK_REASON_QUEUE_QUOTA,
    YK_REASON_USER_QUOTA,
    YK_REASON_GROUP_QUOTA,
    YK_REASON_GANG,
    YK_REASON_BACKOFF,
    YK_REASON_NODE_RESOURCES,
    YK_REASON_PREDICATES,
    YK_REASON_VOLUMES,
    YK_REASON_PREEMPTION,
    YK_REASON_RESERVED,
    YK_REASON_NOT_ATTEMPTED,
};
enum { YK_REASON_COUNT = YK_REASON_NOT_ATTEMPTED + 1 };

/* The token of the reason, which is below YK_REASON_COUNT; a static text; "" for YK_REASON_NONE. */
static inline const char *yk_si_reason_token(enum yk_si_reason reason)
{
    static const char *const tokens[YK_REASON_COUNT] = {
        "",
        "Rejected",
        "Gated",
        "QueueStopped",
        "QueueMaxApplications",
        "UserMaxApplications",
        "GroupMaxApplications",
        "ExceedsMaxCapacity",
        "QueueQuota",
        "UserQuota",
        "GroupQuota",
        "GangWaiting",
        "Backoff",
        "InsufficientNodeResources",
        "PredicatesFailed",
        "VolumeBinding",
        "PreemptionInProgress",
        "Reserved",
        "NotYetAttempted",
    };
    return tokens[reason];
}
/* The reason of this token, case-sensitively; YK_REASON_NONE: it is not a token. */
static inline enum yk_si_reason yk_si_reason_of(struct yk_str token)
{
    for (int reason = YK_REASON_NONE + 1; reason < YK_REASON_COUNT; reason++) {
        if (yk_str_is(token, yk_si_reason_token((enum yk_si_reason)reason)))
            return (enum yk_si_reason)reason;
    }
    return YK_REASON_NONE;
}
/* Whether the reason is about what is free, or allowed, at nodes. */
static inline bool yk_si_reason_is_of_nodes(enum yk_si_reason reason)
{
    return reason == YK_REASON_NODE_RESOURCES || reason == YK_REASON_PREDICATES ||
           reason == YK_REASON_VOLUMES || reason == YK_REASON_RESERVED || reason == YK_REASON_NOT_ATTEMPTED;
}

/* One obstacle, which a number of nodes have: a resource type of which too little is free, or a filter
 * that refuses them. */
struct yk_si_node_obstacle {
    enum { YK_SI_OBSTACLE_RESOURCE, YK_SI_OBSTACLE_FILTER } kind;
    const char *name; /* the type as in queue configurations; the filter in the words of kube-scheduler */
    /* of a filter: the plugin of kube-scheduler that refuses these nodes; "Reserved" if they are reserved for
     * other asks, "Other" for all other reasons; static */
    const char *plugin;
    uint32_t nodes; /* number of nodes */
};

/*
 * A scheduling class: asks with the same constraints, which may run on the same nodes if these have free
 * capacity. The RM numbers its classes densely from 0. It may use a number again when the class has no asks
 * left. YK_SI_CLASS_ANY has no constraints.
 */
typedef uint32_t yk_si_class;
#define YK_SI_CLASS_ANY UINT32_MAX

struct yk_si_why {
    enum yk_si_reason reason;
    /* Identifies what the reason is about, such as a queue: the same number for the same object. */
    uint64_t about;
};

/* What the RM has stored about nodes for a waiting ask. All are YK_REASON_NONE if nothing is stored. */
struct yk_si_node_reason {
    enum yk_si_reason told; /* the last reason of yk_core_why() with texts, if it is about nodes */
    /* What the RM has found at the nodes: the first of YK_REASON_NODE_RESOURCES, _VOLUMES, _RESERVED and
     * _PREDICATES that is the reason at some node; YK_REASON_NOT_ATTEMPTED: each node takes the ask. */
    enum yk_si_reason found;
    /* Equal to `found` if that is YK_REASON_VOLUMES or _PREDICATES. Otherwise why filters of the RM refuse
     * nodes that have the capacity and are in the scheduling class: YK_REASON_VOLUMES or _PREDICATES;
     * YK_REASON_NONE: they refuse no such node. */
    enum yk_si_reason filter;
    /* With `found` = YK_REASON_VOLUMES: on some node, all volumes are there once other objects have ended. */
    bool volumes_come_free;
    /* With `found` = YK_REASON_VOLUMES: on all nodes, because a claim or a volume is missing or not bound. */
    bool volumes_are_missing;
};

/* When an object that waits may start. This is an estimate from the rate at which its application, or else
 * its queue, has started objects. */
struct yk_si_start {
    bool waits;          /* false: the object does not wait, or is unknown; the other fields are 0 */
    bool ends_by_itself; /* false: a user or an administrator has to change something before it can start */
    bool is_known;       /* false: there is no estimate, for example because too few objects have started */
    bool is_preempting;  /* allocations were asked to end for it */
    /* certain other objects have to start or end first, so the rate of the queue says nothing */
    bool needs_others;
    /* its gang can never start, and its real asks start without it after the timeout of the gang */
    bool is_after_timeout;
    /* Its queue starts one application at a time, and others come first: the start is unknown. */
    bool waits_to_start;
    /* Objects of other applications start first: with `application`, none of it starts any longer; without,
     * about as many objects join older applications of the queue as start. */
    bool is_overtaken;
    bool of_gangs;                /* `starts` counts placeholders only */
    bool is_by_nodes;             /* `ends_by_itself` says whether a node is large enough for the object */
    yk_si_class scheduling_class; /* that of the object */
    int64_t earliest_wall_ns, latest_wall_ns; /* the estimate; valid if is_known */
    const char *queue;                        /* path of its queue; borrowed until the core changes */
    const char *application; /* `starts` counts those of this application; NULL: of the queue; borrowed so */
    uint64_t ahead;          /* the number, at least, of the counted objects that come before it */
    uint32_t starts;         /* number of objects that have started in `window_ns` */
    uint32_t batches;        /* number of moments at which they did: those that start together count once */
    int64_t window_ns;       /* the time up to now that was looked at */
};
/* Appends what the estimate is made from, or why the start is unknown, without a full stop. `start->waits` is true.
 * `with_counts`: also how many started in `window_ns`, which ends now, and how many come first; false for a text
 * that is stored. */
void yk_si_start_basis(const struct yk_si_start *start, bool with_counts, struct yk_buf *text);

/* How many placeholders of a gang have nodes. The RM does not send the real asks of the gang before all
 * placeholders have nodes. */
struct yk_si_gang_wait {
    uint64_t members, placed; /* placeholders that the gang needs; those that have nodes */
};

/* An object of an application that is not an ask yet, because its gang is not complete. All texts are
 * borrowed. */
struct yk_si_held {
    const char *key, *namespace_, *name;
    const struct yk_resvec *resource;
    int64_t create_wall_ns;
    int32_t priority;
    struct yk_si_gang_wait gang;
};

/* The place of a walk over the objects of an application (yk_si_callbacks.held). Zeroed at the beginning.
 * Written by: the RM; core/web sets the begin. */
struct yk_si_held_place {
    /* A key of the RM for the last visited object; empty: none. The caller frees the buffer. */
    struct yk_buf key;
    uint64_t looked; /* number of objects visited so far */
    uint64_t skip;   /* number of objects to pass over at the begin if the object of `key` has gone */
};

enum yk_si_gang_style { YK_SI_GANG_SOFT = 0, YK_SI_GANG_HARD };

/* ---- well-known names (docs/reference/scheduling.md 1.4) ---- */

#define YK_SI_NODE_HOSTNAME          "si/hostname"
#define YK_SI_NODE_RACK              "si/rackname"
#define YK_SI_NODE_INSTANCE_TYPE     "si/instance-type"
#define YK_SI_NODE_PARTITION         "si/node-partition"
#define YK_SI_TAG_CREATION_TIME      "creationTime"
#define YK_SI_TAG_FOREIGN            "foreign"
#define YK_SI_TAG_NAMESPACE          "namespace"
#define YK_SI_TAG_FORCE_CREATE       "application.create.force"
#define YK_SI_TAG_APP_TYPE           "application.type"
#define YK_SI_TAG_STATEAWARE_DISABLE "application.stateaware.disable"
#define YK_SI_TAG_REQUIRED_NODE      "yunikorn.apache.org/requiredNode"
#define YK_SI_DEFAULT_PARTITION      "default"

enum {
    YK_SI_APPLICATION_ID_MAX = 512, /* bytes; longer ids are refused */
    YK_SI_KEY_MAX = 256,            /* bytes of an allocation key or node id */
    YK_SI_TAGS_MAX = 1024,          /* tags of one object */
};

/* The largest amount of a type that one ask, allocation or node may have. So the sum of 8,192 amounts
 * does not saturate. */
#define YK_SI_AMOUNT_MAX (INT64_C(1) << 48)

struct yk_si_tag {
    const char *key, *value;
};

struct yk_si_ugi {
    const char *user; /* "" or NULL: not given */
    const char *const *groups;
    size_t group_count;
};

/* Which constraints class_fits_now() checks. */
enum yk_si_question {
    YK_SI_TO_ALLOCATE, /* all constraints */
    YK_SI_TO_RESERVE,  /* all but those that may change while the ask waits for capacity on the node */
    YK_SI_FOR_KIND,    /* only those that are the same for all nodes with the signature of this node */
};

/* ---- from the RM ---- */

struct yk_si_register {
    const char *rm_id;        /* such as "mycluster"; not empty */
    const char *policy_group; /* NULL: "queues" */
    const char *version;      /* of the RM; the core does not use it; may be NULL */
    struct yk_str config;     /* text of queues.yaml; empty: the built-in default */
    bool keeps_default;       /* a reload that would remove the partition "default" is refused */
    const char *source;       /* where the text is from, for users; NULL: not known */
    /* Why the RM itself refuses the text, so that the core only adds it to the history; NULL: the RM does not
     * refuse the text. */
    const char *refusal;
    const struct yk_si_tag *extra_config;
    size_t extra_count;
    const struct yk_si_tag *build_info;
    size_t build_info_count;
};

struct yk_si_new_app {
    const char *application_id;
    const char *queue;     /* as submitted; "" or NULL: none was named */
    const char *partition; /* "" or NULL: the default one */
    struct yk_si_ugi ugi;
    const struct yk_si_tag *tags;
    size_t tag_count;
    int64_t placeholder_timeout_ns;          /* 0 or less: the default */
    const struct yk_resvec *placeholder_ask; /* the sum of all placeholders; NULL or 0: not a gang */
    enum yk_si_gang_style gang_style;
    void *cookie; /* passed back in callbacks about the application */
};

/*
 * A new ask (without a node), an allocation that exists already (at the start), a change of either, or an
 * allocation of another scheduler.
 *
 * Of an ask or allocation that the core knows, only these fields are used: `resource` and `run_limit_ns`;
 * `priority` and `scheduling_class`, if it is pending or `resource` has changed; and `node_id` with
 * `start_wall_ns`, if it is pending, which makes it an allocation. Of a known `foreign` allocation,
 * `resource` and `node_id` are used. The other fields keep the values of the first request.
 */
struct yk_si_allocation {
    const char *key; /* unique in its application; if `foreign`, unique among those of the partition */
    bool key_stays; /* The core borrows `key` instead of copying it. The text must stay in place until the ask
                       has ended or the RM is unregistered. */
    const char *application_id; /* not used if `foreign` */
    const char *partition;      /* "" or NULL: the default one */
    const char *node_id;        /* "" or NULL: an ask; a `foreign` one has a node */
    /* Some amount is above 0; none is below 0 or above YK_SI_AMOUNT_MAX. */
    const struct yk_resvec *resource;
    int32_t priority;
    int64_t create_wall_ns;       /* 0: now */
    int64_t run_limit_ns;         /* longest time from its start to its end; 0: no limit */
    int64_t start_wall_ns;        /* of an allocation that the core did not make: when it started; 0: now */
    const char *task_group;       /* "" or NULL: none; a placeholder has one */
    const char *required_node;    /* "" or NULL: none */
    const struct yk_si_tag *tags; /* for REST; copied. With the callback allocation_tags none need be sent */
    size_t tag_count;
    yk_si_class scheduling_class;
    bool placeholder, originator;
    bool allow_preempt_self, allow_preempt_other;
    bool foreign;         /* of another scheduler: only uses capacity of its node */
    bool foreign_static;  /* may never be preempted */
    bool tolerates_drain; /* may be placed on a node that drains (YK_SI_NODE_DRAIN) if its class fits there;
                             the same for all asks of a class */
    void *cookie;
};

struct yk_si_release {
    const char *partition;      /* "" or NULL: the default one */
    const char *application_id; /* "" or NULL: an allocation of another scheduler, which `key` names */
    const char *key;            /* "" or NULL: all asks and allocations of the application */
    enum yk_si_termination termination;
    const char *message; /* for users: why; may be NULL */
};

struct yk_si_node {
    const char *node_id; /* 1 to YK_SI_KEY_MAX bytes */
    /* NULL: the partition in the attribute YK_SI_NODE_PARTITION of this request, or the default one if there
     * is no such attribute. "": the default one. */
    const char *partition;
    enum yk_si_node_action action;
    /* CREATE, CREATE_DRAIN: NULL if the node has none. UPDATE: NULL if it has not changed. */
    const struct yk_resvec *capacity;
    const struct yk_si_tag *attributes; /* for CREATE, CREATE_DRAIN; copied; NULL if there are none */
    size_t attribute_count;
    /* UPDATE: class_fits() may answer differently for the node, so it is called again. */
    bool constraints_changed;
    void *cookie; /* of CREATE, CREATE_DRAIN; other requests do not change it */
};

/* ---- to the RM ---- */

struct yk_si_allocated {
    const char *application_id, *key, *node_id;
    void *ask_cookie, *node_cookie;
};

struct yk_si_released {
    const char *application_id, *key;
    enum yk_si_termination termination; /* yk_si_callbacks.released says what it means */
    const char *message;                /* "": none */
    void *ask_cookie;
};

/* The states of an application (docs/reference/scheduling.md 2.1). */
enum yk_app_state {
    YK_APP_NEW,
    YK_APP_ACCEPTED,
    YK_APP_STARTING, /* only in leaves with the stateaware policy */
    YK_APP_RUNNING,
    YK_APP_REJECTED,
    YK_APP_COMPLETING,
    YK_APP_COMPLETED,
    YK_APP_FAILING,
    YK_APP_FAILED,
    YK_APP_EXPIRED,
    YK_APP_RESUMING,
};
enum { YK_APP_STATE_COUNT = YK_APP_RESUMING + 1 };

/* Why an application fails. */
enum yk_si_failure {
    YK_SI_FAILURE_OTHER = 0,
    YK_SI_FAILURE_GANG_TIMEOUT, /* its placeholders did not all get nodes in time */
    YK_SI_FAILURE_KILLED,       /* by an administrator */
    YK_SI_FAILURE_REJECTED,     /* no queue takes it; never part of an update */
};

struct yk_si_app_update {
    const char *application_id, *message;
    enum yk_app_state state;
    enum yk_si_failure failure; /* of YK_APP_FAILING and YK_APP_FAILED */
    int64_t transition_wall_ns;
    void *cookie;
};

/* Why an ask waits. FAILED: more nodes would help (for autoscalers); SKIPPED: they would not. */
struct yk_si_waiting {
    const char *application_id, *key;
    enum yk_si_scheduling_state state; /* YK_SI_STATE_FAILED or YK_SI_STATE_SKIPPED */
    enum yk_si_obstacle obstacle;      /* of FAILED; otherwise 0 */
    const char *reason;                /* a sentence, or "" */
    void *ask_cookie;
};

struct yk_si_draining {            /* a queue that is draining */
    const char *queue, *partition; /* path of the queue, name of the partition */
    int64_t since_wall_ns;
    size_t applications; /* number of applications left in the queue and below it */
};

/* Offsets, in bytes, of parts of a message, for an RM that shows them in another form; 0: the message
 * does not have the part. */
struct yk_si_message_parts {
    size_t key; /* where `object_id` of the event begins */
    /* where the end of the message begins: a space, and amounts in base units in parentheses */
    size_t amounts;
};

/* An event of an ask or a node; the numbers are those of docs/reference/rest.md 7.1. Only `handle` may be
 * NULL. */
struct yk_si_event {
    int type, change, detail;
    int64_t wall_ns;
    const char *object_id;    /* key of an ask (type 1), or id of a node (type 3) */
    const char *reference_id; /* of an ask: its application */
    const char *message;
    const char *handle; /* of an ask: what ask_handle() wrote at the time of the event */
    struct yk_si_message_parts parts;
};

/* The metrics of /metrics/resources. */
enum yk_si_pod_metric { YK_SI_POD_REQUESTS, YK_SI_POD_LIMITS, YK_SI_POD_METRIC_COUNT };

/* The place in a state dump, or in a metric of /metrics/resources, that is written in pieces. Zeroed at the
 * beginning, except as `pod_resources` says. Only the RM uses the fields. */
struct yk_si_dump {
    int part;
    bool is_open;
    size_t at, seen;
};

/* Receives borrowed tags. */
typedef void yk_si_tags_sink(void *context, const struct yk_si_tag *tags, size_t count);

/* Receives a borrowed name. */
typedef void yk_si_name_sink(void *context, const char *name);

/* Receives a borrowed obstacle. */
typedef void yk_si_obstacle_sink(void *context, const struct yk_si_node_obstacle *obstacle);

/* Receives a borrowed object. */
typedef void yk_si_held_sink(void *context, const struct yk_si_held *held);

/* Functions that the core calls. Each may be NULL, class_score only together with class_has_preferences.
 * `rm` is the argument of yk_core_register(). */
struct yk_si_callbacks {
    /* The ask is an allocation on the node from now on: a decision, or the answer to a request that named the
     * node of the ask (yk_core_update_allocation()). */
    void (*allocated)(void *rm, const struct yk_si_allocated *allocation);
    /*
     * An allocation has ended, or the RM should end it, depending on `termination`:
     *
     * YK_SI_STOPPED_BY_RM: the allocation has ended, because the RM released it, or removed its application
     * or its node, or because a new configuration removed its partition. Nothing is left to do.
     *
     * YK_SI_PREEMPTED_BY_SCHEDULER, YK_SI_PLACEHOLDER_REPLACED, YK_SI_KILLED: the RM ends the object of the
     * allocation, and afterwards calls yk_core_release() with the same termination. The allocation counts
     * until then. With YK_SI_KILLED, the callback may also be about an ask that waits for the end of a
     * placeholder or of victims.
     *
     * YK_SI_TIMEOUT: for an allocation, the same as for the three terminations above. For an ask that is no
     * allocation: the core has dropped the ask, and the RM confirms nothing.
     */
    void (*released)(void *rm, const struct yk_si_released *release);
    /* Answers to yk_core_update_allocation(), yk_core_add_app() and yk_core_update_node(). `cookie` is that
     * of the request, `reason` a sentence. After a refused change of a known ask, allocation or node, the
     * core still has the old one. A new object that is refused stays unknown to the core. */
    void (*allocation_rejected)(void *rm, const char *application_id, const char *key, const char *reason,
                                void *cookie);
    void (*app_accepted)(void *rm, const char *application_id, void *cookie);
    void (*app_rejected)(void *rm, const char *application_id, const char *reason, void *cookie);
    /* An application has changed its state. For YK_APP_REJECTED, app_rejected() is called instead. After
     * YK_APP_COMPLETED and YK_APP_FAILED the core has no live application of that id: no request about it is
     * needed. Not called when the RM removes the application. If a new configuration removes its partition,
     * at most one call follows, with YK_APP_FAILING, and the application is removed then. */
    void (*app_updated)(void *rm, const struct yk_si_app_update *update);
    void (*node_accepted)(void *rm, const char *node_id, void *cookie);
    void (*node_rejected)(void *rm, const char *node_id, const char *reason, void *cookie);
    /* Whether the node passes the fixed constraints of the class. O(1), no side effects. NULL: always. */
    bool (*class_fits)(void *rm, yk_si_class scheduling_class, void *node_cookie);
    /*
     * Whether the node passes the constraints that depend on what runs there. Except with YK_SI_FOR_KIND,
     * class_fits() is true for the node. `node_cookie` NULL: whether any node may pass. The function must be
     * fast, allocate no memory and have no side effects. When the answer may have become true for another
     * reason than a change of the node, the RM calls yk_core_wake_class(). NULL: the answer is always true.
     */
    bool (*class_fits_now)(void *rm, yk_si_class scheduling_class, void *node_cookie,
                           enum yk_si_question question);
    /*
     * Finds how many allocations on the node have to end (a placeholder that is replaced, or victims) so that
     * class_fits_now() is true, if they end in the order of `gone_cookies`. First considers those with the
     * indexes 0 to `start` as ended, then one more at a time, until the class fits. Returns the index of the
     * last one that was considered as ended. -1: the class does not fit even after all `count` (1 or more)
     * have ended. Changes nothing. NULL: the answer is always `start`, except for victims on a required node:
     * for these, class_fits_now() is called instead.
     */
    int (*class_fits_without)(void *rm, yk_si_class scheduling_class, void *node_cookie,
                              void *const *gone_cookies, size_t count, size_t start);
    /*
     * The signature of a node. Nodes with the same signature differ for a class only by their names and by
     * what runs on them. Signatures are small numbers, because memory grows with the largest one; a number
     * may be used again for another signature. The RM calls yk_core_signatures_changed() when it numbers
     * them again. NULL: there are no signatures.
     */
    uint32_t (*node_signature)(void *rm, void *node_cookie);
    /* Whether class_fits_now() with YK_SI_FOR_KIND may be false for the class. A hint that saves time; no
     * decision depends on it. NULL: it may. */
    bool (*class_excludes_signatures)(void *rm, yk_si_class scheduling_class);
    /*
     * Whether the class prefers nodes, and the score of a node for such a class, which is the same for all
     * nodes with its signature. Nodes with a higher score are tried first; of nodes with the same score, the
     * node sorting policy decides. class_has_preferences NULL: no class prefers nodes.
     */
    bool (*class_has_preferences)(void *rm, yk_si_class scheduling_class);
    int32_t (*class_score)(void *rm, yk_si_class scheduling_class, void *node_cookie);
    /* Whether class_fits() may differ between nodes with the same signature. NULL: it may. */
    bool (*class_sees_names)(void *rm, yk_si_class scheduling_class);
    /*
     * Whether the allocation should be preempted only if no others can be, because its disruption budget is
     * used up. It may still be preempted. The function must be fast and have no side effects. NULL: no
     * allocation is protected.
     */
    bool (*is_protected)(void *rm, void *ask_cookie);
    /*
     * What is_protected() would answer if the `victim_count` (1 or more) allocations `victim_cookies`, of
     * which none is that of `ask_cookie`, had ended and used their budgets. NULL: the answer of
     * is_protected().
     */
    bool (*is_protected_with)(void *rm, void *ask_cookie, void *const *victim_cookies, size_t victim_count);
    /*
     * Calls `sink` once with the tags of an ask that was sent without tags. So the core needs no copies of
     * texts that only REST shows. NULL: such asks have no tags.
     */
    void (*allocation_tags)(void *rm, void *ask_cookie, yk_si_tags_sink *sink, void *sink_context);
    /*
     * Whether the object of the allocation is on that node according to the container platform, or is being
     * bound to it. For the health check. The function must be fast and have no side effects. NULL: this is
     * not checked.
     */
    bool (*is_placed)(void *rm, void *ask_cookie, void *node_cookie);
    /*
     * Calls `sink` with the name of each object that is on a node and has no allocation there. To find these
     * objects, the function may call yk_core_allocation_node(). One call looks at `max` slots of the RM's
     * table at most, from `*cursor` on, and moves `*cursor`, which is 0 for the first call. Returns false
     * after the last slot. For the health check. NULL: this is not checked.
     */
    bool (*find_unallocated)(void *rm, uint64_t *cursor, size_t max, yk_si_name_sink *sink,
                             void *sink_context);
    /* What a waiting ask waits for has changed. Reports begin 0.8 s after something began to wait, so most
     * short waits are not reported. */
    void (*scheduling_state)(void *rm, const struct yk_si_waiting *waiting);
    /*
     * Appends to `words` the sentence why no node takes a waiting ask, as its object, or one like it, shows
     * it. Reads what is stored, O(1): appends nothing if no object shows one. NULL: there are no sentences.
     */
    void (*add_wait_reason)(void *rm, void *ask_cookie, struct yk_buf *words);
    /*
     * What is stored about nodes for a waiting ask, or for one like it. `ask_cookie` may be NULL. Reads only
     * what is stored, O(1). NULL: nothing is stored.
     */
    struct yk_si_node_reason (*node_reason)(void *rm, void *ask_cookie);
    /*
     * Calls `sink` for each obstacle that keeps some of `most` nodes, from the `from`-th one on, from taking a
     * waiting ask. Each node is counted for the first filter that refuses it. Returns whether there are nodes
     * behind these. O(most). NULL: obstacles are not known.
     */
    bool (*node_obstacles)(void *rm, void *ask_cookie, size_t from, size_t most, yk_si_obstacle_sink *sink,
                           void *sink_context);
    /* Appends to `key` the key of the pending or allocated ask whose object has that name:
     * "namespace/name", or a name in the namespace of the application. Appends nothing if there is none.
     * NULL: names are not known. */
    void (*find_key)(void *rm, const char *application_id, const char *name, struct yk_buf *key);
    /*
     * Visits up to `most` objects of the application, from `place` on, calls `sink` for those that wait for
     * their gang, and moves `place`. True: there are more objects. Objects that come or go between calls may
     * be left out, or be visited twice. O(most). NULL: no objects wait for gangs.
     */
    bool (*held)(void *rm, const char *application_id, struct yk_si_held_place *place, size_t most,
                 yk_si_held_sink *sink, void *sink_context);
    /* Calls `sink` for the object of that name (as of find_key) if it waits for its gang. O(1). NULL:
     * names are not known. */
    void (*find_held)(void *rm, const char *application_id, const char *name, yk_si_held_sink *sink,
                      void *sink_context);
    /* Appends a phrase to `why` if the asks of the application are scheduled without the gang that one of its
     * objects has announced: why the RM does not use the gang. O(1). NULL: all gangs are used. */
    void (*gang_unused)(void *rm, const char *application_id, struct yk_buf *why);
    /* Called for a queue that still drains after 10 minutes, and then every 10 minutes; not for queues below
     * it, and for at most 20 queues of a partition at a time. NULL: not called. */
    void (*queue_draining)(void *rm, const struct yk_si_draining *draining);
    /* Events of asks and nodes (added, removed), every 2 s if there are any. NULL: not called. */
    void (*events)(void *rm, const struct yk_si_event *events, size_t count);
    /* Appends to `handle` a text by which the RM finds the object of an ask when `events` is called; the
     * ask may have ended by then. NULL: no text. */
    void (*ask_handle)(void *rm, void *ask_cookie, struct yk_buf *handle);
    /* Writes the next piece of the RM's part of the state dump; all calls together write one JSON value.
     * `json` stores which objects are open; its buffer may have been emptied since the last call. True:
     * there is more to write. NULL: the RM has no part. */
    bool (*state_dump)(void *rm, struct yk_si_dump *dump, struct yk_json *json);
    /* Appends the next piece of one metric of /metrics/resources to `out`. Before the first call the caller
     * sets at->part, an enum yk_si_pod_metric, and at->is_open, which says that # HELP and # TYPE are written
     * already; the other fields are 0. True: there is more to write. NULL: the RM has no pods. */
    bool (*pod_resources)(void *rm, struct yk_si_dump *at, struct yk_buf *out);
};

/* ---- the core ---- */

struct yk_core_options {
    const struct yk_clock *clock; /* borrowed until yk_core_free(), as are the other pointers */
    struct yk_timers *timers;     /* the caller runs them on the scheduling thread */
    /* Finds the groups of users (security/directory.h). NULL: users have only the groups that the RM
     * sends. */
    const struct yk_directory *directory;
    /* No node is reserved for an ask only because the ask has waited for a long time. Asks that require a
     * node, and preemption, still reserve nodes. */
    bool no_reservations;
    /* No timer begins checks, reports or records of the history: a test calls the functions itself. */
    bool manual;
    uint64_t seed; /* for InstanceUUID, the name of this process in the event endpoints */
    /* Bounds slices and measures durations; decisions do not depend on it. NULL: `clock`. */
    const struct yk_clock *stopwatch;
};

/* Makes a core without resource managers. `options` is copied; what it points to is borrowed until
 * yk_core_free(). The caller frees the result with yk_core_free(). */
struct yk_core *yk_core_new(const struct yk_core_options *options);
/* Frees the core with all resource managers, without callbacks. NULL is fine. */
void yk_core_free(struct yk_core *core);
YK_DEFINE_FREEP(yk_core)

/*
 * Registers an RM. Several can be registered; each has its own configuration, partitions and callbacks. If
 * the rm_id is registered already, everything of that RM is dropped first, in one step and without callbacks.
 * `request` and `callbacks` are copied. `rm`, the first argument of all callbacks, is borrowed until the RM
 * is unregistered or registered again, or the core is freed. Errors: the configuration is refused, with the
 * status of yk_config_load(), or YK_ERR_INVALID; then nothing is registered under that rm_id. The settings of
 * the RM that registered first apply to the whole process.
 */
YK_NODISCARD enum yk_status yk_core_register(struct yk_core *core, const struct yk_si_register *request,
                                             const struct yk_si_callbacks *callbacks, void *rm,
                                             struct yk_err *err);
/*
 * Drops everything of that RM in one step, without callbacks. Afterwards the core borrows nothing of it. No
 * effect if it is not registered.
 */
void yk_core_unregister(struct yk_core *core, const char *rm_id);
/*
 * A new configuration takes three steps, because the cost of parsing and checking grows with the text:
 *
 *   yk_core_reload_begin()    scheduling thread: copies the request
 *   yk_reload_prepare()       any thread: parses, checks, compares with the active configuration; changes
 *                             nothing else
 *   yk_core_reload_finish()   scheduling thread: applies the differences and the extra settings, or refuses
 *                             the configuration
 *
 * There is one reload at a time; the RM keeps a later configuration until the reload has finished. If another
 * configuration became active after yk_reload_prepare(), yk_core_reload_finish() prepares it again.
 */
struct yk_reload;

/* The first step. Copies the request. The caller passes `*ret_reload` to the next steps, and frees it with
 * yk_reload_free(), after the last step or earlier to give the reload up. Errors: YK_ERR_NOT_FOUND, the RM is
 * not registered; `*ret_reload` is untouched then. */
YK_NODISCARD enum yk_status yk_core_reload_begin(struct yk_core *core, const struct yk_si_register *request,
                                                 struct yk_reload **ret_reload, struct yk_err *err);
/* The second step. Any thread. The time grows with the length of the text. yk_core_reload_finish() returns
 * its error, if any. */
void yk_reload_prepare(struct yk_reload *reload);
/* What a reload changed. */
struct yk_si_told {
    bool changed;          /* false: the text is that of the active configuration */
    bool partitions_added; /* nodes that were rejected may be accepted now */
    char summary[512];     /* one line, such as "queues added: 2" */
};
/*
 * The third step: makes the configuration and the extra settings active. Afterwards `reload` has the
 * configuration that was active before; the caller frees it with yk_reload_free(), on any thread, also after
 * an error. `ret_told` may be NULL. Does the second step, too, if the caller has not done it. Errors:
 * YK_ERR_NOT_FOUND, the RM is not registered; otherwise the error of the configuration. After an error, the
 * old configuration and settings stay active as a whole.
 */
YK_NODISCARD enum yk_status yk_core_reload_finish(struct yk_core *core, struct yk_reload *reload,
                                                  struct yk_si_told *ret_told, struct yk_err *err);
void yk_reload_free(struct yk_reload *reload);
YK_DEFINE_FREEP(yk_reload)
/* The three steps in one call; does not say what has changed. Errors: as yk_core_reload_finish(). */
YK_NODISCARD enum yk_status yk_core_update_config(struct yk_core *core, const struct yk_si_register *request,
                                                  struct yk_err *err);

/*
 * Requests of the RM. The callbacks with the answer are called before these functions return, with one
 * exception: the answer to yk_core_add_app() may have to wait until the groups of the user are known. It
 * comes within YK_SI_APP_ANSWER_NS, for a forced application (YK_SI_TAG_FORCE_CREATE) within
 * YK_SI_FORCED_APP_ANSWER_NS. Until then, the only request about the application that is allowed is
 * yk_core_remove_app(), after which there is no answer.
 */
#define YK_SI_APP_ANSWER_NS        (300 * YK_NS_PER_S)
#define YK_SI_FORCED_APP_ANSWER_NS (30 * YK_NS_PER_S)
/* Submits an application. The answer comes through app_accepted() or app_rejected(), perhaps later: see
 * above. Errors: YK_ERR_NOT_FOUND, an unknown rm_id. */
YK_NODISCARD enum yk_status yk_core_add_app(struct yk_core *core, const char *rm_id,
                                            const struct yk_si_new_app *app);
/* Ends the application with all its asks and allocations. Calls released() for each allocation, with
 * YK_SI_STOPPED_BY_RM, but not for asks, and not app_updated(). `partition` "" or NULL: the default one. No
 * effect if the application is unknown or has ended. Errors: YK_ERR_NOT_FOUND, an unknown rm_id. */
YK_NODISCARD enum yk_status yk_core_remove_app(struct yk_core *core, const char *rm_id,
                                               const char *application_id, const char *partition);
/* Adds or changes an ask, or an allocation (with a node), as `allocation` says. A refusal comes through
 * allocation_rejected(), and changes nothing. Without an accepted application, a request is refused unless it
 * is `foreign`. If a known ask of an application gets its node by the request, or the request adds a new
 * allocation of an application, the answer is allocated(). Other requests that succeed are not answered.
 * Errors: YK_ERR_NOT_FOUND, an unknown rm_id. */
YK_NODISCARD enum yk_status yk_core_update_allocation(struct yk_core *core, const char *rm_id,
                                                      const struct yk_si_allocation *allocation);
enum { YK_SI_REPEAT_MAX = 100 * 1000 };
/*
 * Adds `count` (1 to YK_SI_REPEAT_MAX) asks like `ask`, with the keys "<key>-0", "<key>-1", ...; older
 * interfaces called this number the maximum of allocations of an ask. Each ask is answered and ends
 * separately, also if allocation_rejected() refuses others; all have the cookie of `ask`. Errors, after which
 * nothing was added: YK_ERR_NOT_FOUND, an unknown rm_id; YK_ERR_INVALID, the key is absent or too long for a
 * number behind it, or `ask` names a node; YK_ERR_LIMIT, `count` is too large.
 */
YK_NODISCARD enum yk_status yk_core_repeat_ask(struct yk_core *core, const char *rm_id,
                                               const struct yk_si_allocation *ask, size_t count,
                                               struct yk_err *err);
/*
 * Ends an ask or an allocation, or all of an application, as `release` says.
 *
 * The answer for an allocation of an application is released() with YK_SI_STOPPED_BY_RM. There is no answer
 * for an ask, nor for an allocation whose end `release->termination` confirms: YK_SI_TIMEOUT,
 * YK_SI_PREEMPTED_BY_SCHEDULER, YK_SI_PLACEHOLDER_REPLACED or YK_SI_KILLED.
 *
 * YK_SI_SCHEDULING_FAILED_ON_RM with a key: the ask of the allocation waits again, without an answer, and
 * stays known to the RM. The allocation ends instead if its application is Failing, or if the core has asked
 * for its end.
 *
 * All of an application: with YK_SI_TIMEOUT, pending asks stay.
 *
 * No effect if there is no ask or allocation with that key, except that an application without asks may then
 * complete if `release->termination` is not YK_SI_TERMINATION_UNKNOWN. Errors: YK_ERR_NOT_FOUND, an unknown
 * rm_id.
 */
YK_NODISCARD enum yk_status yk_core_release(struct yk_core *core, const char *rm_id,
                                            const struct yk_si_release *release);
/* Adds, changes, drains, opens or removes a node, as node->action says. CREATE and CREATE_DRAIN are answered
 * by node_accepted() or node_rejected(); a node that is known already is rejected. Other actions are not
 * answered, and have no effect on an unknown node. When a node is removed, released() is called for each
 * allocation there, with YK_SI_STOPPED_BY_RM. Errors: YK_ERR_NOT_FOUND, an unknown rm_id. */
YK_NODISCARD enum yk_status yk_core_update_node(struct yk_core *core, const char *rm_id,
                                                const struct yk_si_node *node);

/*
 * Sets the limits of the dynamic leaf queue of the application from the tags "namespace.resourcequota",
 * "namespace.resourceguaranteed" and "namespace.resourcemaxapps". An absent tag has the effect that it has
 * for a new application (docs/reference/queues.md R40). No effect if the application is unknown, or its leaf
 * is in the configuration. `partition` "" or NULL: the default one. Errors: YK_ERR_NOT_FOUND, an unknown
 * rm_id.
 */
YK_NODISCARD enum yk_status yk_core_namespace_changed(struct yk_core *core, const char *rm_id,
                                                      const char *application_id, const char *partition,
                                                      const struct yk_si_tag *tags, size_t count);

/*
 * Replaces the size of all placeholders of the application (struct yk_si_new_app, `placeholder_ask`), such as when a
 * node offers a resource of them that nothing offered before. `total` is copied. The caller also changes the
 * pending placeholders (yk_core_update_allocation()). No effect if the application is unknown or was submitted
 * without a gang. `partition` "" or NULL: the default one. Errors: YK_ERR_NOT_FOUND, an unknown rm_id.
 */
YK_NODISCARD enum yk_status yk_core_gang_changed(struct yk_core *core, const char *rm_id,
                                                 const char *application_id, const char *partition,
                                                 const struct yk_resvec *total);

/*
 * Call it when class_fits_now() may have become true for nodes for which it was false: the next calls of
 * yk_core_schedule() try asks of the class that wait for nodes. Calling it without need is harmless. O(groups
 * of asks of the class). No effect for an unknown class or rm_id.
 */
void yk_core_wake_class(struct yk_core *core, const char *rm_id, yk_si_class scheduling_class);
/* Whether the node is reserved for an ask, so that most other asks may not use it. False for an unknown node
 * or rm_id. */
bool yk_core_node_is_reserved(const struct yk_core *core, const char *rm_id, const char *node_id);
/* The id of the node that has that allocation of `rm_id`; NULL: the core has no such allocation. An ask that
 * gets a node when victims or a placeholder have ended counts as an allocation here, if the node keeps
 * capacity for it. Borrowed until the core changes. O(1). */
const char *yk_core_allocation_node(const struct yk_core *core, const char *rm_id, const char *application_id,
                                    const char *key);
/* Call it when the object of the allocation has been bound to its node: stores the present time, for the
 * timeline of its application. No effect if there is no such allocation. O(1). */
void yk_core_allocation_bound(struct yk_core *core, const char *rm_id, const char *application_id,
                              const char *key);
/* The texts of a reason, both for the same object. The caller zeroes it before its first use, and ends it
 * with yk_si_why_text_done(). */
struct yk_si_why_text {
    struct yk_buf sentence; /* "needs 20 cores, queue root.a has 4 of 40 cores free" */
    /* What keeps the ask from being tried: "quota of queue 'root.a' has been exceeded". It continues
     * a sentence after "because the". Empty if the ask is, or will be, tried. */
    struct yk_buf refusal;
};
static inline void yk_si_why_text_done(struct yk_si_why_text *text)
{
    yk_buf_done(&text->sentence);
    yk_buf_done(&text->refusal);
}
/*
 * Why the pending ask waits. Appends the texts for the reason to `text` (NULL: they are not wanted).
 * YK_REASON_NONE: the ask does not wait, or is unknown. O(depth of queues * types); O(nodes) if it waits for
 * nodes and texts are wanted.
 */
struct yk_si_why yk_core_why(const struct yk_core *core, const char *rm_id, const char *application_id,
                             const char *key, struct yk_si_why_text *text);
/*
 * Why an object of the application waits, if it waits for its gang. Returns the reason of a waiting
 * placeholder, and in any case appends to `text` a sentence that begins with the number of placeholders that
 * have nodes. `wait`: how far the gang is. YK_REASON_NONE: no placeholder waits, or the application is
 * unknown.
 */
struct yk_si_why yk_core_why_gang(const struct yk_core *core, const char *rm_id, const char *application_id,
                                  const struct yk_si_gang_wait *wait, struct yk_buf *text);
/* Estimates when the pending ask may start; `key` NULL: the first placeholder of the application that waits.
 * `waits` of the result is false for an unknown ask, and for one that is not pending. `like`: an estimate
 * that was made lately for an ask of the same size; if its `is_by_nodes` is true and its class is the same,
 * nodes are not looked at again. NULL: there is none. O(depth of queues * types); without `like`, O(nodes *
 * types) if no node is large enough. */
struct yk_si_start yk_core_start(const struct yk_core *core, const char *rm_id, const char *application_id,
                                 const char *key, const struct yk_si_start *like);
/* Call it when node_signature() may have changed for nodes other than the one of the current update: calls
 * node_signature() for all nodes. No effect for an unknown rm_id. O(nodes log nodes). */
void yk_core_signatures_changed(struct yk_core *core, const char *rm_id);

/*
 * Makes up to `max_decisions` decisions, and returns their number. Returns earlier at the first check of the
 * clock after `until_mono_ns` (mono time of the stopwatch). After one step of work that takes several turns,
 * goes on with the next partition, or returns if there is none. Does neither if `until_mono_ns` is INT64_MAX.
 * The callbacks are called meanwhile. The caller calls it again while yk_core_has_work() is true, after it
 * has handled other events and timers. O(partitions) when there is nothing to decide.
 */
size_t yk_core_schedule(struct yk_core *core, size_t max_decisions, int64_t until_mono_ns);
/* The number of turns of the cycle since the core was made. With one partition, what a call of
 * yk_core_schedule() does depends only on the state before it and on how many turns it takes, so a recording
 * stores this number. */
uint64_t yk_core_turns(const struct yk_core *core);
/* Like yk_core_schedule() without limits, but returns after `turns` turns, for the replay of a recording,
 * or earlier if there is nothing to decide. */
void yk_core_schedule_turns(struct yk_core *core, uint64_t turns);
/* Whether yk_core_schedule() has something to try. O(partitions). */
bool yk_core_has_work(const struct yk_core *core);

#endif

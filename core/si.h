/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler interface: how a resource manager (RM: the Kubernetes shim, a test, a bench) talks to the
 * core.
 *
 * The RM calls yk_core_*() and the core answers through struct yk_si_callbacks, both on the scheduling thread
 * and in-process: a decision reaches the RM in the same step in which it is made. A callback must not call
 * the core; it records what it needs and acts after the core has returned.
 *
 * All texts and arrays that are passed, in both directions, are borrowed for the call unless it says
 * otherwise. `cookie` pointers belong to the RM; the core hands them back and never looks inside.
 *
 * Written by: structs that a function of this header takes, and what a callback returns: the RM. Structs that a
 * callback takes, and what a function of this header returns: core/scheduler and core/report. Exceptions are at the
 * struct.
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
    YK_SI_NODE_CREATE = 1,
    YK_SI_NODE_UPDATE = 2,
    YK_SI_NODE_DRAIN = 3, /* gets no new allocations, except asks with tolerates_drain */
    YK_SI_NODE_DECOMMISSION = 4,
    YK_SI_NODE_DRAIN_TO_SCHEDULABLE = 5,
    YK_SI_NODE_CREATE_DRAIN = 6, /* gets no allocations until DRAIN or DRAIN_TO_SCHEDULABLE */
};

enum yk_si_termination {
    YK_SI_TERMINATION_UNKNOWN = 0, /* in a release: an unknown key is no error */
    YK_SI_STOPPED_BY_RM = 1,
    YK_SI_TIMEOUT = 2,
    YK_SI_PREEMPTED_BY_SCHEDULER = 3,
    YK_SI_PLACEHOLDER_REPLACED = 4,
    YK_SI_SCHEDULING_FAILED_ON_RM = 5, /* assume or bind failed: the ask becomes pending again */
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

/* What an ask with YK_SI_STATE_FAILED waits for. */
enum yk_si_obstacle {
    YK_SI_NO_CAPACITY = 0, /* a node with enough free capacity */
    YK_SI_NO_VICTIMS,      /* the same, and preemption found no victims. Reported after YK_SI_NO_CAPACITY */
    YK_SI_GANG_TOO_LARGE,  /* more nodes: its gang is larger than the cluster */
};

/*
 * Why an ask or an application waits. In the order in which they are looked for: the first that applies is
 * the reason. Each has a token, which is the same in conditions, Events, REST and metrics (docs/reasons.md).
 */
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

/* The token of the reason; "" of YK_REASON_NONE. */
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

/* One obstacle in `nodes` nodes: a resource type of which too little is free, or a filter that refuses. */
struct yk_si_node_obstacle {
    enum { YK_SI_OBSTACLE_RESOURCE, YK_SI_OBSTACLE_FILTER } kind;
    const char *name;   /* the type as in queue configurations; the filter in the words of kube-scheduler */
    const char *plugin; /* of a filter: the plugin of kube-scheduler that refuses these nodes; static */
    uint32_t nodes;
};

struct yk_si_why {
    enum yk_si_reason reason;
    uint64_t about; /* what the reason is about, such as a queue: equal numbers mean the same object */
};

/* When an object that waits may start: an estimate, from how fast its queue starts what waits in it. */
struct yk_si_start {
    bool waits;          /* false: it does not wait, or is unknown; the rest is 0 */
    bool ends_by_itself; /* false: a user or an administrator has to change something before it can start */
    bool is_known;       /* false: too few have started lately to tell */
    bool is_preempting;  /* others were asked to end for it */
    int64_t earliest_wall_ns, latest_wall_ns; /* if it is known */
    const char *queue;                        /* path of its queue; borrowed until the core changes */
    uint32_t starts;                          /* what the queue has started, */
    int64_t window_ns;                        /* in this time up to now */
};

/* How far a gang is whose real asks the RM keeps from the core until its placeholders have nodes. */
struct yk_si_gang_wait {
    uint64_t members, placed; /* placeholders that it needs, and those that have nodes */
};

/* An object of an application that is not an ask yet, because its gang is not complete. Borrowed. */
struct yk_si_held {
    const char *key, *namespace_, *name;
    const struct yk_resvec *resource;
    int64_t create_wall_ns;
    int32_t priority;
    struct yk_si_gang_wait gang;
};

/* Where a walk over the objects of an application is. Zeroed: at the beginning. Written by: the RM; core/web sets the
 * begin. */
struct yk_si_held_place {
    struct yk_buf key; /* owned by the caller: of the RM, of the object looked at last; empty: none */
    uint64_t looked;   /* objects looked at so far */
    uint64_t skip;     /* that object has gone: so many of the first ones are passed over */
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

/* The largest amount of a type that one ask, allocation or node may have: sums over 8,192 of them stay
 * exact. */
#define YK_SI_AMOUNT_MAX (INT64_C(1) << 48)

struct yk_si_tag {
    const char *key, *value;
};

struct yk_si_ugi {
    const char *user; /* "" or NULL: not given */
    const char *const *groups;
    size_t group_count;
};

/*
 * A scheduling class: asks with the same constraints, which may run on the same nodes if these have free
 * capacity. The RM numbers its classes densely from 0. It may use a number again when the class has no asks
 * left. YK_SI_CLASS_ANY has no constraints.
 */
typedef uint32_t yk_si_class;
#define YK_SI_CLASS_ANY UINT32_MAX

/* Which constraints class_fits_now() checks. */
enum yk_si_question {
    YK_SI_TO_ALLOCATE, /* all */
    YK_SI_TO_RESERVE,  /* without those that may change while the ask waits for capacity on the node */
    YK_SI_FOR_KIND,    /* those that hold for every node with the signature of this node */
};

/* ---- from the RM ---- */

struct yk_si_register {
    const char *rm_id;        /* "mycluster" */
    const char *policy_group; /* "queues" */
    const char *version;
    struct yk_str config; /* queues.yaml text; empty: the built-in default */
    bool keeps_default;   /* a reload that would remove the partition "default" is refused */
    const char *source;   /* where the text is from, for people; NULL: not known */
    const char
        *refusal; /* why the RM refuses it itself: it is only noted in the history; NULL: it does not */
    const struct yk_si_tag *extra_config;
    size_t extra_count;
    const struct yk_si_tag *build_info;
    size_t build_info_count;
};

struct yk_si_new_app {
    const char *application_id;
    const char *queue; /* as submitted; "" or NULL: placement rules decide */
    const char *partition;
    struct yk_si_ugi ugi;
    const struct yk_si_tag *tags;
    size_t tag_count;
    int64_t placeholder_timeout_ns;          /* <= 0: default */
    const struct yk_resvec *placeholder_ask; /* NULL: not a gang */
    enum yk_si_gang_style gang_style;
    void *cookie;
};

/* One message for new asks (node_id empty), allocations found at start, size changes and foreign allocations. */
struct yk_si_allocation {
    const char *key;
    bool key_stays; /* The core borrows `key` instead of copying it. The text must stay in place until the ask
                       has ended or the RM is unregistered. */
    const char *application_id; /* ignored for foreign ones */
    const char *partition;
    const char *node_id; /* "" or NULL: an ask */
    const struct yk_resvec *resource;
    int32_t priority;
    int64_t create_wall_ns;       /* 0: now */
    int64_t run_limit_ns;         /* longest time from its start to its end; 0: no limit */
    int64_t start_wall_ns;        /* of an allocation that the core did not make: when it started; 0: now */
    const char *task_group;       /* "" or NULL: none */
    const char *required_node;    /* "" or NULL: none */
    const struct yk_si_tag *tags; /* for REST; copied. callbacks->allocation_tags needs no copies */
    size_t tag_count;
    yk_si_class scheduling_class;
    bool placeholder, originator;
    bool allow_preempt_self, allow_preempt_other;
    bool foreign;         /* of another scheduler: it only occupies its node */
    bool foreign_static;  /* never preemptable */
    bool tolerates_drain; /* may be placed on a node that drains (YK_SI_NODE_DRAIN) if its class fits there;
                             the same for all of a class */
    void *cookie;
};

struct yk_si_release {
    const char *partition;
    const char *application_id; /* "" or NULL: foreign */
    const char *key;            /* "" or NULL: all of the application */
    enum yk_si_termination termination;
    const char *message;
};

struct yk_si_node {
    const char *node_id;
    const char *partition; /* NULL: default */
    enum yk_si_node_action action;
    const struct yk_resvec *capacity;   /* for CREATE, CREATE_DRAIN, UPDATE; NULL in UPDATE: unchanged */
    const struct yk_si_tag *attributes; /* for CREATE, CREATE_DRAIN; copied */
    size_t attribute_count;
    bool constraints_changed; /* UPDATE: labels or taints changed, ask class_fits() again */
    void *cookie;             /* CREATE, CREATE_DRAIN */
};

/* ---- to the RM ---- */

struct yk_si_allocated {
    const char *application_id, *key, *node_id;
    void *ask_cookie, *node_cookie;
};

struct yk_si_released {
    const char *application_id, *key;
    enum yk_si_termination termination;
    const char *message;
    void *ask_cookie;
};

/* Where an application is in its life (docs/reference/scheduling.md 2.1). */
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
    enum yk_si_scheduling_state state;
    enum yk_si_obstacle obstacle;
    const char *reason; /* a sentence, or "" */
    void *ask_cookie;
};

struct yk_si_draining { /* a queue that has been draining for long */
    const char *queue, *partition;
    int64_t since_wall_ns;
    size_t applications; /* left in the queue and below it */
};

/* Where parts of a message begin in it, for who shows them differently; 0: it has none. */
struct yk_si_message_parts {
    size_t key;     /* `object_id` of the event */
    size_t amounts; /* what ends the message: amounts in base units, in parentheses, after a space */
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

/* How far the writing of a state dump, or of /metrics/resources, is: the resource manager's to use, 0 at first. */
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

struct yk_si_callbacks {
    /* A decision: the ask is an allocation on the node from now on. */
    void (*allocated)(void *rm, const struct yk_si_allocated *allocation);
    /* An allocation ended, or should end (see yk_si_termination). */
    void (*released)(void *rm, const struct yk_si_released *release);
    void (*allocation_rejected)(void *rm, const char *application_id, const char *key, const char *reason,
                                void *cookie);
    void (*app_accepted)(void *rm, const char *application_id, void *cookie);
    void (*app_rejected)(void *rm, const char *application_id, const char *reason, void *cookie);
    void (*app_updated)(void *rm, const struct yk_si_app_update *update);
    void (*node_accepted)(void *rm, const char *node_id, void *cookie);
    void (*node_rejected)(void *rm, const char *node_id, const char *reason, void *cookie);
    /* Whether the node passes the fixed constraints of the class. O(1), no side effects. NULL: always. */
    bool (*class_fits)(void *rm, yk_si_class scheduling_class, void *node_cookie);
    /*
     * Whether the node passes the constraints that depend on what runs there. The core calls it for nodes with
     * enough free capacity for which class_fits() is true. `node_cookie` NULL: whether any node may pass.
     * Cheap, allocates no memory, no side effects. When the answer may have become true for another reason
     * than a change of the node, the RM calls yk_core_wake_class(). NULL: always.
     */
    bool (*class_fits_now)(void *rm, yk_si_class scheduling_class, void *node_cookie,
                           enum yk_si_question question);
    /*
     * The same answer if allocations ended (a placeholder that is replaced, or victims). It leaves out
     * gone[0..start), then one more at a time, and returns the first index after whose removal the class
     * fits; -1: it never fits. Nothing is changed afterwards. NULL: the larger of 0 and `start` - 1.
     */
    int (*class_fits_without)(void *rm, yk_si_class scheduling_class, void *node_cookie,
                              void *const *gone_cookies, size_t count, size_t start);
    /*
     * The signature of a node. Nodes with the same signature differ for a class only by their names and by
     * what runs on them. Signatures are small numbers, since memory grows with the largest one, and are used
     * again. The RM calls yk_core_signatures_changed() when it numbers them again. NULL: no signatures.
     */
    uint32_t (*node_signature)(void *rm, void *node_cookie);
    /* Whether what runs there may keep the class from all nodes with a signature. A hint for speed; no decision
     * depends on it. NULL: they may. */
    bool (*class_excludes_signatures)(void *rm, yk_si_class scheduling_class);
    /*
     * The score of a node for a class with preferences (class_has_preferences()); the same for all nodes with
     * its signature. Nodes with a higher score are tried first; among equal ones the node sorting policy
     * decides. NULL: all scores are equal.
     */
    bool (*class_has_preferences)(void *rm, yk_si_class scheduling_class);
    int32_t (*class_score)(void *rm, yk_si_class scheduling_class, void *node_cookie);
    /* Whether class_fits() may differ between nodes with the same signature. NULL: it may. */
    bool (*class_sees_names)(void *rm, yk_si_class scheduling_class);
    /*
     * Whether the allocation is preempted after all others, because its disruption budget is used up. It is
     * never excluded. Cheap, no side effects. NULL: no allocation is protected.
     */
    bool (*is_protected)(void *rm, void *ask_cookie);
    /*
     * The same answer when the allocations `victim_cookies` (`victim_count` >= 1, without `ask_cookie`) end,
     * too: the budget counts them as used. NULL: the answer of is_protected().
     */
    bool (*is_protected_with)(void *rm, void *ask_cookie, void *const *victim_cookies, size_t victim_count);
    /*
     * Calls `sink` once with the tags of an ask that was sent without tags. So the core keeps no copies of
     * texts that only REST shows. NULL: no tags.
     */
    void (*allocation_tags)(void *rm, void *ask_cookie, yk_si_tags_sink *sink, void *sink_context);
    /*
     * Whether the object of the allocation is on that node according to the container platform, or is being bound to
     * it. For the health check. Cheap, no side effects. NULL: it is.
     */
    bool (*is_placed)(void *rm, void *ask_cookie, void *node_cookie);
    /*
     * Calls `sink` with the name of each object that is on a node and has no allocation there
     * (yk_core_allocation_node()). One call looks at `max` slots of the RM's table at most, from `*cursor`
     * on, and moves `*cursor`, which starts at 0. Returns false after the last slot. For the health check.
     * NULL: there are none.
     */
    bool (*find_unallocated)(void *rm, uint64_t *cursor, size_t max, yk_si_name_sink *sink,
                             void *sink_context);
    /* What a waiting ask waits for has changed. */
    void (*scheduling_state)(void *rm, const struct yk_si_waiting *waiting);
    /*
     * Appends the sentence why no node takes a waiting ask, as its object shows it. Appends nothing after too
     * many calls in a row, since a new sentence costs O(nodes). NULL: there are no sentences.
     */
    void (*add_wait_reason)(void *rm, void *ask_cookie, struct yk_buf *words);
    /*
     * The reason that the object of a waiting ask shows, of those that concern nodes; YK_REASON_NONE: it
     * shows none of these. From what is stored, O(1). NULL: never any.
     */
    enum yk_si_reason (*node_reason)(void *rm, void *ask_cookie);
    /*
     * Calls `sink` for each obstacle that keeps nodes from a waiting ask, by the first filter that refuses a
     * node. O(nodes). NULL: that is not known.
     */
    void (*node_obstacles)(void *rm, void *ask_cookie, yk_si_obstacle_sink *sink, void *sink_context);
    /* Appends the key of the pending or allocated ask whose object has that name: "namespace/name", or a name
     * in the namespace of the application. Nothing: there is none. NULL: names are not known. */
    void (*find_key)(void *rm, const char *application_id, const char *name, struct yk_buf *key);
    /*
     * Looks at up to `most` objects of the application, from `place` on, and calls `sink` for those that wait for
     * their gang. True: more follow. Objects that come or go meanwhile may be left out, or be met twice. O(most). NULL:
     * there are none.
     */
    bool (*held)(void *rm, const char *application_id, struct yk_si_held_place *place, size_t most,
                 yk_si_held_sink *sink, void *sink_context);
    /* Calls `sink` for the object of that name (as of find_key) if it waits for its gang. O(1). NULL: names are not
     * known. */
    void (*find_held)(void *rm, const char *application_id, const char *name, yk_si_held_sink *sink,
                      void *sink_context);
    /* Called every 10 minutes for a queue that drains. NULL: not called. */
    void (*queue_draining)(void *rm, const struct yk_si_draining *draining);
    /* Events of asks and nodes (added, removed), every 2 s if there are any. NULL: not called. */
    void (*events)(void *rm, const struct yk_si_event *events, size_t count);
    /* Writes the text by which the RM finds the object of an ask when `events` is called; the ask may have
     * ended by then. NULL: no text. */
    void (*ask_handle)(void *rm, void *ask_cookie, struct yk_buf *handle);
    /* Writes the next piece of the RM's part of the state dump: one JSON value over all calls. `json` keeps
     * what is open; its buffer may have been emptied since the last call. True: more follows. NULL: there is
     * none. */
    bool (*state_dump)(void *rm, struct yk_si_dump *dump, struct yk_json *json);
    /* Appends the next piece of one metric of /metrics/resources. `at` is 0 at first, but for `part`, an enum
     * yk_si_pod_metric, and `is_open`: # HELP and # TYPE are written. True: more follows. NULL: there are none. */
    bool (*pod_resources)(void *rm, struct yk_si_dump *at, struct yk_buf *out);
};

/* ---- the core ---- */

struct yk_core_options {
    const struct yk_clock *clock; /* borrowed for life */
    struct yk_timers *timers;     /* borrowed for life; run by the caller on the scheduling thread */
    /* Where groups of users are looked up (security/directory.h); borrowed for life. NULL: users have no
     * groups but those that the RM sends. */
    const struct yk_directory *directory;
    bool
        no_reservations; /* none for asks that wait; asks that require a node, and preemption, still reserve nodes */
    bool manual;         /* no periodic checks: tests call the steps */
    uint64_t seed; /* of InstanceUUID, the name of this process in the event endpoints */
    /* Bounds slices and measures durations; decisions do not depend on it. Borrowed for life. NULL: `clock`. */
    const struct yk_clock *stopwatch;
};

/* Makes a core without resource managers. `options` is copied, what it points to is borrowed for life. The
 * caller frees the result, which is never NULL. */
struct yk_core *yk_core_new(const struct yk_core_options *options);
void yk_core_free(struct yk_core *core);
YK_DEFINE_FREEP(yk_core)

/*
 * Registers an RM. Several can be registered; each has its own configuration, partitions and callbacks. If
 * the rm_id is registered already, everything of it is dropped first, in one step and without callbacks.
 * `callbacks` are copied. `rm` is borrowed until it is replaced or the core is freed. Errors: YK_ERR_INVALID
 * with the reason; then nothing is registered under that rm_id.
 */
YK_NODISCARD enum yk_status yk_core_register(struct yk_core *core, const struct yk_si_register *request,
                                             const struct yk_si_callbacks *callbacks, void *rm,
                                             struct yk_err *err);
/*
 * Drops everything of that RM in one step, without callbacks. Afterwards the core borrows nothing of it. Not
 * registered: no effect.
 */
void yk_core_unregister(struct yk_core *core, const char *rm_id);
/*
 * A new configuration takes three steps, because the cost of parsing and checking grows with the text:
 *
 *   yk_core_reload_begin()    scheduling thread: applies the extra settings, even if the queues are refused
 *   yk_reload_prepare()       any thread: parses, checks, compares with the active configuration; touches
 *                             nothing else
 *   yk_core_reload_finish()   scheduling thread: applies the differences, or refuses the configuration
 *
 * There is one reload at a time; the RM keeps a later configuration until the reload has finished. If another
 * configuration became active after yk_reload_prepare(), yk_core_reload_finish() prepares it again.
 */
struct yk_reload;

/* The first step. Copies the request. The caller passes `*ret_reload` to the next steps, or frees it with
 * yk_reload_free(). Errors: YK_ERR_NOT_FOUND, the RM is not registered. */
YK_NODISCARD enum yk_status yk_core_reload_begin(struct yk_core *core, const struct yk_si_register *request,
                                                 struct yk_reload **ret_reload, struct yk_err *err);
/* The second step. Any thread; it takes as long as the text is long. */
void yk_reload_prepare(struct yk_reload *reload);
/* What a reload changed. */
struct yk_si_told {
    bool changed;          /* false: the text is the active one */
    bool partitions_added; /* nodes that were rejected may be accepted now */
    char summary[512];     /* one line */
};
/*
 * Makes the configuration active. Afterwards `reload` holds the configuration that it replaced; the caller
 * frees it on any thread. `ret_told` may be NULL. Errors: the old configuration stays active as a whole.
 */
YK_NODISCARD enum yk_status yk_core_reload_finish(struct yk_core *core, struct yk_reload *reload,
                                                  struct yk_si_told *ret_told, struct yk_err *err);
void yk_reload_free(struct yk_reload *reload);
YK_DEFINE_FREEP(yk_reload)
/* The three steps in one call. Errors: as yk_core_reload_finish(). */
YK_NODISCARD enum yk_status yk_core_update_config(struct yk_core *core, const struct yk_si_register *request,
                                                  struct yk_err *err);

/*
 * The callbacks with the answer are called before these functions return, with one exception: the answer to
 * yk_core_add_app() may have to wait until the groups of the user are known. It comes within
 * YK_SI_APP_ANSWER_NS, for a forced application (YK_SI_TAG_FORCE_CREATE) within YK_SI_FORCED_APP_ANSWER_NS.
 * Until then the RM may only remove the application, and then there is no answer.
 * Errors: YK_ERR_NOT_FOUND, an unknown rm_id; nothing is done.
 */
#define YK_SI_APP_ANSWER_NS        (300 * YK_NS_PER_S)
#define YK_SI_FORCED_APP_ANSWER_NS (30 * YK_NS_PER_S)
/* Submits an application. The answer comes through app_accepted() or app_rejected(), perhaps later: see above. Errors:
 * YK_ERR_NOT_FOUND, an unknown rm_id. */
YK_NODISCARD enum yk_status yk_core_add_app(struct yk_core *core, const char *rm_id,
                                            const struct yk_si_new_app *app);
/* Ends the application with all that it has. `partition` NULL: the default one. No effect if it is unknown. Errors:
 * YK_ERR_NOT_FOUND, an unknown rm_id. */
YK_NODISCARD enum yk_status yk_core_remove_app(struct yk_core *core, const char *rm_id,
                                               const char *application_id, const char *partition);
/* Adds or changes an ask, or an allocation (with a node), as `allocation` says. A refusal comes through
 * allocation_rejected(). Errors: YK_ERR_NOT_FOUND, an unknown rm_id. */
YK_NODISCARD enum yk_status yk_core_update_allocation(struct yk_core *core, const char *rm_id,
                                                      const struct yk_si_allocation *allocation);
enum { YK_SI_REPEAT_MAX = 100 * 1000 };
/*
 * Adds the same ask `count` times (1 to YK_SI_REPEAT_MAX), with the keys "<key>-0", "<key>-1", ...; older
 * interfaces called this the maximum of allocations of an ask. Each ask is answered and ends on its own; all
 * have the cookie of `ask`. Errors, nothing is done: YK_ERR_NOT_FOUND, an unknown rm_id; YK_ERR_INVALID, a
 * key that is absent or too long to be numbered, or a node is named; YK_ERR_LIMIT, too many.
 */
YK_NODISCARD enum yk_status yk_core_repeat_ask(struct yk_core *core, const char *rm_id,
                                               const struct yk_si_allocation *ask, size_t count,
                                               struct yk_err *err);
/* Ends an ask or an allocation, or all of an application, as `release` says. Errors: YK_ERR_NOT_FOUND, an unknown
 * rm_id. */
YK_NODISCARD enum yk_status yk_core_release(struct yk_core *core, const char *rm_id,
                                            const struct yk_si_release *release);
/* Adds, changes, drains, opens or removes a node, as `node->action` says. The answer to a new node comes through
 * node_accepted() or node_rejected(). Errors: YK_ERR_NOT_FOUND, an unknown rm_id. */
YK_NODISCARD enum yk_status yk_core_update_node(struct yk_core *core, const char *rm_id,
                                                const struct yk_si_node *node);

/*
 * Sets the limits of the dynamic leaf queue of the application from the tags "namespace.resourcequota",
 * "namespace.resourceguaranteed" and "namespace.resourcemaxapps". An absent tag has the effect that it has
 * for a new application (docs/reference/queues.md R40). An unknown application, or one whose leaf is in the
 * configuration: no effect. `partition` as in struct yk_si_new_app. Errors: YK_ERR_NOT_FOUND, an unknown
 * rm_id.
 */
YK_NODISCARD enum yk_status yk_core_namespace_changed(struct yk_core *core, const char *rm_id,
                                                      const char *application_id, const char *partition,
                                                      const struct yk_si_tag *tags, size_t count);

/*
 * Tells that class_fits_now() may be true now for nodes for which it was false: asks of the class that wait
 * for nodes are tried again. Calling it without need is harmless. O(shapes of the class). An unknown class or
 * rm_id: no effect.
 */
void yk_core_wake_class(struct yk_core *core, const char *rm_id, yk_si_class scheduling_class);
/* Whether the node is reserved, so that only the ask with the reservation may use it. An unknown node or
 * rm_id: false. */
bool yk_core_node_is_reserved(const struct yk_core *core, const char *rm_id, const char *node_id);
/* The id of the node that has that allocation of `rm_id`; NULL: the core has no such allocation. Borrowed
 * until the core changes. O(1). */
const char *yk_core_allocation_node(const struct yk_core *core, const char *rm_id, const char *application_id,
                                    const char *key);
/* The object of the allocation is on its node: for the timeline of its application. Nothing if it has no
 * such allocation. O(1). */
void yk_core_allocation_bound(struct yk_core *core, const char *rm_id, const char *application_id,
                              const char *key);
/*
 * Why the pending ask waits. Appends the sentence to `text` (NULL: none is wanted). YK_REASON_NONE: it does
 * not wait, or is unknown. O(depth of queues * types); O(nodes) if it waits for nodes and a sentence is
 * wanted.
 */
struct yk_si_why yk_core_why(const struct yk_core *core, const char *rm_id, const char *application_id,
                             const char *key, struct yk_buf *text);
/*
 * The same for an object of the application that waits for its gang: the reason of a placeholder that waits, and a
 * sentence that begins with the number of placeholders that have nodes. YK_REASON_NONE: none waits; the sentence is
 * appended all the same.
 */
struct yk_si_why yk_core_why_gang(const struct yk_core *core, const char *rm_id, const char *application_id,
                                  const struct yk_si_gang_wait *wait, struct yk_buf *text);
/* When the pending ask may start; `key` NULL: the first placeholder of the application that waits. O(depth of
 * queues * types). */
struct yk_si_start yk_core_start(const struct yk_core *core, const char *rm_id, const char *application_id,
                                 const char *key);
/* Tells that node_signature() may have changed for nodes other than the one of the current update. */
void yk_core_signatures_changed(struct yk_core *core, const char *rm_id);

/*
 * Makes up to `max_decisions` decisions, and begins none after `until_mono_ns` (INT64_MAX: no limit). With
 * such a limit it also returns after each step of longer work. Returns the number of decisions. O(1) when
 * there is nothing to decide.
 */
size_t yk_core_schedule(struct yk_core *core, size_t max_decisions, int64_t until_mono_ns);
/* How often the core has looked for a decision since it was made. What yk_core_schedule() did depends on the
 * state before and on this number only. */
uint64_t yk_core_turns(const struct yk_core *core);
/* As yk_core_schedule(), but ends after `turns` turns, for the replay of a recording. It may end earlier,
 * when there is nothing to decide. */
void yk_core_schedule_turns(struct yk_core *core, uint64_t turns);
/* Whether yk_core_schedule() has something to try. O(1). */
bool yk_core_has_work(const struct yk_core *core);

#endif

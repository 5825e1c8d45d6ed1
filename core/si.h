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
 * otherwise. `cookie` pointers belong to the RM; the core hands them back and never looks inside. Source:
 * docs/reference/scheduling.md, section 1.
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
    YK_SI_NODE_DRAIN = 3, /* takes nothing new but asks with tolerates_drain */
    YK_SI_NODE_DECOMMISSION = 4,
    YK_SI_NODE_DRAIN_TO_SCHEDULABLE = 5,
    YK_SI_NODE_CREATE_DRAIN = 6, /* takes nothing at all until DRAIN or DRAIN_TO_SCHEDULABLE */
};

enum yk_si_termination {
    YK_SI_TERMINATION_UNKNOWN = 0, /* in a release: it ends if it is there, and if not, that means nothing */
    YK_SI_STOPPED_BY_RM = 1,
    YK_SI_TIMEOUT = 2,
    YK_SI_PREEMPTED_BY_SCHEDULER = 3,
    YK_SI_PLACEHOLDER_REPLACED = 4,
    YK_SI_SCHEDULING_FAILED_ON_RM = 5, /* assume or bind failed: the ask becomes pending again */
    /* Ours, far from where that interface may grow. */
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
    YK_SI_NO_CAPACITY = 0, /* for a node with capacity */
    YK_SI_NO_VICTIMS,      /* the same, and preemption would not help. Reported again once that is known */
    YK_SI_GANG_TOO_LARGE,  /* for more nodes: its gang is larger than what all of them offer */
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

/* The largest amount of a type that one ask, allocation or node may have: sums over 8,192 of them stay exact.
 */
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
 * A scheduling class: asks that may run on the same nodes at any one time, as far as anything but room
 * decides. The RM numbers its classes densely from 0 and may use a number again once no ask of it is left.
 * YK_SI_CLASS_ANY: every node.
 */
typedef uint32_t yk_si_class;
#define YK_SI_CLASS_ANY UINT32_MAX

/* What is asked about a class and a node, see class_fits_now(). */
enum yk_si_question {
    YK_SI_TO_ALLOCATE, /* everything */
    YK_SI_TO_RESERVE,  /* not what may change while the ask waits for room there */
    YK_SI_FOR_KIND,    /* the node stands for all of its kind: only what these have in common, fixed or not */
};

/* ---- from the RM ---- */

struct yk_si_register {
    const char *rm_id;        /* "mycluster" */
    const char *policy_group; /* "queues" */
    const char *version;
    struct yk_str config; /* queues.yaml text; empty: the built-in default */
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

/* One message for new asks (node_id empty), bound pods found at start, size changes and foreign pods. */
struct yk_si_allocation {
    const char *key;
    bool key_stays; /* `key` lives and does not move for as long as the core knows the ask: it is borrowed
                       instead of copied. Whoever says so ends the ask, or yk_core_unregister()s, before the
                       text goes */
    const char *application_id; /* ignored for foreign ones */
    const char *partition;
    const char *node_id; /* "" or NULL: an ask */
    const struct yk_resvec *resource;
    int32_t priority;
    int64_t create_wall_ns;       /* 0: now */
    int64_t run_limit_ns;         /* it ends this long after it has started at the latest; 0: no limit */
    int64_t start_wall_ns;        /* with a node, of one that the core has not placed: since when it runs
                                     there; 0: now */
    const char *task_group;       /* "" or NULL: none */
    const char *required_node;    /* "" or NULL: none */
    const struct yk_si_tag *tags; /* for REST; copied. Better none, and callbacks->allocation_tags */
    size_t tag_count;
    yk_si_class scheduling_class;
    bool placeholder, originator;
    bool allow_preempt_self, allow_preempt_other;
    bool foreign;         /* a pod of somebody else: only occupies its node */
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

/* Of an ask that waits. FAILED asks for more nodes (autoscalers), SKIPPED does not. */
struct yk_si_waiting {
    const char *application_id, *key;
    enum yk_si_scheduling_state state;
    enum yk_si_obstacle obstacle;
    const char *reason; /* a sentence, or "" */
    void *ask_cookie;
};

struct yk_si_draining { /* a queue that drains long */
    const char *queue, *partition;
    int64_t since_wall_ns;
    size_t applications; /* still in it or below */
};

/* What happened to an ask or a node; the numbers are those of docs/reference/rest.md 7.1. Never NULL. */
struct yk_si_event {
    int type, change, detail;
    int64_t wall_ns;
    const char *object_id;    /* key of an ask (type 1), or id of a node (type 3) */
    const char *reference_id; /* of an ask: its application */
    const char *message;
    const char *handle; /* of an ask: what ask_handle() wrote when it happened; may be NULL */
};

/* How far the writing of a state dump is: the resource manager's to use, 0 at first. */
struct yk_si_dump {
    int part;
    bool is_open;
    size_t at, seen;
};

/* Receives borrowed tags. */
typedef void yk_si_tags_sink(void *context, const struct yk_si_tag *tags, size_t count);

/* Receives a borrowed name. */
typedef void yk_si_name_sink(void *context, const char *name);

struct yk_si_callbacks {
    /* A decision: the ask stands on the node from now on. */
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
    /* Do the fixed constraints of the class let it run on the node? Cheap and without side effects. NULL:
     * always. */
    bool (*class_fits)(void *rm, yk_si_class scheduling_class, void *node_cookie);
    /*
     * Does what stands where let it run there, for now? Asked of nodes that have room and that class_fits()
     * lets through; cheap, allocates nothing, without side effects. `node_cookie` NULL: is there any sense in
     * looking at nodes? Whenever an answer may have become yes by anything but the node itself,
     * yk_core_wake_class() must be called. NULL: always.
     */
    bool (*class_fits_now)(void *rm, yk_si_class scheduling_class, void *node_cookie,
                           enum yk_si_question question);
    /*
     * The same if allocations were gone (a placeholder to be replaced, victims): takes gone[0..start) off the
     * books and then one more at a time; returns the first index after whose removal the class fits, or -1;
     * all are back afterwards. NULL: 0 or `start` - 1, whichever is more.
     */
    int (*class_fits_without)(void *rm, yk_si_class scheduling_class, void *node_cookie,
                              void *const *gone_cookies, size_t count, size_t start);
    /*
     * Nodes of the same kind are the same to every class, but for their names and what stands on each. Small
     * numbers, used again: what is kept is as long as the largest. When kinds are made anew:
     * yk_core_signatures_changed(). NULL: nothing is known of kinds.
     */
    uint32_t (*node_signature)(void *rm, void *node_cookie);
    /* Whether what stands where may keep the class from all nodes of a kind: a hint for speed, no answer
     * depends on it. NULL: it may. */
    bool (*class_excludes_signatures)(void *rm, yk_si_class scheduling_class);
    /*
     * How much a class likes nodes of the kind of that one, among those it may use: the ones it likes more
     * are tried first, and only among equals the order of nodes counts. Asked if class_has_preferences().
     * NULL: all the same.
     */
    bool (*class_has_preferences)(void *rm, yk_si_class scheduling_class);
    int32_t (*class_score)(void *rm, yk_si_class scheduling_class, void *node_cookie);
    /* Whether class_fits() may say one thing of one node and another of the next of its kind. NULL: it may.
     */
    bool (*class_sees_names)(void *rm, yk_si_class scheduling_class);
    /*
     * Whether the RM would rather keep that allocation (a disruption budget of its owner is used up): it is
     * preempted after all others, never excluded. Cheap and without side effects. NULL: none is.
     */
    bool (*is_protected)(void *rm, void *ask_cookie);
    /*
     * The same given that other allocations are ended as well: the budget counts them as used.
     * `victim_cookies`: theirs, without `ask_cookie`, `victim_count` at least 1. NULL: is_protected()
     * answers.
     */
    bool (*is_protected_with)(void *rm, void *ask_cookie, void *const *victim_cookies, size_t victim_count);
    /*
     * Calls `sink` once with the tags of an ask that came without: whoever holds the object describes it when
     * somebody looks, instead of the core keeping a copy of every text. NULL: none.
     */
    void (*allocation_tags)(void *rm, void *ask_cookie, yk_si_tags_sink *sink, void *sink_context);
    /*
     * Whether the object of an allocation is on that node where the RM has its objects from (an API
     * server), or is being put there. Asked by the health check; cheap and without side effects. NULL: it is.
     */
    bool (*is_placed)(void *rm, void *ask_cookie, void *node_cookie);
    /*
     * Calls `sink` with the name of each object that is on a node and has no allocation there
     * (yk_core_allocation_node()). Looks at `max` slots of the RM's table at most, from `*cursor` on, which
     * is 0 at first, and moves it. False: that was all. Asked by the health check. NULL: there are none.
     */
    bool (*find_unallocated)(void *rm, uint64_t *cursor, size_t max, yk_si_name_sink *sink,
                             void *sink_context);
    /* What a waiting ask waits for has changed. */
    void (*scheduling_state)(void *rm, const struct yk_si_waiting *waiting);
    /*
     * Appends why no node takes a waiting ask, in the words that its object shows or is about to show.
     * Nothing if too many were asked for in a row: making words costs O(nodes). NULL: there are never any.
     */
    void (*add_wait_reason)(void *rm, void *ask_cookie, struct yk_buf *words);
    /* Said again every 10 minutes. NULL: nobody wants to know. */
    void (*queue_draining)(void *rm, const struct yk_si_draining *draining);
    /* What happened to asks and nodes (added, removed), every 2 s if anything did. NULL: nobody wants to
     * know.
     */
    void (*events)(void *rm, const struct yk_si_event *events, size_t count);
    /* Writes what the RM finds the object of an ask by when `events` comes: it may have gone by then. NULL:
     * nothing. */
    void (*ask_handle)(void *rm, void *ask_cookie, struct yk_buf *handle);
    /* Writes the next piece of the RM's part of the state dump: one JSON value over all calls. `json` keeps
     * what is open; its buffer may have been emptied since the last call. True: more follows. NULL: there is
     * none. */
    bool (*state_dump)(void *rm, struct yk_si_dump *dump, struct yk_json *json);
};

/* ---- the core ---- */

struct yk_core_options {
    const struct yk_clock *clock; /* borrowed for life */
    struct yk_timers *timers;     /* borrowed for life; run by the caller on the scheduling thread */
    /* Who knows the groups of users (security/directory.h); borrowed for life. NULL: nobody. */
    const struct yk_directory *directory;
    bool no_reservations; /* for asks that wait; daemon sets and preemption make theirs all the same */
    bool manual;          /* no periodic inspections: tests step by hand */
    uint64_t seed;        /* of the name under which this instance numbers its events */
};

struct yk_core *yk_core_new(const struct yk_core_options *options);
void yk_core_free(struct yk_core *core);
YK_DEFINE_FREEP(yk_core)

/*
 * Registers `rm` beside those that are there; each has its own configuration, partitions and callbacks.
 * Again: everything of the same rm_id is dropped first, in one step, and the old callbacks hear nothing of
 * it. `callbacks` are copied, `rm` is borrowed until it is replaced or the core is freed. Errors:
 * YK_ERR_INVALID with the reason, nothing registered under that rm_id.
 */
YK_NODISCARD enum yk_status yk_core_register(struct yk_core *core, const struct yk_si_register *request,
                                             const struct yk_si_callbacks *callbacks, void *rm,
                                             struct yk_err *err);
/*
 * Drops everything of that RM in one step; its callbacks hear nothing of it, and nothing of it is borrowed
 * any more. Not registered: no effect.
 */
void yk_core_unregister(struct yk_core *core, const char *rm_id);
/*
 * A new configuration comes in three steps, so that reading and checking it (its cost grows with the text)
 * keeps nobody waiting: yk_core_reload_begin()    scheduling thread: extra settings apply at once, even if
 * the queues are refused yk_reload_prepare()       any thread: parses, checks, compares with what is active;
 * touches nothing else yk_core_reload_finish()   scheduling thread: carries out what differs, or refuses One
 * reload at a time; what comes meanwhile waits for its end. Prepared against a configuration that is not the
 * active one any more, a reload is prepared anew when it is finished.
 */
struct yk_reload;

/* Errors: YK_ERR_NOT_FOUND, the RM is not registered. `*ret_reload`: finish it, or yk_reload_free(). */
YK_NODISCARD enum yk_status yk_core_reload_begin(struct yk_core *core, const struct yk_si_register *request,
                                                 struct yk_reload **ret_reload, struct yk_err *err);
void yk_reload_prepare(struct yk_reload *reload);
/*
 * Consults `reload` but does not free it: it holds what was replaced and is freed at leisure, any thread.
 * `*ret_told` (may be NULL): what changed, in a line. Errors: the old configuration stays in full.
 */
struct yk_si_told {
    bool changed; /* false: the text is the active one */
    char summary[512];
};
YK_NODISCARD enum yk_status yk_core_reload_finish(struct yk_core *core, struct yk_reload *reload,
                                                  struct yk_si_told *ret_told, struct yk_err *err);
void yk_reload_free(struct yk_reload *reload);
YK_DEFINE_FREEP(yk_reload)
/* All three in place. */
YK_NODISCARD enum yk_status yk_core_update_config(struct yk_core *core, const struct yk_si_register *request,
                                                  struct yk_err *err);

/*
 * Answers come through the callbacks before these return, but for one: whether an application is accepted may
 * have to wait for a directory that knows its user's groups. Until then nothing may be sent for it but its
 * removal, which takes the answer's place. The answer comes within YK_SI_APP_ANSWER_NS, for an application
 * that is forced (YK_SI_TAG_FORCE_CREATE) within YK_SI_FORCED_APP_ANSWER_NS.
 * An unknown rm_id: YK_ERR_NOT_FOUND, nothing done.
 */
#define YK_SI_APP_ANSWER_NS        (300 * YK_NS_PER_S)
#define YK_SI_FORCED_APP_ANSWER_NS (30 * YK_NS_PER_S)
YK_NODISCARD enum yk_status yk_core_add_app(struct yk_core *core, const char *rm_id,
                                            const struct yk_si_new_app *app);
YK_NODISCARD enum yk_status yk_core_remove_app(struct yk_core *core, const char *rm_id,
                                               const char *application_id, const char *partition);
YK_NODISCARD enum yk_status yk_core_update_allocation(struct yk_core *core, const char *rm_id,
                                                      const struct yk_si_allocation *allocation);
/*
 * The same ask `count` times, under the keys "<key>-0", "<key>-1", ...: what older interfaces called its
 * maximum of allocations. They end one by one; all have the cookie of `ask`. Each is answered on its own.
 * Errors, nothing done: YK_ERR_NOT_FOUND; YK_ERR_INVALID, no key that can be numbered, or a node is named;
 * YK_ERR_LIMIT, too many.
 */
enum { YK_SI_REPEAT_MAX = 100 * 1000 };
YK_NODISCARD enum yk_status yk_core_repeat_ask(struct yk_core *core, const char *rm_id,
                                               const struct yk_si_allocation *ask, size_t count,
                                               struct yk_err *err);
YK_NODISCARD enum yk_status yk_core_release(struct yk_core *core, const char *rm_id,
                                            const struct yk_si_release *release);
YK_NODISCARD enum yk_status yk_core_update_node(struct yk_core *core, const char *rm_id,
                                                const struct yk_si_node *node);

/*
 * `tags` are "namespace.resourcequota", "namespace.resourceguaranteed", "namespace.resourcemaxapps", as an
 * application brings them: they set the limits of the leaf that the application is in, at once. What is not
 * said is treated as with a new application (R40). An application that is not there, or whose leaf is of the
 * configuration: nothing is done. Errors: YK_ERR_NOT_FOUND, an unknown rm_id.
 */
YK_NODISCARD enum yk_status yk_core_namespace_changed(struct yk_core *core, const char *rm_id,
                                                      const char *application_id, const char *partition,
                                                      const struct yk_si_tag *tags, size_t count);

/*
 * class_fits_now() may answer yes for nodes for which it said no: asks of that class that wait for nodes are
 * tried again. In vain is fine. O(shapes of the class). An unknown class or rm_id: no effect.
 */
void yk_core_wake_class(struct yk_core *core, const char *rm_id, yk_si_class scheduling_class);
/* Whether the node is reserved: it takes nothing but what it is kept for. An unknown node or rm_id: no. */
bool yk_core_node_is_reserved(const struct yk_core *core, const char *rm_id, const char *node_id);
/* The id of the node that has that allocation of `rm_id`; NULL: the core has no such allocation. Borrowed
 * until the core changes. O(1). */
const char *yk_core_allocation_node(const struct yk_core *core, const char *rm_id, const char *application_id,
                                    const char *key);
/* node_signature() answers differently from now on, for any node but the one that an update is about. */
void yk_core_signatures_changed(struct yk_core *core, const char *rm_id);

/*
 * Makes up to `max_decisions` decisions, and no new one after `until_mono_ns` (INT64_MAX: no limit). With
 * such a limit it also ends after each step of work that is made in steps. Returns how many decisions were
 * made. Costs nothing when nothing can be decided.
 */
size_t yk_core_schedule(struct yk_core *core, size_t max_decisions, int64_t until_mono_ns);
/* Whether yk_core_schedule() has something to try. O(1). */
bool yk_core_has_work(const struct yk_core *core);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the steps of one call of yk_config_load() share: decode (queues_schema.c), check (check_*.c), warn
 * (warnings.c). All steps run one after the other on the calling thread; the state is freed at the end. The
 * order of the checks is that of check_partition() in config.c. The load collects all errors if `errors` is
 * set: a function whose comment says "unless the load collects all errors" then adds an error to this list
 * and goes on; it returns the error only if the list was full (yk__go_on()).
 */
#ifndef YK_CONFIG_LOAD_PRIV_H
#define YK_CONFIG_LOAD_PRIV_H

#include "base/map.h"
#include "base/vec.h"
#include "base/yaml_tree.h"
#include "config/config.h"

/* The limits of a text of queues.yaml. */
extern const struct yk_yaml_limits yk__config_limits;

/*
 * Resource types of a text that is not accepted yet. Names that the process knows have their type. New names
 * get provisional types behind these, so that a refused text leaves nothing in the table of the process
 * (resources/restype.h).
 */
struct yk__types {
    int known; /* yk_restype_count() when the load began: the first provisional type */
    int count; /* the last provisional type, plus 1 */
    struct yk_str names[YK_RESTYPE_MAX]; /* by provisional type */
};

struct yk__load {
    struct yk_config *config;
    struct yk_arena scratch;   /* for memory that only the load needs */
    struct yk_strmap children; /* address of the parent + lower-case name -> struct yk_config_queue */
    struct yk__types types;
    struct yk_vec bounds; /* struct yk_resvec, owned: the smaller of two limits, for yk__check_limit_tree() */
    struct yk_vec warnings;                      /* struct yk_config_warning, in the arena of `config` */
    struct yk_err *err;                          /* of the caller; may be NULL if `errors` is */
    struct yk_config_errors *errors;             /* borrowed; NULL: the first error ends the load */
    const struct yk_config_partition *partition; /* the one that is being checked; NULL: none */
    /* A list or struct could not be decoded. Then it is no further error that its contents are missing. */
    bool incomplete;
};

/* Puts the name of load->partition, if it is set, in front of the sentence in load->err. Returns `st`. */
enum yk_status yk__name_partition(const struct yk__load *load, enum yk_status st);
/*
 * Call it with the status `st` of a check, whose sentence is in load->err. If load->errors is set, adds the
 * error to it, with the name of the partition, and returns YK_OK, so that the checks go on. Returns `st` if
 * load->errors is NULL, if errors were left out of it already, or if `st` is YK_ERR_LIMIT: the load ends.
 */
YK_NODISCARD enum yk_status yk__go_on(struct yk__load *load, enum yk_status st);

/* Adds the formatted sentence to load->warnings, unless there are YK_CONFIG_WARNINGS_MAX. The sentence does
 * not get the place or the name of the partition in front. If the load succeeds, the configuration gets the
 * warnings. */
void yk__warn_at(struct yk__load *load, struct yk_config_place place, const char *format, ...)
    YK_PRINTF(3, 4);

/* Stores the place of what was decoded: `decoded` is the address of a number, or of the bytes of a text.
 * No effect if the line and the column are 0. */
void yk__note_place(struct yk__load *load, const void *decoded, struct yk_config_place place);
/* The place that yk__note_place() stored for the address `decoded`; `otherwise` if there is none or
 * `decoded` is NULL. */
struct yk_config_place yk__place_of(const struct yk_config *config, const void *decoded,
                                    struct yk_config_place otherwise);
/* The place of the value of the first pair; `otherwise` if that is not known or there are no pairs. */
struct yk_config_place yk__place_of_pairs(const struct yk_config *config, const struct yk_pairs *pairs,
                                          struct yk_config_place otherwise);

/* A queue and those above it, for messages. On the stack of a walk from the root down. */
struct yk__path {
    const struct yk__path *parent; /* NULL: `queue` is the root */
    const struct yk_config_queue *queue;
};

enum { YK__PATH_TEXT_MAX = 400 };
/* Writes the path "root.a.b", or "..." and its end if it is too long, to `text`. Returns the beginning of
 * the path, which is inside `text`. */
const char *yk__path_text(const struct yk__path *path, char text[YK__PATH_TEXT_MAX]);

/* Writes the error "line 3, column 5: queue 'root.a': <formatted>", for the place `place`. Returns
 * `status`. */
enum yk_status yk__fail_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                              struct yk_config_place place, const char *format, ...) YK_PRINTF(5, 6);
/* Puts "queue 'root.a': <formatted>: " in front of the sentence of `err`, which gets the place of the
 * queue if it has none. Returns `status`. */
enum yk_status yk__fail_in_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                                 const char *format, ...) YK_PRINTF(4, 5);
/* Appends the pairs in their order: "{vcore: 1, memory: 2Gi}"; "{}" if there are none. */
void yk__put_pairs(struct yk_buf *out, const struct yk_pairs *pairs);

/* A terminated copy of `text` in lower case (ASCII), valid until the load ends. */
struct yk_str yk__lower(struct yk__load *load, struct yk_str text);
/* The child of `parent` with that name, without regard to its case, among those that yk__check_queues()
 * has accepted; NULL: none. */
struct yk_config_queue *yk__child_find(struct yk__load *load, const struct yk_config_queue *parent,
                                       struct yk_str name);

/* queues_schema.c: fills load->config from the YAML document with that root. Errors: YK_ERR_INVALID,
 * unless the load collects all errors; YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk__config_decode(struct yk__load *load, const struct yk_yaml_node *root);
/* check_queues.c: checks the ACLs, the limits and the names of the children of each queue of the partition
 * (V3), after yk__merge_partition_limits(). Reads the amounts of the limits into vectors, makes the children
 * known to yk__child_find(), and sets `is_set` of the child templates. Errors: as yk__check_limit_list(). */
YK_NODISCARD enum yk_status yk__check_queues(struct yk__load *load, struct yk_config_partition *partition);
/* Reads maximum and guarantee of each queue into vectors, and compares them with those of the parents
 * (V4, V5). Errors: YK_ERR_INVALID with the place, unless the load collects all errors; YK_ERR_LIMIT, there
 * are too many resource types, or an amount is too large. */
YK_NODISCARD enum yk_status yk__check_resources(struct yk__load *load, struct yk_config_partition *partition);
/* Checks that no queue may run more applications than its parent (V7). Errors: YK_ERR_INVALID with the
 * place, unless the load collects all errors. */
YK_NODISCARD enum yk_status yk__check_max_applications(struct yk__load *load,
                                                       const struct yk_config_partition *partition);
/* check_limits.c: gives the root queue the limits of the partition (V2). Call it before all other checks.
 * Errors: YK_ERR_INVALID, also if the load collects errors: both have limits, and these differ. */
YK_NODISCARD enum yk_status yk__merge_partition_limits(struct yk__load *load,
                                                       struct yk_config_partition *partition);
/* Checks the limits of `queue`, which is also path->queue (L1 to L5), each by itself and against the
 * maximum of the queue, and reads their amounts into vectors. Errors: YK_ERR_INVALID with the place,
 * unless the load collects all errors; YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk__check_limit_list(struct yk__load *load, const struct yk__path *path,
                                                 struct yk_config_queue *queue);
/* Checks the limits of the whole tree against those of the parents (V8), after yk__check_queues(), which
 * reads the amounts. Errors: YK_ERR_INVALID with the place, unless the load collects all errors. */
YK_NODISCARD enum yk_status yk__check_limit_tree(struct yk__load *load,
                                                 const struct yk_config_partition *partition);
/* check_rules.c: checks the placement rules of a partition and its node sorting policy (V6), after
 * yk__check_queues(). If the load collects all errors, sets `refused` of the rules with an error. Errors:
 * YK_ERR_INVALID with the place, unless the load collects all errors; YK_ERR_LIMIT, a path is too long. */
YK_NODISCARD enum yk_status yk__check_rules(struct yk__load *load,
                                            const struct yk_config_partition *partition);
/* check_queues.c: checks what only the activation of the partition would refuse (A3, V9). Of `load`, it
 * needs `config`, `err`, `errors` and `partition` only. Errors: YK_ERR_INVALID with the place, unless the
 * load collects all errors; YK_ERR_LIMIT, a quantity does not fit. */
YK_NODISCARD enum yk_status yk__check_activation(struct yk__load *load,
                                                 const struct yk_config_partition *partition);
/* pattern.c: translates a pattern from the syntax of RE2 to that of PCRE2 and appends it to `out`: at
 * most twice as many bytes as `pattern`. */
void yk__pattern_translate(struct yk_str pattern, struct yk_buf *out);
/* Names a construct of the pattern that RE2, and so YuniKorn 1.9, refuses, such as "look-ahead or
 * look-behind"; the text is static. NULL: no such construct was found. */
const char *yk__pattern_beyond_re2(struct yk_str pattern);
/* warnings.c: looks for what is allowed but probably not intended (V11), and adds warnings to load->warnings.
 * Call it after all checks. */
void yk__add_warnings(struct yk__load *load);

/* amounts.c: initialises `types`, without provisional types, with the types that the process has now. */
void yk__types_begin(struct yk__types *types);
/* Reads amounts of resources, such as {memory: 2Gi}, in base units. `*ret_amounts` is an initialised vector;
 * it is replaced on success and unchanged on failure. New names get provisional types.
 * Errors: as yk__amount(). */
YK_NODISCARD enum yk_status yk__amounts(struct yk__load *load, const struct yk_pairs *text,
                                        struct yk_resvec *ret_amounts);
/* Reads one amount, as yk__amounts() does, and sets it in `amounts`, which keeps its other amounts. Errors,
 * with the place of the pair: YK_ERR_INVALID; YK_ERR_LIMIT, the amount does not fit or there are too many
 * types. */
YK_NODISCARD enum yk_status yk__amount(struct yk__load *load, const struct yk_pair *pair,
                                       struct yk_resvec *amounts);
/* Adds the names with provisional types to the table of the process, and replaces these types in the vectors
 * of the configuration where the names got other types. Call it once, after all checks. Errors: those of
 * yk_restype_add_held(); the amounts of the configuration must then not be read. */
YK_NODISCARD enum yk_status yk__types_publish(struct yk__load *load);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one run of yk_config_load() shares between its steps: decode (queues_schema.c), check (check_*.c),
 * warn (warnings.c). All steps run one after the other on one thread; the state is dropped at the end.
 */
#ifndef YK_CONFIG_LOAD_PRIV_H
#define YK_CONFIG_LOAD_PRIV_H

#include "base/map.h"
#include "base/vec.h"
#include "base/yaml_tree.h"
#include "config/config.h"

/* Of a text of queues.yaml. */
extern const struct yk_yaml_limits yk__config_limits;

/*
 * Resource types of a text that is not accepted yet: known ones have their slot, new ones are numbered after
 * them, so that a refused text leaves nothing behind in the table of the process.
 */
struct yk__types {
    int known;                           /* slots in use when the load began */
    int count;                           /* known + new ones */
    struct yk_str names[YK_RESTYPE_MAX]; /* of the new ones, at their number */
};

struct yk__load {
    struct yk_config *config;
    struct yk_arena scratch;
    struct yk_strmap children; /* address of the parent + lower-case name -> struct yk_config_queue */
    struct yk__types types;
    struct yk_vec bounds;   /* struct yk_resvec, owned: what limits come to over the tree */
    struct yk_vec warnings; /* struct yk_config_warning, in the arena of `config` */
    struct yk_err *err;
    struct yk_config_errors *errors;             /* borrowed; NULL: the first error ends the load */
    const struct yk_config_partition *partition; /* that is being checked, for `errors` */
    bool incomplete; /* a list or struct could not be decoded: what follows from its absence is no error */
};

/* Puts the name of the partition that is checked in front of the sentence of the error. Returns `st`. */
enum yk_status yk__name_partition(const struct yk__load *load, enum yk_status st);
/*
 * Call it with the status of a check. Returns `st` if the first error ends the load. If all errors are
 * wanted, adds the error to `errors` and returns YK_OK, so that the checks go on; YK_ERR_LIMIT is returned in
 * any case.
 */
YK_NODISCARD enum yk_status yk__go_on(struct yk__load *load, enum yk_status st);

/* Remembers a sentence for yk_config.warnings. */
void yk__warn_at(struct yk__load *load, struct yk_config_place place, const char *format, ...)
    YK_PRINTF(3, 4);

/* Notes the place of what was decoded to the address `decoded`. */
void yk__note_place(struct yk__load *load, const void *decoded, struct yk_config_place place);
/* The place of a number (by its address) or of a text (by the address of its bytes); `otherwise` if it is not
 * known, or `decoded` is NULL. */
struct yk_config_place yk__place_of(const struct yk_config *config, const void *decoded,
                                    struct yk_config_place otherwise);
/* The place of the first pair that has one, else `otherwise`. */
struct yk_config_place yk__place_of_pairs(const struct yk_config *config, const struct yk_pairs *pairs,
                                          struct yk_config_place otherwise);

/* A queue on the way down, for messages; lives on the stack of the walk. */
struct yk__path {
    const struct yk__path *parent; /* NULL: root */
    const struct yk_config_queue *queue;
};

enum { YK__PATH_TEXT_MAX = 400 };
/* Writes "root.a.b", or its end after "..." if it is long, to `text`, which is returned. */
const char *yk__path_text(const struct yk__path *path, char text[YK__PATH_TEXT_MAX]);

/* Writes the sentence "line 3, column 5: queue 'root.a': <formatted>", about that place. Returns `status`. */
enum yk_status yk__fail_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                              struct yk_config_place place, const char *format, ...) YK_PRINTF(5, 6);
/* Like yk__fail_queue() in front of the sentence that is there, which may have a place of its own. */
enum yk_status yk__fail_in_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                                 const char *format, ...) YK_PRINTF(4, 5);
/* Appends "{vcore: 1, memory: 2Gi}". */
void yk__put_pairs(struct yk_buf *out, const struct yk_pairs *pairs);

/* The terminated lower-case copy of `text`, in the scratch arena. */
struct yk_str yk__lower(struct yk__load *load, struct yk_str text);
/* The child of that name, any case, or NULL. */
struct yk_config_queue *yk__child_find(struct yk__load *load, const struct yk_config_queue *parent,
                                       struct yk_str name);

/* queues_schema.c: fills `load->config` from the YAML document; `root` NULL: no document. Errors: YK_ERR_INVALID,
 * YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk__config_decode(struct yk__load *load, const struct yk_yaml_node *root);
/* check_queues.c: checks the ACLs, the limits and the names of the children of each queue of the partition (V1, V3).
 * Errors: YK_ERR_INVALID with the place, unless the load collects all of them; so for all checks below. */
YK_NODISCARD enum yk_status yk__check_queues(struct yk__load *load, struct yk_config_partition *partition);
/* Reads maximum and guarantee of each queue into vectors, and compares them with those of the parents (V4,
 * V5). Errors: as above; also YK_ERR_LIMIT, in any case, for too many resource types or an amount that is too large. */
YK_NODISCARD enum yk_status yk__check_resources(struct yk__load *load, struct yk_config_partition *partition);
/* Checks that no queue may run more applications than its parent (V7). Errors: YK_ERR_INVALID with the
 * place, unless the load collects all of them. */
YK_NODISCARD enum yk_status yk__check_max_applications(struct yk__load *load,
                                                       const struct yk_config_partition *partition);
/* check_limits.c: gives the root queue the limits that stand at the partition (V2). Errors: YK_ERR_INVALID, both have
 * limits, and these differ. */
YK_NODISCARD enum yk_status yk__merge_partition_limits(struct yk__load *load,
                                                       struct yk_config_partition *partition);
/* Checks the limits of the queue at `path` (L1 to L5), each by itself and against the queue's maximum.
 * Errors: YK_ERR_INVALID with the place, unless the load collects all of them. */
YK_NODISCARD enum yk_status yk__check_limit_list(struct yk__load *load, const struct yk__path *path,
                                                 struct yk_config_queue *queue);
/* Checks the limits of the whole tree against those of the parents (V8). Errors: as
 * yk__check_limit_list(). */
YK_NODISCARD enum yk_status yk__check_limit_tree(struct yk__load *load,
                                                 const struct yk_config_partition *partition);
/* check_rules.c: checks the placement rules of a partition (V6). Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk__check_rules(struct yk__load *load,
                                            const struct yk_config_partition *partition);
/* check_queues.c: checks what only the activation of the partition would refuse (A3, V9). */
YK_NODISCARD enum yk_status yk__check_activation(struct yk__load *load,
                                                 const struct yk_config_partition *partition);
/* pattern.c: appends a pattern of RE2 as PCRE2 writes it; at most twice as long. */
void yk__pattern_translate(struct yk_str pattern, struct yk_buf *out);
/* The construct of the pattern that RE2, and so YuniKorn 1.9, refuses; static. NULL if none was found. */
const char *yk__pattern_beyond_re2(struct yk_str pattern);
/* warnings.c: adds the warnings (V11) to the configuration. */
void yk__add_warnings(struct yk__load *load);

/* amounts.c: begins with the resource types that the process has now. */
void yk__types_begin(struct yk__types *types);
/* Reads amounts of resources, e.g. {memory: 2Gi}, in base units. `*ret_amounts` is an initialized vector;
 * it is replaced on success and unchanged on failure. Types not seen before become types of the load.
 * Errors: as yk__amount(). */
YK_NODISCARD enum yk_status yk__amounts(struct yk__load *load, const struct yk_pairs *text,
                                        struct yk_resvec *ret_amounts);
/* Reads one amount, as yk__amounts() does, and adds it to `amounts`. Errors: YK_ERR_INVALID and YK_ERR_LIMIT, with the
 * place of the pair. */
YK_NODISCARD enum yk_status yk__amount(struct yk__load *load, const struct yk_pair *pair,
                                       struct yk_resvec *amounts);
/* Adds the resource types that this load found to the process-wide table, and renumbers the vectors of the
 * configuration if other types were added there meanwhile. Errors: those of yk_restype_add_held(). */
YK_NODISCARD enum yk_status yk__types_publish(struct yk__load *load);

#endif

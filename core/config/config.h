/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue configuration: reads queues.yaml into a checked tree. The active queues are not touched.
 *
 * A tree does not change after loading, with two exceptions: `effective` of its queues is set, and
 * yk_config_forget_places() frees `places`. References to a tree are counted. Quantities are kept as written,
 * for REST, and, except those of child templates, as vectors.
 * Thread: any.
 * Source: docs/reference/queues.md, rules C3, C4, C7 to C18, V1 to V9 and V11.
 */
#ifndef YK_CONFIG_CONFIG_H
#define YK_CONFIG_CONFIG_H

#include "base/arena.h"
#include "base/map.h"
#include "resources/resvec.h"

enum {
    YK_CONFIG_BYTES_MAX = 16 << 20, /* bytes of queues.yaml; a ConfigMap of 1 MiB can hold it compressed */
    YK_CONFIG_DEPTH_MAX = 1000,     /* levels of queues */
    YK_CONFIG_CHECKSUM_LEN = 64,
    YK_CONFIG_QUEUE_NAME_MAX = 64,      /* bytes */
    YK_CONFIG_MEMORY_MAX = 256 << 20,   /* bytes of the checked tree */
    YK_CONFIG_NODES_MAX = 1000 * 1000,  /* YAML nodes; aliases may repeat as many again */
    YK_CONFIG_PATTERN_BYTES_MAX = 4096, /* of one regular expression in a filter */
    YK_CONFIG_WARNINGS_MAX = 200,
    YK_CONFIG_ERRORS_MAX = 200,
};

struct yk_property_set;

struct yk_config_place {
    uint32_t line, column; /* in the text, from 1; 0: not known, or not about one place */
};

struct yk_config_names {
    struct yk_str *items;
    uint32_t count;
};

struct yk_config_resources {  /* one of guaranteed / max / maxresources */
    bool is_set;              /* the key was there */
    struct yk_pairs text;     /* as written */
    struct yk_resvec amounts; /* the same in base units */
};

struct yk_config_limit {
    struct yk_str text; /* "limit": a description */
    struct yk_config_names users, groups;
    struct yk_config_resources max_resources;
    uint64_t max_applications; /* 0: no limit of applications */
    struct yk_config_place place;
};

struct yk_config_limits {
    struct yk_config_limit *items;
    uint32_t count;
};

/* Written by: config, placement. */
struct yk_config_filter {
    struct yk_str type; /* as written: "allow" or "deny" in any case; "" is allow */
    struct yk_config_names users, groups;
};

struct yk_config_rule {
    struct yk_str name; /* as written */
    bool create;
    struct yk_config_filter filter;
    struct yk_config_rule *parent; /* NULL: none */
    struct yk_str value;
    struct yk_config_place place;
    bool refused; /* yk_config_load_all() reported an error of this rule */
};

struct yk_config_template {
    bool is_set;               /* the template has a value that is not empty (T1) */
    uint64_t max_applications; /* 0: unlimited */
    struct yk_pairs properties;
    struct yk_config_resources guaranteed, max; /* `amounts` are empty: the texts are read at activation */
};

struct yk_config_queue {
    struct yk_str name; /* as written; the active queue has it in lower case. "root" for the root */
    bool parent;        /* the flag as written; true for the root. A queue with children is a parent, too */
    struct yk_config_queue *queues;
    uint32_t queue_count;
    struct yk_config_resources guaranteed, max;
    uint64_t max_applications; /* 0: unlimited */
    struct yk_pairs properties;
    struct yk_str admin_acl, submit_acl;
    struct yk_config_template child_template;
    struct yk_config_limits limits;
    struct yk_config_place place;
    /* Written by: partition (config_diff.c), while it prepares an activation. The effective properties,
     * with a reference. NULL: not prepared, or no properties. */
    struct yk_property_set *effective;
};

struct yk_config_partition {
    struct yk_str name; /* as written; "default" if that is empty or is "default" in another case */
    struct yk_config_queue root;
    struct yk_config_rule *rules;
    uint32_t rule_count;
    struct yk_config_limits limits; /* as on the partition; only those of `root` have all amounts (V2) */
    bool preemption_enabled;        /* default true */
    bool preemption_set;            /* the key was there */
    bool quota_preemption_enabled, quota_preemption_set; /* default false; the key was there */
    struct yk_str node_sort_type;                        /* "", or a name of config/sort_policies.h */
    struct {
        struct yk_str type;
        double weight;
    } * node_sort_weights;
    uint32_t node_sort_weight_count;
    struct yk_str resolver; /* usergroupresolver.type */
    struct yk_config_place place, resolver_place;
};

struct yk_config_warning {
    struct yk_str text;
    struct yk_config_place place;
};

/* A list of errors or warnings, in the order of the checks. The sentences do not name their place, which is
 * in `place`. A zeroed list is empty. */
struct yk_config_errors {
    struct yk_config_warning *items; /* owned; NULL: none */
    struct yk_arena arena;           /* of the sentences */
    uint32_t count;
    bool cut; /* more than YK_CONFIG_ERRORS_MAX were found, and the others were left out */
};

struct yk_config {
    struct yk_arena arena; /* has all texts and arrays of the tree */
    /* The number of references, less one. A reload on another thread has a reference while it compares a new
     * tree with that of the core. */
    _Atomic uint32_t more_holders;
    struct yk_config_partition *partitions;
    uint32_t partition_count;
    char checksum[YK_CONFIG_CHECKSUM_LEN + 1]; /* upper-case hex SHA-256, rule C17 */
    /* the checksum in the text; "" if there is none, or if it is longer */
    char submitted_checksum[YK_CONFIG_CHECKSUM_LEN + 1];
    struct yk_config_warning *warnings; /* a text with warnings is accepted: rule V11 */
    uint32_t warning_count;
    struct yk_idmap places; /* address of a text or number of the tree -> its place; for messages */
};

/*
 * Parses and checks `text` (V1 to V8). A text that is empty or has only blanks and comments gives the
 * built-in default (C3). The caller frees `*ret_config` with yk_config_free(). Before it activates the tree,
 * the caller has to call yk_config_check_activation(), then yk_activation_prepare() for each partition. To
 * check a text, call yk_placement_config_check() or yk_config_load_all() instead. New resource names are
 * added to the table of types (resources/restype.h) if the text is accepted. Errors: YK_ERR_INVALID or
 * YK_ERR_LIMIT; the sentence names the place, if it is known.
 */
YK_NODISCARD enum yk_status yk_config_load(struct yk_str text, struct yk_config **ret_config,
                                           struct yk_err *err);
/* The place of `text` in the text that was loaded. `text` must be a field of the tree, not a copy or a part
 * of one. A key of a struct yk_pairs has the place of its value. Line and column are 0 if the place is not
 * known, such as for an empty text, and after yk_config_forget_places(). */
struct yk_config_place yk_config_place_of(const struct yk_config *config, struct yk_str text);
/* Frees `places`, which uses much memory. Call it when no more errors will be reported about the tree: they
 * would name fewer places. The fields `place` stay. The caller must have the only reference. */
void yk_config_forget_places(struct yk_config *config);
/* Drops one reference; the tree is freed with the last one. NULL is fine. Any thread. */
void yk_config_free(struct yk_config *config);
YK_DEFINE_FREEP(yk_config)
/* Adds a reference, which the caller drops with yk_config_free(), and returns `config`. NULL gives NULL.
 * Any thread. */
struct yk_config *yk_config_hold(struct yk_config *config);

/*
 * Like yk_config_load(), for a text that will not be activated, such as that of POST /ws/v1/validate-conf. It
 * accepts texts that the activation refuses, so other modules call yk_placement_config_check(), which calls
 * this function and checks the rest. New resource names are not added to the table of types
 * (resources/restype.h), or only until the tree is freed, so that texts from outside cannot fill it. The
 * caller must not read amounts of such names from the tree.
 */
YK_NODISCARD enum yk_status yk_config_check(struct yk_str text, struct yk_config **ret_config,
                                            struct yk_err *err);

/*
 * Like yk_config_load(), but goes on after an error and adds all errors to `errors`, also those of
 * yk_config_check_activation(). The load ends early if the text is not YAML, after a YK_ERR_LIMIT, and when
 * `errors` is full. If a list or a mapping cannot be read, the partitions are not checked. Placement rules
 * (V10) are not checked: the caller calls yk_placement_check_rule() for those that are not `refused`.
 * `errors` is empty before; the caller ends it with yk_config_errors_done(). `*ret_config` is the tree of
 * what could be read, which the caller frees with yk_config_free(). If there are errors, the caller must not
 * activate the tree or read its amounts, and its warnings may be missing. `*ret_config` is NULL if there are
 * errors and no partition could be read, such as from a text that is not YAML. New resource names are added
 * to the table of types also if there are errors, so this function is for tools.
 */
void yk_config_load_all(struct yk_str text, struct yk_config **ret_config, struct yk_config_errors *errors);
/* Adds a copy of the sentence and the place of `err`, unless the list has the same error already. If the list
 * is full, sets `cut` instead. */
void yk_config_errors_add(struct yk_config_errors *errors, const struct yk_err *err);
/* Frees the memory of the list, which is empty afterwards and may be used again. */
void yk_config_errors_done(struct yk_config_errors *errors);

/*
 * Checks what yk_config_load() accepts and activation refuses: a text without a partition (C4), ACLs with
 * more than one space (A3), wrong quantities in the child template of a parent queue (V9). Placement rules
 * (V10) are not checked: yk_placement_new() does that, which yk_activation_prepare() calls. Errors:
 * YK_ERR_INVALID; YK_ERR_LIMIT, a quantity does not fit.
 */
YK_NODISCARD enum yk_status yk_config_check_activation(const struct yk_config *config, struct yk_err *err);

/* Calls `see` for each key of a queues.yaml except those of mappings with free keys, such as properties. The
 * key is static and in lower case. A key may be seen several times. */
void yk_config_keys_each(void (*see)(void *context, const char *key), void *context);

/* The built-in default configuration as text (C3). */
extern const char *const yk_config_default_text;
/* Writes the SHA-256 of the text, leaving out the checksum that it may contain (C17), in upper-case
 * hexadecimal digits, terminated. For a text that stands for the built-in default (C3), this is not the
 * checksum of the tree that yk_config_load() makes of it. */
void yk_config_checksum(struct yk_str text, char ret_checksum[YK_CONFIG_CHECKSUM_LEN + 1]);

/* Reads the quantities of a map of resources into a vector; for child templates, which are read at
 * activation. New names are added to the table of types. Errors: YK_ERR_INVALID; YK_ERR_LIMIT, an amount
 * does not fit, or there are too many types. `ret_amounts` is unchanged after an error. */
YK_NODISCARD enum yk_status yk_config_amounts(const struct yk_pairs *text, struct yk_resvec *ret_amounts,
                                              struct yk_err *err);

/* The places of queues in the text of a configuration. The text is parsed once; a search takes O(depth + log
 * queues). */
struct yk_queue_places;
/* Finds the place of each queue in `text`. The caller frees the result with yk_queue_places_free(). Never
 * NULL; it has no queues if the text cannot be parsed. */
struct yk_queue_places *yk_queue_places_new(struct yk_str text);
/* Appends the path of the innermost queue that is written around the place `line` and `column`, both from
 * 1 as in struct yk_err, to `ret_path`, which is empty. The names are as written, also with control
 * characters; "?" stands for a name that is missing. Returns false and appends nothing if the place is in no
 * queue, or if `line` is 0. */
bool yk_queue_places_find(const struct yk_queue_places *places, uint32_t line, uint32_t column,
                          struct yk_buf *ret_path);
void yk_queue_places_free(struct yk_queue_places *places);
YK_DEFINE_FREEP(yk_queue_places)

/*
 * Appends the differences between two checked configurations, one line each: "+ queue root.a", "~ queue
 * root.b: maxapplications 3 -> 5". The order counts only for placement rules, limits and the names in them,
 * because it has a meaning there. Returns the number of lines, also of those that did not fit into `out`.
 */
size_t yk_config_diff(const struct yk_config *from, const struct yk_config *to, struct yk_buf *out);

/* Whether both have the same names in the same order. */
bool yk_config_names_same(const struct yk_config_names *a, const struct yk_config_names *b);
/* Whether both have the same pairs in the same order. */
bool yk_config_pairs_same(const struct yk_pairs *a, const struct yk_pairs *b);

/* Whether the name may be that of a queue: ^[a-zA-Z0-9_:#/@-]{1,64}$ */
bool yk_queue_name_valid(struct yk_str name);
/* Whether the name may be that of a user, in limits, filters and submissions (queues.md 1.4). The wildcard
 * "*" is no valid name. */
bool yk_user_name_valid(struct yk_str name);
/* Whether the name may be that of a group, in limits and filters (queues.md 1.4). The wildcard "*" is no
 * valid name. */
bool yk_group_name_valid(struct yk_str name);
/* Like yk_group_name_valid(), for the name of a group in an ACL. It may have no dots: YuniKorn has never
 * allowed them there, and with them existing ACLs would grant more (A6). */
bool yk_acl_group_name_valid(struct yk_str name);
/* Whether the name has the form of a placement rule's name. There need not be such a rule. */
bool yk_rule_name_valid(struct yk_str name);

/* Whether `text` has one of the characters ^$*+?()[{}|. An entry of a filter counts as a regular expression
 * only if it is also the only entry of its list and is not a valid name (P16). The caller checks that. */
bool yk_config_is_pattern(struct yk_str text);
struct pcre2_real_code_8;
/* Compiles the regular expression of a filter, with the options for all filters (P20). The expression need
 * not match the whole name. The caller frees `*ret_code` with pcre2_code_free(). Errors: YK_ERR_INVALID, also
 * for more than YK_CONFIG_PATTERN_BYTES_MAX bytes. */
YK_NODISCARD enum yk_status
yk_config_pattern_compile(struct yk_str pattern, struct pcre2_real_code_8 **ret_code, struct yk_err *err);

/*
 * Appends the checked tree as GET /ws/v1/config shows it in YAML (docs/reference/rest.md 5.1): the
 * configuration with its checksum, then `extra`, the other entries of the ConfigMaps (may be NULL), and keys
 * that YuniKorn 1.9 shows. If it does not fit, `out->failed` is set.
 */
void yk_config_render_yaml(const struct yk_config *config, const struct yk_pairs *extra, struct yk_buf *out);
/* Like yk_config_render_yaml(), in JSON with the field names of YuniKorn 1.9. No newline is at the end. */
void yk_config_render_json(const struct yk_config *config, const struct yk_pairs *extra, struct yk_buf *out);

#endif

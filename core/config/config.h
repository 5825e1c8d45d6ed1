/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue configuration: queues.yaml as a checked tree, before it touches anything that lives.
 *
 * yk_config_load() is pure: text in, tree or refusal out. It may run on any thread; a finished tree is
 * immutable and owned by one holder. Quantities are checked while loading and kept both as written (for REST)
 * and as vectors.
 * Source: docs/reference/queues.md, rules C1 to C18 and V1 to V8.
 */
#ifndef YK_CONFIG_CONFIG_H
#define YK_CONFIG_CONFIG_H

#include "base/arena.h"
#include "base/map.h"
#include "resources/resvec.h"

enum {
    YK_CONFIG_BYTES_MAX = 16 << 20, /* of queues.yaml; a compressed ConfigMap holds more than its 1 MiB */
    YK_CONFIG_DEPTH_MAX = 1000,     /* nested queues */
    YK_CONFIG_CHECKSUM_LEN = 64,
    YK_CONFIG_QUEUE_NAME_MAX = 64,      /* bytes */
    YK_CONFIG_MEMORY_MAX = 256 << 20,   /* bytes of the checked tree */
    YK_CONFIG_NODES_MAX = 1000 * 1000,  /* YAML nodes, and again as many that aliases repeat */
    YK_CONFIG_PATTERN_BYTES_MAX = 4096, /* of one regular expression in a filter */
    YK_CONFIG_WARNINGS_MAX = 200,
    YK_CONFIG_ERRORS_MAX = 200,
};

struct yk_property_set;

struct yk_config_place {
    uint32_t line, column; /* from 1; 0: no place in particular */
};

struct yk_config_names {
    struct yk_str *items;
    uint32_t count;
};

struct yk_config_resources { /* one of guaranteed / max / maxresources */
    bool is_set;             /* the key was there */
    struct yk_pairs text;    /* as written */
    struct yk_resvec amounts;
};

struct yk_config_limit {
    struct yk_str text; /* "limit": a description */
    struct yk_config_names users, groups;
    struct yk_config_resources max_resources;
    uint64_t max_applications;
    struct yk_config_place place;
};

struct yk_config_limits {
    struct yk_config_limit *items;
    uint32_t count;
};

/* Written by: config, placement. */
struct yk_config_filter {
    struct yk_str type;
    struct yk_config_names users, groups;
};

struct yk_config_rule {
    struct yk_str name; /* as written */
    bool create;
    struct yk_config_filter filter;
    struct yk_config_rule *parent; /* NULL: none */
    struct yk_str value;
    struct yk_config_place place;
    bool refused; /* yk_config_load_all() reported an error about it */
};

struct yk_config_template {
    bool is_set;
    uint64_t max_applications;
    struct yk_pairs properties;
    struct yk_config_resources guaranteed, max; /* amounts are checked when activated: only text is filled */
};

struct yk_config_queue {
    struct yk_str name; /* as written; activation lower-cases it */
    bool parent;        /* the flag as written (root: true) */
    struct yk_config_queue *queues;
    uint32_t queue_count;
    struct yk_config_resources guaranteed, max;
    uint64_t max_applications; /* 0: unlimited */
    struct yk_pairs properties;
    struct yk_str admin_acl, submit_acl;
    struct yk_config_template child_template;
    struct yk_config_limits limits;
    struct yk_config_place place;
    /* Written by: partition (config_diff.c), while it prepares an activation. Held. NULL: not yet, or none. */
    struct yk_property_set *effective;
};

struct yk_config_partition {
    struct yk_str name; /* normalised: "default" */
    struct yk_config_queue root;
    struct yk_config_rule *rules;
    uint32_t rule_count;
    struct yk_config_limits limits; /* as written on the partition */
    bool preemption_enabled;        /* default true */
    bool preemption_set;            /* the key was there */
    bool quota_preemption_enabled, quota_preemption_set;
    struct yk_str node_sort_type; /* "", "fair" or "binpacking" */
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
    struct yk_config_place place; /* what it is about */
};

/* The errors of one text in the order of the checks. The sentences have no place in them. */
struct yk_config_errors {
    struct yk_config_warning *items; /* owned */
    struct yk_arena arena;           /* holds the sentences */
    uint32_t count;
    bool cut; /* there are more than YK_CONFIG_ERRORS_MAX */
};

struct yk_config {
    struct yk_arena arena; /* holds all of it */
    /* Who holds the tree, less one. Two may: the core, and a reload that compares with it on another
     * thread. */
    _Atomic uint32_t more_holders;
    struct yk_config_partition *partitions;
    uint32_t partition_count;
    char checksum[YK_CONFIG_CHECKSUM_LEN + 1];           /* upper-case hex SHA-256, rule C17 */
    char submitted_checksum[YK_CONFIG_CHECKSUM_LEN + 1]; /* the one the text carried, "" if none */
    struct yk_config_warning *warnings;                  /* never reject: rule V11 */
    uint32_t warning_count;
    struct yk_idmap places; /* of each text and number of the tree, by its address; for messages */
};

/*
 * Parses and checks `text` (layer "load": V1 to V8). Empty, blank or comment-only text gives the built-in
 * default (rule C3). `*ret_config` is the caller's. Errors: YK_ERR_INVALID or YK_ERR_LIMIT; the sentence
 * names line and column, or the queue path and the value.
 */
YK_NODISCARD enum yk_status yk_config_load(struct yk_str text, struct yk_config **ret_config,
                                           struct yk_err *err);
/* The place of a text of the tree in the text that was loaded. Line and column are 0 for an empty text, and
 * after yk_config_forget_places(). */
struct yk_config_place yk_config_place_of(const struct yk_config *config, struct yk_str text);
/* Frees the places, for a tree that is checked and will only be read. Call it before another holder has the
 * tree. */
void yk_config_forget_places(struct yk_config *config);
/* Drops one reference; the last one frees the tree. NULL is fine. Any thread. */
void yk_config_free(struct yk_config *config);
YK_DEFINE_FREEP(yk_config)
/* Adds a reference; returns `config`. Any thread. NULL stays NULL. */
struct yk_config *yk_config_hold(struct yk_config *config);

/*
 * As yk_config_load(), for a text that will not be activated (validate-conf): a resource type that has
 * not been used gets no slot of the table, so that texts from outside cannot use it up. Amounts of such types
 * must not be read.
 */
YK_NODISCARD enum yk_status yk_config_check(struct yk_str text, struct yk_config **ret_config,
                                            struct yk_err *err);

/*
 * As yk_config_load(), but goes on after an error and reports all of them, and those of
 * yk_config_check_activation(). `*ret_config` is the caller's, with what could be read: if there are errors
 * it must not be activated. It is NULL if the text is not YAML. yk_config_errors_done() `errors`, which was
 * zeroed.
 */
void yk_config_load_all(struct yk_str text, struct yk_config **ret_config, struct yk_config_errors *errors);
/* Adds a copy of the sentence of `err`; one that is there already is not repeated. */
void yk_config_errors_add(struct yk_config_errors *errors, const struct yk_err *err);
void yk_config_errors_done(struct yk_config_errors *errors);

/*
 * Checks what yk_config_load() accepts and activation refuses: no partition (C4), ACLs with stray spaces
 * (A3), quantities of child templates on parents (V9). The rules (V10) are checked by who builds them.
 * Errors: YK_ERR_INVALID.
 */
YK_NODISCARD enum yk_status yk_config_check_activation(const struct yk_config *config, struct yk_err *err);

/* The built-in default configuration as text (C3). */
extern const char *const yk_config_default_text;
/* Writes the SHA-256 of the text without its own checksum, in upper-case hexadecimal digits, terminated. */
void yk_config_checksum(struct yk_str text, char ret_checksum[YK_CONFIG_CHECKSUM_LEN + 1]);

/* Converts a map of resources from its texts to base units; for templates, which are read at activation.
 * `ret_amounts` is initialised, and replaced on success. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_config_amounts(const struct yk_pairs *text, struct yk_resvec *ret_amounts,
                                              struct yk_err *err);

/*
 * Places of queues in the text of a configuration. The text is parsed once; a search takes O(log queues).
 */
struct yk_queue_places;
/* Finds the place of each queue in `text`, which is borrowed for the life of the result. The caller frees the
 * result. It has no queues if the text is not YAML. */
struct yk_queue_places *yk_queue_places_new(struct yk_str text);
/* Appends the path of the innermost queue around a place (as in struct yk_err). False: it is in no queue. */
bool yk_queue_places_find(const struct yk_queue_places *places, uint32_t line, uint32_t column,
                          struct yk_buf *ret_path);
void yk_queue_places_free(struct yk_queue_places *places);
YK_DEFINE_FREEP(yk_queue_places)

/*
 * Appends what changes from one checked configuration to another, one line each: "+ queue root.a", "~ queue
 * root.b: maxapplications 3 -> 5". Parts that only stand in another order are the same, but rules, limits and
 * groups, whose order means something. Returns the number of lines.
 */
size_t yk_config_diff(const struct yk_config *from, const struct yk_config *to, struct yk_buf *out);

/* Whether both have the same names in the same order. */
bool yk_config_names_same(const struct yk_config_names *a, const struct yk_config_names *b);
/* Whether both have the same pairs in the same order. */
bool yk_config_pairs_same(const struct yk_pairs *a, const struct yk_pairs *b);

/* Whether the name may be that of a queue: ^[a-zA-Z0-9_:#/@-]{1,64}$ */
bool yk_queue_name_valid(struct yk_str name);
/* Whether limits, filters and submissions may have the name for a user. */
bool yk_user_name_valid(struct yk_str name);
/* Whether the name may be that of a group. */
bool yk_group_name_valid(struct yk_str name);
/* Whether an ACL may have the name for a group. Dots are not allowed there: they never were, and lists that people
 * wrote long ago would grant more (A6). */
bool yk_acl_group_name_valid(struct yk_str name);
/* Whether the name may be that of a placement rule, known or not. */
bool yk_rule_name_valid(struct yk_str name);

/* Whether a filter entry holds a character that only makes sense in a regular expression (P16). */
bool yk_config_is_pattern(struct yk_str text);
struct pcre2_real_code_8;
/* Compiles the pattern of a filter with the options that all rules use (P20). The caller frees `*ret_code`
 * with pcre2_code_free(). Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status
yk_config_pattern_compile(struct yk_str pattern, struct pcre2_real_code_8 **ret_code, struct yk_err *err);

/*
 * Appends the checked tree as GET /ws/v1/config shows it in YAML (docs/reference/rest.md 5.1). `extra`: the other
 * entries of the ConfigMaps, NULL: none. What comes after the checksum does not belong to queues.yaml.
 */
void yk_config_render_yaml(const struct yk_config *config, const struct yk_pairs *extra, struct yk_buf *out);
/* Like yk_config_render_yaml(), in JSON with the field names of YuniKorn 1.9. */
void yk_config_render_json(const struct yk_config *config, const struct yk_pairs *extra, struct yk_buf *out);

#endif

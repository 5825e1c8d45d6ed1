/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schemas of a scenario (base/yaml_decode.h) and the readers of its values. The comment of a reader says
 * which type the field has, and which values are accepted.
 *
 * Thread: any.
 */
#ifndef YK_SIMULATE_SCENARIO_PRIV_H
#define YK_SIMULATE_SCENARIO_PRIV_H

#include "base/yaml_decode.h"
#include "simulate/scenario.h"

extern const struct yk_yaml_schema yk__scenario_nodes;  /* struct yk_scenario_nodes */
extern const struct yk_yaml_schema yk__scenario_steady; /* struct yk_scenario_steady */

/* Declares or defines a reader, a yk_yaml_reader: it reads `value` into the member of `object` that `field`
 * names. */
#define YK__READER(name)                                                                                     \
    enum yk_status name(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,                  \
                        const struct yk_yaml_node *value, void *object)
YK__READER(yk__sim_timeline);   /* steps of struct yk_scenario */
YK__READER(yk__sim_name);       /* struct yk_str, not empty */
YK__READER(yk__sim_short_name); /* struct yk_str, 1 to 200 bytes, so that a number can be appended */
YK__READER(yk__sim_names);      /* array of struct yk_str that are not empty; `aside`: uint32_t count */
YK__READER(yk__sim_duration);   /* int64_t ns, >= 0 */
YK__READER(yk__sim_u64);        /* uint64_t */
YK__READER(yk__sim_count);      /* uint64_t, 1 to YK_SCENARIO_PODS_MAX */
YK__READER(yk__sim_i64);        /* int64_t, >= 0 */
YK__READER(yk__sim_i32);        /* int32_t */
YK__READER(yk__sim_unit);       /* double, 0 to 1 */
YK__READER(yk__sim_bool);       /* bool */
YK__READER(yk__sim_word);       /* enum: the index of the word in `detail`, a struct yk__words */
YK__READER(yk__sim_pairs);      /* struct yk_pairs */
YK__READER(yk__sim_amounts);    /* struct yk_amounts */

/* The words of an enum. */
struct yk__words {
    const char *const *items; /* words by value of the enum; NULL: the value has no word */
    size_t count;
};

/*
 * Rows of a schema. The value of the key `name` is written to `member` of struct `of`.
 *
 *   YK__TEXT      any text; the member is a struct yk_str
 *   YK__FIELD     what `reader` accepts
 *   YK__REQUIRED  what `reader` accepts; the key must be present
 *   YK__WORD      one of the words in `words`, a struct yk__words; the key must be present
 *   YK__STRUCT    a mapping with the schema `schema_`; the member is a struct
 *   YK__LIST      up to `max_` mappings with the schema `schema_`; the member points to an array, and the
 *                 member `count_` is its length
 */
#define YK__AT(of, member) offsetof(struct of, member)
#define YK__TEXT(name, of, member)                                                                           \
    {                                                                                                        \
        .key = (name), .kind = YK_YAML_FIELD_TEXT, .offset = YK__AT(of, member)                              \
    }
#define YK__FIELD(name, reader, of, member)                                                                  \
    {                                                                                                        \
        .key = (name), .read = (reader), .offset = YK__AT(of, member)                                        \
    }
#define YK__REQUIRED(name, reader, of, member)                                                               \
    {                                                                                                        \
        .key = (name), .read = (reader), .offset = YK__AT(of, member), .required = true                      \
    }
#define YK__WORD(name, words, of, member)                                                                    \
    {                                                                                                        \
        .key = (name), .read = yk__sim_word, .offset = YK__AT(of, member), .required = true,                 \
        .detail = (words)                                                                                    \
    }
#define YK__STRUCT(name, schema_, of, member)                                                                \
    {                                                                                                        \
        .key = (name), .kind = YK_YAML_FIELD_STRUCT, .offset = YK__AT(of, member), .schema = (schema_)       \
    }
#define YK__LIST(name, schema_, max_, of, member, count_)                                                    \
    {                                                                                                        \
        .key = (name), .kind = YK_YAML_FIELD_LIST, .offset = YK__AT(of, member),                             \
        .aside = YK__AT(of, count_), .schema = (schema_), .max = (max_)                                      \
    }
#define YK__ROWS(array) .fields = (array), .field_count = YK_COUNT(array)

#endif

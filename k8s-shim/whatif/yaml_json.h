/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML as a tree of JSON: nulls, booleans and numbers as YAML 1.2 reads plain scalars, all else as texts.
 *
 * Thread: any; nothing is shared.
 */
#ifndef YK_WHATIF_YAML_JSON_H
#define YK_WHATIF_YAML_JSON_H

#include "base/str.h"

struct json_t;

enum {
    YK_YAML_JSON_VALUES_MAX = 200 * 1000, /* aliases repeat what they name */
    YK_YAML_JSON_DEPTH_MAX = 128,
};

/* Reads one YAML document as JSON. The caller frees `*ret` with json_decref(). Errors: YK_ERR_INVALID,
 * YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_yaml_to_json(struct yk_str text, struct json_t **ret, struct yk_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads YAML as a tree of JSON. A plain scalar becomes
 * - null, if it is empty, "~", "null", "Null" or "NULL";
 * - a boolean, if it is "true" or "false", but not in other cases of letters;
 * - a number, if it consists of digits, maybe with "-" in front, a fraction and an exponent. It is an integer
 *   if it has no fraction and no exponent and fits into 64 bits; otherwise it is a real. Reals that are not
 *   finite stay texts.
 * All other scalars become texts, such as "yes", "0x10", "1_000", "+1", ".5" and what is in quotes.
 *
 * Thread: any; nothing is shared.
 */
#ifndef YK_WHATIF_YAML_JSON_H
#define YK_WHATIF_YAML_JSON_H

#include "base/str.h"

struct json_t;

enum {
    YK_YAML_JSON_VALUES_MAX = 200 * 1000, /* values of a document; an alias counts as a copy */
    YK_YAML_JSON_DEPTH_MAX = 128,         /* nested mappings and sequences */
};

/* Reads one YAML document. The caller frees `*ret` with json_decref(). Errors: YK_ERR_INVALID: the text is
 * empty or malformed; YK_ERR_LIMIT: there are too many values, or they are nested too deeply, also by
 * aliases. The sentence names line and column, except for an empty text. */
YK_NODISCARD enum yk_status yk_yaml_to_json(struct yk_str text, struct json_t **ret, struct yk_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typed objects to JSON: the field tables are walked over our struct, so what is written is what was read, and
 * json_reader.h reads the same object from it.
 *
 * Amounts are written as Kubernetes quantities, times to the nanosecond. Of a text that is not UTF-8 each wrong
 * byte becomes U+FFFD.
 * Thread: any; nothing is shared.
 */
#ifndef YK_API_OBJECT_JSON_H
#define YK_API_OBJECT_JSON_H

#include "api/object.h"
#include "base/json_writer.h"

/* Writes the object as the next value of `json`. Fields that are zero or empty are left out. */
void yk_object_to_json(const struct yk_object *object, struct yk_json *json);

#endif

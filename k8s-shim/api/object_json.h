/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes typed objects as JSON. It writes the fields of the field tables, so the functions of json_reader.h
 * read the same object from the result.
 *
 * Amounts are written as Kubernetes quantities, times to the nanosecond. Bytes that are not UTF-8 become
 * U+FFFD.
 * Thread: any; nothing is shared.
 */
#ifndef YK_API_OBJECT_JSON_H
#define YK_API_OBJECT_JSON_H

#include "api/object.h"
#include "base/json_writer.h"

/* Writes the object, of whatever kind, as the next value of `json`. Fields that are zero or empty are left
 * out, unless a member such as `has_selector` says that the field is there. */
void yk_object_to_json(const struct yk_object *object, struct yk_json *json);

#endif

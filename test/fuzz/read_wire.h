/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets of the two encodings share. */
#ifndef YK_FUZZ_READ_WIRE_H
#define YK_FUZZ_READ_WIRE_H

#include "api/object.h"
#include "api/wire_format.h"

typedef enum yk_status yk_read_object(enum yk_kind kind, struct yk_str bytes, struct yk_object **ret_object,
                                      struct yk_err *err);

/*
 * The first byte chooses what is read: a kind of object, a Status, a watch stream or a list (the last two in
 * chunks of the second byte's size). Returns 0.
 */
int read_wire(enum yk_wire_format wire, yk_read_object *read_object, const uint8_t *data, size_t size);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a typed object as text, one field per line: objects with the same text are equal. */
#ifndef TEST_LIB_OBJECT_TEXT_H
#define TEST_LIB_OBJECT_TEXT_H

#include "api/object.h"

/* Appends the text of the object to `out`. */
void object_text(const struct yk_object *object, struct yk_buf *out);
/* Fails the test if the texts of the objects differ; the message has `what` and both texts. */
void assert_objects_equal(const char *what, const struct yk_object *a, const struct yk_object *b);
/* Appends the whole file `name` of test/unit/api/data to `out`. Fails the test if it cannot be read. */
void read_data(const char *name, struct yk_buf *out);

#endif

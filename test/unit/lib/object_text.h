/* SPDX-License-Identifier: Apache-2.0 */
/* A typed object as text, one field per line: two objects are equal when their texts are. */
#ifndef TEST_LIB_OBJECT_TEXT_H
#define TEST_LIB_OBJECT_TEXT_H

#include "api/object.h"

/* Appends the text of the object. */
void object_text(const struct yk_object *object, struct yk_buf *out);
/* Fails the test with both texts when they differ. Pods must be alike, too. */
void assert_objects_equal(const char *what, const struct yk_object *a, const struct yk_object *b);
/* A file of test/unit/api/data, whole; the caller's to empty. */
void read_data(const char *name, struct yk_buf *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a world's core and looks into the answer. */
#ifndef YK_TEST_WEB_BROWSER_H
#define YK_TEST_WEB_BROWSER_H

#include "lib/core_world.h"
#include "web/web.h"

#include <jansson.h>

/* GET; fails the test unless the status is `status`. yk_answer_done() the result. */
struct yk_answer browse(struct world *world, const char *target, int status);
/* GET with 200 and a JSON body; json_decref() it. */
json_t *browse_json(struct world *world, const char *target);
/* In tiny slices; `between` is called between two of them. */
json_t *browse_slices(struct world *world, const char *target, void (*between)(void *context), void *context);
/* Fails the test unless the answer to `target` is this error in the error body. */
void browse_error(struct world *world, const char *target, int status, const char *text);
/* The same for each; `what` is printed before. */
struct browse_case {
    const char *what, *target;
    int status;
    const char *text;
};
void browse_errors(struct world *world, const struct browse_case *cases, size_t count);
/* "a.b.0.c": follows keys and indexes; NULL when there is none. Borrowed. */
const json_t *look(const json_t *json, const char *path);
const char *look_text(const json_t *json, const char *path);
json_int_t look_int(const json_t *json, const char *path);
bool look_bool(const json_t *json, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* An API server that keeps what it is asked until the test answers. */
#ifndef TEST_BIND_FAKE_API_H
#define TEST_BIND_FAKE_API_H

#include "api/server.h"

struct fake_api {
    struct yk_api_server server; /* first */
    yk_watch_sink *sinks[YK_KIND_COUNT];
    void *contexts[YK_KIND_COUNT];
    struct yk_op *first, **last; /* not answered yet */
    size_t in_flight;
};

void fake_api_init(struct fake_api *api);
/* Answers what is left with YK_OP_CANCELLED. */
void fake_api_done(struct fake_api *api);
void fake_api_send(struct fake_api *api, enum yk_watch_event event, void *object);
/* REPLACE_BEGIN or REPLACE_END. */
void fake_api_list(struct fake_api *api, enum yk_kind kind, enum yk_watch_event event);
/* The oldest unanswered request of that kind about `name` (NULL: any), or NULL. */
struct yk_op *fake_api_find(struct fake_api *api, enum yk_op_kind kind, const char *name);
size_t fake_api_count(const struct fake_api *api, enum yk_op_kind kind);
/* Answers it; `reason` may be NULL. False when there is none. */
bool fake_api_answer(struct fake_api *api, enum yk_op_kind kind, const char *name, enum yk_op_result result,
                     int http, const char *reason);

#endif

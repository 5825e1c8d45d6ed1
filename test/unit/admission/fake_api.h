/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An API server in memory for the admission controller: one Secret and two webhook configurations with
 * optimistic locks, watches that the test feeds, and faults. Answers come when the test says fake_run().
 */
#ifndef YK_TEST_ADMISSION_FAKE_API_H
#define YK_TEST_ADMISSION_FAKE_API_H

#include "api/server.h"
#include "base/vec.h"

#include <jansson.h>

enum fake_object { FAKE_SECRET, FAKE_MUTATING, FAKE_VALIDATING, FAKE_OBJECTS };

struct fake_store {                /* several API clients may share one */
    json_t *objects[FAKE_OBJECTS]; /* NULL: does not exist */
    int64_t version;
};

struct fake_api {
    struct yk_api_server server; /* first */
    struct fake_store *store;
    struct yk_op *first, **last; /* waiting for their answer */
    size_t asked[YK_OP_KIND_COUNT], written;
    /* The next `fault_count` requests of `fault_kind` get `fault_status` instead. */
    enum yk_op_kind fault_kind;
    int fault_status;
    size_t fault_count;
    bool fault_happens; /* the request is carried out, its answer is lost */
    /* Called before each request is carried out; may change the store. */
    void (*before)(void *context, const struct yk_op *op);
    void *context;
    struct {
        yk_watch_sink *sink;
        void *context;
        char *namespace_;
    } watches[YK_KIND_COUNT];
    bool is_stopped;
};

void fake_init(struct fake_api *api, struct fake_store *store);
void fake_done(struct fake_api *api);
void fake_store_done(struct fake_store *store);
/* Single quotes in `json` stand for double ones. Replaces the object, with a new version. */
void fake_put(struct fake_store *store, enum fake_object which, const char *json);
/* Answers one request; false: none waits. */
bool fake_step(struct fake_api *api);
/* Answers until none waits. */
void fake_run(struct fake_api *api);
/* The text at a path of keys, "data" "cacert1.pem"; "" for none. */
const char *fake_text(const struct fake_store *store, enum fake_object which, const char *key,
                      const char *below);
/* The Secret as the chart creates it. */
#define EMPTY_SECRET                                                                                         \
    "{'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 'admission-controller-secrets', 'labels': " \
    "{'app': 'yunikorn'}}, 'type': 'Opaque'}"

/* The store of tests with fake_set_up() and fake_tear_down(). */
extern struct fake_store shared_store;
/* For cmocka: `shared_store` has only the empty Secret, and nothing is logged. */
int fake_set_up(void **state);
int fake_tear_down(void **state);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "web/shelf_priv.h"

#include "web/job.h"

struct yk_shared *yk_shared_ref(struct yk_shared *shared)
{
    shared->refs++;
    return shared;
}

void yk_shared_unref(struct yk_shared *shared)
{
    if (shared == NULL || --shared->refs > 0)
        return;
    free(shared->key);
    yk_buf_done(&shared->body);
    yk_buf_done(&shared->next_after);
    free(shared);
}

void yk_shelf_drop(struct yk_shelf *shelf, struct yk_shared *shared)
{
    for (size_t i = 0; i < YK_SHELF_MAX; i++) {
        if (shelf->entries[i] != shared)
            continue;
        shelf->entries[i] = NULL;
        yk_shared_unref(shared);
        return;
    }
}

void yk_shelf_done(struct yk_shelf *shelf)
{
    for (size_t i = 0; i < YK_SHELF_MAX; i++) {
        yk_shared_unref(shelf->entries[i]);
        shelf->entries[i] = NULL;
    }
}

struct yk_shared *yk_shelf_find(struct yk_shelf *shelf, struct yk_str key, int64_t now_mono_ns)
{
    struct yk_shared *found = NULL;
    for (size_t i = 0; i < YK_SHELF_MAX; i++) {
        struct yk_shared *shared = shelf->entries[i];
        if (shared == NULL)
            continue;
        if (shared->maker == NULL && now_mono_ns - shared->ready_mono_ns > YK_SHELF_AGE_NS)
            yk_shelf_drop(shelf, shared);
        else if (yk_str_is(key, shared->key))
            found = shared;
    }
    return found;
}

struct yk_shared *yk_shelf_begin(struct yk_shelf *shelf, struct yk_str key, struct yk_job *maker)
{
    for (size_t i = 0; i < YK_SHELF_MAX; i++) {
        if (shelf->entries[i] != NULL)
            continue;
        struct yk_shared *shared = yk_new0(struct yk_shared);
        shared->key = yk_strndup(key.p, key.len);
        shared->maker = maker;
        shared->last_waiting = &shared->waiting;
        shared->refs = 1;
        shelf->entries[i] = shared;
        return shared;
    }
    return NULL;
}

void yk_shared_wait(struct yk_shared *shared, struct yk_job *job)
{
    job->next = NULL;
    *shared->last_waiting = job;
    shared->last_waiting = &job->next;
}

struct yk_job *yk_shared_take_waiting(struct yk_shared *shared)
{
    struct yk_job *waiting = shared->waiting;
    shared->waiting = NULL;
    shared->last_waiting = &shared->waiting;
    return waiting;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long answers: a list of objects, written in slices.
 *
 * The names are collected in slices, sorted on the I/O thread and then looked up one by one: an object that
 * has gone in between is left out. Of a long list only a window of names is kept (web/names.h); they are collected
 * again for the next one, which begins where that ended. Scheduling thread.
 */
#ifndef YK_WEB_LIST_H
#define YK_WEB_LIST_H

#include "web/job.h"

enum yk_list_open { YK_LIST_REFUSED, YK_LIST_MORE, YK_LIST_READY };

struct yk_list_kind {
    /* Checks the request and collects job->names, once for each window; refused: the error is written. */
    enum yk_list_open (*open)(struct yk_job *job, int64_t until_mono_ns);
    /* Writes one object, or a part of it. */
    enum yk_step (*item)(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns);
    /* After the last object, in slices. NULL: nothing. */
    enum yk_step (*tail)(struct yk_job *job, int64_t until_mono_ns);
    /* Before the first and after the last one. NULL: the brackets of an array. */
    void (*begin)(struct yk_job *job);
    void (*end)(struct yk_job *job);
    /* Set: one object without brackets, and the text of the 404 when it goes between two slices. */
    const char *not_found;
    bool as_paths;  /* sorted as queue paths */
    bool has_page;  /* takes `limit`, `offset` and `after` */
    bool keeps_all; /* the names are needed all at once */
};

/* The work of a route that answers with a list of this kind, or with one object if `not_found` is set: a slice
 * until `until_mono_ns`. `kind` is static. Scheduling thread. */
enum yk_step yk_list_work(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns);
/* Defines the work `name` of such a route. `kind`: a struct yk_list_kind. */
#define YK_LIST_WORK(name, kind)                                                                             \
    enum yk_step name(struct yk_job *job, int64_t until_mono_ns)                                             \
    {                                                                                                        \
        return yk_list_work(job, &(kind), until_mono_ns);                                                    \
    }

/*
 * What was collected holds no more: the list is collected from the start, and goes on before `entry`, which
 * was not written. For `item`, which returns DONE then.
 */
void yk_list_collect_again(struct yk_job *job, const struct yk_name_entry *entry);

/* The list is collected once more from the start, for `tail`, which returns AGAIN then. */
void yk_list_begin_again(struct yk_job *job);

/* Sets `*number` to the value of `key` in the query; it stays as it is if the key is absent or empty. False: it is no
 * number, and the answer is the error 400. */
bool yk_list_read_number(struct yk_job *job, const char *key, uint64_t *number);

/* The partition named in the path, borrowed for the slice: look it up again in each. NULL: there is none. */
struct yk_partition *yk_list_partition(const struct yk_job *job);

#endif

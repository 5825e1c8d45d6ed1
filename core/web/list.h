/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long answers: lists of objects, written in slices.
 *
 * The names of the objects are collected in slices and sorted on the I/O thread; then the objects are looked
 * up and written one by one. An object that was removed meanwhile is left out. Only a window of
 * names is kept of a long list (web/names.h). When the objects of the window are written,
 * the names of the next window are collected.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_LIST_H
#define YK_WEB_LIST_H

#include "web/job.h"

/* The result of `open`. */
enum yk_list_open {
    YK_LIST_REFUSED, /* the request is wrong, or its object is gone: job->answer is the error */
    YK_LIST_MORE,    /* the slice is over: call `open` again in the next one */
    YK_LIST_READY,   /* all names were added to job->names */
};

/* What differs between lists. Functions with `until_mono_ns` end their slice at this time, see
 * yk_job_must_pause(). */
struct yk_list_kind {
    /* Checks the request and adds the names of all objects to job->names, which keeps those of the window.
     * Called for each window, and again after YK_LIST_MORE. */
    enum yk_list_open (*open)(struct yk_job *job, int64_t until_mono_ns);
    /* Writes the object of `entry`, or nothing if it is gone. YK_STEP_DONE: it is complete. YK_STEP_AGAIN:
     * called again in the next slice. YK_STEP_SORT: called again when job->sorting is sorted. */
    enum yk_step (*item)(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns);
    /* Writes what comes between the last object and `end`, in slices. NULL: nothing. */
    enum yk_step (*tail)(struct yk_job *job, int64_t until_mono_ns);
    /* Writes what comes before the first object. NULL: the bracket of an array, unless `not_found` is set. */
    void (*begin)(struct yk_job *job);
    /* Writes the end of the answer, also its newline. NULL: as for `begin`, and a newline. */
    void (*end)(struct yk_job *job);
    /* Not NULL: the answer is one object without brackets, and this is the text of the error 404 if the
     * object is removed between two slices. */
    const char *not_found;
    bool as_paths; /* sorted as queue paths (yk_names.as_paths) */
    bool has_page; /* the query may have `limit`, `offset`, `after` and `fields` */
};

/* The work of a route that answers with a list of this kind, or with one object if `not_found` is set. `kind`
 * is static. Does one step; its caller calls it again after the results that enum yk_step names
 * (web/router.h), and has sorted job->sorting after YK_STEP_SORT (yk_job_sort()). job->stage, `at`, `end`,
 * `selection` and `walk` belong to it. `cursor` belongs to `open` and `item`, and is NULL when a window
 * begins. */
enum yk_step yk_list_work(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns);
/* Defines `name` as the work of such a route. `kind`: a static struct yk_list_kind. */
#define YK_LIST_WORK(name, kind)                                                                             \
    enum yk_step name(struct yk_job *job, int64_t until_mono_ns)                                             \
    {                                                                                                        \
        return yk_list_work(job, &(kind), until_mono_ns);                                                    \
    }

/*
 * Makes yk_list_work() collect the names again, because those in job->names are no longer right, and continue
 * with `entry`. Only `item` calls it, with the entry that it got, and only if it has written nothing of it;
 * `item` then returns YK_STEP_DONE. All entries, `entry` too, are invalid afterwards. yk_list_work() calls
 * `open` again in a later slice: `open` also stores again what `item` compares, such as job->seen.
 */
void yk_list_collect_again(struct yk_job *job, const struct yk_name_entry *entry);

/* Sets `*number` to the value of `key` in the query. Unchanged if the key is absent, or its value is empty:
 * the caller sets the default before. False: the value is no number or above UINT64_MAX, and job->answer is the
 * error 400. A list with `has_page` reads "limit" and "offset" itself. */
bool yk_list_read_number(struct yk_job *job, const char *key, uint64_t *number);
/* Whether job->selection has not too many filters. False: job->answer is the error 400. A list with
 * `has_page` checks this itself. */
bool yk_list_check_filters(struct yk_job *job);

/* The partition that the path of the request names, borrowed for the slice: look it up again in the next one.
 * NULL: there is none. */
struct yk_partition *yk_list_partition(const struct yk_job *job);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/submissions.h"

#include "base/log.h"
#include "objects/tags.h"
#include "partition/partition.h"
#include "state/core.h"

/* The times that si.h names are those of users.h. */
YK_STATIC_ASSERT(YK_SI_APP_ANSWER_NS == YK_USERS_PATIENCE_NS, "patience");
YK_STATIC_ASSERT(YK_SI_FORCED_APP_ANSWER_NS == YK_USERS_FORCED_PATIENCE_NS, "patience");

struct yk_submission {
    struct yk_user_wait wait;
    struct yk_partition *partition; /* borrowed */
    struct yk_list in_list;
    /* A copy of the request, and what it points to. */
    struct yk_si_new_app app;
    char *id, *queue, *user; /* owned */
    struct yk_tags tags;
    struct yk_si_tag *tag_views; /* owned; `app.tags`, with texts in `tags` */
    struct yk_resvec placeholder_ask;
};

void yk_submissions_init(struct yk_submissions *submissions)
{
    yk_list_init(&submissions->list);
}

/* Copies the request without the groups of the user: with groups a submission does not wait. */
static struct yk_submission *copy_of(struct yk_partition *partition, const struct yk_si_new_app *request)
{
    struct yk_submission *copy = yk_new0(struct yk_submission);
    copy->partition = partition;
    copy->app = *request;
    copy->app.partition = partition->name;
    copy->app.application_id = copy->id = yk_strdup(request->application_id);
    copy->app.queue = copy->queue = yk_strdup(request->queue != NULL ? request->queue : "");
    copy->user = yk_strdup(request->ugi.user);
    copy->app.ugi = (struct yk_si_ugi){.user = copy->user};
    yk_tags_init(&copy->tags, request->tags, request->tag_count);
    copy->tag_views = yk_new0_array(struct yk_si_tag, request->tag_count);
    copy->app.tags = copy->tag_views;
    copy->app.tag_count = 0;
    for (uint32_t at = 0; copy->app.tag_count < request->tag_count; copy->app.tag_count++) {
        struct yk_si_tag *view = &copy->tag_views[copy->app.tag_count];
        if (!yk_tags_next(&copy->tags, &at, &view->key, &view->value))
            break;
    }
    if (request->placeholder_ask != NULL) {
        yk_resvec_copy(&copy->placeholder_ask, request->placeholder_ask);
        copy->app.placeholder_ask = &copy->placeholder_ask;
    }
    return copy;
}

/* Removes the submission from the table and the list; the caller frees it. */
static void leave(struct yk_submission *submission)
{
    (void)yk_strmap_remove(&submission->partition->submissions.by_id,
                           yk_str_from(submission->id)); /* returns `submission` */
    yk_list_remove(&submission->in_list);
}

static void submission_free(struct yk_submission *submission)
{
    free(submission->id);
    free(submission->queue);
    free(submission->user);
    yk_tags_done(&submission->tags);
    free(submission->tag_views);
    yk_resvec_done(&submission->placeholder_ask);
    free(submission);
}

static void resolved(struct yk_user_wait *wait, const struct yk_user *user, const char *why)
{
    struct yk_submission *submission = YK_CONTAINER(wait, struct yk_submission, wait);
    leave(submission);
    yk_partition_admit(submission->partition, &submission->app, user, why);
    submission_free(submission);
}

enum yk_status yk_submission_add(struct yk_partition *partition, const struct yk_si_new_app *request,
                                 bool forced, struct yk_err *err)
{
    struct yk_submissions *submissions = &partition->submissions;
    if (!forced && submissions->by_id.count >= YK_SUBMISSIONS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%zu applications wait for the groups of their users already",
                       submissions->by_id.count);
    struct yk_submission *submission = copy_of(partition, request);
    const struct yk_user_request who = {.user = submission->user, .forced = forced};
    submission->wait.resolved = resolved;
    (void)yk_strmap_put(&submissions->by_id, yk_str_from(submission->id), submission); /* the id is new */
    yk_list_append(&submissions->list, &submission->in_list);
    yk_debug(yk_log_app, "application waits for the groups of its user", KV("app", submission->id),
             KV("user", submission->user));
    yk_users_wait(partition->users, &who, &submission->wait);
    return YK_OK;
}

bool yk_submission_cancel(struct yk_partition *partition, const char *application_id)
{
    struct yk_submission *submission =
        yk_strmap_get(&partition->submissions.by_id, yk_str_from(application_id));
    if (submission == NULL)
        return false;
    yk_users_cancel(partition->users, &submission->wait);
    leave(submission);
    submission_free(submission);
    return true;
}

void yk_submissions_done(struct yk_partition *partition)
{
    const struct yk_rm *rm = partition->rm;
    struct yk_submission *submission;
    yk_list_foreach (submission, &partition->submissions.list, struct yk_submission, in_list) {
        yk_users_cancel(partition->users, &submission->wait);
        leave(submission);
        if (rm->callbacks.app_rejected != NULL)
            rm->callbacks.app_rejected(rm->context, submission->id, "the partition is removed",
                                       submission->app.cookie);
        submission_free(submission);
    }
    yk_strmap_done(&partition->submissions.by_id);
}

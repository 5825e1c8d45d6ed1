/* SPDX-License-Identifier: Apache-2.0 */
#include "report/rm_calls.h"

#include "state/core.h"

void yk_rm_call_allocated(const struct yk_partition *partition, const struct yk_ask *ask)
{
    const struct yk_rm *rm = partition->rm;
    struct yk_si_allocated allocated = {
        .application_id = yk_ask_app(ask)->id,
        .key = ask->key,
        .node_id = ask->node->id,
        .ask_cookie = ask->cookie,
        .node_cookie = ask->node->cookie,
    };
    partition->core->metrics.containers_allocated++;
    if (rm->callbacks.allocated != NULL)
        rm->callbacks.allocated(rm->context, &allocated);
}

void yk_rm_call_released(const struct yk_partition *partition, const struct yk_ask *ask,
                         enum yk_si_termination why, const char *message)
{
    const struct yk_rm *rm = partition->rm;
    struct yk_si_released released = {
        .application_id = yk_ask_app(ask)->id,
        .key = ask->key,
        .termination = why,
        .message = message != NULL ? message : "",
        .ask_cookie = ask->cookie,
    };
    partition->core->metrics.containers_released++;
    if (rm->callbacks.released != NULL)
        rm->callbacks.released(rm->context, &released);
}

static void take_tags(void *context, const struct yk_si_tag *tags, size_t count)
{
    yk_tags_init(context, tags, count);
}

static void copy_tags(const struct yk_tags *from, struct yk_tags *to)
{
    *to = *from;
    to->block = yk_strndup(from->block, from->bytes);
}

void yk_rm_call_ask_tags(const struct yk_partition *partition, const struct yk_ask *ask,
                         struct yk_tags *ret_tags)
{
    const struct yk_rm *rm = partition->rm;
    *ret_tags = (struct yk_tags){0};
    if (yk_ask_tags(ask)->count > 0)
        copy_tags(yk_ask_tags(ask), ret_tags);
    else if (rm->callbacks.allocation_tags != NULL && ask->cookie != NULL)
        rm->callbacks.allocation_tags(rm->context, ask->cookie, take_tags, ret_tags);
}

void yk_rm_call_wait_words(const struct yk_partition *partition, const struct yk_ask *ask,
                           struct yk_buf *words)
{
    const struct yk_rm *rm = partition->rm;
    if (rm->callbacks.add_wait_reason != NULL)
        rm->callbacks.add_wait_reason(rm->context, ask->cookie, words);
}

void yk_rm_call_gang_unused(const struct yk_app *app, struct yk_buf *why)
{
    const struct yk_rm *rm = app->partition->rm;
    if (rm->callbacks.gang_unused != NULL)
        rm->callbacks.gang_unused(rm->context, app->id, why);
}

static void name_from_tags(const struct yk_partition *partition, const struct yk_ask *ask,
                           struct yk_buf *namespace_, struct yk_buf *name)
{
    YK_CLEANUP(yk_tags_done) struct yk_tags tags;
    yk_rm_call_ask_tags(partition, ask, &tags);
    const char *named = yk_tags_get(&tags, "kubernetes.io/meta/podName");
    const char *within = yk_tags_get(&tags, "kubernetes.io/meta/namespace");
    yk_buf_text(namespace_, within != NULL ? within : "");
    yk_buf_text(name, named != NULL ? named : ask->key);
}

void yk_rm_call_ask_name(const struct yk_partition *partition, const struct yk_ask *ask,
                         struct yk_buf *namespace_, struct yk_buf *name)
{
    const struct yk_rm *rm = partition->rm;
    YK_CLEANUP(yk_buf_done) struct yk_buf handle = {0};
    struct yk_str rest, within;
    if (rm->callbacks.ask_handle != NULL && ask->cookie != NULL)
        rm->callbacks.ask_handle(rm->context, ask->cookie, &handle);
    rest = yk_buf_view(&handle);
    if (handle.len == 0 || !yk_str_split(&rest, '/', &within)) {
        name_from_tags(partition, ask, namespace_, name);
        return;
    }
    yk_buf_str(namespace_, within);
    yk_buf_str(name, rest);
}

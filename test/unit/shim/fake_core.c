/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/fake_core.h"

static void say(struct yk_core *core, const char *format, ...) YK_PRINTF(2, 3);
/* What was promised of keys is kept for as long as their asks are there. */
static void look_at_keys(const struct yk_core *core)
{
    for (size_t i = 0; i < core->ask_count; i++) {
        const struct fake_ask *ask = &core->asks[i];
        if (ask->stays != NULL && strcmp(ask->stays, ask->key) != 0)
            abort();
    }
}

static void say(struct yk_core *core, const char *format, ...)
{
    va_list args;
    look_at_keys(core);
    va_start(args, format);
    if (core->log.len > 0)
        yk_buf_text(&core->log, "; ");
    yk_buf_vprintf(&core->log, format, args);
    va_end(args);
}

struct fake_ask *fake_core_ask(struct yk_core *core, const char *key)
{
    for (size_t i = 0; i < core->ask_count; i++) {
        if (strcmp(core->asks[i].key, key) == 0)
            return &core->asks[i];
    }
    return NULL;
}

static struct fake_node *node_named(struct yk_core *core, const char *name)
{
    for (size_t i = 0; i < core->node_count; i++) {
        if (strcmp(core->nodes[i].name, name) == 0)
            return &core->nodes[i];
    }
    return NULL;
}

enum yk_status yk_core_register(struct yk_core *core, const struct yk_si_register *request,
                                const struct yk_si_callbacks *callbacks, void *rm, struct yk_err *err)
{
    if (core->refuse_config != NULL)
        return yk_fail(err, YK_ERR_INVALID, "%s", core->refuse_config);
    core->callbacks = callbacks;
    core->rm = rm;
    say(core, "register %s %s", request->rm_id, request->policy_group);
    yk_buf_clear(&core->config);
    yk_buf_str(&core->config, request->config);
    return YK_OK;
}

void yk_core_unregister(struct yk_core *core, const char *rm_id)
{
    (void)rm_id; /* there is one */
    look_at_keys(core);
    while (core->ask_count > 0)
        yk_resvec_done(&core->asks[--core->ask_count].size);
}

struct yk_reload {
    char *rm_id;
    struct yk_buf text;
    char *source, *refusal;
    bool prepared;
};

enum yk_status yk_core_reload_begin(struct yk_core *core, const struct yk_si_register *request,
                                    struct yk_reload **ret_reload, struct yk_err *err)
{
    (void)err;
    (void)snprintf(core->last_source, sizeof(core->last_source), "%s", request->source);
    *ret_reload = yk_new0(struct yk_reload);
    (*ret_reload)->rm_id = yk_strdup(request->rm_id);
    (*ret_reload)->source = yk_strdup_or_null(request->source);
    (*ret_reload)->refusal = yk_strdup_or_null(request->refusal);
    yk_buf_str(&(*ret_reload)->text, request->config);
    return YK_OK;
}

void yk_reload_prepare(struct yk_reload *reload)
{
    reload->prepared = true;
}

enum yk_status yk_core_reload_finish(struct yk_core *core, struct yk_reload *reload,
                                     struct yk_si_told *ret_told, struct yk_err *err)
{
    if (!reload->prepared)
        return yk_fail(err, YK_ERR_STATE, "not prepared");
    if (reload->refusal != NULL) {
        say(core, "refused %s from %s: %s", reload->rm_id, reload->source, reload->refusal);
        return yk_fail(err, YK_ERR_INVALID, "%s", reload->refusal);
    }
    if (core->refuse_config != NULL)
        return yk_fail(err, YK_ERR_INVALID, "%s", core->refuse_config);
    say(core, "reload %s", reload->rm_id);
    yk_buf_clear(&core->config);
    yk_buf_str(&core->config, yk_buf_view(&reload->text));
    *ret_told = (struct yk_si_told){
        .changed = true, .partitions_added = core->adds_partitions, .summary = "queues added: 1"};
    return YK_OK;
}

void yk_reload_free(struct yk_reload *reload)
{
    if (reload == NULL)
        return;
    free(reload->rm_id);
    free(reload->source);
    free(reload->refusal);
    yk_buf_done(&reload->text);
    free(reload);
}

static bool is_forced(const struct yk_si_new_app *app)
{
    for (size_t i = 0; i < app->tag_count; i++) {
        if (strcmp(app->tags[i].key, YK_SI_TAG_FORCE_CREATE) == 0)
            return strcmp(app->tags[i].value, "true") == 0;
    }
    return false;
}

enum yk_status yk_core_add_app(struct yk_core *core, const char *rm_id, const struct yk_si_new_app *app)
{
    (void)rm_id;
    say(core, "app %s", app->application_id);
    (void)snprintf(core->last_queue, sizeof(core->last_queue), "%s", app->queue != NULL ? app->queue : "");
    (void)snprintf(core->last_user, sizeof(core->last_user), "%s",
                   app->ugi.user != NULL ? app->ugi.user : "");
    core->last_members =
        app->placeholder_ask != NULL ? yk_resvec_get(app->placeholder_ask, YK_RESTYPE_PODS) : 0;
    core->last_timeout_ns = app->placeholder_timeout_ns;
    core->last_style = app->gang_style;
    if (core->late_answers && !(core->takes_forced && is_forced(app)))
        return YK_OK;
    if (core->refuse_app != NULL && !(core->takes_forced && is_forced(app)))
        core->callbacks->app_rejected(core->rm, app->application_id, core->refuse_app, app->cookie);
    else
        core->callbacks->app_accepted(core->rm, app->application_id, app->cookie);
    return YK_OK;
}

void fake_core_answer_app(struct yk_core *core, const char *id, bool accept)
{
    if (accept)
        core->callbacks->app_accepted(core->rm, id, NULL);
    else
        core->callbacks->app_rejected(core->rm, id, "no: because: of this", NULL);
}

void fake_core_app_state(struct yk_core *core, const char *id, enum yk_app_state state,
                         enum yk_si_failure failure, const char *message)
{
    const struct yk_si_app_update update = {
        .application_id = id, .state = state, .failure = failure, .message = message};
    core->callbacks->app_updated(core->rm, &update);
}

void fake_core_waits(struct yk_core *core, const char *key, enum yk_si_scheduling_state state,
                     enum yk_si_obstacle obstacle, const char *reason)
{
    const struct fake_ask *ask = fake_core_ask(core, key);
    const struct yk_si_waiting waiting = {.application_id = ask->app,
                                          .key = key,
                                          .state = state,
                                          .obstacle = obstacle,
                                          .reason = reason,
                                          .ask_cookie = ask->cookie};
    core->callbacks->scheduling_state(core->rm, &waiting);
}

enum yk_status yk_core_remove_app(struct yk_core *core, const char *rm_id, const char *id,
                                  const char *partition)
{
    (void)rm_id, (void)partition;
    say(core, "remove app %s", id);
    return YK_OK;
}

static void put_tags(char *to, size_t size, const struct yk_si_tag *tags, size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < count && at < size; i++)
        at += (size_t)snprintf(to + at, size - at, "%s%s=%s", i > 0 ? " " : "", tags[i].key, tags[i].value);
}

enum yk_status yk_core_update_allocation(struct yk_core *core, const char *rm_id,
                                         const struct yk_si_allocation *from)
{
    (void)rm_id;
    bool placed = from->node_id != NULL && *from->node_id != '\0';
    struct fake_ask *ask = fake_core_ask(core, from->key);
    say(core, "%s%s %s%s%s", ask != NULL ? "again " : "",
        from->foreign ? "foreign"
        : placed      ? "alloc"
                      : "ask",
        from->key, placed ? "@" : "", placed ? from->node_id : "");
    if (core->refuse_ask != NULL) {
        core->callbacks->allocation_rejected(core->rm, from->application_id, from->key, core->refuse_ask,
                                             from->cookie);
        return YK_OK;
    }
    bool was_placed = ask != NULL && ask->node[0] != '\0';
    const char *stays = ask != NULL ? ask->stays : from->key_stays ? from->key : NULL;
    if (ask == NULL) {
        ask = &core->asks[core->ask_count++];
        if (core->ask_count > YK_COUNT(core->asks))
            abort();
        memset(ask, 0, sizeof(*ask));
    }
    yk_resvec_copy(&ask->size, from->resource);
    ask->cookie = from->cookie;
    ask->stays = stays;
    ask->class_ = from->scheduling_class;
    ask->foreign = from->foreign;
    ask->placeholder = from->placeholder;
    ask->originator = from->originator;
    snprintf(ask->group, sizeof(ask->group), "%s", from->task_group != NULL ? from->task_group : "");
    put_tags(ask->tags, sizeof(ask->tags), from->tags, from->tag_count);
    snprintf(ask->key, sizeof(ask->key), "%s", from->key);
    snprintf(ask->app, sizeof(ask->app), "%s", from->application_id != NULL ? from->application_id : "");
    snprintf(ask->node, sizeof(ask->node), "%s", placed ? from->node_id : "");
    if (placed && !was_placed && !from->foreign) {
        const struct yk_si_allocated answer = {ask->app, ask->key, ask->node, ask->cookie,
                                               node_named(core, ask->node)->cookie};
        core->callbacks->allocated(core->rm, &answer);
    }
    return YK_OK;
}

/* The last one takes its place. */
static void remove_ask(struct yk_core *core, struct fake_ask *ask)
{
    yk_resvec_done(&ask->size);
    core->ask_count--;
    memmove(ask, &core->asks[core->ask_count], sizeof(*ask));
}

enum yk_status yk_core_release(struct yk_core *core, const char *rm_id, const struct yk_si_release *release)
{
    (void)rm_id;
    say(core, "release %s %d", release->key, (int)release->termination);
    struct fake_ask *ask = fake_core_ask(core, release->key);
    if (ask == NULL)
        return YK_OK;
    if (release->termination == YK_SI_SCHEDULING_FAILED_ON_RM)
        ask->node[0] = '\0';
    else
        remove_ask(core, ask);
    return YK_OK;
}

void fake_core_wants_gone(struct yk_core *core, const char *key, enum yk_si_termination why,
                          const char *message)
{
    struct fake_ask *ask = fake_core_ask(core, key);
    const struct yk_si_released release = {"app", key, why, message, ask->cookie};
    if (why == YK_SI_TIMEOUT && ask->node[0] == '\0')
        remove_ask(core, ask);
    core->callbacks->released(core->rm, &release);
}

static void node_gone(struct yk_core *core, struct fake_node *node)
{
    for (size_t i = core->ask_count; i-- > 0;) {
        struct fake_ask ask = core->asks[i];
        if (strcmp(ask.node, node->name) != 0)
            continue;
        remove_ask(core, &core->asks[i]);
        const struct yk_si_released released = {ask.app, ask.key, YK_SI_STOPPED_BY_RM, "node gone",
                                                ask.cookie};
        if (!ask.foreign)
            core->callbacks->released(core->rm, &released);
    }
    *node = core->nodes[--core->node_count];
}

enum yk_status yk_core_update_node(struct yk_core *core, const char *rm_id, const struct yk_si_node *request)
{
    (void)rm_id;
    say(core, "node %s %d%s%s", request->node_id, (int)request->action,
        request->capacity != NULL ? " capacity" : "", request->constraints_changed ? " constraints" : "");
    struct fake_node *node = node_named(core, request->node_id);
    if (request->action == YK_SI_NODE_CREATE_DRAIN && core->refuse_node) {
        core->callbacks->node_rejected(core->rm, request->node_id, "refused", request->cookie);
    } else if (request->action == YK_SI_NODE_CREATE_DRAIN) {
        node = &core->nodes[core->node_count++];
        *node = (struct fake_node){.cookie = request->cookie};
        snprintf(node->name, sizeof(node->name), "%s", request->node_id);
        put_tags(node->attributes, sizeof(node->attributes), request->attributes, request->attribute_count);
        core->callbacks->node_accepted(core->rm, request->node_id, request->cookie);
    } else if (request->action == YK_SI_NODE_DECOMMISSION) {
        node_gone(core, node);
    } else if (request->action == YK_SI_NODE_DRAIN || request->action == YK_SI_NODE_DRAIN_TO_SCHEDULABLE) {
        node->enabled = request->action == YK_SI_NODE_DRAIN_TO_SCHEDULABLE;
    }
    return YK_OK;
}

bool fake_core_decide(struct yk_core *core, const char *key, const char *name)
{
    struct fake_ask *ask = fake_core_ask(core, key);
    const struct fake_node *node = node_named(core, name);
    if (ask == NULL || ask->node[0] != '\0' || node == NULL || !node->enabled)
        return false;
    if (!core->callbacks->class_fits(core->rm, ask->class_, node->cookie))
        return false;
    snprintf(ask->node, sizeof(ask->node), "%s", name);
    const struct yk_si_allocated decision = {ask->app, ask->key, ask->node, ask->cookie, node->cookie};
    core->callbacks->allocated(core->rm, &decision);
    return true;
}

enum yk_status yk_core_namespace_changed(struct yk_core *core, const char *rm_id, const char *application_id,
                                         const char *partition, const struct yk_si_tag *tags, size_t count)
{
    (void)rm_id;
    (void)partition;
    const char *sep = core->log.len > 0 ? "; " : "";
    yk_buf_printf(&core->log, "%snamespace of %s", sep, application_id);
    for (size_t i = 0; i < count; i++)
        yk_buf_printf(&core->log, " %s", *tags[i].value != '\0' ? tags[i].value : "-");
    return YK_OK;
}

enum yk_status yk_core_gang_changed(struct yk_core *core, const char *rm_id, const char *application_id,
                                    const char *partition, const struct yk_resvec *total)
{
    (void)rm_id;
    (void)partition;
    yk_resvec_copy(&core->last_total, total);
    yk_buf_printf(&core->log, "%sgang of %s", core->log.len > 0 ? "; " : "", application_id);
    return YK_OK;
}

void yk_core_wake_class(struct yk_core *core, const char *rm_id, yk_si_class scheduling_class)
{
    (void)core, (void)rm_id, (void)scheduling_class; /* the test decides */
}

bool yk_core_node_is_reserved(const struct yk_core *core, const char *rm_id, const char *node_id)
{
    (void)rm_id;
    return core->reserved_node != NULL && strcmp(core->reserved_node, node_id) == 0;
}

struct yk_si_why yk_core_why(const struct yk_core *core, const char *rm_id, const char *application_id,
                             const char *key, struct yk_si_why_text *text)
{
    (void)rm_id, (void)application_id, (void)key;
    if (text != NULL && core->sentence != NULL)
        yk_buf_text(&text->sentence, core->sentence);
    if (text != NULL && core->refusal != NULL)
        yk_buf_text(&text->refusal, core->refusal);
    return core->why;
}

struct yk_si_start yk_core_start(const struct yk_core *core, const char *rm_id, const char *application_id,
                                 const char *key, const struct yk_si_start *like)
{
    (void)rm_id, (void)application_id, (void)key;
    struct yk_si_start start = core->start;
    if (like != NULL && like->is_by_nodes)
        start.ends_by_itself = like->ends_by_itself;
    return start;
}

struct yk_si_why yk_core_why_gang(const struct yk_core *core, const char *rm_id, const char *application_id,
                                  const struct yk_si_gang_wait *wait, struct yk_buf *text)
{
    (void)rm_id, (void)application_id;
    yk_buf_printf(text, "%llu of %llu placed", (unsigned long long)wait->placed,
                  (unsigned long long)wait->members);
    return core->why;
}

void yk_core_allocation_bound(struct yk_core *core, const char *rm_id, const char *application_id,
                              const char *key)
{
    (void)core, (void)rm_id, (void)application_id, (void)key;
}

const char *yk_core_allocation_node(const struct yk_core *core, const char *rm_id, const char *application_id,
                                    const char *key)
{
    (void)rm_id;
    for (size_t i = 0; i < core->ask_count; i++) {
        const struct fake_ask *ask = &core->asks[i];
        if (!ask->foreign && strcmp(ask->key, key) == 0 && strcmp(ask->app, application_id) == 0)
            return ask->node[0] != '\0' ? ask->node : NULL;
    }
    return NULL;
}

void yk_core_signatures_changed(struct yk_core *core, const char *rm_id)
{
    (void)core, (void)rm_id; /* as above */
}

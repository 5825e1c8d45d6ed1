/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `kubectl yunikorn why`: why a pod or an application waits, when it could start, and which pods are ahead of
 * it.
 *
 * A name without prefix is an application if there is one of that name, and a pod otherwise; pod/NAME and
 * app/NAME say which is meant. A pod may have its namespace in front of its name, as lists show it; if there is
 * no such pod, the name is the id of an application that has a slash. An
 * application that has ended is taken if there is neither a live one nor a pod of that name. The pod is read
 * from the API server, because its labels or annotations name its application. Without an API server (--server
 * without --kubeconfig and --context), the pod is searched in the list of waiting pods of the scheduler.
 */
#include "api/application_id.h"
#include "api/json_reader.h"
#include "api/pod_keys.h"
#include "base/clock.h"
#include "client/url.h"
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_ended.h"
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_pending.h"
#include "cmd/kubectl_quantity.h"

#include <inttypes.h>

enum {
    POD_BYTES_MAX = 8 << 20,
    PAGE = 1000,
    PAGES_MAX = 200, /* most pages of the list of waiting pods that a search for a pod reads */
    APP_ROWS = 20,
};

/* ---- printing ---- */

static void print_text(const struct yk_ctl *ctl, const char *label, const json_t *object, const char *key)
{
    yk_ctl_print_field(ctl, label, yk_str_from(yk_ctl_text(object, key)));
}

static void print_wait(const struct yk_ctl *ctl, const json_t *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 512};
    int64_t since = yk_ctl_number(answer, "since"), attempts = yk_ctl_number(answer, "attempts");
    if (since <= 0)
        return;
    yk_cell_age(ctl, since, &text);
    if (attempts > 0) {
        yk_buf_printf(&text, ", %" PRId64 " attempt%s, the last one ", attempts, attempts == 1 ? "" : "s");
        yk_cell_age(ctl, yk_ctl_number(answer, "lastAttempt"), &text);
        yk_buf_text(&text, " ago");
    }
    yk_ctl_print_field(ctl, "Waits", yk_buf_view(&text));
}

static void print_position(const struct yk_ctl *ctl, const json_t *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 8192};
    const json_t *ahead = json_object_get(answer, "ahead"),
                 *position = json_object_get(answer, "positionInQueue");
    int64_t in_app = yk_ctl_number(answer, "positionInApplication");
    if (!json_is_integer(position))
        return;
    yk_buf_printf(&text, "%" JSON_INTEGER_FORMAT " ahead in queue %s", json_integer_value(position),
                  yk_ctl_text(answer, "queueName"));
    for (size_t i = 0; i < json_array_size(ahead); i++) {
        const json_t *other = json_array_get(ahead, i);
        int64_t pods = yk_ctl_number(other, "pods");
        yk_buf_printf(&text, "%s%s", i == 0 ? ": " : ", ", yk_ctl_text(other, "podName"));
        if (pods > 1)
            yk_buf_printf(&text, " and %" PRId64 " more", pods - 1);
        yk_buf_printf(&text, " (%s of %s)", yk_ctl_text(other, "applicationID"), yk_ctl_text(other, "user"));
    }
    if (in_app > 0)
        yk_buf_printf(&text, "%s%" PRId64 " of its own application",
                      json_array_size(ahead) == 0 ? ": " : ", ", in_app);
    yk_ctl_print_field(ctl, "Position", yk_buf_view(&text));
}

static void print_estimate(const struct yk_ctl *ctl, const json_t *estimate)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4096};
    int64_t earliest = yk_ctl_number(estimate, "earliest"), latest = yk_ctl_number(estimate, "latest");
    if (!json_is_object(estimate))
        return;
    if (strcmp(yk_ctl_text(estimate, "state"), "estimated") == 0) {
        yk_buf_text(&text, "in about ");
        yk_age_put(&text, earliest - ctl->now_ns);
        yk_buf_text(&text, " to ");
        yk_age_put(&text, latest - ctl->now_ns);
        yk_buf_text(&text, ", an estimate");
    } else {
        yk_buf_text(&text, "unknown");
    }
    if (yk_ctl_text(estimate, "basis")[0] != '\0')
        yk_buf_printf(&text, " (%s)", yk_ctl_text(estimate, "basis"));
    yk_ctl_print_field(ctl, "Starts", yk_buf_view(&text));
}

static void print_gang_timeout(const struct yk_ctl *ctl, const json_t *timeout)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 512};
    bool fails = strcmp(yk_ctl_text(timeout, "outcome"), "applicationFails") == 0;
    if (!json_is_object(timeout))
        return;
    yk_buf_text(&text, "in ");
    yk_age_put(&text, yk_i64_sub(yk_ctl_number(timeout, "time"), ctl->now_ns));
    yk_buf_printf(&text, " %s%s", fails ? "the application fails" : "its pods are scheduled without it",
                  json_is_true(json_object_get(timeout, "isCertain")) ? "" : ", unless it is complete");
    if (json_is_true(json_object_get(timeout, "mayBeginAgain")))
        yk_buf_text(&text, " or gives way again, and the time begins again");
    yk_ctl_print_field(ctl, "Gang", yk_buf_view(&text));
}

static void add_amounts(struct yk_buf *text, const char *word, const json_t *limit, const char *key)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf amounts = {.max = 64 << 10};
    if (strcmp(key, "requested") == 0)
        yk_request_put(&amounts, json_object_get(limit, key), true);
    else
        yk_quantities_put(&amounts, json_object_get(limit, key), strcmp(key, "missing") != 0);
    if (amounts.len > 0)
        yk_buf_printf(text, "; %s %s", word, yk_buf_cstr(&amounts));
}

static void print_limit(const struct yk_ctl *ctl, const json_t *limit)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    const char *kind = yk_ctl_text(limit, "kind"), *queue = yk_ctl_text(limit, "queueName");
    if (!json_is_object(limit))
        return;
    yk_buf_printf(&text, "%s %s", kind, yk_ctl_text(limit, "name"));
    if (strcmp(kind, "queue") != 0 && queue[0] != '\0')
        yk_buf_printf(&text, " in queue %s", queue);
    add_amounts(&text, "maximum", limit, "max");
    add_amounts(&text, "used", limit, "used");
    add_amounts(&text, "requested", limit, "requested");
    add_amounts(&text, "missing", limit, "missing");
    if (json_is_integer(json_object_get(limit, "maxApplications")))
        yk_buf_printf(&text, "; maximum applications %" PRId64 "; running %" PRId64,
                      yk_ctl_number(limit, "maxApplications"), yk_ctl_number(limit, "runningApplications"));
    yk_ctl_print_field(ctl, "Limit", yk_buf_view(&text));
}

static void add_counts(struct yk_buf *text, const json_t *counts, const char *prefix)
{
    json_t *members = (json_t *)(uintptr_t)counts; /* jansson's iterators do not change it */
    for (void *at = json_object_iter(members); at != NULL; at = json_object_iter_next(members, at)) {
        const char *key = json_object_iter_key(at);
        yk_buf_printf(text, ", %" JSON_INTEGER_FORMAT " %s%s", json_integer_value(json_object_iter_value(at)),
                      prefix, prefix[0] != '\0' ? yk_resource_word(key) : key);
    }
}

/* Prints the sentence of the node filters. It follows the message directly, because it may be the whole
 * answer, for example that a volume claim is missing. If the pod waits for its gang, the sentence is about a
 * placeholder, whose name is printed before it. */
static void print_filters(const struct yk_ctl *ctl, const json_t *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    const char *words = yk_ctl_text(json_object_get(answer, "nodes"), "words");
    const char *placeholder = yk_ctl_text(json_object_get(answer, "gang"), "podName");
    if (words[0] == '\0')
        return;
    yk_buf_printf(&text, "%s%s%s", placeholder, placeholder[0] != '\0' ? ": " : "", words);
    yk_ctl_print_field(ctl, "Filters", yk_buf_view(&text));
}

static void print_nodes(const struct yk_ctl *ctl, const json_t *nodes)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    const json_t *examples = json_object_get(nodes, "examples");
    int64_t unschedulable = yk_ctl_number(nodes, "unschedulable");
    if (!json_is_object(nodes))
        return;
    yk_buf_printf(&text, "%" PRId64 " in all", yk_ctl_number(nodes, "total"));
    /* The sentence of the filters, if there is one, has these numbers already. */
    if (yk_ctl_text(nodes, "words")[0] == '\0') {
        if (unschedulable > 0)
            yk_buf_printf(&text, ", %" PRId64 " unschedulable", unschedulable);
        add_counts(&text, json_object_get(nodes, "insufficient"), "without enough ");
        add_counts(&text, json_object_get(nodes, "predicates"), "");
    }
    for (size_t i = 0; i < json_array_size(examples); i++) {
        const char *name = json_string_value(json_array_get(examples, i));
        yk_buf_printf(&text, "%s%s", i == 0 ? "; nearest " : ", ", name != NULL ? name : "");
    }
    yk_ctl_print_field(ctl, "Nodes", yk_buf_view(&text));
}

/* Prints all obstacles but the first, which is the reason that was printed already. */
static void print_obstacles(const struct yk_ctl *ctl, const json_t *obstacles)
{
    for (size_t i = 1; i < json_array_size(obstacles); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
        const json_t *obstacle = json_array_get(obstacles, i);
        yk_buf_printf(&text, "%s: %s", yk_ctl_text(obstacle, "reason"), yk_ctl_text(obstacle, "message"));
        yk_ctl_print_field(ctl, "Then", yk_buf_view(&text));
    }
}

static void print_preemption(const struct yk_ctl *ctl, const json_t *preemption)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 8192};
    const char *message = yk_ctl_text(preemption, "message");
    if (message[0] == '\0') /* preemption was not tried */
        return;
    const char *state = yk_ctl_text(preemption, "state");
    yk_buf_printf(&text, "%s: %s", strcmp(state, "inProgress") == 0 ? "in progress" : "no", message);
    yk_ctl_print_field(ctl, "Preemption", yk_buf_view(&text));
}

/* Prints what follows reason and message. */
static void print_details(const struct yk_ctl *ctl, const json_t *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf request = {.max = 64 << 10};
    const json_t *nodes = json_object_get(answer, "nodes");
    yk_request_put(&request, json_object_get(answer, "resource"), false);
    print_filters(ctl, answer);
    print_obstacles(ctl, json_object_get(answer, "obstacles"));
    print_text(ctl, "Remedy", answer, "remedy");
    print_gang_timeout(ctl, json_object_get(answer, "gangTimeout"));
    print_wait(ctl, answer);
    print_position(ctl, answer);
    print_estimate(ctl, json_object_get(answer, "estimate"));
    yk_ctl_print_field(ctl, "Requests", yk_buf_view(&request));
    print_limit(ctl, json_object_get(answer, "limit"));
    print_nodes(ctl, nodes);
    print_preemption(ctl, json_object_get(answer, "preemption"));
    print_text(ctl, "Reserved node", json_object_get(answer, "reservation"), "nodeID");
}

static void print_pod_name(const struct yk_ctl *ctl, const char *label, const json_t *pod)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {.max = 4096};
    yk_buf_printf(&name, "%s/%s", yk_ctl_text(pod, "namespace"), yk_ctl_text(pod, "podName"));
    yk_ctl_print_field(ctl, label, yk_buf_view(&name));
}

static void explain(const struct yk_ctl *ctl, const json_t *answer)
{
    print_pod_name(ctl, "Pod", answer);
    print_text(ctl, "Application", answer, "applicationID");
    print_text(ctl, "Queue", answer, "queueName");
    print_text(ctl, "Reason", answer, "reason");
    print_text(ctl, "Message", answer, "message");
    yk_ctl_print_gang_unused(ctl, answer);
    print_details(ctl, answer);
}

static enum yk_status get_explanation(struct yk_ctl *ctl, const char *app, const char *key,
                                      json_t **ret_answer, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 8192};
    yk_ctl_path(ctl, "/application", &path);
    yk_url_segment(&path, app);
    yk_buf_text(&path, "/allocation");
    yk_url_segment(&path, key);
    yk_buf_text(&path, "/explain");
    return yk_ctl_get(ctl, yk_buf_cstr(&path), ret_answer, err);
}

/* ---- applications ---- */

/* The remedy in an object about a rejected application. An older scheduler, or `rejected` NULL, has none. */
static const char *remedy_of_rejected(const json_t *rejected)
{
    const char *remedy = yk_ctl_text(rejected, "remedy");
    return remedy[0] != '\0'
               ? remedy
               : "correct the queue, the user or the placement rules, and create the pods again";
}

static enum yk_status get_app(struct yk_ctl *ctl, const char *id, json_t **ret_answer, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    char limit[16];
    yk_ctl_path(ctl, "/application", &path);
    yk_url_segment(&path, id);
    yk_buf_text(&path, "/pending");
    (void)snprintf(limit, sizeof(limit), "%d", ctl->output != YK_CTL_TABLE ? PAGE : APP_ROWS); /* fits */
    yk_url_query(&path, "limit", limit);
    return yk_ctl_get(ctl, yk_buf_cstr(&path), ret_answer, err);
}

/* Prints the explanation of the pod that is first in order: it shows when the application gets its next
 * pod. */
static void describe_first(struct yk_ctl *ctl, const json_t *answer)
{
    const json_t *first = json_array_get(json_object_get(answer, "pending"), 0);
    json_t *explanation = NULL;
    if (first == NULL || get_explanation(ctl, yk_ctl_text(first, "applicationID"),
                                         yk_ctl_text(first, "allocationKey"), &explanation, NULL) != YK_OK)
        return; /* no pod waits, or its explanation cannot be read */
    print_pod_name(ctl, "First pod", first);
    print_details(ctl, explanation);
    json_decref(explanation);
}

static void describe_ended(const struct yk_ctl *ctl, const json_t *app, size_t count)
{
    print_text(ctl, "Application", app, "applicationID");
    print_text(ctl, "Queue", app, "queueName");
    yk_ctl_print_end(ctl, app, count);
    yk_ctl_print_field(ctl, "Pods", YK_STR("none waits: the application has ended"));
    if (strcmp(yk_ctl_text(app, "applicationState"), "Rejected") == 0)
        yk_ctl_print_field(ctl, "Remedy", yk_str_from(remedy_of_rejected(app)));
}

/* Explains the application among those that have ended after `after_wall_ns`. */
static enum yk_status why_ended_after(struct yk_ctl *ctl, const char *id, int64_t after_wall_ns,
                                      struct yk_err *err)
{
    json_t *app = NULL;
    size_t count = 0;
    enum yk_status st = yk_ctl_find_ended(ctl, id, &app, &count, err);
    if (st == YK_OK && yk_ctl_number(app, "finishedTime") <= after_wall_ns)
        st = yk_fail(err, YK_ERR_NOT_FOUND, "Application not found");
    if (st == YK_OK && !yk_ctl_print_tree(ctl, app))
        describe_ended(ctl, app, count);
    json_decref(app);
    return st;
}

static enum yk_status why_ended(struct yk_ctl *ctl, const char *id, struct yk_err *err)
{
    return why_ended_after(ctl, id, INT64_MIN, err);
}

static void describe_app(struct yk_ctl *ctl, json_t *answer)
{
    const json_t *first = json_array_get(json_object_get(answer, "pending"), 0);
    bool is_rejected = strcmp(yk_ctl_text(answer, "reason"), "Rejected") == 0;
    if (is_rejected && why_ended(ctl, yk_ctl_text(answer, "applicationID"), NULL) == YK_OK)
        return; /* this answer has neither its queue nor the time */
    print_text(ctl, "Application", answer, "applicationID");
    print_text(ctl, "Queue", first, "queueName");
    print_text(ctl, "Reason", answer, "reason");
    print_text(ctl, "Message", answer, "message");
    yk_ctl_print_gang_unused(ctl, answer);
    if (yk_ctl_number(answer, "total") == 0)
        yk_ctl_print_field(ctl, "Pods", YK_STR("none waits"));
    if (is_rejected)
        yk_ctl_print_field(ctl, "Remedy", yk_str_from(remedy_of_rejected(answer)));
    describe_first(ctl, answer);
    yk_ctl_print_pending(ctl, answer);
}

static enum yk_status why_app(struct yk_ctl *ctl, const char *id, struct yk_err *err)
{
    json_t *answer = NULL;
    enum yk_status st = get_app(ctl, id, &answer, err);
    if (st == YK_OK && !yk_ctl_print_tree(ctl, answer))
        describe_app(ctl, answer);
    json_decref(answer);
    if (st == YK_ERR_NOT_FOUND)
        st = why_ended(ctl, id, err);
    return st == YK_OK ? YK_OK : yk_fail_in(err, st, "application '%s'", id);
}

/* ---- pods ---- */

/* A pod as the command line names it: [NAMESPACE/]NAME. */
struct pod_name {
    char *namespace_; /* owned; NULL: not given, also not by --namespace */
    const char *name; /* borrowed */
};

static void pod_name_done(struct pod_name *pod)
{
    free(pod->namespace_);
}

/* The caller ends `*ret_pod` with pod_name_done(). */
static enum yk_status read_pod_name(struct yk_ctl *ctl, const char *word, struct pod_name *ret_pod,
                                    struct yk_err *err)
{
    const char *flag = ctl->flags.namespace_, *slash = strchr(word, '/');
    const char *name = slash != NULL ? slash + 1 : word;
    struct yk_str given = slash != NULL ? (struct yk_str){word, (size_t)(slash - word)} : yk_str_from(flag);
    ctl->is_misused = true;
    if (name[0] == '\0' || slash == word || strchr(name, '/') != NULL)
        return yk_fail(err, YK_ERR_INVALID, "'%s' is no pod: it must be NAME or NAMESPACE/NAME", word);
    if (flag != NULL && !yk_str_is(given, flag))
        return yk_fail(err, YK_ERR_INVALID,
                       "pod '%s' is in namespace '" YK_STR_FMT "', and --namespace is '%s'", word,
                       YK_STR_ARG(given), flag);
    ctl->is_misused = false;
    *ret_pod = (struct pod_name){.namespace_ = given.p != NULL ? yk_str_dup(given) : NULL, .name = name};
    return YK_OK;
}

static enum yk_status show_explanation(struct yk_ctl *ctl, const char *app, const char *key,
                                       struct yk_err *err)
{
    json_t *answer = NULL;
    enum yk_status st = get_explanation(ctl, app, key, &answer, err);
    if (st != YK_OK)
        return st;
    if (!yk_ctl_print_tree(ctl, answer))
        explain(ctl, answer);
    json_decref(answer);
    return YK_OK;
}

static enum yk_status get_pod(struct yk_ctl *ctl, const struct pod_name *pod, json_t **ret_pod,
                              struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096}, body = {.max = POD_BYTES_MAX};
    yk_buf_text(&path, "/api/v1/namespaces");
    yk_url_segment(&path, pod->namespace_ != NULL ? pod->namespace_ : yk_ctl_link_namespace(ctl->link));
    yk_buf_text(&path, "/pods");
    yk_url_segment(&path, pod->name);
    const struct yk_ctl_request request = {.method = "GET", .path = yk_buf_cstr(&path)};
    enum yk_status st = yk_ctl_link_call_cluster(ctl->link, &request, &body, err);
    if (st != YK_OK)
        return st;
    *ret_pod = json_loadb(yk_buf_cstr(&body), body.len, JSON_ALLOW_NUL, NULL);
    return *ret_pod != NULL ? YK_OK
                            : yk_fail(err, YK_ERR_INVALID, "pod '%s': the answer is not JSON", pod->name);
}

/* The id of the application in labels and annotations of the pod, searched in the order of the scheduler; ""
 * if there is none. */
static const char *named_app(const json_t *metadata)
{
    static const struct {
        const char *map, *key;
    } places[] = {{"labels", YK_KEY_APP_ID},
                  {"annotations", YK_KEY_APP_ID},
                  {"labels", YK_KEY_OLD_APP_ID},
                  {"labels", YK_KEY_SPARK}};
    for (size_t i = 0; i < YK_COUNT(places); i++) {
        const char *id = yk_ctl_text(json_object_get(metadata, places[i].map), places[i].key);
        if (id[0] != '\0')
            return id;
    }
    return "";
}

/* Appends the id of the application of a pod to `id`. Appends another id to `second`, to try if there is no
 * such application; nothing if there is no other id. */
static void put_app_of_pod(const json_t *metadata, struct yk_buf *id, struct yk_buf *second)
{
    struct yk_str named = yk_str_from(named_app(metadata)), uid = yk_str_from(yk_ctl_text(metadata, "uid"));
    struct yk_str namespace_ = yk_str_from(yk_ctl_text(metadata, "namespace"));
    if (named.len == 0) { /* a setting of the scheduler decides which of the two ids it uses */
        yk_application_id_of_namespace(namespace_, id);
        yk_application_id_unique(namespace_, uid, second);
    } else if (yk_str_ends(named, YK_UNIQUE_ID_SUFFIX)) {
        yk_buf_add(id, named.p, named.len - strlen(YK_UNIQUE_ID_WORD));
        yk_buf_str(id, uid);
    } else {
        yk_buf_str(id, named);
    }
}

/* Prints what is known from the object of a pod as JSON or YAML, if that is wanted. `reason` and `remedy` may
 * be NULL. */
static bool print_pod_tree(const struct yk_ctl *ctl, const json_t *metadata, const char *reason,
                           struct yk_str message, const char *remedy)
{
    json_t *tree = json_object();
    const char *const rows[][2] = {{"namespace", yk_ctl_text(metadata, "namespace")},
                                   {"podName", yk_ctl_text(metadata, "name")},
                                   {"reason", reason},
                                   {"remedy", remedy}};
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        if (rows[i][1] != NULL)
            (void)json_object_set_new(tree, rows[i][0], json_string(rows[i][1])); /* texts of JSON */
    }
    (void)json_object_set_new(tree, "message", json_stringn(message.p, message.len)); /* like these */
    bool is_printed = yk_ctl_print_tree(ctl, tree);
    json_decref(tree);
    return is_printed;
}

/* `remedy` may be NULL. */
static void print_own_reason(const struct yk_ctl *ctl, const json_t *metadata, const char *reason,
                             struct yk_str message, const char *remedy)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf pod = {.max = 4096};
    if (print_pod_tree(ctl, metadata, reason, message, remedy))
        return;
    yk_buf_printf(&pod, "%s/%s", yk_ctl_text(metadata, "namespace"), yk_ctl_text(metadata, "name"));
    yk_ctl_print_field(ctl, "Pod", yk_buf_view(&pod));
    yk_ctl_print_field(ctl, "Reason", yk_str_from(reason));
    yk_ctl_print_field(ctl, "Message", message);
    if (remedy != NULL)
        yk_ctl_print_field(ctl, "Remedy", yk_str_from(remedy));
}

/* Whether the application, which may be NULL, is the rejected one of the pod: it ended after the pod was
 * created. */
static bool is_rejected_with(const json_t *app, const json_t *metadata)
{
    int64_t create_wall_ns = 0;
    return app != NULL && strcmp(yk_ctl_text(app, "applicationState"), "Rejected") == 0 &&
           yk_time_parse(yk_str_from(yk_ctl_text(metadata, "creationTimestamp")), &create_wall_ns) == YK_OK &&
           yk_ctl_number(app, "finishedTime") >= create_wall_ns;
}

static void tell_rejected(struct yk_ctl *ctl, const json_t *metadata, struct yk_str message)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf id = {.max = 4096}, second = {.max = 4096};
    json_t *app = NULL;
    size_t count = 0;
    put_app_of_pod(metadata, &id, &second);
    enum yk_status st = yk_ctl_find_ended(ctl, yk_buf_cstr(&id), &app, &count, NULL);
    if (st != YK_OK && second.len > 0)
        st = yk_ctl_find_ended(ctl, yk_buf_cstr(&second), &app, &count, NULL);
    if (st != YK_OK) /* the scheduler has started since, or cannot be asked */
        app = NULL;
    const json_t *rejected = is_rejected_with(app, metadata) ? app : NULL;
    print_own_reason(ctl, metadata, "Rejected", message, remedy_of_rejected(rejected));
    json_decref(app);
}

/* Prints the reason in the object of a pod that the scheduler no longer knows, or does not know yet. False:
 * the object has no reason. A pod without a node fails because of its application: the scheduler writes
 * why. */
static bool tell_from_pod(struct yk_ctl *ctl, const json_t *pod)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    const json_t *gates = json_object_get(json_object_get(pod, "spec"), "schedulingGates");
    const json_t *status = json_object_get(pod, "status"), *metadata = json_object_get(pod, "metadata");
    const char *reason = yk_ctl_text(status, "reason");
    struct yk_str message = yk_str_trim(yk_str_from(yk_ctl_text(status, "message")));
    if (strcmp(reason, "ApplicationRejected") == 0) {
        tell_rejected(ctl, metadata, message);
        return true;
    }
    if (reason[0] != '\0' && strcmp(yk_ctl_text(status, "phase"), "Failed") == 0) {
        print_own_reason(ctl, metadata, reason, message, NULL);
        return true;
    }
    if (json_array_size(gates) == 0)
        return false;
    yk_buf_text(&text, "waits for scheduling gates: ");
    yk_json_join_names(gates, &text);
    print_own_reason(ctl, metadata, "Gated", yk_buf_view(&text),
                     "the controller that set the scheduling gates removes them");
    return true;
}

/* Prints a sentence if the pod obviously does not wait for this scheduler. False: nothing was printed. */
static bool tell_if_not_waiting(const struct yk_ctl *ctl, const json_t *pod, const char *name)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4096}, clean = {.max = 8192};
    const json_t *spec = json_object_get(pod, "spec"), *status = json_object_get(pod, "status");
    const json_t *metadata = json_object_get(pod, "metadata");
    const char *node = yk_ctl_text(spec, "nodeName"), *scheduler = yk_ctl_text(spec, "schedulerName");
    if (node[0] != '\0')
        yk_buf_printf(&text, "Pod %s does not wait: it is on node %s, phase %s.", name, node,
                      yk_ctl_text(status, "phase"));
    else if (json_object_get(metadata, "deletionTimestamp") != NULL)
        yk_buf_printf(&text, "Pod %s does not wait: it is being deleted.", name);
    else if (scheduler[0] != '\0' && strcmp(scheduler, "yunikorn") != 0)
        yk_buf_printf(&text, "Pod %s waits for another scheduler: %s.", name, scheduler);
    else
        return false;
    if (print_pod_tree(ctl, metadata, NULL, yk_buf_view(&text), NULL))
        return true;
    yk_text_for_terminal(yk_buf_view(&text), &clean);
    (void)fprintf(ctl->out, "%s\n", yk_buf_cstr(&clean));
    return true;
}

/* Explains the application of a pod if it has ended. One that ended before the pod was created is another one
 * of this id: the scheduler does not know that of the pod yet. */
static enum yk_status why_app_of_pod_ended(struct yk_ctl *ctl, const json_t *metadata, const char *id,
                                           struct yk_err *err)
{
    int64_t create_wall_ns = 0;
    struct yk_str created = yk_str_from(yk_ctl_text(metadata, "creationTimestamp"));
    if (yk_time_parse(created, &create_wall_ns) != YK_OK)
        return yk_fail(err, YK_ERR_NOT_FOUND, "the pod has no time of its creation");
    return why_ended_after(ctl, id, create_wall_ns, err);
}

/* Not YK_ERR_NOT_FOUND, with which an application of the name of the pod would be searched. */
static enum yk_status fail_unknown(const char *name, const char *app, struct yk_err *err)
{
    return yk_fail(err, YK_ERR_STATE, "pod '%s' waits, but the scheduler has no application '%s' with it",
                   name, app);
}

static enum yk_status explain_pod(struct yk_ctl *ctl, const json_t *pod, const char *name, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf id = {.max = 4096}, second = {.max = 4096};
    const json_t *metadata = json_object_get(pod, "metadata");
    const char *uid = yk_ctl_text(metadata, "uid");
    if (tell_if_not_waiting(ctl, pod, name))
        return YK_OK;
    put_app_of_pod(metadata, &id, &second);
    enum yk_status st = show_explanation(ctl, yk_buf_cstr(&id), uid, err);
    if (st == YK_ERR_NOT_FOUND && second.len > 0)
        st = show_explanation(ctl, yk_buf_cstr(&second), uid, err);
    if (st != YK_ERR_NOT_FOUND)
        return st;
    if (tell_from_pod(ctl, pod))
        return YK_OK;
    st = why_app_of_pod_ended(ctl, metadata, yk_buf_cstr(&id), err);
    return st == YK_ERR_NOT_FOUND ? fail_unknown(name, yk_buf_cstr(&id), err) : st;
}

/* ---- pods without an API server ---- */

static const json_t *find_row(const json_t *rows, const struct pod_name *pod)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(yk_ctl_text(row, "podName"), pod->name) == 0 &&
            (pod->namespace_ == NULL || strcmp(yk_ctl_text(row, "namespace"), pod->namespace_) == 0))
            return row;
    }
    return NULL;
}

/* Reads a page of the waiting pods of all queues whose name contains `name`; an older scheduler lists all.
 * The caller frees `*ret_page` with json_decref(). */
static enum yk_status get_page(struct yk_ctl *ctl, const char *name, unsigned page, json_t **ret_page,
                               struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    char number[16];
    yk_ctl_path(ctl, "/queue/root/pending", &path);
    (void)snprintf(number, sizeof(number), "%d", PAGE); /* fits, like the next number */
    yk_url_query(&path, "limit", number);
    (void)snprintf(number, sizeof(number), "%u", page * PAGE);
    yk_url_query(&path, "offset", number);
    yk_url_query(&path, "filter", name);
    return yk_ctl_get(ctl, yk_buf_cstr(&path), ret_page, err);
}

/* Whether there is a live application with this id, or one that has ended. */
static bool find_app(struct yk_ctl *ctl, const char *id)
{
    json_t *app = NULL;
    size_t count = 0;
    bool is_found = get_app(ctl, id, &app, NULL) == YK_OK;
    if (!is_found)
        is_found = yk_ctl_find_ended(ctl, id, &app, &count, NULL) == YK_OK;
    json_decref(app);
    return is_found;
}

static enum yk_status fail_not_listed(struct yk_ctl *ctl, const struct pod_name *pod, struct yk_err *err)
{
    const char *namespace_ = pod->namespace_;
    bool has_app = find_app(ctl, pod->name);
    return yk_fail(err, YK_ERR_NOT_FOUND,
                   "the scheduler has no waiting pod%s%s%s%s of the name '%s'; pods that "
                   "have ended, that have a node or that have scheduling gates are not in its list: kubectl "
                   "describe pod %s%s%s shows them unless they were deleted%s%s",
                   namespace_ != NULL ? " in namespace '" : "", namespace_ != NULL ? namespace_ : "",
                   namespace_ != NULL ? "'" : "", has_app ? "" : " and no application", pod->name, pod->name,
                   namespace_ != NULL ? " -n " : "", namespace_ != NULL ? namespace_ : "",
                   has_app ? "; for the application of this name: kubectl yunikorn why app/" : "",
                   has_app ? pod->name : "");
}

static enum yk_status why_listed(struct yk_ctl *ctl, const struct pod_name *pod, struct yk_err *err)
{
    for (unsigned page = 0; page < PAGES_MAX; page++) {
        json_t *answer = NULL;
        enum yk_status st = get_page(ctl, pod->name, page, &answer, err);
        if (st != YK_OK)
            return st;
        const json_t *rows = json_object_get(answer, "pending"), *row = find_row(rows, pod);
        bool is_last = json_array_size(rows) < PAGE;
        if (row != NULL)
            st = show_explanation(ctl, yk_ctl_text(row, "applicationID"), yk_ctl_text(row, "allocationKey"),
                                  err);
        json_decref(answer);
        if (row != NULL)
            return st;
        if (is_last)
            break;
    }
    return fail_not_listed(ctl, pod, err);
}

static enum yk_status why_pod(struct yk_ctl *ctl, const char *word, struct yk_err *err)
{
    YK_CLEANUP(pod_name_done) struct pod_name name = {0};
    json_t *pod = NULL;
    enum yk_status st = read_pod_name(ctl, word, &name, err);
    if (st != YK_OK)
        return st;
    if (!yk_ctl_link_has_cluster(ctl->link))
        return why_listed(ctl, &name, err);
    st = get_pod(ctl, &name, &pod, err);
    if (st == YK_OK)
        st = explain_pod(ctl, pod, name.name, err);
    json_decref(pod);
    return st;
}

/* The error is that of the search for the pod. */
static enum yk_status why_pod_or_ended(struct yk_ctl *ctl, const char *name, struct yk_err *err)
{
    enum yk_status st = why_pod(ctl, name, err);
    return st == YK_ERR_NOT_FOUND && why_ended(ctl, name, NULL) == YK_OK ? YK_OK : st;
}

/* `name` with a slash is a pod and its namespace, or the id of an application. The error is that of the search
 * for the pod. */
static enum yk_status why_pod_or_app(struct yk_ctl *ctl, const char *name, struct yk_err *err)
{
    enum yk_status st = why_pod(ctl, name, err);
    if (st != YK_ERR_NOT_FOUND && st != YK_ERR_INVALID)
        return st;
    bool is_misused = ctl->is_misused;
    ctl->is_misused = false;
    if (why_app(ctl, name, NULL) == YK_OK)
        return YK_OK;
    ctl->is_misused = is_misused;
    return st;
}

/* ---- the command ---- */

/* The part of `word` behind one of the kinds, such as "pod/"; NULL: it has none of them. `kinds` ends with
 * NULL. */
static const char *behind_kind(const char *word, const char *const *kinds)
{
    for (; *kinds != NULL; kinds++) {
        size_t len = strlen(*kinds);
        if (strncmp(word, *kinds, len) == 0 && word[len] == '/')
            return word + len + 1;
    }
    return NULL;
}

enum yk_status yk_ctl_why(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    static const char *const pods[] = {"pod", "pods", "po", NULL};
    static const char *const apps[] = {"app", "apps", "application", "applications", NULL};
    const char *name = operands[0], *pod = behind_kind(name, pods), *app = behind_kind(name, apps);
    json_t *answer = NULL;
    if (app != NULL)
        return why_app(ctl, app, err);
    if (pod != NULL)
        return why_pod(ctl, pod, err);
    if (strchr(name, '/') != NULL)
        return why_pod_or_app(ctl, name, err);
    enum yk_status st = get_app(ctl, name, &answer, err);
    if (st == YK_ERR_NOT_FOUND)
        return why_pod_or_ended(ctl, name, err);
    if (st == YK_OK && !yk_ctl_print_tree(ctl, answer))
        describe_app(ctl, answer);
    json_decref(answer);
    return st;
}

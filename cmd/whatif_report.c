/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/whatif_report.h"
#include "cmd/kubectl_quantity.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* Texts of the answer may come from users, so control characters are escaped. */
static void print_line(FILE *out, const struct yk_buf *line)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf safe = {0};
    yk_buf_line(&safe, yk_buf_view(line));
    fprintf(out, "%s\n", yk_buf_cstr(&safe));
}

static void print_pods(const json_t *pods, FILE *out)
{
    size_t index;
    const json_t *pod, *victim;
    json_array_foreach(pods, index, pod)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
        size_t at;
        yk_buf_printf(&line, "  %s/%s %s", text_of(pod, "namespace"), text_of(pod, "name"),
                      text_of(pod, "message"));
        print_line(out, &line);
        json_array_foreach(json_object_get(pod, "victims"), at, victim)
        {
            yk_buf_clear(&line);
            yk_buf_printf(&line, "    preempts %s/%s of application %s in %s on %s",
                          text_of(victim, "namespace"), text_of(victim, "podName"),
                          text_of(victim, "applicationID"), text_of(victim, "queueName"),
                          text_of(victim, "nodeID"));
            print_line(out, &line);
        }
    }
}

static void print_others(const json_t *impact, const char *key, const char *what, FILE *out)
{
    size_t index;
    const json_t *pod;
    json_array_foreach(json_object_get(impact, key), index, pod)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
        yk_buf_printf(&line, "  %s: %s/%s", what, text_of(pod, "namespace"), text_of(pod, "podName"));
        if (text_of(pod, "applicationID")[0] != '\0') /* else it is a pod of another scheduler */
            yk_buf_printf(&line, " (application %s, %s)", text_of(pod, "applicationID"),
                          text_of(pod, "queueName"));
        yk_buf_printf(&line, " on %s", text_of(pod, "nodeID"));
        print_line(out, &line);
    }
}

/* Writes amounts such as "cpu 4, memory 8Gi", or a maximum number of applications; 0 means that there is no
 * maximum. */
static void put_value(const json_t *value, struct yk_buf *line)
{
    size_t before = line->len;
    if (json_is_integer(value) && json_integer_value(value) != 0)
        yk_buf_printf(line, "%lld", (long long)json_integer_value(value));
    else
        yk_quantities_put(line, value, true);
    if (line->len == before)
        yk_buf_text(line, "none");
}

static void print_names(const json_t *impact, const char *key, const char *mark, FILE *out)
{
    size_t index;
    const json_t *name;
    json_array_foreach(json_object_get(impact, key), index, name)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
        yk_buf_printf(&line, "  %s queue %s", mark, json_string_value(name));
        print_line(out, &line);
    }
}

static void print_change(const json_t *queue, const char *key, const char *before_key, struct yk_buf *line)
{
    const json_t *before = json_object_get(queue, before_key), *now = json_object_get(queue, key);
    if (json_equal(before, now))
        return;
    yk_buf_printf(line, "%s %s ", line->p[line->len - 1] == ':' ? "" : ";", key);
    put_value(before, line);
    yk_buf_text(line, " -> ");
    put_value(now, line);
}

static void print_changed(const json_t *impact, FILE *out)
{
    size_t index;
    const json_t *queue;
    json_array_foreach(json_object_get(impact, "queuesChanged"), index, queue)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
        yk_buf_printf(&line, "  ~ queue %s:", text_of(queue, "queueName"));
        print_change(queue, "max", "maxBefore", &line);
        print_change(queue, "guaranteed", "guaranteedBefore", &line);
        print_change(queue, "maxApplications", "maxApplicationsBefore", &line);
        print_line(out, &line);
    }
}

static void print_above(const json_t *impact, FILE *out)
{
    size_t index;
    const json_t *entry;
    json_array_foreach(json_object_get(impact, "above"), index, entry)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
        bool is_queue = strcmp(text_of(entry, "kind"), "queue") == 0;
        yk_buf_printf(&line, "  above its maximum: %s %s", text_of(entry, "kind"), text_of(entry, "name"));
        if (!is_queue)
            yk_buf_printf(&line, " in %s", text_of(entry, "queueName"));
        yk_buf_text(&line, ": uses ");
        put_value(json_object_get(entry, "used"), &line);
        yk_buf_text(&line, " of ");
        put_value(json_object_get(entry, "max"), &line);
        print_line(out, &line);
    }
}

static void print_draining(const json_t *impact, FILE *out)
{
    size_t index;
    const json_t *queue;
    json_array_foreach(json_object_get(impact, "draining"), index, queue)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
        yk_buf_printf(&line, "  drains: queue %s, applications left: %lld", text_of(queue, "queueName"),
                      (long long)json_integer_value(json_object_get(queue, "applications")));
        print_line(out, &line);
    }
}

static void print_placements(const json_t *impact, FILE *out)
{
    size_t index;
    const json_t *app;
    json_array_foreach(json_object_get(impact, "placements"), index, app)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
        const char *path = text_of(app, "newQueueName");
        yk_buf_printf(&line, "  if submitted again: application %s of %s ", text_of(app, "applicationID"),
                      text_of(app, "queueName"));
        if (strcmp(path, "root.@recovery@") == 0)
            yk_buf_text(&line, "goes to the recovery queue");
        else if (path[0] != '\0')
            yk_buf_printf(&line, "goes to %s", path);
        else
            yk_buf_printf(&line, "is rejected: %s", text_of(app, "message"));
        print_line(out, &line);
    }
}

void yk_whatif_print_impact(const json_t *impact, FILE *out)
{
    print_names(impact, "queuesAdded", "+", out);
    print_names(impact, "queuesRemoved", "-", out);
    print_changed(impact, out);
    print_above(impact, out);
    print_draining(impact, out);
    print_placements(impact, out);
    print_others(impact, "ended", "ends", out);
    print_others(impact, "notFitting", "does not fit", out);
    print_others(impact, "preempted", "preempted", out);
    print_others(impact, "started", "starts", out);
}

void yk_whatif_print_answer(const json_t *answer, FILE *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
    const json_t *pods = json_object_get(answer, "pods"), *impact = json_object_get(answer, "impact");
    const char *kind = text_of(answer, "kind");
    bool about_pods = json_array_size(pods) > 0;
    yk_buf_text(&line, text_of(answer, "message"));
    print_line(out, &line);
    if (about_pods &&
        (json_array_size(pods) > 1 || json_array_size(json_object_get(impact, "preempted")) > 0))
        print_pods(pods, out);
    if (strcmp(kind, "gang") == 0)
        print_pods(json_object_get(answer, "placeholders"), out);
    if (!about_pods)
        yk_whatif_print_impact(impact, out);
}

enum yk_status yk_whatif_print(struct yk_str text, bool as_json, FILE *out, bool *ret_good,
                               struct yk_err *err)
{
    json_t *answer = text.len > 0 ? json_loadb(text.p, text.len, JSON_ALLOW_NUL, NULL) : NULL;
    const char *verdict = text_of(answer, "verdict");
    if (!json_is_object(answer)) {
        json_decref(answer);
        return yk_fail(err, YK_ERR_INVALID, "the answer is not JSON");
    }
    *ret_good = strcmp(verdict, "starts") == 0 || strcmp(verdict, "accepted") == 0;
    if (as_json)
        fprintf(out, "%.*s", (int)text.len, text.p);
    else
        yk_whatif_print_answer(answer, out);
    json_decref(answer);
    return YK_OK;
}

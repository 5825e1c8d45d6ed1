/* SPDX-License-Identifier: Apache-2.0 */
/* Callers of the REST interface that send no token and no TLS. */
#include "migrate/migration_priv.h"

#include <ctype.h>

#define REST_SERVICE "yunikorn-service"

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) != 0 || c == '-';
}

/* Whether `text` contains the name of the Service without "https://" before it. Longer names that contain the
 * name do not match. */
static bool names_plain_rest(const char *text)
{
    static const char https[] = "https://";
    for (const char *at = text; (at = strstr(at, REST_SERVICE)) != NULL; at += strlen(REST_SERVICE)) {
        size_t before = (size_t)(at - text);
        bool is_part = (before > 0 && is_name_byte(at[-1])) || is_name_byte(at[strlen(REST_SERVICE)]);
        bool is_https = before >= strlen(https) && strncmp(at - strlen(https), https, strlen(https)) == 0;
        if (!is_part && !is_https)
            return true;
    }
    return false;
}

static void tell(const struct yk_look *look, const char *where, const char *key)
{
    yk__values(look,
               yk__found(look,
                         "%s '%s' names " REST_SERVICE
                         " without https: REST is closed by default, and answers callers "
                         "with a token only",
                         where, key),
               "--set rest.access=none");
}

static bool is_of_scheduler(const struct yk_look *look)
{
    return yk_str_is(look->name.name, "yunikorn-defaults") || yk_str_is(look->name.name, "yunikorn-configs");
}

void yk__look_rest_text(const struct yk_look *look)
{
    json_t *data = (json_t *)(uintptr_t)yk__at(look->object, "data"), *value;
    const char *key;
    if (yk__rest_is_open(look->migration) || is_of_scheduler(look))
        return;
    json_object_foreach(data, key, value)
    {
        const char *text = json_string_value(value);
        if (text == NULL || !names_plain_rest(text))
            continue;
        tell(look, "the entry", key);
        return;
    }
}

static const char *plain_rest_in(const json_t *texts)
{
    for (size_t i = 0; i < json_array_size(texts); i++) {
        const json_t *item = json_array_get(texts, i);
        const char *text = json_is_object(item) ? yk__text(item, "value") : json_string_value(item);
        if (text != NULL && names_plain_rest(text))
            return json_is_object(item) ? yk__text(item, "name") : text;
    }
    return NULL;
}

void yk__look_rest_workload(const struct yk_look *look)
{
    static const char *const lists[] = {"env", "args", "command"};
    const json_t *containers = yk__at(look->object, look->subject == YK_SUBJECT_CRON_JOB
                                                        ? "spec.jobTemplate.spec.template.spec.containers"
                                                        : "spec.template.spec.containers");
    if (yk__rest_is_open(look->migration) ||
        json_array_size(yk__at(look->object, "metadata.ownerReferences")) > 0)
        return;
    for (size_t c = 0; c < json_array_size(containers); c++) {
        for (size_t i = 0; i < YK_COUNT(lists); i++) {
            const char *key = plain_rest_in(yk__at(json_array_get(containers, c), lists[i]));
            if (key == NULL)
                continue;
            tell(look, i == 0 ? "the variable" : "the argument", key);
            return;
        }
    }
}

static bool leads_to_rest(const json_t *backend)
{
    return strcmp(yk__text(backend, "service.name"), REST_SERVICE) == 0;
}

static bool has_path_to_rest(const json_t *ingress)
{
    const json_t *rules = yk__at(ingress, "spec.rules");
    if (leads_to_rest(yk__at(ingress, "spec.defaultBackend")))
        return true;
    for (size_t r = 0; r < json_array_size(rules); r++) {
        const json_t *paths = yk__at(json_array_get(rules, r), "http.paths");
        for (size_t p = 0; p < json_array_size(paths); p++) {
            if (leads_to_rest(yk__at(json_array_get(paths, p), "backend")))
                return true;
        }
    }
    return false;
}

void yk__look_ingress(const struct yk_look *look)
{
    if (yk__rest_is_open(look->migration) || !has_path_to_rest(look->object))
        return;
    yk__values(look,
               yk__found(look, "it leads to Service " REST_SERVICE
                               ": the web page and REST answer over TLS, and the data needs "
                               "a token"),
               "--set rest.access=none");
}

static bool selects_scheduler(const json_t *monitor)
{
    const json_t *labels = yk__at(monitor, "spec.selector.matchLabels");
    return strcmp(yk__text(labels, "app"), "yunikorn") == 0 ||
           strcmp(yk__text(labels, "component"), "yunikorn-scheduler") == 0 ||
           strcmp(yk__entry(monitor, "spec.selector.matchLabels", "app.kubernetes.io/name"), "yunikorn") == 0;
}

static bool is_plain(const json_t *endpoint)
{
    const char *scheme = yk__text(endpoint, "scheme");
    return scheme[0] == '\0' || strcmp(scheme, "http") == 0;
}

static void set_replacement(const struct yk_look *look, struct yk_finding *finding)
{
    YK_CLEANUP(yk_freep) char *kind = yk_str_lower(look->name.kind);
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_shell_word(&namespace_, look->name.namespace_);
    yk_shell_word(&name, look->name.name);
    yk__command(look, finding, "kubectl -n %s delete %s %s", yk_buf_cstr(&namespace_), kind,
                yk_buf_cstr(&name));
    yk__values(look, finding, "--set serviceMonitor.enabled=true");
}

void yk__look_monitor(const struct yk_look *look)
{
    const json_t *endpoints =
        yk__at(look->object,
               look->subject == YK_SUBJECT_POD_MONITOR ? "spec.podMetricsEndpoints" : "spec.endpoints");
    if (yk__rest_is_open(look->migration) || !selects_scheduler(look->object))
        return;
    for (size_t i = 0; i < json_array_size(endpoints); i++) {
        if (!is_plain(json_array_get(endpoints, i)))
            continue;
        set_replacement(
            look,
            yk__found(
                look,
                "it scrapes the metrics over plain http without a token, which REST refuses by default; "
                "the chart creates a ServiceMonitor that works"));
        return;
    }
}

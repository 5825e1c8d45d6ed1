/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate/migration_priv.h"

/* The string or integer at `path` as text, "" if there is none. The result is in `buf`, which is
 * overwritten. */
static const char *scalar(const json_t *values, const char *path, struct yk_buf *buf)
{
    const json_t *value = yk__at(values, path);
    yk_buf_clear(buf);
    if (json_is_string(value))
        yk_buf_text(buf, json_string_value(value));
    else if (json_is_integer(value))
        yk_buf_printf(buf, "%lld", (long long)json_integer_value(value));
    return yk_buf_cstr(buf);
}

static bool has_entries(const json_t *values, const char *path)
{
    const json_t *value = yk__at(values, path);
    return json_object_size(value) > 0 || json_array_size(value) > 0;
}

/* ---- image ---- */

/* Whether the repository is "apache/yunikorn", perhaps with a registry before it and a tag or digest after
 * it. _helpers.tpl has a similar rule: "yunikorn.apacheKey". */
static bool is_apache_repository(const char *repository)
{
    static const char apache[] = "apache/yunikorn";
    const char *at = strstr(repository, apache);
    if (at == NULL || (at != repository && at[-1] != '/'))
        return false;
    char end = at[strlen(apache)];
    return end == '\0' || end == ':' || end == '@';
}

static bool is_apache_tag(const char *tag)
{
    struct yk_str text = yk_str_from(tag);
    return yk_str_starts(text, "scheduler-1.") || yk_str_starts(text, "scheduler-plugin-1.") ||
           yk_str_starts(text, "admission-1.");
}

static void look_at_image(const struct yk_look *look, const char *path)
{
    const json_t *image = yk__at(look->object, path);
    YK_CLEANUP(yk_buf_done) struct yk_buf tag = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf full = {0};
    const char *repository = yk__text(image, "repository"), *registry = yk__text(image, "registry");
    bool is_default = repository[0] == '\0' || strcmp(repository, "yunikorn") == 0;
    if (registry[0] != '\0')
        yk_buf_printf(&full, "%s%s", registry, yk_str_ends(yk_str_from(registry), "/") ? "" : "/");
    yk_buf_text(&full, is_default ? "yunikorn" : repository);
    bool is_apache = is_apache_repository(yk_buf_cstr(&full));
    if (!is_apache && !(is_default && is_apache_tag(scalar(image, "tag", &tag))))
        return;
    struct yk_finding *finding = yk__found(look,
                                           "%s names an image of Apache YuniKorn (%s:%s), which is another "
                                           "program: an installation refuses it, and an "
                                           "upgrade replaces it",
                                           path, yk_buf_cstr(&full), scalar(image, "tag", &tag));
    bool is_registry = registry[0] != '\0' && is_apache;
    yk__values(look, finding, "--set %s.repository=%s --set %s.tag=%s%s%s", path,
               strcmp(path, "image") == 0 ? "yunikorn" : "", path, is_registry ? " --set " : "",
               is_registry ? path : "", is_registry ? ".registry=" : "");
}

void yk__look_value_image(const struct yk_look *look)
{
    look_at_image(look, "image");
    if (!json_is_false(yk__at(look->object, "embedAdmissionController")))
        look_at_image(look, "admissionController.image");
}

/* ---- REST ---- */

/* Whether the values set who may call REST. If so, their author has thought of the callers. */
static bool says_access(const json_t *values)
{
    return yk__text(values, "rest.access")[0] != '\0' ||
           yk__entry(values, "yunikornDefaults", "service.web.access")[0] != '\0';
}

void yk__look_value_rest(const struct yk_look *look)
{
    if (says_access(look->object))
        return;
    yk__values(look,
               yk__found(look, "rest.access is not set: REST is closed by default, so callers and scrapers "
                               "of port 9080 and 9889 "
                               "need TLS and a token; 'none' opens it to everybody, as in 1.9"),
               "--set rest.access=none");
}

void yk__look_value_web(const struct yk_look *look)
{
    if (yk__is_true(look->object, "enableWebService"))
        yk__values(look,
                   yk__found(look, "enableWebService has no effect: the scheduler serves its web page "
                                   "always, also at port 9889"),
                   "--set enableWebService=false");
}

void yk__look_value_ingress(const struct yk_look *look)
{
    if (yk__is_true(look->object, "ingress.enabled") && !says_access(look->object))
        yk__values(
            look,
            yk__found(
                look,
                "ingress.enabled is true: the Ingress leads to the web page and REST over TLS, and the data "
                "needs a token"),
            "--set ingress.enabled=false");
}

void yk__look_value_service(const struct yk_look *look)
{
    const char *type = yk__text(look->object, "service.type");
    if (says_access(look->object) || (strcmp(type, "LoadBalancer") != 0 && strcmp(type, "NodePort") != 0))
        return;
    yk__values(
        look,
        yk__found(look, "service.type is %s: callers from outside of the cluster need TLS and a token", type),
        "--set service.type=ClusterIP");
}

void yk__look_value_scrape(const struct yk_look *look)
{
    const char *scrape = yk__entry(look->object, "podAnnotations", "prometheus.io/scrape");
    const char *scheme = yk__entry(look->object, "podAnnotations", "prometheus.io/scheme");
    bool scrapes =
        strcmp(scrape, "true") == 0 ||
        json_is_true(json_object_get(yk__at(look->object, "podAnnotations"), "prometheus.io/scrape"));
    if (!scrapes || strcmp(scheme, "https") == 0 || yk__rest_is_open(look->migration))
        return;
    yk__values(
        look,
        yk__found(
            look,
            "podAnnotations ask Prometheus to scrape over plain http without a token, which REST refuses by "
            "default"),
        "--set serviceMonitor.enabled=true --set-string 'podAnnotations.prometheus\\.io/scrape=false'");
}

/* ---- values of Apache YuniKorn that have no effect here ---- */

void yk__look_value_plugin(const struct yk_look *look)
{
    if (yk__is_true(look->object, "enableSchedulerPlugin"))
        yk__values(
            look,
            yk__found(
                look,
                "enableSchedulerPlugin is true, and there is no plugin mode: pods that name 'yunikorn' are "
                "scheduled in queues, others by the default scheduler"),
            "--set enableSchedulerPlugin=false");
}

void yk__look_value_operators(const struct yk_look *look)
{
    const char *plugins = yk__text(look->object, "operatorPlugins");
    if (plugins[0] != '\0' && strcmp(plugins, "general") != 0)
        yk__values(look,
                   yk__found(look,
                             "operatorPlugins is '%s', and there are no operator plugins: pods of operators "
                             "are scheduled as "
                             "all others",
                             plugins),
                   "--set operatorPlugins=null");
}

void yk__look_value_replicas(const struct yk_look *look)
{
    const json_t *count = yk__at(look->object, "replicaCount");
    if (json_is_integer(count))
        yk__values(
            look,
            yk__found(
                look,
                "replicaCount (%lld) has no effect: replicas is the number of schedulers, of which one leads",
                (long long)json_integer_value(count)),
            "--set replicaCount=null --set replicas=%lld", (long long)YK_MAX(json_integer_value(count), 1));
}

void yk__look_value_go(const struct yk_look *look)
{
    static const struct {
        const char *path, *usual;
    } settings[] = {
        {"goMemoryLimit", ""},
        {"goMemoryLimitPercentage", "80"},
        {"goGC", "100"},
        {"admissionController.goMemoryLimit", ""},
        {"admissionController.goMemoryLimitPercentage", "60"},
        {"admissionController.goGC", "100"},
    };
    YK_CLEANUP(yk_buf_done) struct yk_buf buf = {0};
    for (size_t i = 0; i < YK_COUNT(settings); i++) {
        const char *value = scalar(look->object, settings[i].path, &buf);
        if (value[0] != '\0' && strcmp(value, settings[i].usual) != 0)
            yk__values(look,
                       yk__found(look, "%s (%s) has no effect: it is a setting of the Go runtime",
                                 settings[i].path, value),
                       "--set %s=null", settings[i].path);
    }
}

void yk__look_value_deprecated(const struct yk_look *look)
{
    static const struct {
        const char *path, *instead;
    } keys[] = {
        {"configuration", "yunikornDefaults.\"queues.yaml\""},
        {"placeHolderImage", "yunikornDefaults.\"service.placeholderImage\""},
        {"placeholderImage", "yunikornDefaults.\"service.placeholderImage\""},
        {"admissionController.processNamespaces",
         "yunikornDefaults.\"admissionController.filtering.processNamespaces\""},
        {"admissionController.bypassNamespaces",
         "yunikornDefaults.\"admissionController.filtering.bypassNamespaces\""},
        {"admissionController.labelNamespaces",
         "yunikornDefaults.\"admissionController.filtering.labelNamespaces\""},
        {"admissionController.noLabelNamespaces",
         "yunikornDefaults.\"admissionController.filtering.noLabelNamespaces\""},
    };
    for (size_t i = 0; i < YK_COUNT(keys); i++) {
        if (yk__at(look->object, keys[i].path) != NULL)
            (void)yk__found(look, "%s is deprecated and still read: %s is the key for it", keys[i].path,
                            keys[i].instead);
    }
}

/* ---- nodes and sizes ---- */

/* Labels of nodes that Kubernetes has replaced. */
static const struct {
    const char *old, *now;
} node_labels[] = {
    {"beta.kubernetes.io/os", "kubernetes.io/os"},
    {"beta.kubernetes.io/arch", "kubernetes.io/arch"},
    {"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"},
    {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
    {"node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"},
};

/* Appends a key as `--set` expects it, with escaped dots: "a\.b/c" for "a.b/c". */
static void put_key(struct yk_buf *out, const char *key)
{
    for (; *key != '\0'; key++) {
        if (*key == '.')
            yk_buf_char(out, '\\');
        yk_buf_char(out, *key);
    }
}

static void look_at_selector(const struct yk_look *look, const char *path)
{
    for (size_t i = 0; i < YK_COUNT(node_labels); i++) {
        const json_t *value = json_object_get(yk__at(look->object, path), node_labels[i].old);
        YK_CLEANUP(yk_buf_done) struct yk_buf old = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf word = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf now = {0};
        if (!json_is_string(value))
            continue;
        put_key(&old, node_labels[i].old);
        yk_buf_printf(&now, "%s.", path);
        put_key(&now, node_labels[i].now);
        yk_buf_printf(&now, "=%s", json_string_value(value));
        yk_shell_word(&word, yk_buf_view(&now));
        yk__values(
            look,
            yk__found(
                look,
                "%s has the label %s, which new clusters no longer set; without a node that has it, the pods "
                "wait",
                path, node_labels[i].old),
            "--set '%s.%s=null' --set-string %s", path, yk_buf_cstr(&old), yk_buf_cstr(&word));
    }
}

void yk__look_value_node_selector(const struct yk_look *look)
{
    look_at_selector(look, "nodeSelector");
    look_at_selector(look, "admissionController.nodeSelector");
}

void yk__look_value_resources(const struct yk_look *look)
{
    static const struct {
        const char *path, *theirs, *ours;
    } requests[] = {
        {"resources.requests.memory", "1Gi", "128Mi"},
        {"admissionController.resources.requests.memory", "500Mi", "64Mi"},
    };
    for (size_t i = 0; i < YK_COUNT(requests); i++) {
        if (strcmp(yk__text(look->object, requests[i].path), requests[i].theirs) == 0)
            yk__values(look,
                       yk__found(look, "%s is %s, the default for the Go program; the default here is %s",
                                 requests[i].path, requests[i].theirs, requests[i].ours),
                       "--set %s=%s", requests[i].path, requests[i].ours);
    }
}

void yk__look_value_host_network(const struct yk_look *look)
{
    if (yk__is_true(look->object, "admissionController.hostNetwork"))
        yk__values(
            look,
            yk__found(
                look,
                "admissionController.hostNetwork is true, which was the default; it is needed only where the "
                "API server cannot reach pods"),
            "--set admissionController.hostNetwork=false");
    if (yk__is_true(look->object, "hostNetwork"))
        yk__values(
            look,
            yk__found(look,
                      "hostNetwork is true: two schedulers need two nodes, because they use the same ports"),
            "--set hostNetwork=false");
}

void yk__look_value_affinity(const struct yk_look *look)
{
    if (has_entries(look->object, "affinity"))
        (void)yk__found(look, "affinity replaces what antiAffinity sets: the two schedulers may run on one "
                              "node unless it has a "
                              "podAntiAffinity");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "heavy_pod.h"

#include "base/json_writer.h"

#include <stdarg.h>

static void textf(struct yk_json *json, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void textf(struct yk_json *json, const char *key, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    yk_json_add_text(json, key, text);
}

static void object(struct yk_json *json, const char *key)
{
    yk_json_key(json, key);
    yk_json_object_begin(json);
}

static void array(struct yk_json *json, const char *key)
{
    yk_json_key(json, key);
    yk_json_array_begin(json);
}

static void labels(struct yk_json *json, const char *app, size_t number)
{
    size_t template = number % HEAVY_TEMPLATES;
    object(json, "labels");
    yk_json_add_text(json, "applicationId", app);
    textf(json, "queue", "root.q%zu", template % 4);
    textf(json, "app.kubernetes.io/name", "service-%zu", template);
    textf(json, "app.kubernetes.io/component", "component-%zu", template % 7);
    textf(json, "app.kubernetes.io/version", "v1.%zu.%zu", template % 13, template % 5);
    textf(json, "team", "team-%zu", template % 23);
    textf(json, "pod-template-hash", "%010zx", template * 2654435761u);
    textf(json, "instance", "instance-%zu", number);
    if (template % 3 == 0)
        textf(json, "statefulset.kubernetes.io/pod-name", "service-%zu-%zu", template, number);
    yk_json_object_end(json);
}

static void annotations(struct yk_json *json, size_t number)
{
    size_t template = number % HEAVY_TEMPLATES;
    object(json, "annotations");
    textf(json, "checksum/config", "%064zx", template * 40503u);
    textf(json, "cni.example/networks",
          "[{\"name\":\"net-%zu\",\"interface\":\"eth0\",\"ips\":[\"10.%zu.%zu.7\"]}]", template,
          number / 250 % 250, number % 250);
    yk_json_add_text(json, "prometheus.io/scrape", "true");
    textf(json, "prometheus.io/path", "/metrics/of/service-%zu", template);
    for (size_t i = 0; i < template % 6; i++) {
        char key[64];
        (void)snprintf(key, sizeof(key), "sidecar.example/option-%zu", i);
        textf(json, key,
              "{\"mode\":\"permissive\",\"trace\":%zu,\"exclude\":\"15090,15021,15020\",\"seed\":\"%032zx\"}",
              number, template);
    }
    yk_json_object_end(json);
}

static void probe(struct yk_json *json, const char *key)
{
    object(json, key);
    object(json, "httpGet");
    yk_json_add_text(json, "path", "/healthz");
    yk_json_add_int(json, "port", 8080);
    yk_json_object_end(json);
    yk_json_add_int(json, "periodSeconds", 15);
    yk_json_object_end(json);
}

static void environment(struct yk_json *json, size_t template)
{
    array(json, "env");
    for (size_t i = 0; i < 8 + template % 12; i++) {
        yk_json_object_begin(json);
        textf(json, "name", "SERVICE_SETTING_%zu_%zu", template % 10, i);
        textf(json, "value", "https://service-%zu.team-%zu.svc.cluster.local:8443/api", template, i);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

static void container(struct yk_json *json, size_t template, size_t index)
{
    yk_json_object_begin(json);
    textf(json, "name", "container-%zu", index);
    textf(json, "image", "images.example/team-%zu/service-%zu/part-%zu:v1.%zu.0", template % 23, template,
          index, template % 13);
    environment(json, template);
    object(json, "resources");
    object(json, "requests");
    textf(json, "cpu", "%zum", 50 + template % 20 * 10);
    textf(json, "memory", "%zuMi", 64 + template % 16 * 32);
    yk_json_object_end(json);
    object(json, "limits");
    textf(json, "memory", "%zuMi", 128 + template % 16 * 32);
    yk_json_object_end(json);
    yk_json_object_end(json);
    array(json, "ports");
    yk_json_object_begin(json);
    yk_json_add_int(json, "containerPort", 8080 + (int64_t)index);
    yk_json_object_end(json);
    yk_json_array_end(json);
    probe(json, "livenessProbe");
    probe(json, "readinessProbe");
    array(json, "volumeMounts");
    yk_json_object_begin(json);
    yk_json_add_text(json, "name", "scratch");
    yk_json_add_text(json, "mountPath", "/var/lib/scratch");
    yk_json_object_end(json);
    yk_json_array_end(json);
    yk_json_object_end(json);
}

static void spec(struct yk_json *json, size_t template)
{
    object(json, "spec");
    yk_json_add_text(json, "schedulerName", "yunikorn");
    yk_json_add_int(json, "terminationGracePeriodSeconds", 0);
    object(json, "nodeSelector");
    yk_json_add_text(json, "kubernetes.io/os", "linux");
    if (template % 4 == 1)
        textf(json, "topology.kubernetes.io/zone", "zone-%zu", template % 3);
    yk_json_object_end(json);
    array(json, "volumes");
    yk_json_object_begin(json);
    yk_json_add_text(json, "name", "scratch");
    object(json, "emptyDir");
    yk_json_object_end(json);
    yk_json_object_end(json);
    yk_json_array_end(json);
    array(json, "containers");
    for (size_t i = 0; i <= template % 5 % 3; i++)
        container(json, template, i);
    yk_json_array_end(json);
    yk_json_object_end(json);
}

void heavy_pod(struct yk_buf *out, const char *name, const char *app, size_t number)
{
    struct yk_json json;
    yk_json_init(&json, out);
    yk_json_object_begin(&json);
    yk_json_add_text(&json, "apiVersion", "v1");
    yk_json_add_text(&json, "kind", "Pod");
    object(&json, "metadata");
    yk_json_add_text(&json, "name", name);
    labels(&json, app, number);
    annotations(&json, number);
    yk_json_object_end(&json);
    spec(&json, number % HEAVY_TEMPLATES);
    yk_json_object_end(&json);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What reading a pod costs: the same made-up pods as Kubernetes protobuf and as JSON, decoded one by one.
 *
 *     bench_decode [pods] [seed]
 *
 * Prints one JSON line per format. Pods look like those of a batch cluster: 2-3 containers with environment,
 * mounts and probes, volumes, labels, a last-applied-configuration, managedFields and a status.
 */
#include "api/json_reader.h"
#include "api/protobuf_reader.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/version.h"

#include <stdio.h>

enum { PODS_DEFAULT = 20000, ROUNDS = 5, BATCH = 500 };

/*
 * One description, two encodings: every call appends the same field to the protobuf and to the JSON text.
 * Messages are written into a buffer per level, because protobuf wants the length first.
 */
enum { LEVELS = 12 };

struct pen {
    struct yk_buf protobuf[LEVELS];
    uint32_t numbers[LEVELS];
    int level;
    struct yk_buf json;
};

static void put_varint(struct yk_buf *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        yk_buf_char(out, (char)(value | 0x80));
    yk_buf_char(out, (char)value);
}

static void put_number(struct yk_buf *out, uint32_t number, uint64_t value)
{
    put_varint(out, (uint64_t)number << 3);
    put_varint(out, value);
}

static void put_bytes(struct yk_buf *out, uint32_t number, struct yk_str bytes)
{
    put_varint(out, (uint64_t)number << 3 | 2);
    put_varint(out, bytes.len);
    yk_buf_str(out, bytes);
}

static void comma(struct pen *pen)
{
    char last = pen->json.len > 0 ? pen->json.p[pen->json.len - 1] : '{';
    if (last != '{' && last != '[' && last != ':')
        yk_buf_char(&pen->json, ',');
}

static void json_text(struct pen *pen, const char *text)
{
    yk_buf_char(&pen->json, '"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            yk_buf_char(&pen->json, '\\');
        yk_buf_char(&pen->json, *c);
    }
    yk_buf_char(&pen->json, '"');
}

static void json_key(struct pen *pen, const char *key)
{
    comma(pen);
    if (key != NULL) {
        json_text(pen, key);
        yk_buf_char(&pen->json, ':');
    }
}

static void begin_silent(struct pen *pen, uint32_t number)
{
    pen->level++;
    pen->numbers[pen->level] = number;
    yk_buf_clear(&pen->protobuf[pen->level]);
}

static void end_silent(struct pen *pen)
{
    int level = pen->level--;
    put_bytes(&pen->protobuf[level - 1], pen->numbers[level], yk_buf_view(&pen->protobuf[level]));
}

/* `key` NULL: an item of a list. */
static void begin(struct pen *pen, const char *key, uint32_t number)
{
    json_key(pen, key);
    yk_buf_char(&pen->json, '{');
    begin_silent(pen, number);
}

static void end(struct pen *pen)
{
    yk_buf_char(&pen->json, '}');
    end_silent(pen);
}

static void list(struct pen *pen, const char *key)
{
    json_key(pen, key);
    yk_buf_char(&pen->json, '[');
}

static void list_end(struct pen *pen)
{
    yk_buf_char(&pen->json, ']');
}

static void text(struct pen *pen, const char *key, uint32_t number, const char *value)
{
    json_key(pen, key);
    json_text(pen, value);
    put_bytes(&pen->protobuf[pen->level], number, yk_str_from(value));
}

static void number(struct pen *pen, const char *key, uint32_t field, int64_t value)
{
    json_key(pen, key);
    yk_buf_printf(&pen->json, "%lld", (long long)value);
    put_number(&pen->protobuf[pen->level], field, (uint64_t)value);
}

static void truth(struct pen *pen, const char *key, uint32_t field, bool value)
{
    json_key(pen, key);
    yk_buf_text(&pen->json, value ? "true" : "false");
    put_number(&pen->protobuf[pen->level], field, value);
}

static void time_at(struct pen *pen, const char *key, uint32_t field, int64_t second)
{
    char words[YK_TIME_TEXT_MAX];
    yk_time_format(second * YK_NS_PER_S, 0, words);
    json_key(pen, key);
    json_text(pen, words);
    begin_silent(pen, field);
    put_number(&pen->protobuf[pen->level], 1, (uint64_t)second);
    put_number(&pen->protobuf[pen->level], 2, 0);
    end_silent(pen);
}

/* All of an entry of a map, whose JSON object is open, but the value in protobuf. */
static void begin_entry(struct pen *pen, uint32_t field, const char *key, const char *value)
{
    json_key(pen, key);
    json_text(pen, value);
    begin_silent(pen, field);
    put_bytes(&pen->protobuf[pen->level], 1, yk_str_from(key));
}

static void entry(struct pen *pen, uint32_t field, const char *key, const char *value)
{
    begin_entry(pen, field, key, value);
    put_bytes(&pen->protobuf[pen->level], 2, yk_str_from(value));
    end_silent(pen);
}

static void amount(struct pen *pen, uint32_t field, const char *key, const char *value)
{
    begin_entry(pen, field, key, value);
    begin_silent(pen, 2);
    put_bytes(&pen->protobuf[pen->level], 1, yk_str_from(value));
    end_silent(pen);
    end_silent(pen);
}

static void map(struct pen *pen, const char *key)
{
    json_key(pen, key);
    yk_buf_char(&pen->json, '{');
}

static void map_end(struct pen *pen)
{
    yk_buf_char(&pen->json, '}');
}

struct maker {
    struct pen pen;
    struct yk_random random;
    int64_t second;
    char words[256];
};

static uint64_t below(struct maker *m, uint64_t bound)
{
    return yk_random_below(&m->random, bound);
}

static const char *word(struct maker *m, const char *prefix, uint64_t value)
{
    (void)snprintf(m->words, sizeof(m->words), "%s%llu", prefix, (unsigned long long)value);
    return m->words;
}

static void make_managed_fields(struct maker *m)
{
    static const char fields[] =
        "{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:applicationId\":{},\"f:queue\":{}}},\"f:spec\":{\"f:"
        "containers\":"
        "{\"k:{\\\"name\\\":\\\"main\\\"}\":{\".\":{},\"f:env\":{\".\":{}},\"f:image\":{},\"f:"
        "imagePullPolicy\":{},"
        "\"f:name\":{},\"f:resources\":{\".\":{},\"f:limits\":{},\"f:requests\":{}}}},\"f:dnsPolicy\":{},"
        "\"f:restartPolicy\":{},\"f:schedulerName\":{}}}";
    struct pen *pen = &m->pen;
    list(pen, "managedFields");
    begin(pen, NULL, 17);
    text(pen, "manager", 1, "kube-controller-manager");
    text(pen, "operation", 2, "Update");
    text(pen, "apiVersion", 3, "v1");
    time_at(pen, "time", 4, m->second);
    text(pen, "fieldsType", 6, "FieldsV1");
    json_key(pen, "fieldsV1");
    yk_buf_text(&pen->json, fields);
    begin_silent(pen, 7);
    put_bytes(&pen->protobuf[pen->level], 1, yk_str_from(fields));
    end_silent(pen);
    end(pen);
    list_end(pen);
}

static void make_metadata(struct maker *m, uint64_t index)
{
    struct pen *pen = &m->pen;
    char uid[40];
    (void)snprintf(uid, sizeof(uid), "%08llx-1111-4222-8333-%012llx", (unsigned long long)below(m, 1u << 31),
                   (unsigned long long)index);
    begin(pen, "metadata", 1);
    text(pen, "name", 1, word(m, "spark-job-executor-", index));
    text(pen, "namespace", 3, word(m, "team-", index % 20));
    text(pen, "uid", 5, uid);
    text(pen, "resourceVersion", 6, word(m, "", 1000000 + index));
    number(pen, "generation", 7, 1);
    time_at(pen, "creationTimestamp", 8, m->second);
    map(pen, "labels");
    entry(pen, 11, "applicationId", word(m, "spark-application-", index / 50));
    entry(pen, 11, "queue", word(m, "root.team-", index % 20));
    for (uint64_t i = 0, count = 1 + below(m, 5); i < count; i++) {
        char key[32];
        (void)snprintf(key, sizeof(key), "app.example/label-%llu", (unsigned long long)i);
        entry(pen, 11, key, word(m, "value-", below(m, 1000)));
    }
    map_end(pen);
    map(pen, "annotations");
    char applied[600];
    memset(applied, 'x', sizeof(applied) - 1);
    applied[sizeof(applied) - 1] = '\0';
    entry(pen, 12, "kubectl.kubernetes.io/last-applied-configuration", applied);
    entry(pen, 12, "yunikorn.apache.org/task-group-name", "executors");
    map_end(pen);
    list(pen, "ownerReferences");
    begin(pen, NULL, 13);
    text(pen, "kind", 1, "Job");
    text(pen, "name", 3, word(m, "job-", index / 50));
    text(pen, "uid", 4, uid);
    text(pen, "apiVersion", 5, "batch/v1");
    truth(pen, "controller", 6, true);
    end(pen);
    list_end(pen);
    make_managed_fields(m);
    end(pen);
}

static void make_container(struct maker *m, uint64_t index)
{
    struct pen *pen = &m->pen;
    begin(pen, NULL, 2);
    text(pen, "name", 1, word(m, "container-", index));
    text(pen, "image", 2, "registry.example/team/spark:3.5.1");
    list(pen, "args");
    text(pen, NULL, 4, "executor");
    text(pen, NULL, 4, "--driver-url=spark://driver.example:7078");
    list_end(pen);
    list(pen, "env");
    for (uint64_t i = 0, count = 3 + below(m, 6); i < count; i++) {
        begin(pen, NULL, 7);
        text(pen, "name", 1, word(m, "SPARK_SETTING_", i));
        text(pen, "value", 2, word(m, "some-value-", below(m, 1000000)));
        end(pen);
    }
    list_end(pen);
    begin(pen, "resources", 8);
    map(pen, "limits");
    amount(pen, 1, "cpu", "2");
    amount(pen, 1, "memory", "4Gi");
    map_end(pen);
    map(pen, "requests");
    char milli[24];
    (void)snprintf(milli, sizeof(milli), "%llum", (unsigned long long)(1 + below(m, 39)) * 100);
    amount(pen, 2, "cpu", milli);
    amount(pen, 2, "memory", "4Gi");
    map_end(pen);
    end(pen);
    list(pen, "volumeMounts");
    begin(pen, NULL, 9);
    text(pen, "name", 1, "data");
    text(pen, "mountPath", 3, "/var/lib/data");
    end(pen);
    begin(pen, NULL, 9);
    text(pen, "name", 1, "kube-api-access-x");
    truth(pen, "readOnly", 2, true);
    text(pen, "mountPath", 3, "/var/run/secrets/kubernetes.io/serviceaccount");
    end(pen);
    list_end(pen);
    text(pen, "terminationMessagePath", 13, "/dev/termination-log");
    text(pen, "imagePullPolicy", 14, "IfNotPresent");
    text(pen, "terminationMessagePolicy", 20, "File");
    end(pen);
}

static void make_volumes(struct maker *m)
{
    struct pen *pen = &m->pen;
    list(pen, "volumes");
    begin(pen, NULL, 1);
    text(pen, "name", 1, "data");
    begin_silent(pen, 2);
    begin(pen, "persistentVolumeClaim", 10);
    text(pen, "claimName", 1, "claim-1");
    end(pen);
    end_silent(pen);
    end(pen);
    begin(pen, NULL, 1);
    text(pen, "name", 1, "kube-api-access-x");
    begin_silent(pen, 2);
    begin(pen, "configMap", 19);
    text(pen, "name", 1, "kube-root-ca.crt");
    end(pen);
    end_silent(pen);
    end(pen);
    list_end(pen);
}

static void make_toleration(struct maker *m, const char *key)
{
    struct pen *pen = &m->pen;
    begin(pen, NULL, 22);
    text(pen, "key", 1, key);
    text(pen, "operator", 2, "Exists");
    text(pen, "effect", 4, "NoExecute");
    number(pen, "tolerationSeconds", 5, 300);
    end(pen);
}

static void make_spec(struct maker *m)
{
    struct pen *pen = &m->pen;
    begin(pen, "spec", 2);
    make_volumes(m);
    list(pen, "containers");
    for (uint64_t i = 0, count = 2 + below(m, 2); i < count; i++)
        make_container(m, i);
    list_end(pen);
    text(pen, "restartPolicy", 3, "Never");
    number(pen, "terminationGracePeriodSeconds", 4, 30);
    text(pen, "dnsPolicy", 5, "ClusterFirst");
    map(pen, "nodeSelector");
    entry(pen, 7, "kubernetes.io/os", "linux");
    map_end(pen);
    text(pen, "serviceAccountName", 8, "default");
    text(pen, "serviceAccount", 9, "default");
    text(pen, "schedulerName", 19, "yunikorn");
    list(pen, "tolerations");
    make_toleration(m, "node.kubernetes.io/not-ready");
    make_toleration(m, "node.kubernetes.io/unreachable");
    list_end(pen);
    number(pen, "priority", 25, 0);
    truth(pen, "enableServiceLinks", 30, true);
    text(pen, "preemptionPolicy", 31, "PreemptLowerPriority");
    end(pen);
}

static void make_status(struct maker *m)
{
    struct pen *pen = &m->pen;
    begin(pen, "status", 3);
    text(pen, "phase", 1, "Pending");
    list(pen, "conditions");
    begin(pen, NULL, 2);
    text(pen, "type", 1, "PodScheduled");
    text(pen, "status", 2, "False");
    time_at(pen, "lastTransitionTime", 4, m->second);
    text(pen, "reason", 5, "Unschedulable");
    text(pen, "message", 6, "request is waiting for cluster resources become available");
    end(pen);
    list_end(pen);
    text(pen, "qosClass", 9, "Burstable");
    end(pen);
}

struct sample {
    struct yk_str protobuf, json; /* owned */
};

static struct sample make_pod(struct maker *m, uint64_t index)
{
    struct pen *pen = &m->pen;
    m->second = 1772600767 + (int64_t)index;
    pen->level = 0;
    yk_buf_clear(&pen->json);
    yk_buf_clear(&pen->protobuf[0]);
    yk_buf_text(&pen->json, "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"");
    begin_silent(pen, 2); /* of runtime.Unknown */
    make_metadata(m, index);
    make_spec(m);
    make_status(m);
    end_silent(pen);
    yk_buf_char(&pen->json, '}');

    YK_CLEANUP(yk_buf_done) struct yk_buf wrapped = {0};
    yk_buf_add(&wrapped, "k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod", 15);
    yk_buf_str(&wrapped, yk_buf_view(&pen->protobuf[0]));
    return (struct sample){.protobuf = {yk_strndup(wrapped.p, wrapped.len), wrapped.len},
                           .json = {yk_strndup(pen->json.p, pen->json.len), pen->json.len}};
}

struct figures {
    int64_t best_ns;
    uint64_t bytes, heap_bytes;
};

static struct yk_object *decode(const struct sample *sample, bool json)
{
    struct yk_err err = {0};
    struct yk_object *object = NULL;
    enum yk_status st = json ? yk_object_from_json(YK_KIND_POD, sample->json, &object, &err)
                             : yk_object_from_protobuf(YK_KIND_POD, sample->protobuf, &object, &err);
    if (st != YK_OK) {
        (void)fprintf(stderr, "bench_decode: %s\n", err.text);
        exit(1);
    }
    return object;
}

/* Objects live for a batch, as they do in a mailbox; freeing them is part of the cost. */
static void run_round(const struct sample *samples, size_t count, bool json, struct figures *figures)
{
    struct yk_object *batch[BATCH];
    figures->bytes = figures->heap_bytes = 0;
    int64_t start_ns = yk_clock_mono_ns(&yk_clock_real), apart_ns = 0;
    for (size_t at = 0; at < count; at += BATCH) {
        size_t in_batch = YK_MIN((size_t)BATCH, count - at);
        for (size_t i = 0; i < in_batch; i++)
            batch[i] = decode(&samples[at + i], json);
        int64_t stop_ns = yk_clock_mono_ns(&yk_clock_real);
        for (size_t i = 0; i < in_batch; i++) {
            figures->bytes += json ? samples[at + i].json.len : samples[at + i].protobuf.len;
            figures->heap_bytes += yk_arena_bytes(&batch[i]->arena);
        }
        apart_ns += yk_clock_mono_ns(&yk_clock_real) - stop_ns;
        for (size_t i = 0; i < in_batch; i++)
            yk_object_free(batch[i]);
    }
    int64_t took_ns = yk_clock_mono_ns(&yk_clock_real) - start_ns - apart_ns;
    if (figures->best_ns == 0 || took_ns < figures->best_ns)
        figures->best_ns = took_ns;
}

static void print_figures(const struct figures *figures, bool json, uint64_t pods, uint64_t seed)
{
    double seconds = (double)figures->best_ns / 1e9;
    (void)printf("{\"case\":\"decode\",\"format\":\"%s\",\"pods\":%llu,\"bytes\":%llu,\"ns_per_pod\":%.0f,"
                 "\"bytes_per_s\":%.0f,\"heap_bytes_per_pod\":%.0f,\"seed\":%llu,\"version\":\"%s\","
                 "\"revision\":\"%s\","
                 "\"compiler\":\"%s\"}\n",
                 json ? "json" : "protobuf", (unsigned long long)pods, (unsigned long long)figures->bytes,
                 (double)figures->best_ns / (double)pods, (double)figures->bytes / seconds,
                 (double)figures->heap_bytes / (double)pods, (unsigned long long)seed, yk_version,
                 yk_revision, yk_compiler);
}

static void maker_done(struct maker *m)
{
    for (size_t i = 0; i < LEVELS; i++)
        yk_buf_done(&m->pen.protobuf[i]);
    yk_buf_done(&m->pen.json);
}

int main(int argc, char **argv)
{
    uint64_t pods = PODS_DEFAULT, seed = 1;
    if (argc > 3 ||
        (argc > 1 && (yk_str_to_u64(yk_str_from(argv[1]), &pods) != YK_OK || pods == 0 || pods > 1000000)) ||
        (argc > 2 && yk_str_to_u64(yk_str_from(argv[2]), &seed) != YK_OK)) {
        (void)fprintf(stderr, "usage: bench_decode [pods, 1 to 1000000] [seed]\n");
        return 2;
    }
    YK_CLEANUP(maker_done) struct maker maker = {0};
    yk_random_init(&maker.random, seed);
    struct sample *samples = yk_new0_array(struct sample, pods);
    for (uint64_t i = 0; i < pods; i++)
        samples[i] = make_pod(&maker, i);
    for (int json = 0; json <= 1; json++) {
        struct figures figures = {0};
        for (int round = 0; round < (json ? 2 : ROUNDS); round++)
            run_round(samples, pods, json != 0, &figures);
        print_figures(&figures, json != 0, pods, seed);
    }
    for (uint64_t i = 0; i < pods; i++) {
        yk_free((void *)(uintptr_t)samples[i].protobuf.p);
        yk_free((void *)(uintptr_t)samples[i].json.p);
    }
    yk_free(samples);
    return 0;
}

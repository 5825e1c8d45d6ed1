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
#include "pen.h"

#include <stdio.h>

enum { PODS_DEFAULT = 20000, ROUNDS = 5, BATCH = 500 };

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
    pen_list(pen, "managedFields");
    pen_begin(pen, NULL, 17);
    pen_text(pen, "manager", 1, "kube-controller-manager");
    pen_text(pen, "operation", 2, "Update");
    pen_text(pen, "apiVersion", 3, "v1");
    pen_time_at(pen, "time", 4, m->second);
    pen_text(pen, "fieldsType", 6, "FieldsV1");
    pen_json_key(pen, "fieldsV1");
    yk_buf_text(&pen->json, fields);
    pen_begin_silent(pen, 7);
    pen_put_bytes(&pen->protobuf[pen->level], 1, yk_str_from(fields));
    pen_end_silent(pen);
    pen_end(pen);
    pen_list_end(pen);
}

static void make_metadata(struct maker *m, uint64_t index)
{
    struct pen *pen = &m->pen;
    char uid[40];
    (void)snprintf(uid, sizeof(uid), "%08llx-1111-4222-8333-%012llx", (unsigned long long)below(m, 1u << 31),
                   (unsigned long long)index);
    pen_begin(pen, "metadata", 1);
    pen_text(pen, "name", 1, word(m, "spark-job-executor-", index));
    pen_text(pen, "namespace", 3, word(m, "team-", index % 20));
    pen_text(pen, "uid", 5, uid);
    pen_text(pen, "resourceVersion", 6, word(m, "", 1000000 + index));
    pen_number(pen, "generation", 7, 1);
    pen_time_at(pen, "creationTimestamp", 8, m->second);
    pen_map(pen, "labels");
    pen_entry(pen, 11, "applicationId", word(m, "spark-application-", index / 50));
    pen_entry(pen, 11, "queue", word(m, "root.team-", index % 20));
    for (uint64_t i = 0, count = 1 + below(m, 5); i < count; i++) {
        char key[32];
        (void)snprintf(key, sizeof(key), "app.example/label-%llu", (unsigned long long)i);
        pen_entry(pen, 11, key, word(m, "value-", below(m, 1000)));
    }
    pen_map_end(pen);
    pen_map(pen, "annotations");
    char applied[600];
    memset(applied, 'x', sizeof(applied) - 1);
    applied[sizeof(applied) - 1] = '\0';
    pen_entry(pen, 12, "kubectl.kubernetes.io/last-applied-configuration", applied);
    pen_entry(pen, 12, "yunikorn.apache.org/task-group-name", "executors");
    pen_map_end(pen);
    pen_list(pen, "ownerReferences");
    pen_begin(pen, NULL, 13);
    pen_text(pen, "kind", 1, "Job");
    pen_text(pen, "name", 3, word(m, "job-", index / 50));
    pen_text(pen, "uid", 4, uid);
    pen_text(pen, "apiVersion", 5, "batch/v1");
    pen_truth(pen, "controller", 6, true);
    pen_end(pen);
    pen_list_end(pen);
    make_managed_fields(m);
    pen_end(pen);
}

static void make_container(struct maker *m, uint64_t index)
{
    struct pen *pen = &m->pen;
    pen_begin(pen, NULL, 2);
    pen_text(pen, "name", 1, word(m, "container-", index));
    pen_text(pen, "image", 2, "registry.example/team/spark:3.5.1");
    pen_list(pen, "args");
    pen_text(pen, NULL, 4, "executor");
    pen_text(pen, NULL, 4, "--driver-url=spark://driver.example:7078");
    pen_list_end(pen);
    pen_list(pen, "env");
    for (uint64_t i = 0, count = 3 + below(m, 6); i < count; i++) {
        pen_begin(pen, NULL, 7);
        pen_text(pen, "name", 1, word(m, "SPARK_SETTING_", i));
        pen_text(pen, "value", 2, word(m, "some-value-", below(m, 1000000)));
        pen_end(pen);
    }
    pen_list_end(pen);
    pen_begin(pen, "resources", 8);
    pen_map(pen, "limits");
    pen_amount(pen, 1, "cpu", "2");
    pen_amount(pen, 1, "memory", "4Gi");
    pen_map_end(pen);
    pen_map(pen, "requests");
    char milli[24];
    (void)snprintf(milli, sizeof(milli), "%llum", (unsigned long long)(1 + below(m, 39)) * 100);
    pen_amount(pen, 2, "cpu", milli);
    pen_amount(pen, 2, "memory", "4Gi");
    pen_map_end(pen);
    pen_end(pen);
    pen_list(pen, "volumeMounts");
    pen_begin(pen, NULL, 9);
    pen_text(pen, "name", 1, "data");
    pen_text(pen, "mountPath", 3, "/var/lib/data");
    pen_end(pen);
    pen_begin(pen, NULL, 9);
    pen_text(pen, "name", 1, "kube-api-access-x");
    pen_truth(pen, "readOnly", 2, true);
    pen_text(pen, "mountPath", 3, "/var/run/secrets/kubernetes.io/serviceaccount");
    pen_end(pen);
    pen_list_end(pen);
    pen_text(pen, "terminationMessagePath", 13, "/dev/termination-log");
    pen_text(pen, "imagePullPolicy", 14, "IfNotPresent");
    pen_text(pen, "terminationMessagePolicy", 20, "File");
    pen_end(pen);
}

static void make_volumes(struct maker *m)
{
    struct pen *pen = &m->pen;
    pen_list(pen, "volumes");
    pen_begin(pen, NULL, 1);
    pen_text(pen, "name", 1, "data");
    pen_begin_silent(pen, 2);
    pen_begin(pen, "persistentVolumeClaim", 10);
    pen_text(pen, "claimName", 1, "claim-1");
    pen_end(pen);
    pen_end_silent(pen);
    pen_end(pen);
    pen_begin(pen, NULL, 1);
    pen_text(pen, "name", 1, "kube-api-access-x");
    pen_begin_silent(pen, 2);
    pen_begin(pen, "configMap", 19);
    pen_text(pen, "name", 1, "kube-root-ca.crt");
    pen_end(pen);
    pen_end_silent(pen);
    pen_end(pen);
    pen_list_end(pen);
}

static void make_toleration(struct maker *m, const char *key)
{
    struct pen *pen = &m->pen;
    pen_begin(pen, NULL, 22);
    pen_text(pen, "key", 1, key);
    pen_text(pen, "operator", 2, "Exists");
    pen_text(pen, "effect", 4, "NoExecute");
    pen_number(pen, "tolerationSeconds", 5, 300);
    pen_end(pen);
}

static void make_spec(struct maker *m)
{
    struct pen *pen = &m->pen;
    pen_begin(pen, "spec", 2);
    make_volumes(m);
    pen_list(pen, "containers");
    for (uint64_t i = 0, count = 2 + below(m, 2); i < count; i++)
        make_container(m, i);
    pen_list_end(pen);
    pen_text(pen, "restartPolicy", 3, "Never");
    pen_number(pen, "terminationGracePeriodSeconds", 4, 30);
    pen_text(pen, "dnsPolicy", 5, "ClusterFirst");
    pen_map(pen, "nodeSelector");
    pen_entry(pen, 7, "kubernetes.io/os", "linux");
    pen_map_end(pen);
    pen_text(pen, "serviceAccountName", 8, "default");
    pen_text(pen, "serviceAccount", 9, "default");
    pen_text(pen, "schedulerName", 19, "yunikorn");
    pen_list(pen, "tolerations");
    make_toleration(m, "node.kubernetes.io/not-ready");
    make_toleration(m, "node.kubernetes.io/unreachable");
    pen_list_end(pen);
    pen_number(pen, "priority", 25, 0);
    pen_truth(pen, "enableServiceLinks", 30, true);
    pen_text(pen, "preemptionPolicy", 31, "PreemptLowerPriority");
    pen_end(pen);
}

static void make_status(struct maker *m)
{
    struct pen *pen = &m->pen;
    pen_begin(pen, "status", 3);
    pen_text(pen, "phase", 1, "Pending");
    pen_list(pen, "conditions");
    pen_begin(pen, NULL, 2);
    pen_text(pen, "type", 1, "PodScheduled");
    pen_text(pen, "status", 2, "False");
    pen_time_at(pen, "lastTransitionTime", 4, m->second);
    pen_text(pen, "reason", 5, "Unschedulable");
    pen_text(pen, "message", 6, "request is waiting for cluster resources become available");
    pen_end(pen);
    pen_list_end(pen);
    pen_text(pen, "qosClass", 9, "Burstable");
    pen_end(pen);
}

struct sample {
    struct yk_str protobuf, json; /* owned */
};

static struct sample make_pod(struct maker *m, uint64_t index)
{
    struct pen *pen = &m->pen;
    m->second = 1772600767 + (int64_t)index;
    pen_begin_object(pen, "Pod", "v1");
    make_metadata(m, index);
    make_spec(m);
    make_status(m);
    struct sample sample;
    pen_end_object(pen, "Pod", "v1", &sample.protobuf, &sample.json);
    return sample;
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
    pen_done(&m->pen);
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
        free((void *)(uintptr_t)samples[i].protobuf.p);
        free((void *)(uintptr_t)samples[i].json.p);
    }
    free(samples);
    return 0;
}

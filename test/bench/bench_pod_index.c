/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the filters that look at other pods cost alone: pods of 2,000 workloads, each spread over zones and
 * kept off nodes of its own, on 20,000 nodes; a class of each waits. Per pod that comes or goes, per answer,
 * and for a term that is new. Afterwards the answers are compared with the pods of each node.
 *
 *     bench_books [--repeat R] [--tiny]
 */
#include "lib/kube_objects.h"
#include "predicates/classes.h"
#include "report.h"

#include <malloc.h>
#include <stdio.h>

enum { WORKLOADS = 2000, TINY = 20, ZONES = 3, PASSES = 20 };

struct bench {
    struct yk_cache_observer observer;
    struct yk_cache cache;
    struct yk_classes classes;
    size_t nodes, pods, workloads;
    yk_si_class *class_of;
    yk_si_class plain;
};

static void no_pod(void *c, struct yk_cache_pod *p, const struct yk_pod *o)
{
    (void)c, (void)p, (void)o;
}
static void no_change(void *c, struct yk_cache_pod *p, const struct yk_pod *o, uint32_t x)
{
    (void)c, (void)p, (void)o, (void)x;
}
static void no_gone(void *c, struct yk_cache_pod *p)
{
    (void)c, (void)p;
}
static void node_added(void *c, struct yk_cache_node *n)
{
    yk_classes_node_added(&((struct bench *)c)->classes, n);
}
static void node_changed(void *c, struct yk_cache_node *n, uint32_t x)
{
    (void)x;
    yk_classes_node_changed(&((struct bench *)c)->classes, n);
}
static void node_removed(void *c, struct yk_cache_node *n)
{
    yk_classes_node_removed(&((struct bench *)c)->classes, n);
}

static struct yk_pod *make(size_t workload, const char *name)
{
    char text[32];
    snprintf(text, sizeof(text), "ns%zu", workload % 50);
    struct yk_pod *pod = make_pod(text, name, "1");
    snprintf(text, sizeof(text), "w%zu", workload);
    add_pair(&pod->object, &pod->object.labels, "app", text);
    struct yk_spread_constraint *constraint = add_spread(pod, "zone", 1);
    constraint->has_selector = true;
    add_pair(&pod->object, &constraint->selector.labels, "app", text);
    struct yk_pod_affinity_term *term = add_anti_affinity_term(pod, "kubernetes.io/hostname");
    term->has_selector = true;
    add_pair(&pod->object, &term->selector.labels, "app", text);
    return pod;
}

static yk_si_class take_class(struct bench *bench, struct yk_pod *pod)
{
    yk_si_class class_ = yk_class_get(&bench->classes, pod);
    yk_object_free(&pod->object);
    return class_;
}

/* Pod i of all: of workload i % workloads, on node i % nodes. */
static void put_pods(struct bench *bench)
{
    for (size_t i = 0; i < bench->pods; i++) {
        char name[32], node[32];
        snprintf(name, sizeof(name), "p%zu", i);
        snprintf(node, sizeof(node), "n%zu", i % bench->nodes);
        struct yk_pod *pod = make(i % bench->workloads, name);
        set_text(&pod->object, &pod->node_name, node);
        yk_cache_apply(&bench->cache, YK_KIND_POD, YK_WATCH_UPSERT, &pod->object);
    }
}

static void set_up(struct bench *bench, size_t nodes, size_t pods, size_t workloads)
{
    *bench = (struct bench){.nodes = nodes, .pods = pods, .workloads = workloads};
    bench->observer = (struct yk_cache_observer){.context = bench,
                                                 .pod_added = no_pod,
                                                 .pod_changed = no_change,
                                                 .pod_removed = no_gone,
                                                 .node_added = node_added,
                                                 .node_changed = node_changed,
                                                 .node_removed = node_removed};
    yk_cache_init(&bench->cache, &bench->observer, "y");
    yk_classes_init(&bench->classes, &bench->cache);
    for (size_t i = 0; i < nodes; i++) {
        char text[32];
        snprintf(text, sizeof(text), "n%zu", i);
        struct yk_k8s_node *node = make_node(text, "1", "cpu=64");
        snprintf(text, sizeof(text), "z%zu", i % ZONES);
        add_pair(&node->object, &node->object.labels, "zone", text);
        yk_cache_apply(&bench->cache, YK_KIND_NODE, YK_WATCH_UPSERT, &node->object);
    }
    size_t before = mallinfo2().uordblks;
    put_pods(bench);
    report_begin("books", "memory");
    report_number("bytes_per_pod", (double)(mallinfo2().uordblks - before) / (double)pods);
    report_end();
    bench->class_of = yk_new0_array(yk_si_class, workloads);
    for (size_t i = 0; i < workloads; i++)
        bench->class_of[i] = take_class(bench, make(i, "waits"));
    bench->plain = take_class(bench, make_pod("other", "plain", "1"));
}

static void tear_down(struct bench *bench)
{
    for (size_t i = 0; i < bench->workloads; i++)
        yk_class_put(&bench->classes, bench->class_of[i]);
    yk_class_put(&bench->classes, bench->plain);
    yk_cache_done(&bench->cache);
    yk_classes_done(&bench->classes);
    free(bench->class_of);
}

static struct yk_cache_node *node_at(const struct bench *bench, size_t i)
{
    return bench->cache.nodes.items[i % bench->nodes];
}

/* How many of the pairs (class i, node i * 7) fit. */
static size_t ask_all(const struct bench *bench, bool plain)
{
    size_t fits = 0;
    for (size_t i = 0; i < bench->workloads; i++)
        fits += yk_class_fits_now(&bench->classes, plain ? bench->plain : bench->class_of[i],
                                  node_at(bench, i * 7), YK_CLASS_ALLOCATE);
    return fits;
}

static size_t look_all(const struct bench *bench)
{
    size_t fits = 0;
    for (size_t i = 0; i < bench->workloads; i++) {
        size_t zones[ZONES] = {0}, node = i * 7 % bench->nodes;
        bool alone = true;
        for (size_t pod = i; pod < bench->pods; pod += bench->workloads) {
            zones[pod % bench->nodes % ZONES]++;
            alone = alone && pod % bench->nodes != node;
        }
        size_t least = YK_MIN(zones[0], YK_MIN(zones[1], zones[2]));
        fits += alone && zones[node % ZONES] + 1 - least <= 1;
    }
    return fits;
}

static double best_of(size_t repeat, size_t things, void (*what)(struct bench *bench), struct bench *bench)
{
    double best = 0;
    for (size_t i = 0; i < repeat; i++) {
        int64_t begin_ns = report_cpu_ns();
        what(bench);
        double ns = (double)(report_cpu_ns() - begin_ns) / (double)things;
        best = i == 0 || ns < best ? ns : best;
    }
    return best;
}

static volatile size_t sink; /* so that nothing is left out */

static void ask_constrained(struct bench *bench)
{
    for (int i = 0; i < PASSES; i++)
        sink = ask_all(bench, false);
}

static void ask_plain(struct bench *bench)
{
    for (int i = 0; i < PASSES; i++)
        sink = ask_all(bench, true);
}

static void come_and_go(struct bench *bench)
{
    for (size_t i = 0; i < bench->pods; i++) {
        char name[32], namespace_[32];
        snprintf(name, sizeof(name), "p%zu", i);
        snprintf(namespace_, sizeof(namespace_), "ns%zu", i % bench->workloads % 50);
        struct yk_cache_pod *pod =
            yk_cache_find_pod(&bench->cache, yk_str_from(namespace_), yk_str_from(name));
        yk_pod_index_pod_on_node(&bench->classes.pod_index, pod, pod->node, false);
        yk_pod_index_pod_on_node(&bench->classes.pod_index, pod, pod->node, true);
    }
    while (yk_classes_next_woken(&bench->classes) != YK_SI_CLASS_ANY)
        continue;
}

/* Most updates change nothing that a rule looks at. */
static void describe_again(struct bench *bench)
{
    struct yk_cache_pod *pod = yk_cache_find_pod(&bench->cache, YK_STR("ns0"), YK_STR("p0"));
    struct yk_pod *object = make(0, "p0");
    for (size_t i = 0; i < bench->pods; i++)
        yk_pod_index_pod_described(&bench->classes.pod_index, pod, object);
    yk_object_free(&object->object);
}

/* A term that all pods of all namespaces match. */
static void reference(struct bench *bench)
{
    struct yk_pod *pod = make_pod("fresh", "p", "1");
    struct yk_pod_affinity_term *term = add_affinity_term(pod, "zone");
    term->has_selector = term->has_namespace_selector = true;
    yk_class_put(&bench->classes, take_class(bench, pod));
    /* Idle classes are kept: as many others as that drive it out. */
    for (int i = 0; i < YK_CLASSES_IDLE_MAX; i++) {
        char text[16];
        snprintf(text, sizeof(text), "%d", i);
        pod = make_pod("fresh", "p", "1");
        add_pair(&pod->object, &pod->node_selector, "other", text);
        yk_class_put(&bench->classes, take_class(bench, pod));
    }
}

static void measure(struct bench *bench, const char *part, size_t things, size_t repeat,
                    void (*what)(struct bench *bench))
{
    double ns = best_of(repeat, things, what, bench);
    report_begin("books", part);
    report_count("nodes", bench->nodes);
    report_count("pods", bench->pods);
    report_count("workloads", bench->workloads);
    report_number("ns", ns);
    report_end();
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 5);
    struct bench bench;
    set_up(&bench, options.tiny ? 60 : 20000, options.tiny ? 200 : 100000, options.tiny ? TINY : WORKLOADS);
    measure(&bench, "answer, no constraint", bench.workloads * PASSES, options.repeat, ask_plain);
    measure(&bench, "answer, spread and anti-affinity", bench.workloads * PASSES, options.repeat,
            ask_constrained);
    measure(&bench, "a pod goes and comes", bench.pods, options.repeat, come_and_go);
    measure(&bench, "a pod is described again", bench.pods, options.repeat, describe_again);
    measure(&bench, "a term that is new, in all", 1, options.repeat, reference);
    if (ask_all(&bench, false) != look_all(&bench) || ask_all(&bench, true) != bench.workloads)
        rig_die("the answers are not what stands there");
    tear_down(&bench);
    return 0;
}

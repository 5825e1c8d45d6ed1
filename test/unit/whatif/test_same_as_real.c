/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In random clusters, questions are put and then done for real with nothing in between: verdicts, nodes,
 * victims and the waiting pods that start are the same.
 *
 * YK_WHATIF_RUNS: how many questions (default 100). YK_SEED: the first seed.
 */
#include "app/apps.h"
#include "lib/chance.h"
#include "whatif/stage.h"

#include "api/json_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { RUNS = 100, NODES_MAX = 8, JOB_MAX = 6, LEAVES = 4 };

struct world {
    struct stage stage;
    struct yk_random random;
    uint64_t seed;
    int nodes, pods;                       /* made so far */
    size_t starts, waits, victims, others; /* seen in all answers */
    size_t questions[5];
};

/* ---- random text ---- */

static void put_leaf(struct world *world, struct yk_buf *text, const char *name)
{
    struct yk_random *random = &world->random;
    yk_buf_printf(text, "          - name: %s\n", name);
    if (below(random, 3) > 0)
        yk_buf_printf(text, "            properties: {preemption.delay: %ds, application.sort.policy: %s}\n",
                      1 + below(random, 10), PICK(random, "fifo", "fair"));
    bool guaranteed = below(random, 3) > 0, max = below(random, 3) == 0;
    if (guaranteed || max)
        yk_buf_text(text, "            resources:\n");
    int cores = 1 + below(random, 12);
    if (guaranteed)
        yk_buf_printf(text, "              guaranteed: {vcore: %d, memory: %dG}\n", cores, cores);
    if (max)
        yk_buf_printf(text, "              max: {vcore: %d}\n", cores + below(random, 8));
}

static void put_queues(struct world *world, struct yk_buf *text)
{
    static const char *const leaves[LEAVES] = {"a", "b", "c", "d"};
    yk_buf_printf(text,
                  "partitions:\n  - name: default\n    nodesortpolicy: {type: %s}\n    preemption: "
                  "{enabled: true, quotapreemptionenabled: true}\n    queues:\n      - name: root\n"
                  "        submitacl: '*'\n        queues:\n",
                  PICK(&world->random, "fair", "binpacking"));
    for (int i = 0; i < LEAVES; i++)
        put_leaf(world, text, leaves[i]);
}

static void put_node(struct world *world, struct yk_buf *text, const char *name)
{
    struct yk_random *random = &world->random;
    int cores = 2 + below(random, 8);
    yk_buf_printf(
        text,
        "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s','zone':'z%d'}},'spec':{%s},"
        "'status':{'allocatable':{'cpu':'%d','memory':'%dG','pods':'%d'}}}",
        name, name, below(random, 3),
        below(random, 8) == 0 ? "'taints':[{'key':'k','value':'v','effect':'NoSchedule'}]" : "", cores,
        cores * (1 + below(random, 3)), 3 + below(random, 20));
}

static void put_constraints(struct world *world, struct yk_buf *text)
{
    struct yk_random *random = &world->random;
    if (below(random, 5) == 0)
        yk_buf_printf(text, ",'nodeSelector':{'zone':'z%d'}", below(random, 3));
    if (below(random, 5) == 0)
        yk_buf_text(text, ",'tolerations':[{'key':'k','operator':'Exists'}]");
    if (below(random, 6) == 0)
        yk_buf_text(text,
                    ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
                    "'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':{'team':'t'}}}"
                    "]}}");
}

/* Whole: nothing of it is left to defaults. */
static void put_pod(struct world *world, struct yk_buf *text, const char *name, int app,
                    const char *annotations)
{
    struct yk_random *random = &world->random;
    const char *queue = PICK(random, "a", "b", "c", "d");
    yk_buf_printf(text,
                  "{'metadata':{'namespace':'default','name':'%s','labels':{'applicationId':'app-%s-%d',"
                  "'queue':'root.%s','team':'%s'},'annotations':{%s}},",
                  name, queue, app, queue, PICK(random, "t", "u", "v"), annotations);
    yk_buf_printf(text,
                  "'spec':{'schedulerName':'yunikorn','priority':%d,'containers':[{'name':'c','resources':{"
                  "'requests':{'cpu':'%dm','memory':'%dM'}}}]",
                  below(random, 3) * 10, 250 * (1 + below(random, 12)), 100 * (1 + below(random, 20)));
    put_constraints(world, text);
    yk_buf_text(text, "}}");
}

/* ---- the cluster before the question ---- */

static void add_node(struct world *world)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    char name[16];
    snprintf(name, sizeof(name), "n%d", world->nodes++);
    put_node(world, &text, name);
    stage_put(&world->stage, YK_KIND_NODE, yk_buf_cstr(&text));
}

static void add_pod(struct world *world)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    char name[16];
    snprintf(name, sizeof(name), "p%d", world->pods++);
    put_pod(world, &text, name, below(&world->random, 3), "");
    stage_put(&world->stage, YK_KIND_POD, yk_buf_cstr(&text));
}

static void look_at_pod(void *context, const struct yk_object *pod)
{
    *(bool *)context |= pod->deleting;
}

static bool some_terminate(const struct world *world)
{
    bool any = false;
    yk_cluster_each(world->stage.cluster, YK_KIND_POD, look_at_pod, &any);
    return any;
}

static void fill(struct world *world)
{
    int nodes = 1 + below(&world->random, NODES_MAX), pods = below(&world->random, 10 * nodes);
    for (int i = 0; i < nodes; i++)
        add_node(world);
    stage_pass(&world->stage, YK_NS_PER_S);
    for (int i = 0; i < pods; i++) {
        add_pod(world);
        if (below(&world->random, 4) == 0)
            stage_pass(&world->stage, below(&world->random, 2000) * YK_NS_PER_MS);
    }
    /* Sometimes preemption is under way, sometimes all is settled. When a pod that is being deleted is gone
     * is known to its kubelet only. */
    stage_pass(&world->stage, below(&world->random, 40) * YK_NS_PER_S);
    while (some_terminate(world))
        stage_pass(&world->stage, YK_NS_PER_S / 4);
}

/* ---- what is asked and then done ---- */

struct plan {
    struct yk_buf question, queues;
    struct yk_vec objects; /* owned texts: created for real */
    struct yk_vec names;   /* owned: of the pods of the question */
    enum yk_kind kind;
    char node[16];
    const char *action; /* of a node; NULL: others */
    char allocatable[64];
};

static void plan_done(struct plan *plan)
{
    char *text;
    yk_vec_foreach (text, &plan->objects)
        free(text);
    yk_vec_foreach (text, &plan->names)
        free(text);
    yk_vec_done(&plan->objects);
    yk_vec_done(&plan->names);
    yk_buf_done(&plan->question);
    yk_buf_done(&plan->queues);
}

static char *replaced(const char *text, const char *what, const char *by)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    const char *at = strstr(text, what);
    assert_non_null(at);
    yk_buf_add(&out, text, (size_t)(at - text));
    yk_buf_printf(&out, "%s%s", by, at + strlen(what));
    return yk_buf_take(&out);
}

static void plan_pods(struct world *world, struct plan *plan, int count, bool is_gang)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf pod = {0}, annotations = {0};
    if (is_gang)
        yk_buf_printf(
            &annotations,
            "'yunikorn.apache.org/task-group-name':'g','yunikorn.apache.org/task-groups':'[{\\'name\\':"
            "\\'g\\',\\'minMember\\':%d,\\'minResource\\':{\\'cpu\\':\\'%d\\',\\'memory\\':\\'1G\\'}}]'",
            1 + below(&world->random, 4), 1 + below(&world->random, 3));
    put_pod(world, &pod, "asked", 100 + below(&world->random, 2), yk_buf_cstr(&annotations));
    const char *kind = is_gang ? "gang" : count > 1 ? "job" : "pod";
    yk_buf_printf(&plan->question, "{'kind':'%s','pod':%s}", kind, yk_buf_cstr(&pod));
    if (count > 1) {
        plan->question.len--;
        yk_buf_printf(&plan->question, ",'count':%d}", count);
    }
    for (int i = 0; i < count; i++) {
        char name[24], quoted[32];
        snprintf(name, sizeof(name), count > 1 ? "asked-%d" : "asked", i);
        snprintf(quoted, sizeof(quoted), "'name':'%s'", name);
        yk_vec_append(&plan->objects, replaced(yk_buf_cstr(&pod), "'name':'asked'", quoted));
        yk_vec_append(&plan->names, yk_strdup(name));
    }
    plan->kind = YK_KIND_POD;
}

static void plan_node(struct world *world, struct plan *plan)
{
    plan->kind = YK_KIND_NODE;
    plan->action = PICK(&world->random, "add", "remove", "cordon", "uncordon", "resize");
    if (strcmp(plan->action, "add") == 0) {
        YK_CLEANUP(yk_buf_done) struct yk_buf node = {0};
        put_node(world, &node, "new");
        yk_buf_printf(&plan->question, "{'kind':'node','action':'add','node':%s}", yk_buf_cstr(&node));
        yk_vec_append(&plan->objects, yk_buf_take(&node));
        return;
    }
    snprintf(plan->node, sizeof(plan->node), "n%d", below(&world->random, world->nodes));
    snprintf(plan->allocatable, sizeof(plan->allocatable), "%d", 1 + below(&world->random, 16));
    yk_buf_printf(&plan->question,
                  "{'kind':'node','action':'%s','node':{'name':'%s','allocatable':{'cpu':'%s'}}}",
                  plan->action, plan->node, plan->allocatable);
}

static void plan_queues(struct world *world, struct plan *plan)
{
    put_queues(world, &plan->queues);
    yk_buf_text(&plan->question, "{'kind':'queues','queues':'");
    for (size_t i = 0; i < plan->queues.len; i++) {
        char c = plan->queues.p[i];
        if (c == '\n')
            yk_buf_text(&plan->question, "\\n");
        else if (c == '\'')
            yk_buf_text(&plan->question, "\\u0027");
        else
            yk_buf_char(&plan->question, c);
    }
    yk_buf_text(&plan->question, "'}");
}

static void make_plan(struct world *world, struct plan *plan)
{
    int what = below(&world->random, 5);
    world->questions[what]++;
    if (what == 0)
        plan_pods(world, plan, 1, false);
    else if (what == 1)
        plan_pods(world, plan, 2 + below(&world->random, JOB_MAX - 1), false);
    else if (what == 2)
        plan_pods(world, plan, 1 + below(&world->random, 3), true);
    else if (what == 3)
        plan_node(world, plan);
    else
        plan_queues(world, plan);
}

static void resize(struct world *world, const struct plan *plan)
{
    const struct yk_k8s_node *node = (const struct yk_k8s_node *)(const void *)yk_cluster_find(
        world->stage.cluster, YK_KIND_NODE, NULL, plan->node);
    struct yk_amount items[8];
    uint32_t count = YK_MIN(node->allocatable.count, 8);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = node->allocatable.items[i];
        if (yk_str_is(items[i].name, "cpu"))
            assert_int_equal(yk_sim_amount(YK_STR("cpu"), yk_str_from(plan->allocatable), &items[i], NULL),
                             YK_OK);
    }
    assert_true(yk_cluster_resize(world->stage.cluster, plan->node, &(struct yk_amounts){items, count}));
}

static void do_it(struct world *world, const struct plan *plan)
{
    struct yk_cluster *cluster = world->stage.cluster;
    const char *text;
    yk_vec_foreach (text, &plan->objects)
        stage_put(&world->stage, plan->kind, text);
    if (plan->queues.len > 0)
        stage_put_queues(&world->stage, yk_buf_cstr(&plan->queues));
    if (plan->action == NULL || plan->objects.count > 0)
        return;
    if (strcmp(plan->action, "remove") == 0)
        assert_true(yk_cluster_delete(cluster, YK_KIND_NODE, NULL, plan->node));
    else if (strcmp(plan->action, "resize") == 0)
        resize(world, plan);
    else
        assert_true(yk_cluster_cordon(cluster, plan->node, strcmp(plan->action, "cordon") == 0));
}

/* ---- the comparison ---- */

_Noreturn static void differs(const struct world *world, const struct plan *plan, const char *what)
{
    const char *text;
    fprintf(stderr, "seed %llu: %s\nquestion: %s\nanswer: %s\n", (unsigned long long)world->seed, what,
            yk_buf_cstr(&plan->question), world->stage.text);
    yk_vec_foreach (text, &world->stage.bound)
        fprintf(stderr, "bound: %s\n", text);
    yk_vec_foreach (text, &world->stage.evicted)
        fprintf(stderr, "evicted: %s\n", text);
    fail();
    abort();
}

static bool has(const struct yk_vec *texts, const char *text)
{
    const char *item;
    yk_vec_foreach (item, texts) {
        if (strcmp(item, text) == 0)
            return true;
    }
    return false;
}

static void compare_pods(struct world *world, const struct plan *plan, const json_t *pods)
{
    if (json_array_size(pods) != plan->names.count)
        differs(world, plan, "another number of pods");
    for (size_t i = 0; i < plan->names.count; i++) {
        const char *name = plan->names.items[i], *node = stage_text(json_array_get(pods, i), "nodeID");
        const char *real = stage_node_of(&world->stage, "default", name);
        bool starts = strcmp(stage_text(json_array_get(pods, i), "verdict"), "starts") == 0;
        const struct yk_pod *pod = (const struct yk_pod *)(const void *)yk_cluster_find(
            world->stage.cluster, YK_KIND_POD, "default", name);
        bool failed = pod != NULL && yk_str_is(pod->phase, "Failed");
        bool is_rejected = strcmp(stage_text(json_array_get(pods, i), "verdict"), "rejected") == 0;
        if (starts != (real[0] != '\0' && real[0] != '-') || failed != is_rejected)
            differs(world, plan, "another verdict");
        if (strcmp(node, starts ? real : "") != 0)
            differs(world, plan, "another node");
        world->starts += starts;
        world->waits += !starts;
    }
}

static bool is_asked(const struct plan *plan, const char *text)
{
    (void)plan;
    return strncmp(text, "default/asked", strlen("default/asked")) == 0;
}

/* The same texts in both, in any order, but for those of the question's pods. */
static void compare_others(struct world *world, const struct plan *plan, const json_t *listed,
                           const struct yk_vec *real, bool with_node, const char *what)
{
    size_t count = 0;
    const char *text;
    yk_vec_foreach (text, real)
        count += !is_asked(plan, text);
    if (count != json_array_size(listed))
        differs(world, plan, what);
    for (size_t i = 0; i < json_array_size(listed); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf item = {0};
        const json_t *pod = json_array_get(listed, i);
        yk_buf_printf(&item, "%s/%s", stage_text(pod, "namespace"), stage_text(pod, "podName"));
        if (with_node)
            yk_buf_printf(&item, " %s", stage_text(pod, "nodeID"));
        if (!has(real, yk_buf_cstr(&item)))
            differs(world, plan, what);
    }
}

/* Forgets pods that waited, started and were preempted again: the answer says that they wait. */
static void forget_those_that_gave_way(struct world *world, const struct plan *plan)
{
    struct yk_vec *bound = &world->stage.bound, *evicted = &world->stage.evicted;
    for (size_t i = bound->count; i-- > 0;) {
        char *start = bound->items[i];
        for (size_t k = 0; k < evicted->count; k++) {
            char *name = evicted->items[k];
            if (is_asked(plan, name) || strncmp(start, name, strlen(name)) != 0 || start[strlen(name)] != ' ')
                continue;
            yk_vec_remove(bound, i);
            yk_vec_remove(evicted, k);
            free(start);
            free(name);
            break;
        }
    }
}

static void compare(struct world *world, const struct plan *plan, const json_t *answer)
{
    forget_those_that_gave_way(world, plan);
    const json_t *impact = json_object_get(answer, "impact");
    const json_t *preempted = json_object_get(impact, "preempted"),
                 *started = json_object_get(impact, "started");
    compare_pods(world, plan, json_object_get(answer, "pods"));
    compare_others(world, plan, preempted, &world->stage.evicted, false, "other victims");
    compare_others(world, plan, started, &world->stage.bound, true, "others start");
    world->victims += json_array_size(preempted);
    world->others += json_array_size(started);
}

static size_t count_waiting(const struct world *world)
{
    const struct yk_cache_pod *pod;
    size_t count = 0;
    yk_text_set_foreach (pod, &yk_shim_apps(world->stage.shim)->cache->pods)
        count += pod->node == NULL && pod->task != NULL && (pod->flags & YK_POD_DELETING) == 0;
    return count;
}

/* Of a question about a node: each pod that waits either starts or does not. */
static void check_sum(struct world *world, const struct plan *plan, const json_t *answer, size_t waiting)
{
    const json_t *impact = json_object_get(answer, "impact");
    size_t started = json_array_size(json_object_get(impact, "started"));
    if (plan->action != NULL &&
        started + (size_t)json_integer_value(json_object_get(impact, "waiting")) != waiting)
        differs(world, plan, "number of waiting pods");
}

static void one_run(struct world *world)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf queues = {0};
    YK_CLEANUP(plan_done) struct plan plan = {.action = NULL};
    yk_random_init(&world->random, world->seed);
    world->nodes = world->pods = 0;
    put_queues(world, &queues);
    stage_init(&world->stage, yk_buf_cstr(&queues), world->seed);
    fill(world);
    make_plan(world, &plan);
    size_t waiting = count_waiting(world);
    json_t *answer = stage_answer(&world->stage, yk_buf_cstr(&plan.question));
    check_sum(world, &plan, answer, waiting);
    stage_forget_moments(&world->stage);
    do_it(world, &plan);
    stage_pass(&world->stage, json_integer_value(json_object_get(answer, "horizonMillis")) * YK_NS_PER_MS);
    compare(world, &plan, answer);
    json_decref(answer);
    stage_done(&world->stage);
}

static void answers_are_what_happens(void **state)
{
    (void)state;
    struct world *world = yk_new0(struct world);
    int64_t runs = number_from("YK_WHATIF_RUNS", RUNS), first = number_from("YK_SEED", 1);
    for (int64_t i = 0; i < runs; i++) {
        world->seed = (uint64_t)(first + i);
        one_run(world);
    }
    print_message(
        "%lld questions (%zu pods, %zu jobs, %zu gangs, %zu nodes, %zu configurations): %zu pods start, "
        "%zu wait, %zu victims, %zu other pods start\n",
        (long long)runs, world->questions[0], world->questions[1], world->questions[2], world->questions[3],
        world->questions[4], world->starts, world->waits, world->victims, world->others);
    if (runs >= RUNS) {
        assert_true(world->starts > 0 && world->waits > 0 && world->victims > 0 && world->others > 0);
    }
    free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_what_happens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
/*
 * The queue tree at size, one JSON line for each part:
 *
 *     bench_queues reload    10,000 queues, 100 of them changed: from text to active while the core schedules, and the
 *                            longest time the scheduling loop stood still
 *     bench_queues charge    booking on a path of depth 8, and taking it off again
 *     bench_queues leaves    a decision with 10,000 leaves that have work against one with 10
 *     bench_queues users     1,000,000 users, each seen once: what stays in memory
 *
 * Without an argument, all of them, --repeat R times (3). The text is prepared on a thread of its own, as in
 * the scheduler.
 */
/* clang-format on */
#include "base/log.h"
#include "base/version.h"
#include "rig.h"

#include <getopt.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int64_t now_ns(void)
{
    return yk_clock_mono_ns(&yk_clock_real);
}

static void print_build(void)
{
    (void)printf("\"seed\":0,\"version\":\"%s\",\"revision\":\"%s\",\"compiler\":\"%s\"}\n", yk_version,
                 yk_revision, yk_compiler);
}

/* ---- a core with nodes and work ---- */

static void add_nodes(struct rig *rig, size_t count)
{
    struct yk_resvec capacity = rig_amounts(INT64_C(64000000), INT64_C(1) << 46, 1000000);
    rig_add_nodes(rig, count, &capacity);
}

/* ---- reload: 100 parents with 100 leaves each ---- */

enum { PARENTS = 100, LEAVES = 100, CHANGED = 100, ASKS_PER_APP = 40 };

static void put_head(struct yk_buf *text)
{
    yk_buf_text(text, "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                      "    queues:\n");
}

/* One leaf of each parent has the maximum `changed`. */
static void put_tree(struct yk_buf *text, int changed)
{
    text->max = YK_CONFIG_BYTES_MAX;
    put_head(text);
    for (int p = 0; p < PARENTS; p++) {
        yk_buf_printf(text,
                      "    - name: team-%03d\n      resources:\n        max: {vcore: 90000, memory: 900Ti}\n"
                      "      queues:\n",
                      p);
        for (int l = 0; l < LEAVES - 1; l++)
            yk_buf_printf(text,
                          "      - name: queue-%03d\n        resources:\n"
                          "          guaranteed: {vcore: 1, memory: 1Gi}\n"
                          "          max: {vcore: %d, memory: 100Ti}\n"
                          "        properties: {application.sort.policy: fifo}\n",
                          l, l == p % (LEAVES - 1) ? changed : 80000);
    }
}

struct preparation {
    struct yk_reload *reload;
    _Atomic bool done; /* released by the thread that prepares, acquired by the one that schedules */
};

static void *prepare(void *context)
{
    struct preparation *preparation = context;
    yk_reload_prepare(preparation->reload);
    atomic_store_explicit(&preparation->done, true, memory_order_release);
    return NULL;
}

static size_t fill_leaves(struct rig *rig)
{
    size_t asks = 0;
    for (int p = 0; p < PARENTS; p++) {
        for (int l = 0; l < LEAVES - 1; l += 9) {
            char id[32], queue[64];
            (void)snprintf(id, sizeof(id), "app-%03d-%03d", p, l);
            (void)snprintf(queue, sizeof(queue), "root.team-%03d.queue-%03d", p, l);
            rig_add_app(rig, id, queue);
            for (int i = 0; i < ASKS_PER_APP * 10; i++)
                rig_add_ask(rig, id, asks++);
        }
    }
    return asks;
}

static int64_t cpu_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* always there */
    return t.tv_sec * YK_NS_PER_S + t.tv_nsec;
}

static void reload(void)
{
    struct rig rig;
    struct yk_buf before = {0}, after = {0};
    put_tree(&before, 80000);
    put_tree(&after, 70000);
    rig_init(&rig, yk_buf_view(&before), &yk_clock_real);
    add_nodes(&rig, 100);
    size_t asks = fill_leaves(&rig);

    struct yk_si_register request = {.rm_id = "rm", .config = yk_buf_view(&after)};
    struct preparation preparation = {0};
    struct yk_si_told told = {0};
    pthread_t thread;
    int64_t start_ns = now_ns(), last_ns = start_ns, gap_ns = 0, prepared_ns = 0, active_ns = 0,
            commit_ns = 0;
    rig_must(yk_core_reload_begin(rig.core, &request, &preparation.reload, NULL), "reload refused");
    if (pthread_create(&thread, NULL, prepare, &preparation) != 0)
        rig_die("no thread");
    /* As the engine does: a command, then a slice of decisions; what lies between two decisions is a gap. */
    size_t decisions = 0, during = 0;
    while (active_ns == 0 || decisions < during + 1000) {
        if (active_ns == 0 && atomic_load_explicit(&preparation.done, memory_order_acquire)) {
            prepared_ns = now_ns() - start_ns;
            int64_t cpu = cpu_ns();
            rig_must(yk_core_reload_finish(rig.core, preparation.reload, &told, NULL), "reload refused");
            commit_ns = cpu_ns() - cpu;
            active_ns = now_ns() - start_ns;
            during = decisions;
        }
        size_t more = yk_core_schedule(rig.core, 16, INT64_MAX);
        if (more == 0)
            break;
        decisions += more;
        int64_t now = now_ns();
        gap_ns = YK_MAX(gap_ns, now - last_ns);
        last_ns = now;
    }
    pthread_join(thread, NULL);
    yk_reload_free(preparation.reload);
    if (!told.changed || during == 0 || decisions < during + 1000 ||
        yk_core_first_rm(rig.core)->last_change.kinds[YK_CHANGE_CHANGED].count != CHANGED)
        rig_die("the reload did not do what it should, or the scheduler had nothing to do");
    (void)printf("{\"case\":\"queues\",\"part\":\"reload\",\"queues\":%d,\"changed\":%d,\"text_bytes\":%zu,"
                 "\"prepared_ms\":%.2f,\"active_ms\":%.2f,\"commit_ms\":%.3f,\"longest_gap_ms\":%.3f,"
                 "\"decisions_meanwhile\":%zu,\"asks\":%zu,",
                 PARENTS * LEAVES, CHANGED, after.len, (double)prepared_ns / 1e6, (double)active_ns / 1e6,
                 (double)commit_ns / 1e6, (double)gap_ns / 1e6, during, asks);
    print_build();
    rig_done(&rig);
    yk_buf_done(&before);
    yk_buf_done(&after);
}

/* ---- charge ---- */

enum { DEPTH = 8, CHARGES = 2000000 };

static void charge(void)
{
    struct yk_queue *root = yk_queue_new(NULL, YK_STR("root"), false, true, 0), *leaf = root;
    struct yk_resvec max = rig_amounts(1000000, INT64_C(1) << 50, 1000000),
                     size = rig_amounts(100, 1 << 20, 1);
    for (int i = 1; i < DEPTH; i++)
        leaf = yk_queue_new(leaf, YK_STR("q"), i == DEPTH - 1, true, 0);
    for (struct yk_queue *q = leaf; q != NULL; q = q->parent) {
        q->has_max = true;
        yk_resvec_copy(&q->max, &max);
    }
    /* Something stays, so that no type comes and goes. */
    yk_queue_add_allocated(leaf, &size);
    int64_t start_ns = now_ns(), add_ns = 0;
    size_t refused = 0;
    for (int i = 0; i < CHARGES / 1000; i++) {
        int64_t at_ns = now_ns();
        for (int k = 0; k < 1000; k++) {
            refused += !yk_queue_has_headroom(leaf, &size, NULL);
            yk_queue_add_allocated(leaf, &size);
        }
        add_ns += now_ns() - at_ns;
        for (int k = 0; k < 1000; k++)
            yk_queue_sub_allocated(leaf, &size);
    }
    int64_t all_ns = now_ns() - start_ns;
    if (refused > 0 || !yk_resvec_eq(&root->allocated, &size))
        rig_die("charges do not add up");
    (void)printf("{\"case\":\"queues\",\"part\":\"charge\",\"depth\":%d,\"ns_per_charge\":%.1f,"
                 "\"ns_per_release\":%.1f,",
                 DEPTH, (double)add_ns / (double)CHARGES, (double)(all_ns - add_ns) / (double)CHARGES);
    print_build();
    yk_queue_free(root);
}

/* ---- leaves ---- */

enum { DECISIONS = 200000 };

static double ns_per_decision(size_t leaves)
{
    struct rig rig;
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    put_head(&text);
    for (size_t i = 0; i < leaves; i++)
        yk_buf_printf(&text, "    - name: leaf-%05zu\n", i);
    rig_init(&rig, yk_buf_view(&text), &yk_clock_real);
    add_nodes(&rig, 100);
    for (size_t i = 0, asks = 0; i < leaves; i++) {
        char id[32], queue[32];
        (void)snprintf(id, sizeof(id), "app-%05zu", i);
        (void)snprintf(queue, sizeof(queue), "root.leaf-%05zu", i);
        rig_add_app(&rig, id, queue);
        for (size_t k = 0; k < DECISIONS * 5 / 4 / leaves; k++)
            rig_add_ask(&rig, id, asks++);
    }
    (void)yk_core_schedule(rig.core, DECISIONS / 8, INT64_MAX); /* warms up */
    int64_t start_ns = now_ns();
    size_t decisions = yk_core_schedule(rig.core, DECISIONS, INT64_MAX);
    double each = (double)(now_ns() - start_ns) / (double)decisions;
    if (decisions != DECISIONS)
        rig_die("not everything was decided");
    rig_done(&rig);
    yk_buf_done(&text);
    return each;
}

static void leaves(void)
{
    double few = ns_per_decision(10), many = ns_per_decision(10000);
    (void)printf("{\"case\":\"queues\",\"part\":\"leaves\",\"decisions\":%d,\"ns_per_decision_10\":%.0f,"
                 "\"ns_per_decision_10000\":%.0f,\"ratio\":%.2f,",
                 DECISIONS, few, many, many / few);
    print_build();
}

/* ---- users ---- */

enum { USERS = 1000 * 1000, USERS_KNOWN = 20 * 1000, USERS_A_DAY = 1000 };

/* Each user has one application with one pod, and is never seen again; ended applications are kept for
 * days. */
static void see_users(struct rig *rig, struct yk_clock *clock, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        char id[32], user[32], key[32];
        (void)snprintf(id, sizeof(id), "app-%zu", i);
        (void)snprintf(user, sizeof(user), "user-%zu", i);
        (void)snprintf(key, sizeof(key), "pod-%zu", i);
        struct yk_si_new_app app = {.application_id = id, .queue = "root.team.leaf", .ugi = {.user = user}};
        rig_must(yk_core_add_app(rig->core, "rm", &app), "application refused");
        struct yk_resvec size = {0};
        yk_resvec_put(&size, YK_RESTYPE_VCORE, 100);
        struct yk_si_allocation ask = {
            .key = key, .application_id = id, .resource = &size, .scheduling_class = YK_SI_CLASS_ANY};
        rig_must(yk_core_update_allocation(rig->core, "rm", &ask), "ask refused");
        if (yk_core_schedule(rig->core, 1, INT64_MAX) != 1)
            rig_die("an ask was not placed");
        rig_must(yk_core_remove_app(rig->core, "rm", id, NULL), "application not removed");
        if (i % USERS_A_DAY == 0) {
            yk_clock_advance(clock, 100 * 3600 * YK_NS_PER_S);
            (void)yk_timers_run(&rig->timers); /* whatever is due */
        }
    }
    for (int day = 0; day < 5; day++) {
        yk_clock_advance(clock, 100 * 3600 * YK_NS_PER_S);
        (void)yk_timers_run(&rig->timers);
    }
}

static void users(void)
{
    struct rig rig;
    struct yk_clock clock;
    struct yk_buf text = {0};
    yk_clock_virtual_init(&clock, 1700000000 * YK_NS_PER_S);
    put_head(&text);
    yk_buf_text(&text, "    - name: team\n      queues: [{name: leaf}]\n"
                       "      limits: [{limit: each, users: ['*'], maxresources: {vcore: 1}}]\n");
    rig_init(&rig, yk_buf_view(&text), &clock);
    add_nodes(&rig, 10);
    see_users(&rig, &clock, 0, USERS_KNOWN);
    size_t before = mallinfo2().uordblks;
    int64_t start_ns = now_ns();
    see_users(&rig, &clock, USERS_KNOWN, USERS_KNOWN + USERS);
    double each = (double)(now_ns() - start_ns) / (double)USERS;
    long long left = (long long)mallinfo2().uordblks - (long long)before;
    (void)printf("{\"case\":\"queues\",\"part\":\"users\",\"users\":%d,\"bytes_left\":%lld,"
                 "\"ns_per_user\":%.0f,",
                 USERS, left, each);
    print_build();
    rig_done(&rig);
    yk_buf_done(&text);
}

/* ---- */

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {{"reload", reload}, {"charge", charge}, {"leaves", leaves}, {"users", users}};

static void run_parts(const char *name)
{
    bool any = false;
    for (size_t i = 0; i < YK_COUNT(parts); i++) {
        if (name != NULL && strcmp(name, parts[i].name) != 0)
            continue;
        parts[i].run();
        any = true;
    }
    if (!any)
        rig_die("no such part");
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"repeat", required_argument, NULL, 'r'}, {0}};
    uint64_t repeat = 3;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c != 'r' || yk_str_to_u64(yk_str_from(optarg), &repeat) != YK_OK)
            return 2;
    }
    yk_log_set_stream(NULL);
    for (uint64_t i = 0; i < repeat; i++)
        run_parts(optind < argc ? argv[optind] : NULL);
    return 0;
}

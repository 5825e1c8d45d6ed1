/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 200 gangs of 50: all placeholders stand, then the real pods come. The resource manager confirms each
 * release at once after the core has returned: after every single decision, and after slices of 1,000. Time
 * runs from the first decision about a real pod to the last confirmation; what the pods' arrival takes is
 * said apart.
 *
 * Then the cost of events beside 1,000 gangs that wait, on 10,000 nodes: gangs without capacity for their
 * placeholders, and gangs whose real pods may not run where their placeholders are. An event is the end of a
 * pod, with all decisions that follow from it. Time is simulated: 20 ms pass between two events, so that the
 * looks at the waiting gangs, one a second at most, are among what is measured.
 */
#include "report.h"
#include "rig.h"

#include <stdio.h>

struct work {
    size_t gangs, members;
};

struct confirmation {
    char app[32], key[48];
};

/* What is to be confirmed once the core has returned. */
static struct {
    struct confirmation *of; /* owned */
    size_t count, max, other;
} told;

static void on_released(struct rig *rig, const struct yk_si_released *release)
{
    (void)rig;
    if (release->termination != YK_SI_PLACEHOLDER_REPLACED || told.count == told.max) {
        told.other++;
        return;
    }
    struct confirmation *confirmation = &told.of[told.count++];
    (void)snprintf(confirmation->app, sizeof(confirmation->app), "%s", release->application_id);
    (void)snprintf(confirmation->key, sizeof(confirmation->key), "%s", release->key);
}

static void name_gang(char id[32], size_t gang)
{
    (void)snprintf(id, 32, "gang-%04zu", gang);
}

static void add_member(struct rig *rig, const char *app, const char *kind, size_t number, bool placeholder)
{
    char key[48];
    struct yk_resvec size = rig_amounts(100, 100 << 20, 1);
    (void)snprintf(key, sizeof(key), "%s-%08zu", kind, number);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = &size,
                                   .task_group = "workers",
                                   .placeholder = placeholder,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    rig_must(yk_core_update_allocation(rig->core, "rm", &ask), "ask refused");
}

static void add_members(struct rig *rig, const struct work *work, const char *kind, bool placeholder)
{
    for (size_t g = 0; g < work->gangs; g++) {
        char app[32];
        name_gang(app, g);
        for (size_t m = 0; m < work->members; m++)
            add_member(rig, app, kind, g * work->members + m, placeholder);
    }
}

static void add_gangs(struct rig *rig, const struct work *work)
{
    struct yk_resvec total = rig_amounts(100, 100 << 20, 1);
    yk_resvec_mul(&total, (int64_t)work->members);
    for (size_t g = 0; g < work->gangs; g++) {
        char id[32];
        name_gang(id, g);
        struct yk_si_new_app app = {.application_id = id,
                                    .queue = g % 2 == 0 ? "root.a" : "root.b",
                                    .ugi = {.user = "bench"},
                                    .placeholder_ask = &total};
        rig_must(yk_core_add_app(rig->core, "rm", &app), "application refused");
    }
    add_members(rig, work, "placeholder", true);
}

static void confirm(struct rig *rig)
{
    for (size_t i = 0; i < told.count; i++)
        rig_release(rig, told.of[i].app, told.of[i].key, YK_SI_PLACEHOLDER_REPLACED);
    told.count = 0;
}

static size_t replace_all(struct rig *rig, size_t slice)
{
    size_t replaced = 0;
    for (size_t more; (more = yk_core_schedule(rig->core, slice, INT64_MAX)) > 0; replaced += more)
        confirm(rig);
    return replaced;
}

static void expect_no_placeholder(const struct rig *rig)
{
    const struct yk_app *app;
    yk_strmap_foreach (app, &rig_partition(rig)->apps) {
        if (app->placeholder_count > 0 || app->gang->replacing > 0 || app->pending_groups.count > 0)
            rig_die("a placeholder was left, or a real pod waits");
    }
}

struct result {
    double replacements_per_s, arrival_ns, placeholder_ns;
};

static struct result run_once(const struct work *work, size_t slice, bool show)
{
    static const char config[] =
        "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
        "    queues: [{name: a}, {name: b}]\n";
    struct rig rig;
    size_t pods = work->gangs * work->members;
    struct yk_resvec capacity = rig_amounts(16000, INT64_C(64) << 30, 110);
    rig_init(&rig, yk_str_from(config), &yk_clock_real);
    rig.on_released = on_released;
    rig_add_nodes(&rig, pods / 100 + 1, &capacity);
    add_gangs(&rig, work);
    int64_t start_ns = report_now_ns();
    if (yk_core_schedule(rig.core, SIZE_MAX, INT64_MAX) != pods || rig.allocated != pods)
        rig_die("not every placeholder was allocated");
    int64_t stand_ns = report_now_ns();
    add_members(&rig, work, "pod", false);
    int64_t here_ns = report_now_ns();
    size_t replaced = replace_all(&rig, slice);
    int64_t end_ns = report_now_ns();
    if (replaced != pods || rig.allocated != 2 * pods || told.other > 0)
        rig_die("not every placeholder was replaced exactly once");
    rig_expect(&rig, pods);
    expect_no_placeholder(&rig);
    if (show)
        report_profile(rig.core);
    rig_done(&rig);
    return (struct result){(double)pods / ((double)(end_ns - here_ns) / 1e9),
                           (double)(here_ns - stand_ns) / (double)pods,
                           (double)(stand_ns - start_ns) / (double)pods};
}

static double run(const struct work *work, size_t slice, size_t repeat)
{
    struct result best = {0, 1e18, 1e18};
    report_begin("core-gang", slice == 1 ? "each" : "slices");
    for (size_t r = 0; r < repeat; r++) {
        struct result result = run_once(work, slice, r + 1 == repeat);
        best.replacements_per_s = YK_MAX(best.replacements_per_s, result.replacements_per_s);
        best.arrival_ns = YK_MIN(best.arrival_ns, result.arrival_ns);
        best.placeholder_ns = YK_MIN(best.placeholder_ns, result.placeholder_ns);
    }
    report_count("gangs", work->gangs);
    report_count("members", work->members);
    report_count("decisions_per_slice", slice);
    report_number("replacements_per_s", best.replacements_per_s);
    report_number("ns_per_replacement", 1e9 / best.replacements_per_s);
    report_number("ns_per_arrival", best.arrival_ns);
    report_number("ns_per_placeholder", best.placeholder_ns);
    report_end();
    return best.replacements_per_s;
}

/* ---- events beside gangs that wait ---- */

struct crowd {
    size_t nodes, gangs, members, events;
};

enum { STEP_MS = 20 };

static void settle(struct rig *rig)
{
    while (yk_core_has_work(rig->core))
        (void)yk_core_schedule(rig->core, SIZE_MAX, INT64_MAX); /* counted by the rig */
}

/* A pod of that name on the node, as found at the start. */
static void add_filler(struct rig *rig, size_t node, int64_t vcore)
{
    char id[32], key[48];
    struct yk_resvec size = rig_amounts(vcore, 1 << 20, 1);
    (void)snprintf(id, sizeof(id), "node-%06zu", node);
    (void)snprintf(key, sizeof(key), "filler-%06zu", node);
    rig_add_ask_of(rig, "filler", key, &size, id);
}

static void end_filler(struct rig *rig, size_t node)
{
    char key[48];
    (void)snprintf(key, sizeof(key), "filler-%06zu", node);
    rig_release(rig, "filler", key, YK_SI_STOPPED_BY_RM);
}

static bool fits_nowhere(void *context, yk_si_class class_, void *node_cookie)
{
    (void)context;
    (void)node_cookie;
    return class_ == YK_SI_CLASS_ANY;
}

static void add_crowd(struct rig *rig, const struct crowd *crowd, int64_t vcore)
{
    struct yk_resvec size = rig_amounts(vcore, 1 << 20, 1);
    YK_RESVEC(total);
    yk_resvec_copy(&total, &size);
    yk_resvec_mul(&total, (int64_t)crowd->members);
    for (size_t g = 0; g < crowd->gangs; g++) {
        char id[32], key[48];
        name_gang(id, g);
        struct yk_si_new_app app = {.application_id = id,
                                    .queue = g % 2 == 0 ? "root.a" : "root.b",
                                    .ugi = {.user = "bench"},
                                    .placeholder_ask = &total};
        rig_must(yk_core_add_app(rig->core, "rm", &app), "application refused");
        for (size_t m = 0; m < crowd->members; m++) {
            (void)snprintf(key, sizeof(key), "p-%06zu-%03zu", g, m);
            struct yk_si_allocation ask = {.key = key,
                                           .application_id = id,
                                           .resource = &size,
                                           .task_group = "workers",
                                           .placeholder = true,
                                           .scheduling_class = YK_SI_CLASS_ANY};
            rig_must(yk_core_update_allocation(rig->core, "rm", &ask), "ask refused");
        }
    }
}

/* One real pod for each gang, which may run nowhere. */
static void add_strangers(struct rig *rig, const struct crowd *crowd, int64_t vcore)
{
    for (size_t g = 0; g < crowd->gangs; g++) {
        char id[32], key[48];
        struct yk_resvec size = rig_amounts(vcore, 1 << 20, 1);
        name_gang(id, g);
        (void)snprintf(key, sizeof(key), "r-%06zu", g);
        struct yk_si_allocation ask = {.key = key,
                                       .application_id = id,
                                       .resource = &size,
                                       .task_group = "workers",
                                       .scheduling_class = 1};
        rig_must(yk_core_update_allocation(rig->core, "rm", &ask), "ask refused");
    }
}

struct cost {
    double mean_ns, most_ns;
};

static struct cost measure_events(struct rig *rig, struct yk_clock *clock, const struct crowd *crowd)
{
    struct cost cost = {0, 0};
    for (size_t e = 0; e < crowd->events; e++) {
        yk_clock_advance(clock, STEP_MS * YK_NS_PER_MS);
        int64_t start_ns = report_now_ns();
        end_filler(rig, e);
        settle(rig);
        (void)yk_timers_run(&rig->timers);
        settle(rig);
        double took_ns = (double)(report_now_ns() - start_ns);
        cost.mean_ns += took_ns / (double)crowd->events;
        cost.most_ns = YK_MAX(cost.most_ns, took_ns);
        add_filler(rig, e, 8000); /* one fits behind it, at most: the cluster stays full */
        settle(rig);
    }
    return cost;
}

/* `vcore`: of a member. `strangers`: the placeholders have their nodes, and real pods do not suit these. */
static double run_crowd(const char *part, const struct crowd *crowd, int64_t vcore, bool strangers)
{
    static const char config[] =
        "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
        "    queues: [{name: a}, {name: b}, {name: f}]\n";
    struct rig rig;
    struct yk_clock clock;
    struct yk_resvec capacity = rig_amounts(16000, INT64_C(64) << 30, 110);
    yk_clock_virtual_init(&clock, 1700000000 * YK_NS_PER_S);
    rig_init_with(&rig, yk_str_from(config), &(struct rig_options){&clock, true});
    rig_partition(&rig)->rm->callbacks.class_fits = fits_nowhere;
    rig_add_nodes(&rig, crowd->nodes, &capacity);
    rig_add_app(&rig, "filler", "root.f");
    for (size_t n = 0; n < crowd->nodes; n++)
        add_filler(&rig, n, strangers ? 8000 : 16000);
    add_crowd(&rig, crowd, vcore);
    settle(&rig);
    if (strangers)
        add_strangers(&rig, crowd, vcore);
    settle(&rig);
    struct cost cost = measure_events(&rig, &clock, crowd);
    report_begin("core-gang", part);
    report_count("nodes", crowd->nodes);
    report_count("gangs", crowd->gangs);
    report_number("us_per_event", cost.mean_ns / 1e3);
    report_number("us_at_most", cost.most_ns / 1e3);
    report_end();
    rig_done(&rig);
    return cost.mean_ns / 1e3;
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 15);
    const struct work work = options.tiny ? (struct work){4, 5} : (struct work){200, 50};
    told.max = work.gangs * work.members;
    told.of = yk_new0_array(struct confirmation, told.max);
    report_goal("replacements_per_s, confirmed one by one", run(&work, 1, options.repeat), REPORT_AT_LEAST,
                200000);
    report_goal("replacements_per_s, confirmed by slices", run(&work, 1000, options.repeat), REPORT_AT_LEAST,
                200000);
    const struct crowd crowd =
        options.tiny ? (struct crowd){20, 10, 4, 10} : (struct crowd){10000, 1000, 20, 2000};
    report_goal("us per event, gangs without capacity", run_crowd("waiting", &crowd, 9000, false),
                REPORT_AT_MOST, 100);
    report_goal("us per event, one member fits", run_crowd("one-fits", &crowd, 8000, false), REPORT_AT_MOST,
                100);
    report_goal("us per event, real pods that suit no placeholder", run_crowd("strangers", &crowd, 500, true),
                REPORT_AT_MOST, 100);
    report_goals("core-gang");
    free(told.of);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placement alone: applications of many users, groups, namespaces and types through five rules, of which each
 * is the one that decides for some. One JSON line; afterwards the number that each rule placed is compared
 * with what the applications were made for.
 *
 *     bench_placement [--apps N] [--namespaces N] [--repeat R] [--seed S]
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/version.h"
#include "placement/placement.h"

#include <getopt.h>
#include <stdio.h>

/* The tree is filled in below: namespaces under root.namespaces, a queue per team under root.teams. */
static const char rules[] =
    "partitions:\n- name: default\n"
    "  placementrules:\n"
    "  - {name: provided}\n"
    "  - name: user\n"
    "    create: true\n"
    "    filter: {type: allow, groups: ['^(dev|ops)-[0-9]+$']}\n"
    "    parent: {name: secondarygroup, create: true, parent: {name: fixed, value: root.teams}}\n"
    "  - {name: applicationtype, parent: {name: fixed, value: root.types}}\n"
    "  - name: tag\n"
    "    value: namespace\n"
    "    create: true\n"
    "    filter: {type: deny, users: ['^svc-.*-batch$']}\n"
    "    parent: {name: fixed, value: root.namespaces}\n"
    "  - {name: fixed, value: root.other}\n"
    "  queues:\n"
    "  - name: root\n"
    "    submitacl: '*'\n"
    "    queues:\n"
    "    - {name: namespaces, parent: true}\n"
    "    - {name: teams, parent: true}\n"
    "    - {name: types, queues: [{name: spark}, {name: flink}]}\n"
    "    - {name: other}\n";

enum {
    RULES = 5,
    TEAMS = 200,
    GROUPS = 4,
    DIFFERENT = 50000
}; /* applications that differ, again and again */

static const char *const expected[RULES] = {"root.namespaces.", "root.teams.", "root.types.",
                                            "root.namespaces.", "root.other"};

struct options {
    size_t apps, namespaces, repeat;
    uint64_t seed;
};

struct bench {
    struct options options;
    struct yk_config *config;
    struct yk_placement *placement;
    struct yk_queue *root;
    struct yk_app **apps;   /* owned */
    unsigned char *by_rule; /* owned: which rule an application was made for */
};

static void die(const char *what)
{
    (void)fprintf(stderr, "bench_placement: %s\n", what);
    exit(1);
}

static struct yk_queue *add_queue(struct yk_queue *parent, const char *name, bool is_leaf)
{
    return yk_queue_new(parent, yk_str_from(name), is_leaf, true, 0);
}

static struct yk_queue *child(struct yk_queue *parent, const char *name)
{
    return yk_queue_child(parent, yk_str_from(name));
}

static void build_configured(struct yk_queue *queue, const struct yk_config_queue *config)
{
    if (yk_acl_parse(config->submit_acl, &queue->submit_acl, NULL) != YK_OK)
        die("acl refused");
    for (uint32_t i = 0; i < config->queue_count; i++) {
        const struct yk_config_queue *below = &config->queues[i];
        build_configured(yk_queue_new(queue, below->name, !below->parent && below->queue_count == 0, true, 0),
                         below);
    }
}

/* Half of the namespaces and teams have a queue already. */
static void build_tree(struct bench *bench)
{
    char name[64];
    bench->root = add_queue(NULL, "root", false);
    build_configured(bench->root, &bench->config->partitions[0].root);
    for (size_t i = 0; i < bench->options.namespaces; i += 2) {
        (void)snprintf(name, sizeof(name), "namespace-%zu", i);
        (void)add_queue(child(bench->root, "namespaces"), name, true);
    }
    for (size_t i = 0; i < TEAMS; i += 2) {
        (void)snprintf(name, sizeof(name), "%s-%zu", i % 4 == 0 ? "dev" : "ops", i);
        (void)add_queue(child(bench->root, "teams"), name, false);
    }
}

/* What the user of an application made for `rule` looks like, and its groups. */
static struct yk_app *make_app(struct bench *bench, struct yk_random *random, unsigned rule)
{
    char user[64], team[32], queue[64] = "", namespace_[64];
    uint64_t number = yk_random_below(random, 100000), team_number = yk_random_below(random, TEAMS);
    size_t space = yk_random_below(random, bench->options.namespaces);
    (void)snprintf(namespace_, sizeof(namespace_), "namespace-%zu", space);
    (void)snprintf(user, sizeof(user), rule == 4 ? "svc-%llu-batch" : "user-%llu",
                   (unsigned long long)number);
    (void)snprintf(team, sizeof(team), "%s-%llu", rule == 1 ? team_number % 4 < 2 ? "dev" : "ops" : "people",
                   (unsigned long long)team_number);
    if (rule == 0)
        (void)snprintf(queue, sizeof(queue), "root.namespaces.namespace-%zu", space & ~(size_t)1);
    const char *const groups[GROUPS] = {"users", team, "everybody", "eu-west"};
    struct yk_si_tag tags[] = {{YK_SI_TAG_NAMESPACE, namespace_},
                               {YK_SI_TAG_FORCE_CREATE, "false"},
                               {YK_SI_TAG_APP_TYPE, number % 2 == 0 ? "spark" : "flink"}};
    struct yk_si_new_app request = {.application_id = "app",
                                    .queue = queue,
                                    .tags = tags,
                                    .tag_count = rule == 2 ? YK_COUNT(tags) : YK_COUNT(tags) - 1};
    return yk_app_new(&request, user, groups, GROUPS, 0);
}

static void make_apps(struct bench *bench)
{
    struct yk_random random;
    yk_random_init(&random, bench->options.seed);
    bench->apps = yk_calloc(DIFFERENT, sizeof(struct yk_app *));
    bench->by_rule = yk_calloc(DIFFERENT, 1);
    for (size_t i = 0; i < DIFFERENT; i++) {
        bench->by_rule[i] = (unsigned char)yk_random_below(&random, RULES);
        bench->apps[i] = make_app(bench, &random, bench->by_rule[i]);
    }
}

static void init(struct bench *bench)
{
    struct yk_err err = {0};
    if (yk_config_load(yk_str_from(rules), &bench->config, &err) != YK_OK ||
        yk_placement_new(&bench->config->partitions[0], &bench->placement, &err) != YK_OK)
        die(err.text);
    build_tree(bench);
    make_apps(bench);
}

static void done(struct bench *bench)
{
    for (size_t i = 0; i < DIFFERENT; i++)
        yk_app_free(bench->apps[i]);
    free(bench->apps);
    free(bench->by_rule);
    yk_queue_free(bench->root);
    yk_placement_free(bench->placement);
    yk_config_free(bench->config);
}

static void place(const struct bench *bench, const struct yk_app *app, struct yk_buf *path)
{
    struct yk_err err = {0};
    if (yk_placement_place(bench->placement, bench->root, app, path, &err) != YK_OK)
        die(err.text);
}

/* Once, outside of what is measured: each application goes where the rule it was made for sends it. */
static void check(const struct bench *bench, size_t counts[RULES])
{
    struct yk_buf path = {.max = 4096};
    for (size_t i = 0; i < DIFFERENT; i++) {
        place(bench, bench->apps[i], &path);
        if (!yk_str_starts(yk_buf_view(&path), expected[bench->by_rule[i]]))
            die(yk_buf_cstr(&path));
        counts[bench->by_rule[i]]++;
    }
    yk_buf_done(&path);
}

static void run(const struct bench *bench, const size_t counts[RULES])
{
    struct yk_buf path = {.max = 4096};
    int64_t start_ns = yk_clock_mono_ns(&yk_clock_real);
    for (size_t i = 0; i < bench->options.apps; i++)
        place(bench, bench->apps[i % DIFFERENT], &path);
    int64_t took_ns = YK_MAX(yk_clock_mono_ns(&yk_clock_real) - start_ns, INT64_C(1));
    yk_buf_done(&path);
    double seconds = (double)took_ns / 1e9;
    (void)printf(
        "{\"case\":\"placement\",\"apps\":%zu,\"rules\":%d,\"namespaces\":%zu,"
        "\"different_apps_by_rule\":[%zu,%zu,%zu,%zu,%zu],\"seconds\":%.6f,\"placements_per_s\":%.0f,"
        "\"ns_per_placement\":%.0f,\"seed\":%llu,\"version\":\"%s\",\"revision\":\"%s\","
        "\"compiler\":\"%s\"}\n",
        bench->options.apps, RULES, bench->options.namespaces, counts[0], counts[1], counts[2], counts[3],
        counts[4], seconds, (double)bench->options.apps / seconds,
        seconds * 1e9 / (double)bench->options.apps, (unsigned long long)bench->options.seed, yk_version,
        yk_revision, yk_compiler);
}

static size_t number(const char *text)
{
    uint64_t value;
    if (yk_str_to_u64(yk_str_from(text), &value) != YK_OK || value == 0 || value > 100 * 1000 * 1000)
        die("a number from 1 to 100000000 is expected");
    return (size_t)value;
}

static struct options options_from(int argc, char **argv)
{
    static const struct option known[] = {{"apps", required_argument, NULL, 'a'},
                                          {"namespaces", required_argument, NULL, 'n'},
                                          {"repeat", required_argument, NULL, 'r'},
                                          {"seed", required_argument, NULL, 's'},
                                          {0}};
    struct options options = {1000 * 1000, 1000, 3, 1};
    for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        if (c == 'a')
            options.apps = number(optarg);
        else if (c == 'n')
            options.namespaces = number(optarg);
        else if (c == 'r')
            options.repeat = number(optarg);
        else if (c == 's')
            options.seed = number(optarg);
        else
            exit(2);
    }
    return options;
}

int main(int argc, char **argv)
{
    struct bench bench = {.options = options_from(argc, argv)};
    yk_log_set_stream(NULL);
    size_t counts[RULES] = {0};
    init(&bench);
    check(&bench, counts);
    for (size_t i = 0; i < bench.options.repeat; i++)
        run(&bench, counts);
    done(&bench);
    return 0;
}

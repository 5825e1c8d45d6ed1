/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In random clusters everything that waits has a reason, and lifting exactly what the reason names starts it
 * (docs/reasons.md).
 *
 * The test reads REST answers only, and acts from outside: it raises the limit that is named by the amount
 * that is named as missing, adds a node of the size that is named, ends the pause that is named. Others that
 * wait are withdrawn first, since they could take what is lifted. An ask may have several obstacles, one
 * behind the other: then its reason changes, and the next one is lifted. A limit that is a reason has to be
 * lifted: without that, the ask does not start.
 *
 * The token and the sentence of each reason and of each obstacle name the same, whatever was stored before.
 *
 * YK_REASON_CLUSTERS: how many clusters (60). YK_SEED: of the first one. YK_VERBOSE: lists what did not
 * start.
 */
#include "base/random.h"
#include "report/node_look.h"
#include "report/outstanding.h"
#include "web/browser.h"

#define P "/ws/v1/partition/default"

enum { QUEUES = 4, USERS = 2, APPS = 6, ASKS = 5, KEYS_MAX = 256, STEPS_MAX = 16, NODES_MAX = 4 };
#define NO_LIMIT (-1)

/* ---- a cluster ---- */

struct limit { /* NO_LIMIT: none */
    int64_t vcore, memory_mib;
    int64_t apps;
};

static const char *const user_names[USERS] = {"joe", "sue"};
static const char *const queue_names[QUEUES] = {"root.p", "root.p.a", "root.p.b", "root.c"};

struct queue_plan {
    struct limit max, users[USERS], group; /* of the group dev */
    bool one_at_a_time, pauses;
};

struct trial {
    struct world world;
    struct yk_random random;
    struct queue_plan queues[QUEUES];
    /* Keys of placeholders that the core wants to end, to be confirmed. */
    char ended[KEYS_MAX][48];
    size_t ended_count;
};

static int64_t below(struct trial *trial, int64_t bound)
{
    return (int64_t)yk_random_below(&trial->random, (uint64_t)bound);
}

static bool one_in(struct trial *trial, int64_t bound)
{
    return below(trial, bound) == 0;
}

static void add_amounts(struct yk_buf *text, const char *key, const struct limit *limit)
{
    if (limit->vcore == NO_LIMIT && limit->memory_mib == NO_LIMIT)
        return;
    yk_buf_printf(text, "%s{", key);
    if (limit->vcore != NO_LIMIT)
        yk_buf_printf(text, "vcore: %lldm%s", (long long)limit->vcore,
                      limit->memory_mib != NO_LIMIT ? ", " : "");
    if (limit->memory_mib != NO_LIMIT)
        yk_buf_printf(text, "memory: %lldMi", (long long)limit->memory_mib);
    yk_buf_text(text, "}");
}

static bool is_set(const struct limit *limit)
{
    return limit->vcore != NO_LIMIT || limit->memory_mib != NO_LIMIT || limit->apps != NO_LIMIT;
}

static void add_limit(struct yk_buf *text, const char *indent, const char *who, const char *name,
                      const struct limit *limit)
{
    if (!is_set(limit))
        return;
    yk_buf_printf(text, "%s- {limit: '', %s: [%s]", indent, who, name);
    add_amounts(text, ", maxresources: ", limit);
    if (limit->apps != NO_LIMIT)
        yk_buf_printf(text, ", maxapplications: %lld", (long long)limit->apps);
    yk_buf_text(text, "}\n");
}

static void add_queue(struct yk_buf *text, const char *indent, const char *name,
                      const struct queue_plan *plan)
{
    yk_buf_printf(text, "%s- name: %s\n", indent, name);
    char inner[16];
    (void)snprintf(inner, sizeof(inner), "%s  ", indent);
    if (plan->max.vcore != NO_LIMIT || plan->max.memory_mib != NO_LIMIT) {
        yk_buf_printf(text, "%sresources:", inner);
        add_amounts(text, " {max: ", &plan->max);
        yk_buf_text(text, "}\n");
    }
    if (plan->max.apps != NO_LIMIT)
        yk_buf_printf(text, "%smaxapplications: %lld\n", inner, (long long)plan->max.apps);
    if (plan->one_at_a_time || plan->pauses)
        yk_buf_printf(text, "%sproperties: {%s}\n", inner,
                      plan->one_at_a_time ? "application.sort.policy: stateaware"
                                          : "application.unschedasks.backoff: '2'");
    bool any = is_set(&plan->users[0]) || is_set(&plan->users[1]) || is_set(&plan->group);
    if (any)
        yk_buf_printf(text, "%slimits:\n", inner);
    for (size_t i = 0; i < USERS; i++)
        add_limit(text, inner, "users", user_names[i], &plan->users[i]);
    add_limit(text, inner, "groups", "dev", &plan->group);
}

static void write_config(const struct trial *trial, struct yk_buf *text)
{
    yk_buf_text(text,
                "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n");
    add_queue(text, "    ", "p", &trial->queues[0]);
    yk_buf_text(text, "      parent: true\n      queues:\n");
    add_queue(text, "      ", "a", &trial->queues[1]);
    add_queue(text, "      ", "b", &trial->queues[2]);
    add_queue(text, "    ", "c", &trial->queues[3]);
}

static struct limit random_limit(struct trial *trial, int64_t chance)
{
    struct limit limit = {NO_LIMIT, NO_LIMIT, NO_LIMIT};
    if (one_in(trial, chance))
        limit.vcore = 500 * (1 + below(trial, 12));
    if (one_in(trial, chance * 2))
        limit.memory_mib = 256 * (1 + below(trial, 16));
    if (one_in(trial, chance * 2))
        limit.apps = 1 + below(trial, 2);
    return limit;
}

static void raise_to(int64_t *limit, int64_t least)
{
    if (*limit != NO_LIMIT && *limit < least)
        *limit = least;
}

/* A configuration is refused whose limits do not fit into each other. */
static void fit_into(struct limit *outer, const struct limit *inner)
{
    raise_to(&outer->vcore, inner->vcore);
    raise_to(&outer->memory_mib, inner->memory_mib);
    raise_to(&outer->apps, inner->apps);
}

/* A number of applications holds below, too. */
static void inherit_apps(struct limit *inner, const struct limit *outer)
{
    if (outer->apps != NO_LIMIT && inner->apps == NO_LIMIT && is_set(inner))
        inner->apps = outer->apps;
}

static void make_valid(struct trial *trial)
{
    for (int i = QUEUES - 1; i >= 0; i--) {
        struct queue_plan *plan = &trial->queues[i], *parent = i == 1 || i == 2 ? &trial->queues[0] : NULL;
        if (parent != NULL && parent->max.apps != NO_LIMIT && plan->max.apps == NO_LIMIT)
            plan->max.apps = parent->max.apps;
        for (size_t user = 0; parent != NULL && user < USERS; user++)
            inherit_apps(&plan->users[user], &parent->users[user]);
        if (parent != NULL)
            inherit_apps(&plan->group, &parent->group);
        for (size_t user = 0; user < USERS; user++)
            fit_into(&plan->max, &plan->users[user]);
        fit_into(&plan->max, &plan->group);
        for (size_t user = 0; parent != NULL && user < USERS; user++)
            fit_into(&parent->users[user], &plan->users[user]);
        if (parent == NULL)
            continue;
        fit_into(&parent->group, &plan->group);
        fit_into(&parent->max, &plan->max);
    }
}

static void plan_queues(struct trial *trial)
{
    for (size_t i = 0; i < QUEUES; i++) {
        struct queue_plan *plan = &trial->queues[i];
        plan->max = random_limit(trial, 2);
        for (size_t user = 0; user < USERS; user++)
            plan->users[user] = random_limit(trial, 4);
        plan->group = random_limit(trial, 5);
        plan->one_at_a_time = i > 0 && one_in(trial, 6);
        plan->pauses = i > 0 && !plan->one_at_a_time && one_in(trial, 5);
    }
    make_valid(trial);
}

/* ---- what happens in it ---- */

static void on_released(void *context, const char *key)
{
    struct trial *trial = context;
    if (trial->world.last_termination == YK_SI_PLACEHOLDER_REPLACED && trial->ended_count < KEYS_MAX)
        (void)snprintf(trial->ended[trial->ended_count++], sizeof(trial->ended[0]), "%s", key);
}

/* Keys begin with the application: "app3-...". */
static void app_of_key(const char *key, char ret_app[8])
{
    (void)snprintf(ret_app, 8, "%.4s", key);
}

static void confirm_ended(struct trial *trial)
{
    for (size_t i = 0; i < trial->ended_count; i++) {
        char app[8];
        app_of_key(trial->ended[i], app);
        world_release(&trial->world, app, trial->ended[i], YK_SI_PLACEHOLDER_REPLACED);
    }
    trial->ended_count = 0;
}

static void schedule(struct trial *trial)
{
    for (int i = 0; i < 4; i++) {
        (void)world_schedule(&trial->world); /* until nothing more happens */
        confirm_ended(trial);
    }
}

static void settle(struct trial *trial)
{
    schedule(trial);
    world_advance(&trial->world, 2);
    schedule(trial);
    for (int i = 0; i < 4; i++)
        yk_outstanding_report(world_partition(&trial->world));
}

static void ask(struct trial *trial, const char *app, const char *key, int64_t vcore, int64_t memory_mib,
                yk_si_class class_, const char *task_group, bool placeholder)
{
    struct yk_resvec size = world_size(vcore, memory_mib);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = &size,
                                   .task_group = task_group,
                                   .placeholder = placeholder,
                                   .create_wall_ns = yk_clock_wall_ns(&trial->world.clock),
                                   .scheduling_class = class_};
    assert_int_equal(yk_core_update_allocation(trial->world.core, "rm", &ask), YK_OK);
}

static void submit_gang(struct trial *trial, const char *app)
{
    char key[32];
    int64_t members = 2 + below(trial, 3), vcore = 500 * (1 + below(trial, 6));
    for (int64_t i = 0; i < members; i++) {
        (void)snprintf(key, sizeof(key), "%s-ph%lld", app, (long long)i);
        ask(trial, app, key, vcore, 256, YK_SI_CLASS_ANY, "tg", true);
    }
    schedule(trial);
    (void)snprintf(key, sizeof(key), "%s-real", app);
    ask(trial, app, key, vcore, 256, YK_SI_CLASS_ANY, "tg", false);
}

static void submit_asks(struct trial *trial, const char *app)
{
    char key[32];
    int64_t count = 1 + below(trial, ASKS);
    for (int64_t i = 0; i < count; i++) {
        (void)snprintf(key, sizeof(key), "%s-k%lld", app, (long long)i);
        ask(trial, app, key, 500 * (1 + below(trial, 10)), 256 * (1 + below(trial, 12)),
            one_in(trial, 4) ? 1 : YK_SI_CLASS_ANY, NULL, false);
        if (one_in(trial, 3))
            schedule(trial);
    }
}

static void submit_app(struct trial *trial, int number)
{
    char app[8];
    (void)snprintf(app, sizeof(app), "app%d", number);
    world_advance(&trial->world, 1);
    world_submit_in_group(&trial->world, app, queue_names[1 + below(trial, 3)],
                          user_names[below(trial, USERS)], one_in(trial, 2) ? "dev" : NULL);
    if (one_in(trial, 5))
        submit_gang(trial, app);
    else
        submit_asks(trial, app);
}

static void add_nodes(struct trial *trial)
{
    int64_t count = below(trial, NODES_MAX);
    for (int64_t i = 0; i < count; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "%c%lld", one_in(trial, 2) ? 'x' : 'n', (long long)i);
        world_node(&trial->world, id, 1000 * (1 + below(trial, 8)), 1024 * (1 + below(trial, 6)));
        if (one_in(trial, 6))
            world_node_action(&trial->world, id, YK_SI_NODE_DRAIN);
    }
}

/* What may have been stored some time ago. The resource manager of the test has no filters that depend on
 * other pods or volumes, so what it says of them has passed. */
static struct yk_si_node_reason random_stored(struct trial *trial)
{
    static const enum yk_si_reason told[] = {
        YK_REASON_NONE,       YK_REASON_NODE_RESOURCES, YK_REASON_RESERVED,
        YK_REASON_PREDICATES, YK_REASON_VOLUMES,        YK_REASON_NOT_ATTEMPTED,
    };
    static const struct {
        enum yk_si_reason found, filter;
    } nodes[] = {
        {YK_REASON_NONE, YK_REASON_NONE},
        {YK_REASON_NOT_ATTEMPTED, YK_REASON_NONE},
        {YK_REASON_NODE_RESOURCES, YK_REASON_NONE},
        {YK_REASON_NODE_RESOURCES, YK_REASON_VOLUMES},
        {YK_REASON_NODE_RESOURCES, YK_REASON_PREDICATES},
        {YK_REASON_RESERVED, YK_REASON_NONE},
        {YK_REASON_RESERVED, YK_REASON_PREDICATES},
        {YK_REASON_VOLUMES, YK_REASON_VOLUMES},
        {YK_REASON_PREDICATES, YK_REASON_PREDICATES},
    };
    size_t at = (size_t)below(trial, YK_COUNT(nodes));
    bool is_missing = one_in(trial, 2);
    return (struct yk_si_node_reason){.told = told[below(trial, YK_COUNT(told))],
                                      .found = nodes[at].found,
                                      .filter = nodes[at].filter,
                                      .volumes_come_free = false,
                                      .volumes_are_missing = is_missing};
}

static void trial_init(struct trial *trial, uint64_t seed)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    *trial = (struct trial){0};
    yk_random_init(&trial->random, seed);
    plan_queues(trial);
    write_config(trial, &text);
    world_init(&trial->world, yk_buf_cstr(&text));
    trial->world.class_letter = 'x';
    trial->world.watch_released = on_released;
    trial->world.watcher = trial;
    if (one_in(trial, 2))
        trial->world.node_reason = random_stored(trial);
    add_nodes(trial);
    int64_t apps = 2 + below(trial, APPS - 1);
    for (int i = 0; i < apps; i++) {
        submit_app(trial, i);
        schedule(trial);
    }
    settle(trial);
}

/* ---- what REST says ---- */

struct waiting {
    char app[8], key[32], reason[40];
};

/* Whether the sentence is one of the token. */
static bool agree(const char *reason, const char *message)
{
    bool is_reserved = strstr(message, " reserved for ") != NULL;
    bool lacks = strstr(message, " comes nearest ") != NULL ||
                 strstr(message, "there are no nodes") != NULL ||
                 strstr(message, " the largest of ") != NULL || strstr(message, ", the only one ") != NULL ||
                 strstr(message, "; the only node that it may use, ") != NULL;
    bool is_refused = strstr(message, "; none of ") != NULL ||
                      strstr(message, "; the only node does not satisfy ") != NULL ||
                      strstr(message, " in its way") != NULL ||
                      strstr(message, ", which is not there") != NULL;
    bool is_untried = strstr(message, "is tried at its turn ") != NULL;
    bool lacks_volumes = strstr(message, "its volumes are not available ") != NULL ||
                         strstr(message, "a claim or a volume ") != NULL;
    return is_reserved == (strcmp(reason, "Reserved") == 0) &&
           lacks_volumes == (strcmp(reason, "VolumeBinding") == 0) &&
           lacks == (strcmp(reason, "InsufficientNodeResources") == 0) &&
           is_refused == (strcmp(reason, "PredicatesFailed") == 0) &&
           is_untried == (strcmp(reason, "NotYetAttempted") == 0);
}

static void check_agreement(const char *key, const json_t *said)
{
    const char *reason = look_text(said, "reason"), *message = look_text(said, "message");
    if (!agree(reason, message))
        fail_msg("%s: %s, but: %s", key, reason, message);
}

/* Whether the nodes are as the token says. */
static void check_nodes(struct trial *trial, const struct waiting *waiting)
{
    const struct yk_ask *found =
        yk_app_find_ask(world_app(&trial->world, waiting->app), yk_str_from(waiting->key));
    struct yk_node_look look;
    assert_non_null(found);
    yk_node_look(found->group, &look);
    bool is_reserved = look.fitting > 0 && look.fitting == look.reserved;
    if ((strcmp(waiting->reason, "InsufficientNodeResources") == 0 && look.fitting > 0) ||
        (strcmp(waiting->reason, "Reserved") == 0 && !is_reserved))
        fail_msg("%s: %s, but %u nodes fit, of which %u are reserved", waiting->key, waiting->reason,
                 look.fitting, look.reserved);
}

static size_t list_waiting(struct trial *trial, struct waiting *list)
{
    json_t *json = browse_json(&trial->world, P "/queue/root/pending");
    const json_t *entries = json_object_get(json, "pending");
    size_t count = json_array_size(entries);
    assert_true(count <= KEYS_MAX);
    assert_int_equal(look_int(json, "total"), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(entries, i);
        (void)snprintf(list[i].app, sizeof(list[i].app), "%s", look_text(entry, "applicationID"));
        (void)snprintf(list[i].key, sizeof(list[i].key), "%s", look_text(entry, "allocationKey"));
        (void)snprintf(list[i].reason, sizeof(list[i].reason), "%s", look_text(entry, "reason"));
        if (list[i].reason[0] == '\0' || look_text(entry, "message")[0] == '\0')
            fail_msg("%s waits without a reason", list[i].key);
        check_agreement(list[i].key, entry);
        check_nodes(trial, &list[i]);
    }
    json_decref(json);
    return count;
}

static json_t *explain(struct trial *trial, const struct waiting *waiting)
{
    char url[160];
    (void)snprintf(url, sizeof(url), P "/application/%s/allocation/%s/explain", waiting->app, waiting->key);
    json_t *answer = browse_json(&trial->world, url);
    const json_t *obstacles = json_object_get(answer, "obstacles");
    for (size_t i = 0; i < json_array_size(obstacles); i++)
        check_agreement(waiting->key, json_array_get(obstacles, i));
    return answer;
}

/* ---- lifting what is named ---- */

static bool has_started(struct trial *trial, const struct waiting *waiting)
{
    const struct yk_app *app = world_app(&trial->world, waiting->app);
    const struct yk_ask *found = app != NULL ? yk_app_find_ask(app, yk_str_from(waiting->key)) : NULL;
    return found != NULL && found->node != NULL;
}

static struct queue_plan *plan_of(struct trial *trial, const char *queue)
{
    for (size_t i = 0; i < QUEUES; i++) {
        if (strcmp(queue_names[i], queue) == 0)
            return &trial->queues[i];
    }
    return NULL;
}

static struct limit *limit_of(struct trial *trial, const json_t *named)
{
    struct queue_plan *plan = plan_of(trial, look_text(named, "queueName"));
    const char *kind = look_text(named, "kind"), *name = look_text(named, "name");
    if (plan == NULL)
        return NULL;
    if (strcmp(kind, "queue") == 0)
        return &plan->max;
    if (strcmp(kind, "group") == 0)
        return &plan->group;
    return &plan->users[strcmp(name, user_names[0]) == 0 ? 0 : 1];
}

static void raise_amounts(struct trial *trial, const json_t *named)
{
    struct limit *limit = limit_of(trial, named);
    const json_t *vcore = look(named, "missing.vcore"), *memory = look(named, "missing.memory");
    if (limit == NULL)
        return;
    if (vcore != NULL && limit->vcore != NO_LIMIT)
        limit->vcore += json_integer_value(vcore);
    if (memory != NULL && limit->memory_mib != NO_LIMIT)
        limit->memory_mib += json_integer_value(memory) >> 20;
}

static void reload(struct trial *trial)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    make_valid(trial);
    write_config(trial, &text);
    const char *refusal = world_reload(&trial->world, yk_buf_cstr(&text));
    if (refusal != NULL)
        fail_msg("%s", refusal);
}

/* What cannot be lifted by the configuration. */
struct to_do {
    bool reloads, waits_for_turn, waits_for_pause, adds_node, lifts_gang;
};

/* Of a limit that is not there any longer after a reload, nothing needs to be lifted. */
static void lift_number(struct trial *trial, const json_t *obstacle, struct to_do *to_do)
{
    struct limit *limit = limit_of(trial, json_object_get(obstacle, "limit"));
    if (strstr(look_text(obstacle, "message"), "one application at a time") != NULL) {
        to_do->waits_for_turn = true;
        return;
    }
    assert_non_null(limit);
    limit->apps++;
    to_do->reloads = true;
}

/* A node for `count` such pods that every constraint allows. */
static void add_node_for(struct trial *trial, const json_t *answer, int step, int64_t count)
{
    char id[16];
    (void)snprintf(id, sizeof(id), "x-lift%d", step);
    world_node(&trial->world, id, count * look_int(answer, "resource.vcore"),
               count * (look_int(answer, "resource.memory") >> 20));
}

static void note_obstacle(struct trial *trial, const json_t *obstacle, struct to_do *to_do)
{
    const char *reason = look_text(obstacle, "reason");
    bool is_quota = strcmp(reason, "QueueQuota") == 0 || strcmp(reason, "UserQuota") == 0 ||
                    strcmp(reason, "GroupQuota") == 0;
    if (is_quota || (strcmp(reason, "ExceedsMaxCapacity") == 0 && look(obstacle, "limit") != NULL)) {
        raise_amounts(trial, json_object_get(obstacle, "limit"));
        to_do->reloads = true;
    } else if (strstr(reason, "MaxApplications") != NULL) {
        lift_number(trial, obstacle, to_do);
    } else if (strcmp(reason, "Backoff") == 0) {
        to_do->waits_for_pause = true;
    } else if (strcmp(reason, "GangWaiting") == 0) {
        to_do->lifts_gang = true;
    } else if (strcmp(reason, "InsufficientNodeResources") == 0 || strcmp(reason, "PredicatesFailed") == 0 ||
               strcmp(reason, "Reserved") == 0 || strcmp(reason, "VolumeBinding") == 0) {
        to_do->adds_node = true;
    }
}

static void lift_gang(struct trial *trial, const char *app, int step);

/* What the explanation lists, from the obstacle with the index `first` on. */
static void lift_from(struct trial *trial, const json_t *answer, size_t first, int step)
{
    struct to_do to_do = {0};
    const json_t *obstacles = json_object_get(answer, "obstacles");
    for (size_t i = first; i < json_array_size(obstacles); i++)
        note_obstacle(trial, json_array_get(obstacles, i), &to_do);
    if (to_do.adds_node)
        add_node_for(trial, answer, step, 1);
    if (to_do.reloads)
        reload(trial);
    settle(trial);
    if (to_do.waits_for_turn)
        world_advance(&trial->world, 301);
    else if (to_do.waits_for_pause)
        world_advance(&trial->world, 31);
    settle(trial);
    if (to_do.lifts_gang)
        lift_gang(trial, look_text(answer, "applicationID"), step);
}

/* All that the explanation lists. */
static void lift_one(struct trial *trial, const json_t *answer, int step)
{
    lift_from(trial, answer, 0, step);
}

static bool is_limit(const char *reason)
{
    return strstr(reason, "Quota") != NULL || strcmp(reason, "ExceedsMaxCapacity") == 0;
}

/* Whether the ask starts although the limit that was its reason beside the others stays: then it was no
 * reason. A limit that is held for another ask is one. With several limits, a valid configuration may need
 * that the first is raised with the others. */
static bool starts_without(struct trial *trial, const struct waiting *waiting, const json_t *answer)
{
    enum { STEP = 9000 };
    const json_t *obstacles = look(answer, "obstacles");
    if (!is_limit(look_text(answer, "reason")) || json_array_size(obstacles) < 2 ||
        strstr(look_text(answer, "message"), "kept for a pod") != NULL)
        return false;
    for (size_t i = 1; i < json_array_size(obstacles); i++) {
        const char *reason = look_text(json_array_get(obstacles, i), "reason");
        /* What is lifted for the placeholders of its gang may raise the same limit. */
        if (is_limit(reason) || strcmp(reason, "GangWaiting") == 0)
            return false;
    }
    lift_from(trial, answer, 1, STEP);
    return has_started(trial, waiting);
}

/* A pod of a gang waits for its placeholders: what each of these lacks is lifted. */
static void lift_gang(struct trial *trial, const char *app, int step)
{
    for (int member = 0; member < ASKS; member++) {
        struct waiting placeholder = {.key = ""};
        (void)snprintf(placeholder.app, sizeof(placeholder.app), "%s", app);
        (void)snprintf(placeholder.key, sizeof(placeholder.key), "%.4s-ph%d", app, member);
        const struct yk_app *gang = world_app(&trial->world, app);
        const struct yk_ask *found =
            gang != NULL ? yk_app_find_ask(gang, yk_str_from(placeholder.key)) : NULL;
        if (found == NULL || found->node != NULL)
            continue;
        json_t *answer = explain(trial, &placeholder);
        lift_one(trial, answer, step * ASKS + member + 100);
        json_decref(answer);
    }
}

/* What waits besides the ask could take what is lifted. A pod of a gang needs its placeholders. */
static void withdraw_others(struct trial *trial, const struct waiting *list, size_t count, size_t kept)
{
    for (size_t i = 0; i < count; i++) {
        bool is_gang = strstr(list[kept].key, "-real") != NULL && strcmp(list[i].app, list[kept].app) == 0;
        if (i != kept && !is_gang)
            world_release(&trial->world, list[i].app, list[i].key, YK_SI_STOPPED_BY_RM);
    }
    settle(trial);
}

/* Whether it is still there: a placeholder goes when its pod needs it no longer, or its gang has timed
 * out. */
static bool is_there(struct trial *trial, const struct waiting *waiting)
{
    const struct yk_app *app = world_app(&trial->world, waiting->app);
    return app != NULL && yk_app_find_ask(app, yk_str_from(waiting->key)) != NULL;
}

enum outcome { AT_ONCE, IN_STEPS, BY_WITHDRAWAL, WITHOUT, NEVER };
enum { OUTCOMES = NEVER + 1 };

static enum outcome try_one(uint64_t seed, size_t index)
{
    struct trial *trial = malloc(sizeof(*trial));
    struct waiting list[KEYS_MAX];
    enum outcome outcome = NEVER;
    char story[4096] = "";
    trial_init(trial, seed);
    size_t count = list_waiting(trial, list);
    const struct waiting *waiting = &list[index];
    json_t *before = explain(trial, waiting);
    withdraw_others(trial, list, count, index);
    if (!is_there(trial, waiting) || has_started(trial, waiting))
        outcome = BY_WITHDRAWAL;
    else if (starts_without(trial, waiting, before))
        outcome = WITHOUT;
    (void)snprintf(story, sizeof(story), "\n    at first %s: %s", look_text(before, "reason"),
                   look_text(before, "message"));
    json_decref(before);
    for (int step = 0; step < STEPS_MAX && outcome == NEVER; step++) {
        json_t *answer = explain(trial, waiting);
        size_t len = strlen(story);
        (void)snprintf(story + len, sizeof(story) - len, "\n    %s: %s (%zu obstacles)",
                       look_text(answer, "reason"), look_text(answer, "message"),
                       json_array_size(look(answer, "obstacles")));
        lift_one(trial, answer, step);
        json_decref(answer);
        if (!is_there(trial, waiting) || has_started(trial, waiting))
            outcome = step == 0 ? AT_ONCE : IN_STEPS;
    }
    if (outcome == NEVER || outcome == WITHOUT || (outcome == IN_STEPS && getenv("YK_VERBOSE") != NULL))
        print_message("seed %llu, %s %s:%s\n", (unsigned long long)seed, waiting->key,
                      outcome == NEVER     ? "does not start"
                      : outcome == WITHOUT ? "starts without"
                                           : "starts in steps",
                      story);
    world_done(&trial->world);
    free(trial);
    return outcome;
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    uint64_t number = otherwise;
    if (text != NULL)
        assert_int_equal(yk_str_to_u64(yk_str_from(text), &number), YK_OK);
    return number;
}

static size_t count_waiting(uint64_t seed, struct waiting *list)
{
    struct trial *trial = malloc(sizeof(*trial));
    trial_init(trial, seed);
    size_t count = list_waiting(trial, list);
    world_done(&trial->world);
    free(trial);
    return count;
}

static void lifting_what_is_named_starts_it(void **state)
{
    struct waiting list[KEYS_MAX];
    uint64_t clusters = number_from("YK_REASON_CLUSTERS", 60), first = number_from("YK_SEED", 1), asks = 0;
    uint64_t outcomes[OUTCOMES] = {0};
    (void)state;
    for (uint64_t seed = first; seed < first + clusters; seed++) {
        size_t count = count_waiting(seed, list);
        asks += count;
        for (size_t i = 0; i < count; i++)
            outcomes[try_one(seed, i)]++;
    }
    print_message(
        "%llu clusters, %llu asks wait, all with a reason: %llu start when what it names is lifted, %llu "
        "have more obstacles, which are named one after the other, %llu start when those ahead are "
        "withdrawn, %llu do not start, %llu start without the limit that is named\n",
        (unsigned long long)clusters, (unsigned long long)asks, (unsigned long long)outcomes[AT_ONCE],
        (unsigned long long)outcomes[IN_STEPS], (unsigned long long)outcomes[BY_WITHDRAWAL],
        (unsigned long long)outcomes[NEVER], (unsigned long long)outcomes[WITHOUT]);
    assert_true(asks > clusters);
    assert_true((outcomes[NEVER] + outcomes[IN_STEPS] + outcomes[WITHOUT]) * 1000 <= asks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lifting_what_is_named_starts_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

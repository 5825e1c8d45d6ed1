/* SPDX-License-Identifier: Apache-2.0 */
/* Who has to go (scheduling.md 6.1 steps 3 to 9, D16): one ask on clusters of a few pods. */
#include "lib/preemption_stage.h"

enum { PODS = 10 };

struct scene {
    const char *what, *queues;
    struct pod
        pods[PODS]; /* nodes n1 and n2 have 4 cores and 4096 MiB each; those that wait are old enough */
    const char *victims;
};

#define A2 "    - {name: a, resources: {guaranteed: {vcore: 2}}}\n"
#define B  "    - {name: b}\n"

/* A node full of b. */
#define FULL(node, letter)                                                                                   \
    POD(letter "1", "root.b", 1000, 1024, node), POD(letter "2", "root.b", 1000, 1024, node),                \
        POD(letter "3", "root.b", 1000, 1024, node), POD(letter "4", "root.b", 1000, 1024, node)

/* `budget_letter`: pods whose keys begin so share a budget of one disruption; 0: none do. */
static void play_one(const struct scene *scene, char budget_letter)
{
    struct stage stage;
    stage_init(&stage, "", scene->queues);
    stage.world.budget_letter = budget_letter;
    stage.world.budget_allowed = 1;
    world_node(&stage.world, "n1", 4000, 4096);
    world_node(&stage.world, "n2", 4000, 4096);
    for (size_t p = 0; p < PODS && scene->pods[p].key != NULL; p++) {
        struct pod pod = scene->pods[p];
        if (pod.node == NULL)
            pod.age_s = 40;
        stage_pod(&stage, &pod);
    }
    stage_wait(&stage, 1);
    stage_expect(&stage, scene->what, scene->victims);
    stage_done(&stage);
}

static void play(const struct scene *scenes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        play_one(&scenes[i], 0);
}

static void order_of_victims(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {"the youngest",
         A2 B,
         {POD("x1", "root.b", 1000, 1024, "n1", .age_s = 50),
          POD("x2", "root.b", 1000, 1024, "n1", .age_s = 20),
          POD("x3", "root.b", 2000, 1024, "n1", .age_s = 30), POD("y1", "root.b", 4000, 4096, "n2"),
          POD("ask", "root.a", 1000, 1024, NULL)},
         "x2"},
        {"an older one that is enough alone, instead of two younger ones",
         A2 B,
         {POD("x1", "root.b", 1000, 1024, "n1", .age_s = 10),
          POD("x2", "root.b", 1000, 1024, "n1", .age_s = 20),
          POD("x3", "root.b", 2000, 1024, "n1", .age_s = 30), FULL("n2", "y"),
          POD("ask", "root.a", 2000, 1024, NULL)},
         "x3"},
        {"not if it has more than the two",
         "    - {name: a, resources: {guaranteed: {vcore: 4}}}\n" B,
         {POD("x1", "root.b", 750, 1024, "n1", .age_s = 10),
          POD("x2", "root.b", 750, 1024, "n1", .age_s = 20),
          POD("x3", "root.b", 2500, 1024, "n1", .age_s = 30), FULL("n2", "y"),
          POD("ask", "root.a", 1500, 1024, NULL)},
         "x1 x2"},
        {"equal age: the key",
         A2 B,
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         "x1"},
        {"who opted out is last, not safe",
         A2 B,
         {POD("x1", "root.b", 2000, 1024, "n1", .opted_out = true, .age_s = 1),
          POD("x2", "root.b", 2000, 1024, "n1", .age_s = 100),
          POD("y1", "root.b", 4000, 1024, "n2", .opted_out = true), POD("ask", "root.a", 2000, 1024, NULL)},
         "x2"},
        {"only those who opted out are left",
         A2 B,
         {POD("x1", "root.b", 4000, 1024, "n1", .opted_out = true, .age_s = 1),
          POD("y1", "root.b", 2000, 1024, "n2", .opted_out = true, .age_s = 2),
          POD("y2", "root.b", 2000, 1024, "n2", .opted_out = true, .age_s = 3),
          POD("ask", "root.a", 2000, 1024, NULL)},
         "y1"},
        {"an originator is last",
         A2 B,
         {POD("x1", "root.b", 2000, 1024, "n1", .originator = true, .age_s = 1),
          POD("x2", "root.b", 2000, 1024, "n1", .age_s = 100),
          POD("y1", "root.b", 4000, 1024, "n2", .originator = true), POD("ask", "root.a", 2000, 1024, NULL)},
         "x2"},
        {"another node rather than an originator",
         A2 B,
         {POD("x1", "root.b", 4000, 1024, "n1", .originator = true), POD("y1", "root.b", 1000, 1024, "n2"),
          POD("y2", "root.b", 1000, 1024, "n2"), POD("y3", "root.b", 2000, 1024, "n2", .originator = true),
          POD("ask", "root.a", 2000, 1024, NULL)},
         "y1 y2"},
        {"two are needed (pass one), no third",
         A2 B,
         {POD("x1", "root.b", 1000, 100, "n1"), POD("x2", "root.b", 1000, 100, "n1"),
          POD("x3", "root.b", 2000, 100, "n1", .never = true, .required_node = "n1"),
          POD("y1", "root.b", 4000, 100, "n2", .required_node = "n2"), POD("ask", "root.a", 2000, 100, NULL)},
         "x1 x2"},
        {"the one that is enough makes an earlier one superfluous",
         A2 B,
         {POD("x1", "root.b", 1000, 100, "n1", .age_s = 1), POD("x2", "root.b", 2000, 100, "n1", .age_s = 2),
          POD("x3", "root.b", 1000, 100, "n1", .required_node = "n1"),
          POD("y1", "root.b", 4000, 100, "n2", .required_node = "n2"), POD("ask", "root.a", 2000, 100, NULL)},
         "x2"},
    };
    play(scenes, YK_COUNT(scenes));
}

static void laws_of_guarantees(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {"without a guarantee no pod ends",
         "    - {name: a}\n" B,
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"more than the guarantee: no victim",
         A2 B,
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 3000, 1024, NULL)},
         ""},
        {"nothing that it asks is guaranteed: no victim",
         "    - {name: a, resources: {guaranteed: {gpu: 2}}}\n" B,
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"within its guarantee the other queue keeps all",
         A2 "    - {name: b, resources: {guaranteed: {vcore: 8}}}\n",
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"what is above it goes",
         A2 "    - {name: b, resources: {guaranteed: {vcore: 7}}}\n",
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         "x1"},
        {"law 2, D16a: not one that would take it below",
         A2 "    - {name: b, resources: {guaranteed: {vcore: 7}}}\n",
         {POD("x1", "root.b", 4000, 1024, "n1"), POD("y1", "root.b", 4000, 1024, "n2"),
          POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"law 2 of a type that is not asked",
         A2 "    - {name: b, resources: {guaranteed: {pods: 8}}}\n",
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"law 2 per type: what is below its guarantee of memory gives cores",
         "    - {name: a, resources: {guaranteed: {vcore: 2, memory: 4Gi}}}\n"
         "    - {name: b, resources: {guaranteed: {vcore: 2, memory: 100Gi}}}\n",
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         "x1"},
        {"law 2 per type: nor does exactly its guarantee of memory protect its cores",
         "    - {name: a, resources: {guaranteed: {vcore: 2, memory: 4Gi}}}\n"
         "    - {name: b, resources: {guaranteed: {vcore: 2, memory: 800Mi}}}\n",
         {POD("x1", "root.b", 4000, 400, "n1"), POD("y1", "root.b", 2000, 200, "n2"),
          POD("y2", "root.b", 2000, 200, "n2", .age_s = 5), POD("ask", "root.a", 1000, 100, NULL)},
         "y1"},
        {"law 2 per type: a parent that is below its guarantee of memory gives cores",
         A2 "    - {name: p, resources: {guaranteed: {vcore: 2, memory: 100Gi}}, queues: [{name: b}]}\n",
         {POD("x1", "root.p.b", 4000, 1024, "n1"), POD("y1", "root.p.b", 2000, 1024, "n2"),
          POD("y2", "root.p.b", 2000, 1024, "n2", .age_s = 5), POD("ask", "root.a", 1000, 1024, NULL)},
         "y1"},
        {"a guarantee above both that is used in full: the end of the victim makes it available",
         "    - {name: g, resources: {guaranteed: {vcore: 4}}, queues: [{name: b}, {name: p, resources: "
         "{guaranteed: {vcore: 2}}, queues: [{name: a}]}]}\n    - {name: o, resources: {guaranteed: {vcore: "
         "4}}}\n",
         {POD("x1", "root.g.b", 1000, 1024, "n1"), POD("x2", "root.g.b", 3000, 1024, "n1", .age_s = 5),
          POD("y1", "root.o", 4000, 1024, "n2"), POD("ask", "root.g.p.a", 1000, 1024, NULL)},
         "x1"},
        {"law 2 per type: not for what the queue is below in as well",
         "    - {name: a, resources: {guaranteed: {vcore: 2, memory: 4Gi}}}\n"
         "    - {name: b, resources: {guaranteed: {vcore: 20, memory: 1Gi}}}\n",
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 0, NULL)},
         ""},
        {"what a victim has besides need not be guaranteed to the ask",
         "    - {name: a, resources: {guaranteed: {vcore: 2, memory: 100Mi}}}\n" B,
         {POD("x1", "root.b", 2000, 1900, "n1"), POD("x2", "root.b", 2000, 1900, "n1", .age_s = 5),
          POD("y1", "root.b", 4000, 1900, "n2"), POD("ask", "root.a", 1000, 50, NULL)},
         "x1"},
        {"a leaf without a guarantee takes nothing below the parent whose guarantee it claims",
         "    - {name: p, resources: {guaranteed: {vcore: 9}}, queues: [{name: a}, {name: b, resources: "
         "{guaranteed: {vcore: 1}}}]}\n",
         {POD("x1", "root.p.b", 1000, 1024, "n1"), POD("x2", "root.p.b", 3000, 1024, "n1"),
          POD("y1", "root.p.b", 4000, 1024, "n2"), POD("ask", "root.p.a", 1000, 1024, NULL)},
         ""},
        {"law 2 for a parent of the victim",
         A2 "    - {name: p, resources: {guaranteed: {vcore: 8}}, queues: [{name: b}]}\n",
         {POD("x1", "root.p.b", 4000, 1024, "n1"), POD("y1", "root.p.b", 4000, 1024, "n2"),
          POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"law 3: not the same application, nor the same queue",
         A2 B,
         {POD("x1", "root.a", 4000, 1024, "n1", .app = "other"),
          POD("y1", "root.a", 4000, 1024, "n2", .app = "other"), POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"a guarantee of the parent serves a leaf without",
         "    - {name: p, resources: {guaranteed: {vcore: 2}}, queues: [{name: a}]}\n" B,
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.p.a", 1000, 1024, NULL)},
         "x1"},
        {"D16d: root.a is no ancestor of root.ab",
         "    - {name: a, resources: {guaranteed: {vcore: 1}}, queues: [{name: c}]}\n"
         "    - {name: ab, resources: {guaranteed: {vcore: 2}}}\n",
         {POD("x1", "root.a.c", 4000, 1024, "n1"), POD("y1", "root.a.c", 2000, 1024, "n2"),
          POD("y2", "root.a.c", 1000, 1024, "n2"), POD("y3", "root.a.c", 1000, 1024, "n2"),
          POD("ask", "root.ab", 1000, 1024, NULL)},
         "y1"},
        {"siblings answer by guarantees of their own, not by that above both",
         "    - {name: p, resources: {guaranteed: {vcore: 4}}, queues: [{name: a, resources: {guaranteed: "
         "{vcore: 2}}}, "
         "{name: b}]}\n",
         {POD("x1", "root.p.b", 4000, 1024, "n1"), POD("y1", "root.p.b", 3000, 1024, "n2"),
          POD("y2", "root.p.b", 1000, 1024, "n2"), POD("ask", "root.p.a", 1000, 1024, NULL)},
         "y2"},
    };
    play(scenes, YK_COUNT(scenes));
}

static void scope(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {"higher priority is safe",
         A2 B,
         {POD("x1", "root.b", 2000, 1024, "n1", .priority = 1), POD("x2", "root.b", 2000, 1024, "n1"),
          POD("y1", "root.b", 4000, 1024, "n2", .priority = 5), POD("ask", "root.a", 2000, 1024, NULL)},
         "x2"},
        {"a disabled queue is safe",
         A2 B "    - {name: c, properties: {preemption.policy: disabled}}\n",
         {POD("x1", "root.c", 4000, 1024, "n1"), POD("y1", "root.b", 2000, 1024, "n2"),
          POD("y2", "root.c", 2000, 1024, "n2"), POD("ask", "root.a", 2000, 1024, NULL)},
         "y1"},
        {"preemption.allowed false is the same",
         A2 "    - {name: b, properties: {preemption.allowed: 'false'}}\n",
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"a fence around the asking leaf",
         "    - {name: a, resources: {guaranteed: {vcore: 2}}, properties: "
         "{preemption.policy: fence}}\n" B,
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"a fence above it: inside only",
         "    - {name: p, properties: {preemption.policy: FENCE}, queues: [{name: a, resources: {guaranteed: "
         "{vcore: "
         "2}}}, {name: c}]}\n" B,
         {POD("x1", "root.b", 4000, 1024, "n1"), POD("y1", "root.p.c", 2000, 1024, "n2", .age_s = 100),
          POD("y2", "root.b", 2000, 1024, "n2"), POD("ask", "root.p.a", 2000, 1024, NULL)},
         "y1"},
        {"a fence elsewhere protects no pod",
         A2 "    - {name: b, properties: {preemption.policy: fence}}\n",
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         "x1"},
        {"offsets are added on the way up",
         "    - {name: a, resources: {guaranteed: {vcore: 2}}, properties: {priority.offset: '-1'}}\n" B,
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"and weighed on the way down",
         "    - {name: a, resources: {guaranteed: {vcore: 2}}, properties: {priority.offset: '3'}}\n"
         "    - {name: b, properties: {priority.offset: '4'}}\n    - {name: c, properties: {priority.offset: "
         "'3'}}\n",
         {POD("x1", "root.b", 4000, 1024, "n1"), POD("y1", "root.b", 2000, 1024, "n2"),
          POD("y2", "root.c", 2000, 1024, "n2"), POD("ask", "root.a", 2000, 1024, NULL)},
         "y2"},
        {"D25: an offset above both raises neither",
         "    - {name: p, properties: {priority.offset: '1'}, queues: [{name: a, resources: {guaranteed: "
         "{vcore: 2}}}, {name: b}]}\n",
         {POD("x1", "root.p.b", 2000, 1024, "n1", .priority = 1),
          POD("x2", "root.p.b", 2000, 1024, "n1", .priority = 1),
          POD("y1", "root.p.b", 4000, 1024, "n2", .priority = 1), POD("ask", "root.p.a", 1000, 1024, NULL)},
         ""},
        {"D25: nor does it lower one",
         "    - {name: p, properties: {priority.offset: '-1'}, queues: [{name: a, resources: {guaranteed: "
         "{vcore: 2}}}, {name: b}]}\n",
         {POD("x1", "root.p.b", 2000, 1024, "n1"), POD("x2", "root.p.b", 2000, 1024, "n1", .age_s = 5),
          POD("y1", "root.p.b", 4000, 1024, "n2"), POD("ask", "root.p.a", 1000, 1024, NULL)},
         "x1"},
        {"a priority fence with a low offset opens its queue as a whole",
         A2 "    - {name: b, properties: {priority.policy: fence}}\n",
         {POD("x1", "root.b", 4000, 1024, "n1", .priority = 100),
          POD("y1", "root.b", 4000, 1024, "n2", .priority = 100), POD("ask", "root.a", 1000, 1024, NULL)},
         ""}, /* but what it has is larger than what is guaranteed */
        {"the same, of a size that is guaranteed",
         A2 "    - {name: b, properties: {priority.policy: fence}}\n",
         {POD("x1", "root.b", 2000, 1024, "n1", .priority = 100),
          POD("x2", "root.b", 2000, 1024, "n1", .priority = 100, .age_s = 5),
          POD("y1", "root.b", 4000, 1024, "n2", .priority = 100), POD("ask", "root.a", 1000, 1024, NULL)},
         "x1"},
        {"one with a high offset closes it",
         A2 "    - {name: b, properties: {priority.policy: fence, priority.offset: '1'}}\n",
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL)},
         ""},
        {"the asking queue's fence sets its priority",
         "    - {name: a, resources: {guaranteed: {vcore: 2}}, properties: {priority.policy: fence, "
         "priority.offset: "
         "'-5'}}\n" B,
         {FULL("n1", "x"), FULL("n2", "y"), POD("ask", "root.a", 1000, 1024, NULL, .priority = 100)},
         ""},
    };
    play(scenes, YK_COUNT(scenes));
}

static void room_in_queues(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {"the maximum of the parent: victims below it, on any node",
         "    - {name: p, resources: {max: {vcore: 2}}, queues: [{name: a, resources: {guaranteed: {vcore: "
         "1}}}, {name: "
         "b}]}\n    - {name: c}\n",
         {POD("x1", "root.p.b", 1000, 100, "n1"), POD("y1", "root.p.b", 1000, 100, "n2", .age_s = 5),
          POD("y2", "root.c", 1000, 100, "n2"), POD("ask", "root.p.a", 1000, 100, NULL)},
         "x1"},
        {"D16b: memory is enough, cores are not; no more than needed",
         "    - {name: p, resources: {max: {vcore: 4}}, queues: [{name: a, resources: {guaranteed: {vcore: "
         "2, memory: "
         "4Gi}}}, {name: b}]}\n",
         {POD("x1", "root.p.b", 1000, 500, "n1"), POD("x2", "root.p.b", 1000, 500, "n1", .age_s = 1),
          POD("x3", "root.p.b", 1000, 500, "n1", .age_s = 2), POD("ask", "root.p.a", 2000, 100, NULL)},
         "x1"},
        {"node and queue, both in need",
         "    - {name: p, resources: {max: {vcore: 5}}, queues: [{name: a, resources: {guaranteed: {vcore: "
         "2}}}, {name: "
         "b}]}\n    - {name: c}\n",
         {POD("x1", "root.c", 3000, 100, "n1"), POD("x2", "root.p.b", 1000, 100, "n1"),
          POD("y1", "root.p.b", 2000, 100, "n2"), POD("y2", "root.p.b", 2000, 100, "n2", .age_s = 7),
          POD("ask", "root.p.a", 2000, 100, NULL)},
         "y1"},
        {"the own maximum: no other pod can help",
         "    - {name: a, resources: {guaranteed: {vcore: 2}, max: {memory: 1Gi}}}\n" B,
         {POD("x1", "root.a", 1000, 1024, "n1"), POD("x2", "root.b", 3000, 100, "n1"),
          POD("ask", "root.a", 1000, 100, NULL)},
         ""},
    };
    play(scenes, YK_COUNT(scenes));
}

/* A disruption budget: last, not safe. */
static void protected_ones_go_last(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        struct stage stage;
        stage_init(&stage, "", A2 B);
        stage.world.protected_letter = 'p';
        world_node(&stage.world, "n1", 4000, 4096);
        stage_pod(&stage, &(struct pod)POD("p1", "root.b", 2000, 100, "n1"));
        stage_pod(&stage, &(struct pod)POD(both ? "p2" : "x2", "root.b", 2000, 100, "n1", .age_s = 99,
                                           .originator = true));
        stage_pod(&stage, &(struct pod)POD("ask", "root.a", 1000, 100, NULL, .age_s = 40));
        stage_wait(&stage, 1);
        stage_expect(&stage, "protected", both ? "p1" : "x2");
        stage_done(&stage);
    }
}

/* Pods p.. share a budget of one disruption: the second one of a plan goes after all others. */
static void a_budget_counts_within_a_plan(void **state)
{
    (void)state;
    static const struct scene scenes[] = {
        {"on a node",
         A2 B,
         {POD("p1", "root.b", 1000, 100, "n1"), POD("p2", "root.b", 1000, 100, "n1", .age_s = 1),
          POD("x1", "root.b", 1000, 100, "n1", .originator = true, .age_s = 99),
          POD("y1", "root.b", 1000, 100, "n1", .required_node = "n1"),
          POD("y2", "root.b", 4000, 100, "n2", .required_node = "n2"), POD("ask", "root.a", 2000, 100, NULL)},
         "p1 x1"},
        {"on any node, for a queue",
         "    - {name: p, resources: {max: {vcore: 3}}, queues: [{name: a, resources: {guaranteed: {vcore: "
         "2}}}, "
         "{name: b}]}\n",
         {POD("p1", "root.p.b", 1000, 100, "n1"), POD("p2", "root.p.b", 1000, 100, "n2", .age_s = 1),
          POD("x1", "root.p.b", 1000, 100, "n2", .originator = true, .age_s = 99),
          POD("ask", "root.p.a", 2000, 100, NULL)},
         "p1 x1"},
        {"for a daemon set",
         B,
         {POD("p1", "root.b", 1000, 100, "n1"), POD("p2", "root.b", 1000, 100, "n1", .age_s = 1),
          POD("x1", "root.b", 2000, 100, "n1", .originator = true, .age_s = 99),
          POD("ask", "root.b", 2000, 100, NULL, .required_node = "n1", .app = "daemon")},
         "x1"},
        {"last, but not safe",
         B,
         {POD("p1", "root.b", 2000, 100, "n1"), POD("p2", "root.b", 2000, 100, "n1", .age_s = 1),
          POD("ask", "root.b", 4000, 100, NULL, .required_node = "n1", .app = "daemon")},
         "p1 p2"},
    };
    for (size_t i = 0; i < YK_COUNT(scenes); i++)
        play_one(&scenes[i], 'p');
}

/* Daemon sets end protected pods last, too. */
static void protected_ones_go_last_for_daemon_sets(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, "", B);
    stage.world.protected_letter = 'p';
    world_node(&stage.world, "n1", 4000, 4096);
    world_node(&stage.world, "n2", 4000, 4096);
    stage_pod(&stage, &(struct pod)POD("p1", "root.b", 2000, 100, "n1"));
    stage_pod(&stage, &(struct pod)POD("x1", "root.b", 2000, 100, "n1", .age_s = 99, .originator = true));
    stage_pod(&stage, &(struct pod)POD("ask", "root.b", 1000, 100, NULL, .required_node = "n1", .app = "d"));
    stage_wait(&stage, 1);
    stage_expect(&stage, "protected", "x1");
    stage_done(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_victims),
        cmocka_unit_test(laws_of_guarantees),
        cmocka_unit_test(scope),
        cmocka_unit_test(room_in_queues),
        cmocka_unit_test(protected_ones_go_last),
        cmocka_unit_test(a_budget_counts_within_a_plan),
        cmocka_unit_test(protected_ones_go_last_for_daemon_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

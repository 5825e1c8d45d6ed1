/* SPDX-License-Identifier: Apache-2.0 */
#include "config/configs.h"

static void names(void **state)
{
    (void)state;
    char long_name[66];
    memset(long_name, 'a', 65);
    long_name[65] = '\0';
    assert_false(yk_queue_name_valid((struct yk_str){long_name, 65}));
    assert_true(yk_queue_name_valid((struct yk_str){long_name, 64}));
    static const struct {
        const char *what;
        struct yk_str name;
        bool queue, user, group, rule;
    } cases[] = {
        {"a word", YK_STR("abc_1"), true, true, true, true},
        {"empty", YK_STR(""), false, false, false, false},
        {"a digit first", YK_STR("1a"), true, false, false, false},
        {"a dash first", YK_STR("-a"), true, false, false, false},
        {"all that a queue may hold", YK_STR("aZ09_:#/@-"), true, true, false, false},
        {"a dot", YK_STR("a.b"), false, true, true, false},
        {"a colon", YK_STR("system:x"), true, true, true, false},
        {"an at sign", YK_STR("a@b"), true, true, false, false},
        {"a dollar at the end", YK_STR("machine$"), false, true, false, false},
        {"a dollar inside", YK_STR("a$b"), false, false, false, false},
        {"only a dollar", YK_STR("$"), false, false, false, false},
        {"a blank", YK_STR("a b"), false, false, false, false},
        {"a trailing newline", YK_STR("a\n"), false, false, false, false},
        {"a zero byte", YK_STR("a\0"), false, false, false, false},
        {"a letter beyond ASCII", YK_STR("\xc3\xa4"), false, false, false, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (yk_queue_name_valid(cases[i].name) != cases[i].queue ||
            yk_user_name_valid(cases[i].name) != cases[i].user ||
            yk_group_name_valid(cases[i].name) != cases[i].group ||
            yk_rule_name_valid(cases[i].name) != cases[i].rule)
            fail_msg("1.4: %s", cases[i].what);
    }
}

static void structure_and_names(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"V1: no list of queues", "partitions:\n- name: default\n",
         "line 2, column 3: partition 'default' has no list of queues"},
        {"V1: null is no list", PARTITION("  queues: ~\n"), "has no list of queues"},
        {"V1: an empty list gets a root", PARTITION("  queues: []\n"), NULL},
        {"V1: root has a max", ROOT("    resources: {max: {vcore: 1}}\n"),
         "the root queue must not have resources"},
        {"V1: root has an empty guaranteed", ROOT("    resources: {guaranteed: {}}\n"),
         "must not have resources"},
        {"V1: empty resources of root are fine", ROOT("    resources: {}\n"), NULL},
        {"V1: root is also inserted above something called root",
         PARTITION("  queues: [{name: root}, {name: a}]\n"), NULL},
        {"C18: several partitions", "partitions:\n- {name: default, queues: []}\n- {name: gpu, queues: []}\n",
         NULL},
        {"1.3: a partition twice, in another case",
         "partitions:\n- {name: gpu, queues: []}\n- {name: GPU, queues: []}\n",
         "partition 'GPU' is there twice"},
        {"1.3: default twice, once without name",
         "partitions:\n- {queues: []}\n- {name: Default, queues: []}\n",
         "partition 'default' is there twice"},
        {"V3: an ACL with three fields", ROOT("    submitacl: 'a b c'\n"),
         "queue 'root': submitacl 'a b c' has more than two fields"},
        {"V3: an ACL with tabs between three fields",
         BELOW_ROOT("    - name: a\n      adminacl: \"a\\tb c\"\n"), "queue 'root.a': adminacl"},
        {"A3: stray blanks pass here", ROOT("    submitacl: '  a  b '\n"), NULL},
        {"V3: a dot in a queue name", BELOW_ROOT("    - name: a.b\n"),
         "line 6, column 13: partition 'default': queue name 'a.b' below 'root' is not valid"},
        {"V3: no name", BELOW_ROOT("    - parent: true\n"), "queue name '' below 'root' is not valid"},
        {"V3: 64 bytes are fine",
         BELOW_ROOT("    - name: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff1234\n"), NULL},
        {"V3: 65 are not",
         BELOW_ROOT("    - name: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff12345\n"),
         "is not valid"},
        {"V3: twice below the same parent, in another case",
         BELOW_ROOT("    - name: a\n    - name: b\n    - name: A\n"),
         "line 8, column 13: partition 'default': queue 'root.A': is there twice (also in line 6)"},
        {"V3: the same name elsewhere",
         BELOW_ROOT("    - {name: a, queues: [{name: a, queues: [{name: a}]}]}\n    - name: b\n"), NULL},
    };
    check_config_cases(cases, YK_COUNT(cases));
}

static void root_is_found_or_made(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        uint32_t children;
        const char *acl;
    } cases[] = {
        {"V1: root as written", ROOT("    submitacl: x\n"), 0, "x"},
        {"V1, BUG-2: in capitals", PARTITION("  queues: [{name: Root, submitacl: x}]\n"), 0, "x"},
        {"V1: another single queue", PARTITION("  queues: [{name: a, submitacl: x}]\n"), 1, NULL},
        {"V1: root among others is a child", PARTITION("  queues: [{name: root}, {name: a}]\n"), 2, NULL},
        {"V1: none", PARTITION("  queues: []\n"), 0, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_config *config = config_of(cases[i].text);
        const struct yk_config_queue *root = &config->partitions[0].root;
        const char *acl = root->submit_acl.p;
        bool same_acl =
            acl == NULL ? cases[i].acl == NULL : cases[i].acl != NULL && strcmp(acl, cases[i].acl) == 0;
        if (!yk_str_is(root->name, "root") || !root->parent || root->queue_count != cases[i].children ||
            !same_acl)
            fail_msg("%s: got %u children", cases[i].what, root->queue_count);
        yk_config_free(config);
    }
}

static void resources(void **state)
{
    (void)state;
#define Q(queues) BELOW_ROOT(queues)
    static const struct config_case cases[] = {
        {"V4: a bad quantity", Q("    - {name: a, resources: {max: {memory: 10Kb}}}\n"),
         "queue 'root.a': max: invalid quantity '10Kb' for 'memory'"},
        {"V4: an empty quantity", Q("    - {name: a, resources: {guaranteed: {memory: }}}\n"),
         "guaranteed: invalid quantity ''"},
        {"V4: overflow", Q("    - {name: a, resources: {max: {memory: 9E, vcore: 10P}}}\n"), "overflows"},
        {"V4: guaranteed above max",
         Q("    - {name: a, resources: {guaranteed: {vcore: 3}, max: {vcore: 2}}}\n"),
         "queue 'root.a': guaranteed is larger than its max {vcore: 2}"},
        {"V4: a guaranteed type that max does not name",
         Q("    - {name: a, resources: {guaranteed: {memory: 3}, max: {vcore: 2}}}\n"), NULL},
        {"V4: zero in max forbids",
         Q("    - {name: a, resources: {guaranteed: {vcore: 1}, max: {vcore: 0}}}\n"), "larger than its max"},
        {"V5: max above the parent's",
         Q("    - {name: a, resources: {max: {vcore: 2}}, queues: [{name: b, resources: {max: {vcore: "
           "3}}}]}\n"),
         "queue 'root.a.b': max {vcore: 3} is larger than that of queue 'root.a' {vcore: 2}"},
        {"V5: max above the grandparent's",
         Q("    - {name: a, resources: {max: {vcore: 2}}, queues: [{name: b, queues: [{name: c, resources: "
           "{max: {vcore: 3}}}]}]}\n"),
         "queue 'root.a.b.c': max {vcore: 3} is larger than that of queue 'root.a' {vcore: 2}"},
        {"V5: a type the parent does not limit",
         Q("    - {name: a, resources: {max: {vcore: 2}}, queues: [{name: b, resources: {max: {memory: "
           "3}}}]}\n"),
         NULL},
        {"V5: the children's max together may be larger",
         Q("    - {name: a, resources: {max: {vcore: 2}}, queues: [{name: b, resources: {max: {vcore: 2}}}, "
           "{name: c, resources: {max: {vcore: 2}}}]}\n"),
         NULL},
        {"V5: guaranteed of the children above the own",
         Q("    - {name: a, resources: {guaranteed: {vcore: 2}}, queues: [{name: b, resources: {guaranteed: "
           "{vcore: 1}}}, {name: c, resources: {guaranteed: {vcore: 2}}}]}\n"),
         "queue 'root.a': the guaranteed resources of its children are together larger than its own"},
        {"V5: the sum climbs through a queue without guaranteed",
         Q("    - {name: a, resources: {guaranteed: {vcore: 2}}, queues: [{name: b, queues: [{name: c, "
           "resources: {guaranteed: {vcore: 3}}}]}]}\n"),
         "queue 'root.a': the guaranteed"},
        {"V5: a guaranteed of zero counts as none",
         Q("    - {name: a, resources: {max: {vcore: 2}}, queues: [{name: b, resources: {guaranteed: {vcore: "
           "0}}, queues: [{name: c, resources: {guaranteed: {memory: 3}}}]}]}\n"),
         NULL},
        {"V5: guaranteed of the children above the max",
         Q("    - {name: a, resources: {max: {vcore: 2}}, queues: [{name: b, resources: {guaranteed: {vcore: "
           "2}}}, {name: c, resources: {guaranteed: {vcore: 1}}}]}\n"),
         "are together larger than the max"},
        {"V5: guaranteed of the children above an inherited max",
         Q("    - {name: a, resources: {max: {vcore: 2}}, queues: [{name: p, queues: [{name: b, resources: "
           "{guaranteed: {vcore: 3}}}]}]}\n"),
         "queue 'root.a.p': the guaranteed resources of its children are together larger than the max"},
        {"V5: exactly full is fine",
         Q("    - {name: a, resources: {guaranteed: {vcore: 3}, max: {vcore: 3}}, queues: [{name: b, "
           "resources: {guaranteed: {vcore: 2}}}, {name: c, resources: {guaranteed: {vcore: 1000m}}}]}\n"),
         NULL},
        {"V5: sums saturate",
         Q("    - {name: a, resources: {max: {memory: 7E}}, queues: [{name: b, resources: {guaranteed: "
           "{memory: 7E}}}, {name: c, resources: {guaranteed: {memory: 7E}}}]}\n"),
         "are together larger than the max"},
        {"V7: a child above its parent",
         Q("    - {name: a, maxapplications: 2, queues: [{name: b, maxapplications: 3}]}\n"),
         "queue 'root.a.b': maxapplications 3 must be 1 to 2"},
        {"V7: a child without a number below a parent with one",
         Q("    - {name: a, maxapplications: 2, queues: [{name: b}]}\n"), "maxapplications 0 must be 1 to 2"},
        {"V7: no number on the parent", Q("    - {name: a, queues: [{name: b, maxapplications: 3}]}\n"),
         NULL},
        {"V7: the sum is free",
         Q("    - {name: a, maxapplications: 2, queues: [{name: b, maxapplications: 2}, {name: c, "
           "maxapplications: 2}]}\n"),
         NULL},
    };
    check_config_cases(cases, YK_COUNT(cases));
}

#define RULES(rules, queues)                                                                                 \
    "partitions:\n- name: default\n  placementrules:\n" rules                                                \
    "  queues:\n  - name: root\n    queues:\n" queues
#define TREE "    - {name: leaf}\n    - {name: par, parent: true}\n    - {name: top, queues: [{name: Sub}]}\n"

static void placement_rules(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"V6: a name with a dash", RULES("  - name: my-rule\n", TREE),
         "line 4, column 5: partition 'default': placement rule name 'my-rule' is not valid"},
        {"V6: no name", RULES("  - create: true\n", TREE), "placement rule name '' is not valid"},
        {"V10: an unknown name is not the loader's business", RULES("  - name: foo\n", TREE), NULL},
        {"V6: the name of a parent rule", RULES("  - {name: user, parent: {name: '1x'}}\n", TREE),
         "placement rule name '1x'"},
        {"P15: filter type in any case", RULES("  - {name: user, filter: {type: DENY}}\n", TREE), NULL},
        {"P15: another filter type", RULES("  - {name: user, filter: {type: block}}\n", TREE),
         "rule 'user': filter type 'block' is neither 'allow' nor 'deny'"},
        {"P16: one name", RULES("  - {name: user, filter: {users: [bob], groups: [dev]}}\n", TREE), NULL},
        {"P16: one pattern", RULES("  - {name: user, filter: {users: ['^dev.*']}}\n", TREE), NULL},
        {"P16: a pattern that does not compile", RULES("  - {name: user, filter: {users: ['(dev']}}\n", TREE),
         "pattern '(dev', byte 4"},
        {"P16: neither name nor pattern", RULES("  - {name: user, filter: {groups: ['a b']}}\n", TREE),
         "filter group 'a b' is neither a name nor a pattern"},
        {"P16: a machine account is a name", RULES("  - {name: user, filter: {users: ['svc$']}}\n", TREE),
         NULL},
        {"P16: in a parent rule",
         RULES("  - {name: user, parent: {name: user, filter: {users: ['(']}}}\n", TREE), "pattern '('"},
        {"P17: bad entries of longer lists are skipped",
         RULES("  - {name: user, filter: {users: ['(', bob]}}\n", TREE), NULL},
        {"P21: fixed to a leaf", RULES("  - {name: fixed, value: root.leaf}\n", TREE), NULL},
        {"P21: not qualified", RULES("  - {name: fixed, value: leaf}\n", TREE), NULL},
        {"P21, BUG-16: any case of name and path", RULES("  - {name: FIXED, value: Root.TOP.sub}\n", TREE),
         NULL},
        {"P21: to a queue flagged parent", RULES("  - {name: fixed, value: par}\n", TREE),
         "queue 'root.par' is a parent"},
        {"P21: to root", RULES("  - {name: fixed, value: root}\n", TREE), "queue 'root' is a parent"},
        {"P21: to a queue that only has children", RULES("  - {name: fixed, value: top}\n", TREE), NULL},
        {"P21: below a leaf", RULES("  - {name: fixed, value: leaf.x, create: true}\n", TREE),
         "queue 'root.leaf.x' would be below a leaf"},
        {"P21: below an empty parent, created",
         RULES("  - {name: fixed, value: par.x, create: true}\n", TREE), NULL},
        {"P21: below an empty parent, not created", RULES("  - {name: fixed, value: par.x}\n", TREE),
         "queue 'root.par.x' does not exist"},
        {"P21: an unknown queue, not created", RULES("  - {name: fixed, value: nope}\n", TREE),
         "queue 'root.nope' does not exist"},
        {"P21: an unknown queue, created",
         RULES("  - {name: fixed, value: nope.deeper, create: true}\n", TREE), NULL},
        {"P21: the create flag is that of the top rule",
         RULES("  - {name: user, create: true, parent: {name: fixed, value: nope}}\n", TREE), NULL},
        {"P21: its parent's create flag does not help",
         RULES("  - {name: user, parent: {name: fixed, value: nope, create: true}}\n", TREE),
         "does not exist"},
        {"P21: a rule below a fixed leaf",
         RULES("  - {name: user, parent: {name: fixed, value: leaf}}\n", TREE),
         "queue 'root.leaf' is a leaf"},
        {"P21: below a fixed parent", RULES("  - {name: user, parent: {name: fixed, value: par}}\n", TREE),
         NULL},
        {"P21: below one that is a parent by its children",
         RULES("  - {name: user, parent: {name: fixed, value: top}}\n", TREE), NULL},
        {"P21: fixed below fixed",
         RULES("  - {name: fixed, value: sub, parent: {name: fixed, value: top}}\n", TREE), NULL},
        {"P21: a qualified one below",
         RULES("  - {name: fixed, value: root.top, parent: {name: fixed, value: top}}\n", TREE),
         "'root.top' starts at root, but the rule has a parent rule"},
        {"P21: blanks around the value", RULES("  - {name: fixed, value: ' Top.sub '}\n", TREE), NULL},
        {"P21: the rule that follows may be any",
         RULES("  - {name: secondarygroup, parent: {name: fixed, value: leaf}}\n", TREE), "is a leaf"},
        {"P21: root is a parent for what follows",
         RULES("  - {name: user, parent: {name: fixed, value: root}}\n", TREE), NULL},
        {"P21: the chain stops at the first rule that is not fixed",
         RULES("  - {name: fixed, value: nope, parent: {name: user, parent: {name: fixed, value: top}}}\n",
               TREE),
         NULL},
        {"P20: a pattern cannot widen its classes",
         RULES("  - {name: user, filter: {users: ['(*UCP)\\w']}}\n", TREE), "pattern"},
        {"P21: rootless is not qualified", RULES("  - {name: fixed, value: rootless, create: true}\n", TREE),
         NULL},
        {"P21: nothing fixed at the start",
         RULES("  - {name: fixed, value: nope, parent: {name: user}}\n", TREE), NULL},
        {"1.3: a known node sort policy",
         PARTITION(
             "  nodesortpolicy: {type: fair, resourceweights: {vcore: 2.5, memory: 0}}\n  queues: []\n"),
         NULL},
        {"1.3: another node sort policy", PARTITION("  nodesortpolicy: {type: Fair}\n  queues: []\n"),
         "node sort policy 'Fair'"},
        {"1.3: a negative weight",
         PARTITION("  nodesortpolicy: {resourceweights: {vcore: -1}}\n  queues: []\n"),
         "weight -1 of 'vcore' is negative"},
        {"1.3: an infinite weight",
         PARTITION("  nodesortpolicy: {resourceweights: {vcore: .inf}}\n  queues: []\n"),
         "weight of 'vcore' must be a finite number"},
        {"1.3: a quoted weight",
         PARTITION("  nodesortpolicy: {resourceweights: {vcore: '1'}}\n  queues: []\n"),
         "must be a finite number"},
    };
    check_config_cases(cases, YK_COUNT(cases));
}

static void warnings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *warning;
    } cases[] = {
        {BELOW_ROOT("    - {name: a, resources: {max: {cpu: 1}}}\n"), "queue 'root.a': max names 'cpu'"},
        {BELOW_ROOT("    - {name: a, resources: {max: {vcore: 0}}}\n"), "queue 'root.a': max is all zero"},
        {BELOW_ROOT("    - {name: '@Recovery@'}\n"), "is reserved for recovery"},
        {BELOW_ROOT("    - {name: a, properties: {application.sort.polcy: fair}}\n"),
         "queue 'root.a': property 'application.sort.polcy' is not known and has no effect"},
        {BELOW_ROOT("    - {name: a, resources: {max: {gpu: 1}}}\n"),
         "queue 'root.a': max names 'gpu', which no node offers: a device has a domain"},
        {BELOW_ROOT("    - {name: a, submitacl: 'bob, alice'}\n"),
         "queue 'root.a': submitacl: 'alice' is a group, because a space ends the users"},
        {BELOW_ROOT("    - {name: a}\n"), "partition 'default': no user may submit"},
        {BELOW_ROOT("    - {name: a, properties: {quota.preemption.delay: 30s}}\n"),
         "queue 'root.a': quota.preemption.delay has no effect: the partition does not say"},
        {BELOW_ROOT(
             "    - {name: a, parent: true, childtemplate: {resources: {guaranteed: {vcore: 2, memory: 1}, "
             "max: {vcore: 1500m}}}}\n"),
         "queue 'root.a': childtemplate: guaranteed is larger than its max"},
        {"# partitions: []\n", "the text has only comments: the built-in queues are used"},
        {"partitions: [{name: gpu, queues: []}]\n", "no partition is called 'default'"},
        {"partitions: [{queues: [{name: a}]}, {name: gpu, queues: [{name: b}]}]\n",
         "partitions 'default' and 'gpu' have different queues"},
        {PARTITION("  usergroupresolver: {type: nis}\n  queues: []\n"),
         "user group resolver 'nis' is not known"},
        {RULES("  - {name: fixed, value: top}\n", TREE), "queue 'root.top' has children"},
        {RULES("  - {name: user, create: true, parent: {name: Fixed, value: ' Root '}}\n", TREE),
         "rule 'user': its parent rule is fixed to 'root', which places below 'root.root'"},
        {RULES("  - {name: user, create: true, parent: {name: tag, value: t, parent: {name: fixed, value: "
               "root}}}\n",
               TREE),
         "rule 'tag': its parent rule is fixed to 'root'"},
        {RULES("  - {name: Fixed, value: root.nope}\n", TREE),
         "rule 'Fixed': queue 'root.nope' does not exist, and the rule has no 'create: true': it will place "
         "nothing"},
        {RULES("  - {name: user, filter: {users: ['(', bob]}}\n", TREE),
         "filter user '(' is not a name and is skipped"},
        {RULES("  - {name: user, filter: {users: ['^(?!a)b']}}\n", TREE),
         "rule 'user': filter user '^(?!a)b': YuniKorn 1.9 refuses look-ahead or look-behind"},
        {RULES("  - {name: user, filter: {groups: ['(?<!a)b']}}\n", TREE),
         "filter group '(?<!a)b': YuniKorn 1.9 refuses look-ahead or look-behind"},
        {RULES("  - {name: user, filter: {users: ['(a)\\1']}}\n", TREE),
         "1.9 refuses a reference to a group"},
        {RULES("  - {name: user, filter: {users: ['a*+b']}}\n", TREE), "1.9 refuses a possessive repeat"},
        {RULES("  - {name: user, filter: {users: ['(?>a)']}}\n", TREE), "refuses a kind of group"},
        {RULES("  - {name: user, filter: {users: ['(*ANYCRLF)^a']}}\n", TREE), "1.9 refuses a verb"},
        {RULES("  - {name: user, filter: {users: ['[a]+\\h']}}\n", TREE),
         "refuses an escape that only PCRE2 knows"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_config *config = config_of(cases[i].text);
        if (other_warnings(config) > 1 || !has_warning(config, cases[i].warning))
            fail_msg("V11: wanted '%s', got %u, first '%s'", cases[i].warning, config->warning_count,
                     config->warning_count > 0 ? config->warnings[0].text.p : "");
        yk_config_free(config);
    }
    static const char *const fine[] = {
        BELOW_ROOT(
            "    - {name: a, submitacl: 'bob,alice dev', resources: {max: {nvidia.com/gpu: 1, hugepages-2Mi: "
            "1, ephemeral-storage: 1, pods: 1}}}\n"),
        BELOW_ROOT("    - {name: a, adminacl: bob, properties: {quota.preemption.delay: 0s}}\n"),
        PARTITION("  preemption: {quotapreemptionenabled: true}\n  queues: [{name: root, submitacl: '*', "
                  "properties: {quota.preemption.delay: 30s}}]\n"),
        RULES("  - {name: user, create: true, filter: {users: "
              "['^[(?=*+\\1]+?\\++\\Q(?!\\1a++\\E(?P<n>a)(?i:b)\\123$']}}\n",
              "    - {name: a, submitacl: '*'}\n"),
        "",
        " \n"};
    for (size_t i = 0; i < YK_COUNT(fine); i++) {
        struct yk_config *config = config_of(fine[i]);
        if (config->warning_count > 0)
            fail_msg("V11: '%s' for %s", config->warnings[0].text.p, fine[i]);
        yk_config_free(config);
    }
    struct yk_config *config = config_of(
        "partitions: [{queues: [{name: a}, {name: b}]}, {name: x, queues: [{name: B}, {name: A}]}]\n");
    assert_int_equal(other_warnings(config), 0);
    yk_config_free(config);
}

static void activation_is_stricter(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"A3: two blanks", ROOT("    submitacl: 'a  b'\n"),
         "queue 'root': submitacl 'a  b' must have one space"},
        {"A3: a blank in front of two fields", ROOT("    adminacl: ' a b'\n"), "adminacl"},
        {"A2: two blanks around a wildcard", ROOT("    submitacl: '*  '\n"),
         "queue 'root': submitacl '*  ' must have one space"},
        {"A2: one is fine", ROOT("    submitacl: ' *'\n"), NULL},
        {"A3: one blank", ROOT("    submitacl: ' a'\n"), NULL},
        {"V9: a bad template quantity", ROOT("    childtemplate: {resources: {max: {vcore: x}}}\n"),
         "queue 'root': childtemplate max: invalid quantity 'x'"},
        {"V9: an empty one in a template that is not empty",
         ROOT("    childtemplate: {maxapplications: 1, resources: {guaranteed: {vcore: ''}}}\n"),
         "childtemplate guaranteed"},
        {"T1: an empty template is none", ROOT("    childtemplate: {resources: {max: {vcore: ''}}}\n"), NULL},
        {"V9: not on leaves", BELOW_ROOT("    - {name: a, childtemplate: {resources: {max: {vcore: x}}}}\n"),
         NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        struct yk_config *config = config_of(cases[i].text);
        enum yk_status st = yk_config_check_activation(config, &err);
        if ((st != YK_OK) != (cases[i].refusal != NULL))
            fail_msg("%s: %s", cases[i].what, st == YK_OK ? "accepted" : err.text);
        if (st != YK_OK && strstr(err.text, cases[i].refusal) == NULL)
            fail_msg("%s: got '%s'", cases[i].what, err.text);
        yk_config_free(config);
    }
}

static void templates(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        bool is_set;
    } cases[] = {
        {"T1: none", ROOT("    submitacl: x\n"), false},
        {"T1: empty maps", ROOT("    childtemplate: {properties: {}, resources: {max: {}}}\n"), false},
        {"T1: only an empty value", ROOT("    childtemplate: {properties: {a: ''}}\n"), false},
        {"T1: a property", ROOT("    childtemplate: {properties: {a: b}}\n"), true},
        {"T1: a number", ROOT("    childtemplate: {maxapplications: 1}\n"), true},
        {"T1: a max", ROOT("    childtemplate: {resources: {max: {vcore: 1}}}\n"), true},
        {"T1: a guaranteed", ROOT("    childtemplate: {resources: {guaranteed: {vcore: 1}}}\n"), true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_config *config = config_of(cases[i].text);
        if (config->partitions[0].root.child_template.is_set != cases[i].is_set)
            fail_msg("%s", cases[i].what);
        yk_config_free(config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(structure_and_names),
        cmocka_unit_test(root_is_found_or_made),
        cmocka_unit_test(resources),
        cmocka_unit_test(placement_rules),
        cmocka_unit_test(warnings),
        cmocka_unit_test(activation_is_stricter),
        cmocka_unit_test(templates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

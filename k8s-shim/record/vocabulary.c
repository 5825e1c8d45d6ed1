/* SPDX-License-Identifier: Apache-2.0 */
#include "record/vocabulary.h"

#include "base/arena.h"
#include "base/map.h"
#include "config/properties.h"
#include "config/setting_table.h"
#include "placement/placement.h"

#include <ctype.h>

enum { WORD_MAX = 64 };

struct yk_vocabulary {
    struct yk_arena arena;
    struct yk_strmap words; /* in lower case -> the vocabulary */
};

/* Lower case. Words that add_tables() finds need not be here. */
static const char *const words[] = {
    "aborted",
    "accepted",
    "affinity",
    "allocatable",
    "allocated",
    "allow",
    "allowpreemption",
    "always",
    "amd",
    "annotations",
    "anti",
    "any",
    "apache",
    "api",
    "app",
    "application",
    "applicationid",
    "applications",
    "apps",
    "arch",
    "arm",
    "attachable",
    "authenticated",
    "autogen",
    "aws",
    "awselasticblockstore",
    "azure",
    "azuredisk",
    "azurefile",
    "batch",
    "beta",
    "bind",
    "block",
    "bound",
    "capacity",
    "cinder",
    "class",
    "cluster",
    "clusterip",
    "com",
    "completed",
    "completing",
    "config",
    "configs",
    "containersready",
    "controller",
    "core",
    "cpu",
    "crd",
    "create",
    "createnamespace",
    "creationtime",
    "csi",
    "daemonset",
    "debug",
    "default",
    "defaults",
    "delete",
    "deny",
    "deployment",
    "device",
    "disabled",
    "disablestateaware",
    "disk",
    "disruptiontarget",
    "doesnotexist",
    "donotschedule",
    "dot",
    "driver",
    "ebs",
    "enabled",
    "ephemeral",
    "equal",
    "error",
    "event",
    "exclude",
    "exists",
    "failed",
    "false",
    "fatal",
    "field",
    "file",
    "filesystem",
    "filter",
    "filtering",
    "foregrounddeletion",
    "gang",
    "gangs",
    "gangschedulingstyle",
    "gce",
    "gke",
    "google",
    "gpu",
    "group",
    "groups",
    "gt",
    "gz",
    "hard",
    "headroom",
    "health",
    "honor",
    "hostname",
    "hugepages",
    "id",
    "ignore",
    "imagepullsecrets",
    "immediate",
    "in",
    "include",
    "info",
    "instance",
    "internal",
    "intree",
    "io",
    "job",
    "kind",
    "kube",
    "kubelet",
    "kubernetes",
    "label",
    "labels",
    "ldap",
    "level",
    "limit",
    "limits",
    "linux",
    "list",
    "log",
    "lost",
    "lt",
    "matchexpressions",
    "matchfields",
    "max",
    "maxapps",
    "member",
    "memory",
    "meta",
    "metadata",
    "migrated",
    "min",
    "minmember",
    "minresource",
    "name",
    "namespace",
    "never",
    "no",
    "nobody",
    "node",
    "nodename",
    "nodepublishsecretref",
    "nodeselector",
    "nodeselectorterms",
    "nodesort",
    "noexecute",
    "nogroup",
    "none",
    "noschedule",
    "not",
    "notin",
    "null",
    "nvidia",
    "off",
    "on",
    "openstack",
    "operator",
    "opt",
    "optin",
    "optout",
    "org",
    "os",
    "parent",
    "parentqueue",
    "partition",
    "pausing",
    "pd",
    "pending",
    "persistentvolume",
    "persistentvolumeclaim",
    "placeholder",
    "placeholdertimeoutinseconds",
    "plugins",
    "pod",
    "podname",
    "podreadytostartcontainers",
    "pods",
    "podscheduled",
    "policies",
    "policy",
    "portworx",
    "preemption",
    "preemptlowerpriority",
    "prefernoschedule",
    "preferred",
    "preferredduringschedulingignoredduringexecution",
    "priority",
    "proportional",
    "provisioned",
    "provisioner",
    "pull",
    "pv",
    "pvc",
    "queue",
    "quota",
    "rbac",
    "readonlymany",
    "readwritemany",
    "readwriteonce",
    "readwriteoncepod",
    "ready",
    "recovery",
    "regex",
    "region",
    "released",
    "replicaset",
    "required",
    "requiredduringschedulingignoredduringexecution",
    "resize",
    "resourceguaranteed",
    "resourcemaxapps",
    "resourcequota",
    "resources",
    "restart",
    "restartpolicy",
    "role",
    "root",
    "roundrobin",
    "running",
    "runtime",
    "sa",
    "schedulable",
    "scheduleanyway",
    "scheduled",
    "scheduler",
    "scheduling",
    "schedulingpolicyparameters",
    "sctp",
    "secrets",
    "selected",
    "selector",
    "service",
    "serviceaccount",
    "serviceaccounts",
    "size",
    "soft",
    "spark",
    "spec",
    "statedumpfilepath",
    "statefulset",
    "status",
    "storage",
    "style",
    "succeeded",
    "system",
    "tag",
    "task",
    "taskgroups",
    "tcp",
    "template",
    "terminating",
    "test",
    "tg",
    "timeout",
    "tolerations",
    "tolerationseconds",
    "topology",
    "topologykey",
    "topologyspreadconstraints",
    "true",
    "type",
    "udp",
    "uid",
    "unauthenticated",
    "uniqueautogen",
    "unknown",
    "unschedulable",
    "user",
    "username",
    "users",
    "value",
    "values",
    "vcore",
    "volume",
    "volumes",
    "waitforfirstconsumer",
    "warn",
    "webhook",
    "windows",
    "yaml",
    "yes",
    "yunikorn",
    "zone",
};

static bool lower(struct yk_str word, char to[WORD_MAX])
{
    if (word.len == 0 || word.len >= WORD_MAX)
        return false;
    for (size_t i = 0; i < word.len; i++)
        to[i] = (char)tolower((unsigned char)word.p[i]);
    to[word.len] = '\0';
    return true;
}

/* ---- the words ---- */

static void add_word(struct yk_vocabulary *vocabulary, struct yk_str word)
{
    char text[WORD_MAX];
    if (!lower(word, text) || yk_strmap_get(&vocabulary->words, yk_str_from(text)) != NULL)
        return;
    (void)yk_strmap_put(&vocabulary->words, yk_arena_str(&vocabulary->arena, yk_str_from(text)),
                        vocabulary); /* is new */
}

/* Adds the words of a name, such as "application.sort.policy". */
static void add_name(void *vocabulary, const char *name)
{
    for (size_t len; *name != '\0'; name += len) {
        for (len = 0; isalnum((unsigned char)name[len]) != 0;)
            len++;
        add_word(vocabulary, (struct yk_str){name, len});
        len += len == 0;
    }
}

/* Adds the values that a phrase such as "'true' or 'false'" has in quotation marks. */
static void add_quoted(struct yk_vocabulary *vocabulary, const char *phrase)
{
    const char *begin, *end;
    for (; (begin = strchr(phrase, '\'')) != NULL && (end = strchr(begin + 1, '\'')) != NULL;
         phrase = end + 1)
        add_word(vocabulary, (struct yk_str){begin + 1, (size_t)(end - begin - 1)});
}

static void add_property(void *vocabulary, const char *key, const struct yk_queue_property_words *of)
{
    add_name(vocabulary, key);
    add_quoted(vocabulary, of->wanted);
}

/* Adds what queue configurations and settings may say: keys, properties, policies, rules, choices. The keys
 * of settings are no words: they stay as a whole (record/hash_line.c). */
static void add_tables(struct yk_vocabulary *vocabulary)
{
    yk_config_keys_each(add_name, vocabulary);
    yk_queue_properties_each(add_property, vocabulary);
    yk_placement_rule_names_each(add_name, vocabulary);
    for (int i = 0; i < YK_NODE_SORT_COUNT; i++)
        add_name(vocabulary, yk_node_sort_name((enum yk_node_sort)i));
    for (int i = 0; i < YK_APP_SORT_COUNT; i++)
        add_name(vocabulary, yk_app_sort_name((enum yk_app_sort)i));
    for (size_t i = 0; i < yk_setting_row_count; i++) {
        const struct yk_setting *row = &yk_setting_rows[i];
        for (size_t j = 0; j < YK_COUNT(row->choices) && row->choices[j] != NULL; j++)
            add_name(vocabulary, row->choices[j]);
    }
}

struct yk_vocabulary *yk_vocabulary_new(void)
{
    struct yk_vocabulary *vocabulary = yk_new0(struct yk_vocabulary);
    for (size_t i = 0; i < YK_COUNT(words); i++)
        add_word(vocabulary, yk_str_from(words[i]));
    add_tables(vocabulary);
    return vocabulary;
}

void yk_vocabulary_free(struct yk_vocabulary *vocabulary)
{
    if (vocabulary == NULL)
        return;
    yk_strmap_done(&vocabulary->words);
    yk_arena_done(&vocabulary->arena);
    free(vocabulary);
}

/* ---- questions ---- */

static int compare(const void *word, const void *item)
{
    return strcmp(word, *(const char *const *)item);
}

/* Whether the word is the version of an API, such as "v1". */
static bool is_version(struct yk_str word)
{
    return word.len == 2 && word.p[0] == 'v' && isdigit((unsigned char)word.p[1]) != 0;
}

bool yk_vocabulary_has(const struct yk_vocabulary *vocabulary, struct yk_str word)
{
    char text[WORD_MAX];
    return is_version(word) ||
           (lower(word, text) && yk_strmap_get(&vocabulary->words, yk_str_from(text)) != NULL);
}

bool yk_vocabulary_has_in_sentences(const struct yk_vocabulary *vocabulary, struct yk_str word)
{
    char text[WORD_MAX];
    return yk_vocabulary_has(vocabulary, word) ||
           (lower(word, text) && bsearch(text, yk_sentence_words, yk_sentence_word_count,
                                         sizeof(*yk_sentence_words), compare) != NULL);
}

/* ---- numbers ---- */

static size_t unit_length(struct yk_str text)
{
    static const char *const units[] = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "ns", "us", "ms", "n", "u", "m",
                                        "k",  "K",  "M",  "G",  "T",  "P",  "E",  "s",  "h",  "Z", "e"};
    for (size_t i = 0; i < YK_COUNT(units); i++) {
        if (yk_str_starts(text, units[i]))
            return strlen(units[i]);
    }
    return 0;
}

bool yk_vocabulary_is_number(struct yk_str word)
{
    size_t at = 0;
    if (word.len == 0)
        return false;
    while (at < word.len) {
        size_t begin = at;
        while (at < word.len && isdigit((unsigned char)word.p[at]) != 0)
            at++;
        if (at == begin)
            return false;
        if (at < word.len) {
            size_t unit = unit_length((struct yk_str){word.p + at, word.len - at});
            if (unit == 0)
                return false;
            at += unit;
        }
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "record/vocabulary.h"

#include <ctype.h>

enum { WORD_MAX = 64 };

/* The words are in lower case and sorted. */
static const char *const words[] = {
    "aborted",
    "accepted",
    "adminacl",
    "affinity",
    "allocatable",
    "allocated",
    "allow",
    "allowed",
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
    "applicationtype",
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
    "backoff",
    "batch",
    "beta",
    "bind",
    "binpacking",
    "block",
    "bound",
    "budget",
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
    "delay",
    "delegated",
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
    "fair",
    "false",
    "fatal",
    "fence",
    "field",
    "fifo",
    "file",
    "filesystem",
    "filter",
    "filtering",
    "fixed",
    "foregrounddeletion",
    "gang",
    "gangs",
    "gangschedulingstyle",
    "gce",
    "gke",
    "google",
    "gpu",
    "gradual",
    "group",
    "groups",
    "gt",
    "guaranteed",
    "gz",
    "hard",
    "headroom",
    "health",
    "hold",
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
    "keep",
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
    "maxapplications",
    "maxapps",
    "maxresources",
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
    "nodesortpolicy",
    "noexecute",
    "nogroup",
    "none",
    "noschedule",
    "not",
    "notin",
    "null",
    "nvidia",
    "off",
    "offset",
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
    "partitions",
    "pausing",
    "pd",
    "pending",
    "persistentvolume",
    "persistentvolumeclaim",
    "placeholder",
    "placeholdertimeoutinseconds",
    "placementrules",
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
    "primarygroup",
    "priority",
    "properties",
    "proportional",
    "provided",
    "provisioned",
    "provisioner",
    "pull",
    "pv",
    "pvc",
    "queue",
    "queues",
    "quota",
    "quotapreemptionenabled",
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
    "resourceweights",
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
    "secondarygroup",
    "secrets",
    "selected",
    "selector",
    "service",
    "serviceaccount",
    "serviceaccounts",
    "size",
    "soft",
    "sort",
    "spark",
    "spec",
    "stateaware",
    "statedumpfilepath",
    "statefulset",
    "status",
    "storage",
    "strict",
    "style",
    "submitacl",
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
    "unschedasks",
    "unschedulable",
    "user",
    "usergroupresolver",
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
    "whole",
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

static int compare(const void *word, const void *item)
{
    return strcmp(word, *(const char *const *)item);
}

static bool has(const char *const *list, size_t count, struct yk_str word)
{
    char text[WORD_MAX];
    return lower(word, text) && bsearch(text, list, count, sizeof(*list), compare) != NULL;
}

/* Whether the word is the version of an API, such as "v1". */
static bool is_version(struct yk_str word)
{
    return word.len == 2 && word.p[0] == 'v' && isdigit((unsigned char)word.p[1]) != 0;
}

bool yk_vocabulary_has(struct yk_str word)
{
    return is_version(word) || has(words, YK_COUNT(words), word);
}

bool yk_vocabulary_has_in_sentences(struct yk_str word)
{
    return has(yk_sentence_words, yk_sentence_word_count, word) || yk_vocabulary_has(word);
}

/* ---- numbers ---- */

/* The number of bytes of the unit at the beginning of the text; 0: there is none. */
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

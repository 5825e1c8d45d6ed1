/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule of docs/reference/predicates.md 4.8 to 4.11, by its number. */
#include "volumes/world.h"

#include "lib/cmocka_headers.h"

enum { OBJECTS_MAX = 7 };

struct object {
    enum yk_kind kind;
    const char *name, *meta, *rest; /* namespace "a" where the kind has one */
};

struct rule {
    const char *what;
    const char *labels; /* of the node "n1"; NULL: its zone is z1 */
    struct object objects[OBJECTS_MAX];
    const char *guest, *elsewhere; /* volumes of a pod that runs on n1, or on n2; NULL: none */
    const char *pod;               /* volumes of the pod "p" */
    uint32_t want;
    const char *says; /* the sentences; or why it can run nowhere */
};

#define CLAIM(name, ...)                                                                                     \
    {                                                                                                        \
        YK_KIND_VOLUME_CLAIM, name, __VA_ARGS__                                                              \
    }
#define VOLUME(name, meta, rest)                                                                             \
    {                                                                                                        \
        YK_KIND_VOLUME, name, meta, rest                                                                     \
    }
#define CLASS(name, rest)                                                                                    \
    {                                                                                                        \
        YK_KIND_STORAGE_CLASS, name, "", rest                                                                \
    }
#define BOUND       ",'annotations':{'pv.kubernetes.io/bind-completed':'yes'}"
#define USES(claim) "{'name':'v','persistentVolumeClaim':{'claimName':'" claim "'}}"
#define EPHEMERAL   "{'name':'e','ephemeral':{'volumeClaimTemplate':{}}}"
#define DELAYED     ",'provisioner':'kubernetes.io/no-provisioner','volumeBindingMode':'WaitForFirstConsumer'"
#define MAKES       ",'provisioner':'d','volumeBindingMode':'WaitForFirstConsumer'"
#define WANTS(class_)                                                                                        \
    ",'spec':{'storageClassName':'" class_                                                                   \
    "','accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'5Gi'}}}"
#define OFFERS(rest)                                                                                         \
    ",'spec':{'capacity':{'storage':'5Gi'},'accessModes':['ReadWriteOnce'],'storageClassName':'s'" rest      \
    "},'status':{'phase':'Available'}"
#define IN_ZONE(zone)                                                                                        \
    ",'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'topology.kubernetes.io/" \
    "zone','operator':'In','values':['" zone "']}]}]}}"
#define LIMIT(count)                                                                                         \
    {                                                                                                        \
        YK_KIND_CSI_NODE, "n1", "", ",'spec':{'drivers':[{'name':'d','allocatable':{'count':" count "}}]}"   \
    }
#define ON_DRIVER(handle) ",'spec':{'csi':{'driver':'d','volumeHandle':'" handle "'}}"
#define NAMES(volume)     ",'spec':{'volumeName':'" volume "'}"

static void put_objects(struct world *world, const struct object *objects)
{
    for (int i = 0; i < OBJECTS_MAX && objects[i].name != NULL; i++) {
        bool namespaced = objects[i].kind == YK_KIND_VOLUME_CLAIM || objects[i].kind == YK_KIND_CSI_CAPACITY;
        put(world, objects[i].kind, namespaced ? "a" : NULL, objects[i].name, objects[i].meta,
            objects[i].rest);
    }
}

static void add_sentence(void *context, const char *plugin, const char *reason)
{
    (void)plugin;
    struct yk_buf *says = context;
    yk_buf_printf(says, "%s%s", says->len > 0 ? "; " : "", reason);
}

static void stands(struct world *world, struct yk_pod_volumes *volumes, const char *node, bool begins)
{
    yk_name name = yk_name_get(yk_str_from(node));
    yk_volumes_pod_on_node(&world->volumes, volumes, name, begins);
    yk_name_put(name);
}

static void check_rule(const struct rule *rule)
{
    static struct world world;
    YK_CLEANUP(yk_buf_done) struct yk_buf says = {0};
    world_init(&world);
    put_node(&world, "n1", rule->labels != NULL ? rule->labels : "'topology.kubernetes.io/zone':'z1'");
    put_objects(&world, rule->objects);
    struct yk_pod_volumes *guest = rule->guest == NULL ? NULL : volumes_of(&world, "a", "g", rule->guest);
    struct yk_pod_volumes *other =
        rule->elsewhere == NULL ? NULL : volumes_of(&world, "a", "h", rule->elsewhere);
    struct yk_pod_volumes *pod = volumes_of(&world, "a", "p", rule->pod);
    stands(&world, guest, "n1", true);
    stands(&world, other, "n2", true);
    uint32_t got = YK_VOLUMES_IMPOSSIBLE;
    if (yk_volumes_possible(&world.volumes, pod, &says) != YK_VOLUMES_NEVER) {
        got = yk_volumes_check(&world.volumes, pod, node_of(&world, "n1"));
        yk_volumes_reasons(&world.volumes, pod, node_of(&world, "n1"), got, add_sentence, &says);
    }
    if (got != rule->want || (rule->says != NULL && strcmp(yk_buf_cstr(&says), rule->says) != 0))
        fail_msg("%s: got %x, '%s'", rule->what, got, yk_buf_cstr(&says));
    stands(&world, guest, "n1", false);
    stands(&world, other, "n2", false);
    yk_pod_volumes_put(&world.volumes, guest);
    yk_pod_volumes_put(&world.volumes, other);
    yk_pod_volumes_put(&world.volumes, pod);
    world_done(&world);
}

#define GCE(disk, ro)  "{'name':'v','gcePersistentDisk':{'pdName':'" disk "','readOnly':" ro "}}"
#define EBS(id)        "{'name':'v','awsElasticBlockStore':{'volumeID':'" id "','readOnly':true}}"
#define ISCSI(iqn, ro) "{'name':'v','iscsi':{'iqn':'" iqn "','readOnly':" ro "}}"
#define RBD(mon, img, ro)                                                                                    \
    "{'name':'v','rbd':{'monitors':['x','" mon "'],'pool':'p','image':'" img "','readOnly':" ro "}}"
#define RBD2(mon, img, ro)                                                                                   \
    "{'name':'v','rbd':{'monitors':['" mon "'],'pool':'p','image':'" img "','readOnly':" ro "}}"
#define NO_DISK "node(s) had no available disk"

static void volume_restrictions_4_8(void **state)
{
    (void)state;
    static const char in_use[] = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod "
                                 "access mode already in-use by another pod";
#define ONCE BOUND, ",'spec':{'volumeName':'x','accessModes':['ReadWriteOncePod']}"
    static const struct rule rules[] = {
        {.what = "(a) gce: the same disk",
         .guest = GCE("d", "false"),
         .pod = GCE("d", "true"),
         .want = YK_VOLUMES_DISK_IN_USE,
         .says = NO_DISK},
        {.what = "(a) gce: both only read", .guest = GCE("d", "true"), .pod = GCE("d", "true")},
        {.what = "(a) gce: another disk", .guest = GCE("e", "false"), .pod = GCE("d", "false")},
        {.what = "(a) gce: on another node", .elsewhere = GCE("d", "false"), .pod = GCE("d", "false")},
        {.what = "(a) ebs: reading does not help",
         .guest = EBS("d"),
         .pod = EBS("d"),
         .want = YK_VOLUMES_DISK_IN_USE},
        {.what = "(a) kinds do not mix", .guest = EBS("d"), .pod = GCE("d", "false")},
        {.what = "(a) iscsi: the same iqn",
         .guest = ISCSI("d", "true"),
         .pod = ISCSI("d", "false"),
         .want = YK_VOLUMES_DISK_IN_USE},
        {.what = "(a) iscsi: both only read", .guest = ISCSI("d", "true"), .pod = ISCSI("d", "true")},
        {.what = "(a) rbd: one monitor in common",
         .guest = RBD("a", "i", "false"),
         .pod = RBD2("a", "i", "true"),
         .want = YK_VOLUMES_DISK_IN_USE},
        {.what = "(a) rbd: no monitor in common",
         .guest = RBD("a", "i", "false"),
         .pod = RBD2("b", "i", "false")},
        {.what = "(a) rbd: another image", .guest = RBD("a", "i", "false"), .pod = RBD2("a", "j", "false")},
        {.what = "(a) rbd: both only read", .guest = RBD("a", "i", "true"), .pod = RBD2("a", "i", "true")},
        {.what = "(b) once per pod, used on another node",
         .objects = {CLAIM("c", ONCE), VOLUME("x", "", "")},
         .elsewhere = USES("c"),
         .pod = USES("c"),
         .want = YK_VOLUMES_CLAIM_IN_USE,
         .says = in_use},
        {.what = "(b) once per pod, not used",
         .objects = {CLAIM("c", ONCE), VOLUME("x", "", "")},
         .pod = USES("c")},
        {.what = "(b) another access mode",
         .objects = {CLAIM("c", BOUND, ",'spec':{'volumeName':'x','accessModes':['ReadWriteOnce']}"),
                     VOLUME("x", "", "")},
         .guest = USES("c"),
         .pod = USES("c")},
        {.what = "(b) a claim that is not there",
         .pod = USES("c"),
         .want = YK_VOLUMES_IMPOSSIBLE,
         .says = "persistentvolumeclaim \"c\" not found"},
        {.what = "disks come before claims",
         .objects = {CLAIM("c", ONCE), VOLUME("x", "", "")},
         .guest = USES("c") "," GCE("d", "false"),
         .pod = USES("c") "," GCE("d", "false"),
         .want = YK_VOLUMES_DISK_IN_USE},
    };
    for (size_t i = 0; i < YK_COUNT(rules); i++)
        check_rule(&rules[i]);
}

static void node_volume_limits_4_9(void **state)
{
    (void)state;
    static const char full[] = "node(s) exceed max volume count";
#define TWO_CLAIMS                                                                                           \
    CLAIM("c", BOUND, NAMES("x")), CLAIM("d", BOUND, NAMES("y")), VOLUME("x", "", ON_DRIVER("h1")),          \
        VOLUME("y", "", ON_DRIVER("h2"))
#define ATTACHED(volume)                                                                                     \
    {                                                                                                        \
        YK_KIND_VOLUME_ATTACHMENT, "t", "",                                                                  \
            ",'spec':{'attacher':'d','nodeName':'n1','source':{'persistentVolumeName':'" volume "'}}"        \
    }
#define INSISTS                                                                                              \
    {                                                                                                        \
        YK_KIND_CSI_DRIVER, "d", "", ",'spec':{'preventPodSchedulingIfMissing':true}"                        \
    }
    static const struct rule rules[] = {
        {.what = "no CSINode: no limit", .objects = {TWO_CLAIMS}, .guest = USES("d"), .pod = USES("c")},
        {.what = "up to the limit",
         .objects = {TWO_CLAIMS, LIMIT("2")},
         .guest = USES("d"),
         .pod = USES("c")},
        {.what = "above the limit",
         .objects = {TWO_CLAIMS, LIMIT("1")},
         .guest = USES("d"),
         .pod = USES("c"),
         .want = YK_VOLUMES_TOO_MANY,
         .says = full},
        {.what = "a volume that is used here already needs no place",
         .objects = {TWO_CLAIMS, LIMIT("1")},
         .guest = USES("c"),
         .pod = USES("c")},
        {.what = "two of the pod's own",
         .objects = {TWO_CLAIMS, LIMIT("1")},
         .pod = USES("c") "," USES("d"),
         .want = YK_VOLUMES_TOO_MANY},
        {.what = "what stands elsewhere does not count",
         .objects = {TWO_CLAIMS, LIMIT("1")},
         .elsewhere = USES("d"),
         .pod = USES("c")},
        {.what = "an attachment that no pod uses counts",
         .objects = {TWO_CLAIMS, LIMIT("1"), ATTACHED("y")},
         .pod = USES("c"),
         .want = YK_VOLUMES_TOO_MANY},
        {.what = "an attachment of a pod's volume counts once",
         .objects = {TWO_CLAIMS, LIMIT("2"), ATTACHED("y")},
         .guest = USES("d"),
         .pod = USES("c")},
        {.what = "our own volume, still attached, counts twice",
         .objects = {TWO_CLAIMS, LIMIT("1"), ATTACHED("x")},
         .pod = USES("c"),
         .want = YK_VOLUMES_TOO_MANY},
        {.what = "a claim without volume counts for its class's driver",
         .objects = {CLASS("s", MAKES), CLAIM("c", "", WANTS("s")), LIMIT("0")},
         .pod = USES("c"),
         .want = YK_VOLUMES_TOO_MANY},
        {.what = "in-tree volumes count for their CSI driver",
         .objects = {{YK_KIND_CSI_NODE, "n1", "",
                      ",'spec':{'drivers':[{'name':'pd.csi.storage.gke.io','allocatable':{'count':0}}]}"}},
         .pod = GCE("d", "false"),
         .want = YK_VOLUMES_TOO_MANY},
        {.what = "without a CSINode nothing has migrated",
         .objects = {{YK_KIND_CSI_DRIVER, "pd.csi.storage.gke.io", "",
                      ",'spec':{'preventPodSchedulingIfMissing':true}"}},
         .pod = GCE("d", "false")},
        {.what = "a driver that insists and is missing",
         .objects = {TWO_CLAIMS, INSISTS},
         .pod = USES("c"),
         .want = YK_VOLUMES_NO_DRIVER,
         .says = "d CSI driver is not installed on the node"},
        {.what = "a driver that insists and is there",
         .objects = {TWO_CLAIMS, INSISTS, LIMIT("1")},
         .pod = USES("c")},
    };
    for (size_t i = 0; i < YK_COUNT(rules); i++)
        check_rule(&rules[i]);
}

static void volume_binding_is_possible_4_10(void **state)
{
    (void)state;
    static const struct rule rules[] = {
        {.what = "2. ephemeral claim not made yet",
         .pod = EPHEMERAL,
         .want = YK_VOLUMES_IMPOSSIBLE,
         .says = "waiting for ephemeral volume controller to create the persistentvolumeclaim \"p-e\""},
        {.what = "2. lost",
         .objects = {CLAIM("c", "", NAMES("x") ",'status':{'phase':'Lost'}")},
         .pod = USES("c"),
         .want = YK_VOLUMES_IMPOSSIBLE,
         .says = "persistentvolumeclaim \"c\" bound to non-existent persistentvolume \"x\""},
        {.what = "2. deleting",
         .objects = {CLAIM("c", ",'deletionTimestamp':'2026-01-01T00:00:00Z'", "")},
         .pod = USES("c"),
         .want = YK_VOLUMES_IMPOSSIBLE,
         .says = "persistentvolumeclaim \"c\" is being deleted"},
        {.what = "2. of another pod",
         .objects = {CLAIM("p-e", "", NAMES("x"))},
         .pod = EPHEMERAL,
         .want = YK_VOLUMES_IMPOSSIBLE,
         .says = "PVC a/p-e was not created for pod a/p (pod is not owner)"},
        {.what = "2. of this pod, but not controlled by it",
         .objects = {CLAIM("p-e", ",'ownerReferences':[{'uid':'u-a-p'}]", NAMES("x"))},
         .pod = EPHEMERAL,
         .want = YK_VOLUMES_IMPOSSIBLE},
        {.what = "2. of this pod",
         .objects = {CLASS("s", MAKES),
                     CLAIM("p-e", ",'ownerReferences':[{'uid':'u-a-p','controller':true}]", WANTS("s"))},
         .pod = EPHEMERAL},
        {.what = "4. bound, but the controller has not finished",
         .objects = {CLAIM("c", "", NAMES("x")), VOLUME("x", "", "")},
         .pod = USES("c"),
         .want = YK_VOLUMES_IMPOSSIBLE,
         .says = "pod has unbound immediate PersistentVolumeClaims"},
        {.what = "4. a class that does not wait",
         .objects = {CLASS("s", ",'provisioner':'d','volumeBindingMode':'Immediate'"),
                     CLAIM("c", "", WANTS("s"))},
         .pod = USES("c"),
         .want = YK_VOLUMES_IMPOSSIBLE},
        {.what = "4. an unknown class",
         .objects = {CLAIM("c", "", WANTS("s"))},
         .pod = USES("c"),
         .want = YK_VOLUMES_IMPOSSIBLE},
        {.what = "3. the old annotation comes first",
         .objects = {CLASS("s", MAKES), CLASS("t", ",'provisioner':'d','volumeBindingMode':'Immediate'"),
                     CLAIM("c", ",'annotations':{'volume.beta.kubernetes.io/storage-class':'t'}",
                           WANTS("s"))},
         .pod = USES("c"),
         .want = YK_VOLUMES_IMPOSSIBLE},
        {.what = "4.11: the volume of a bound claim is gone",
         .objects = {CLAIM("c", BOUND, NAMES("x"))},
         .pod = USES("c"),
         .want = YK_VOLUMES_IMPOSSIBLE,
         .says = "persistentvolume \"x\" not found"},
    };
    for (size_t i = 0; i < YK_COUNT(rules); i++)
        check_rule(&rules[i]);
}

#define NOT_FOUND "node(s) didn't find available persistent volumes to bind"
#define CONFLICT  "node(s) didn't match PersistentVolume's node affinity"

static void bound_claims_4_10(void **state)
{
    (void)state;
#define OWNED                                                                                                \
    ",'ownerReferences':[{'uid':'u-a-p','controller':true}],'annotations':{'pv.kubernetes.io/"               \
    "bind-completed':''}"
#define EBS_PV(meta, rest) VOLUME("x", meta, ",'spec':{'awsElasticBlockStore':{'volumeID':'v'}" rest "}")
#define MIGRATED                                                                                             \
    {                                                                                                        \
        YK_KIND_CSI_NODE, "n1",                                                                              \
            ",'annotations':{'storage.alpha.kubernetes.io/migrated-plugins':'kubernetes.io/aws-ebs'}", ""    \
    }
    static const char csi_zone[] = "'topology.kubernetes.io/zone':'z1','topology.ebs.csi.aws.com/zone':'z9'";
    static const struct rule rules[] = {
        {.what = "affinity matches",
         .objects = {CLAIM("c", BOUND, NAMES("x")), VOLUME("x", "", OFFERS(IN_ZONE("z1")))},
         .pod = USES("c")},
        {.what = "affinity does not match",
         .objects = {CLAIM("c", BOUND, NAMES("x")), VOLUME("x", "", OFFERS(IN_ZONE("z2")))},
         .pod = USES("c"),
         .want = YK_VOLUMES_NODE_CONFLICT,
         .says = CONFLICT},
        {.what = "a term of fields alone matches every node",
         .objects = {CLAIM("c", BOUND, NAMES("x")),
                     VOLUME("x", "",
                            OFFERS(",'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchFields':[{'key':"
                                   "'metadata.name','operator':'In','values':['n9']}]}]}}"))},
         .pod = USES("c")},
        {.what = "an empty term matches none",
         .objects = {CLAIM("c", BOUND, NAMES("x")),
                     VOLUME("x", "", OFFERS(",'nodeAffinity':{'required':{'nodeSelectorTerms':[{}]}}"))},
         .pod = USES("c"),
         .want = YK_VOLUMES_NODE_CONFLICT},
        {.what = "an ephemeral claim's volume is missing",
         .objects = {CLAIM("p-e", OWNED, NAMES("x"))},
         .pod = EPHEMERAL,
         .want = YK_VOLUMES_VOLUME_MISSING,
         .says = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"},
        {.what = "several reasons at once",
         .objects = {CLAIM("p-e", OWNED, NAMES("x")), CLASS("s", DELAYED), CLAIM("c", "", WANTS("s"))},
         .pod = EPHEMERAL "," USES("c"),
         .want = YK_VOLUMES_VOLUME_MISSING | YK_VOLUMES_BIND_CONFLICT,
         .says = NOT_FOUND "; node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"},
        {.what = "in-tree, not migrated: the key as it is",
         .labels = csi_zone,
         .objects = {CLAIM("c", BOUND, NAMES("x")), EBS_PV("", IN_ZONE("z1"))},
         .pod = USES("c")},
        {.what = "in-tree, migrated: the driver's key",
         .labels = csi_zone,
         .objects = {CLAIM("c", BOUND, NAMES("x")), EBS_PV("", IN_ZONE("z1")), MIGRATED},
         .pod = USES("c"),
         .want = YK_VOLUMES_NODE_CONFLICT},
        {.what = "in-tree, migrated: and its zone",
         .labels = csi_zone,
         .objects = {CLAIM("c", BOUND, NAMES("x")), EBS_PV("", IN_ZONE("z9")), MIGRATED},
         .pod = USES("c")},
        {.what = "in-tree, migrated: zones of the label are added",
         .labels = csi_zone,
         .objects = {CLAIM("c", BOUND, NAMES("x")),
                     EBS_PV(",'labels':{'failure-domain.beta.kubernetes.io/zone':'z1__z2'}", ""), MIGRATED},
         .pod = USES("c"),
         .want = YK_VOLUMES_NODE_CONFLICT},
        {.what = "in-tree, migrated: one of the label's zones",
         .labels = "'topology.ebs.csi.aws.com/zone':'z9'",
         .objects = {CLAIM("c", BOUND, NAMES("x")),
                     EBS_PV(",'labels':{'failure-domain.beta.kubernetes.io/zone':'z8__z9'}", ""), MIGRATED},
         .pod = USES("c")},
        {.what = "in-tree, migrated: an old region is today's",
         .labels = "'topology.ebs.csi.aws.com/zone':'z1','topology.kubernetes.io/region':'r'",
         .objects =
             {CLAIM("c", BOUND, NAMES("x")),
              EBS_PV(
                  "",
                  ",'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':["
                  "{'key':'failure-domain.beta.kubernetes.io/zone','operator':'In','values':['z1']},"
                  "{'key':'failure-domain.beta.kubernetes.io/region','operator':'In','values':['r']}]}]}}"),
              MIGRATED},
         .pod = USES("c")},
    };
    for (size_t i = 0; i < YK_COUNT(rules); i++)
        check_rule(&rules[i]);
}

static void static_matching_4_10(void **state)
{
    (void)state;
#define TRY(what_, volume, ...)                                                                              \
    {                                                                                                        \
        .what = what_, .objects = {CLASS("s", DELAYED), CLAIM("c", "", WANTS("s")), volume},                 \
        .pod = USES("c"), __VA_ARGS__                                                                        \
    }
#define NONE .want = YK_VOLUMES_BIND_CONFLICT, .says = NOT_FOUND
#define SIZED(size)                                                                                          \
    ",'spec':{'capacity':{'storage':'" size                                                                  \
    "'},'accessModes':['ReadWriteOnce'],'storageClassName':'s'},'status':{'phase':'Available'}"
#define FOR(claim) ",'claimRef':{'namespace':'a','name':'" claim "'}"
    static const struct rule rules[] = {
        TRY("one that fits", VOLUME("x", "", OFFERS("")), .want = 0),
        TRY("of another zone", VOLUME("x", "", OFFERS(IN_ZONE("z2"))), NONE),
        TRY("too small", VOLUME("x", "", SIZED("4Gi")), NONE),
        TRY("larger", VOLUME("x", "", SIZED("6Gi")), .want = 0),
        TRY("another mode", VOLUME("x", "", OFFERS(",'volumeMode':'Block'")), NONE),
        TRY("the mode when none is given", VOLUME("x", "", OFFERS(",'volumeMode':'Filesystem'")), .want = 0),
        TRY("other attributes", VOLUME("x", "", OFFERS(",'volumeAttributesClassName':'gold'")), NONE),
        TRY("deleting", VOLUME("x", ",'deletionTimestamp':'2026-01-01T00:00:00Z'", OFFERS("")), NONE),
        TRY("promised to another claim", VOLUME("x", "", OFFERS(FOR("d"))), NONE),
        TRY("promised to this claim", VOLUME("x", "", OFFERS(FOR("c"))), .want = 0),
        TRY("promised to an older claim of the name",
            VOLUME("x", "", OFFERS(",'claimRef':{'namespace':'a','name':'c','uid':'old'}")), NONE),
        TRY("promised, whatever its phase",
            VOLUME("x", "",
                   ",'spec':{'capacity':{'storage':'5Gi'},'storageClassName':'s'" FOR(
                       "c") "},'status':{'phase':'Bound'}"),
            .want = 0),
        TRY("promised, but of another zone", VOLUME("x", "", OFFERS(FOR("c") IN_ZONE("z2"))), NONE),
        TRY("not available",
            VOLUME("x", "",
                   ",'spec':{'capacity':{'storage':'5Gi'},'accessModes':['ReadWriteOnce'],'storageClassName':"
                   "'s'},'status':{'phase':'Released'}"),
            NONE),
        TRY("another class",
            VOLUME("x", "",
                   ",'spec':{'capacity':{'storage':'5Gi'},'accessModes':['ReadWriteOnce'],'storageClassName':"
                   "'t'},'status':{'phase':'Available'}"),
            NONE),
        TRY("an access mode is missing",
            VOLUME("x", "",
                   ",'spec':{'capacity':{'storage':'5Gi'},'accessModes':['ReadOnlyMany'],'storageClassName':'"
                   "s'},'status':{'phase':'Available'}"),
            NONE),
        {.what = "the claim's selector",
         .objects = {CLASS("s", DELAYED),
                     CLAIM("c", "", ",'spec':{'storageClassName':'s','selector':{'matchLabels':{'t':'1'}}}"),
                     VOLUME("x", ",'labels':{'t':'2'}", OFFERS(""))},
         .pod = USES("c"),
         NONE},
        {.what = "a volume is given once",
         .objects = {CLASS("s", DELAYED), CLAIM("c", "", WANTS("s")), CLAIM("d", "", WANTS("s")),
                     VOLUME("x", "", OFFERS(""))},
         .pod = USES("c") "," USES("d"),
         NONE},
        {.what = "small claims choose first",
         .objects = {CLASS("s", DELAYED), CLAIM("c", "", WANTS("s")),
                     CLAIM("d", "",
                           ",'spec':{'storageClassName':'s','resources':{'requests':{'storage':'1Gi'}}}"),
                     VOLUME("x", "", OFFERS("")), VOLUME("y", "", SIZED("2Gi"))},
         .pod = USES("c") "," USES("d")},
    };
    for (size_t i = 0; i < YK_COUNT(rules); i++)
        check_rule(&rules[i]);
}

static void provisioning_4_10(void **state)
{
    (void)state;
#define CAPACITY(rest)                                                                                       \
    {                                                                                                        \
        YK_KIND_CSI_CAPACITY, "k", "", ",'storageClassName':'s'" rest                                        \
    }
#define TRACKS                                                                                               \
    {                                                                                                        \
        YK_KIND_CSI_DRIVER, "d", "", ",'spec':{'storageCapacity':true}"                                      \
    }
#define MAKE(what_, answer_, ...)                                                                            \
    {                                                                                                        \
        .what = what_, .pod = USES("c"),                                                                     \
        .objects = {CLASS("s", MAKES), CLAIM("c", "", WANTS("s")), __VA_ARGS__}, .want = answer_             \
    }
#define NO_SPACE YK_VOLUMES_NO_SPACE
#define HERE     ",'nodeTopology':{'matchLabels':{'topology.kubernetes.io/zone':'z1'}}"
    static const struct rule rules[] = {
        MAKE("no CSIDriver: no capacity to look for", 0, {0}),
        MAKE("capacity is wanted and there is none", NO_SPACE, TRACKS),
        MAKE("enough of it", 0, TRACKS, CAPACITY(HERE ",'capacity':'5Gi'")),
        MAKE("not enough", NO_SPACE, TRACKS, CAPACITY(HERE ",'capacity':'4Gi'")),
        MAKE("the largest volume counts, not the capacity", NO_SPACE, TRACKS,
             CAPACITY(HERE ",'capacity':'9Gi','maximumVolumeSize':'4Gi'")),
        MAKE("neither is given", NO_SPACE, TRACKS, CAPACITY(HERE)),
        MAKE("no topology reaches no node", NO_SPACE, TRACKS, CAPACITY(",'capacity':'9Gi'")),
        MAKE("an empty topology reaches every node", 0, TRACKS,
             CAPACITY(",'nodeTopology':{},'capacity':'9Gi'")),
        MAKE("elsewhere", NO_SPACE, TRACKS,
             CAPACITY(
                 ",'nodeTopology':{'matchLabels':{'topology.kubernetes.io/zone':'z2'}},'capacity':'9Gi'")),
        {.what = "the words",
         .objects = {CLASS("s", MAKES), CLAIM("c", "", WANTS("s")), TRACKS},
         .pod = USES("c"),
         .want = NO_SPACE,
         .says = "node(s) did not have enough free storage"},
        {.what = "topologies that are allowed",
         .objects = {CLASS("s", MAKES ",'allowedTopologies':[{'matchLabelExpressions':[{'key':'topology."
                                      "kubernetes.io/zone','values':['z1']}]}]"),
                     CLAIM("c", "", WANTS("s"))},
         .pod = USES("c")},
        {.what = "topologies that are not",
         .objects = {CLASS("s", MAKES ",'allowedTopologies':[{},{'matchLabelExpressions':[{'key':'topology."
                                      "kubernetes.io/zone','values':['z2']}]}]"),
                     CLAIM("c", "", WANTS("s"))},
         .pod = USES("c"),
         NONE},
        {.what = "the node was chosen before",
         .objects = {CLASS("s", MAKES),
                     CLAIM("c", ",'annotations':{'volume.kubernetes.io/selected-node':'n1'}", WANTS("s"))},
         .pod = USES("c")},
        {.what = "another node was chosen before",
         .objects = {CLASS("s", MAKES), VOLUME("x", "", OFFERS("")),
                     CLAIM("c", ",'annotations':{'volume.kubernetes.io/selected-node':'n2'}", WANTS("s"))},
         .pod = USES("c"),
         NONE},
    };
    for (size_t i = 0; i < YK_COUNT(rules); i++)
        check_rule(&rules[i]);
}

static void volume_zone_4_11(void **state)
{
    (void)state;
#define ZONED(key, value)                                                                                    \
    CLAIM("c", BOUND, NAMES("x")), VOLUME("x", ",'labels':{'" key "':'" value "'}", OFFERS(""))
#define OLD       "failure-domain.beta.kubernetes.io/zone"
#define NEW       "topology.kubernetes.io/zone"
#define ELSEWHERE .want = YK_VOLUMES_ZONE_CONFLICT, .says = "node(s) had no available volume zone"
    static const struct rule rules[] = {
        {.what = "its zone", .objects = {ZONED(NEW, "z1")}, .pod = USES("c")},
        {.what = "another zone", .objects = {ZONED(NEW, "z2")}, .pod = USES("c"), ELSEWHERE},
        {.what = "one of its zones", .objects = {ZONED(NEW, "z2__z1")}, .pod = USES("c")},
        {.what = "a label that does not parse counts for nothing",
         .objects = {ZONED(NEW, "z2____z3")},
         .pod = USES("c")},
        {.what = "the old label means the new one",
         .objects = {ZONED(OLD, "z2")},
         .pod = USES("c"),
         ELSEWHERE},
        {.what = "but not the other way round",
         .labels = "'" OLD "':'z1'",
         .objects = {ZONED(NEW, "z1")},
         .pod = USES("c"),
         ELSEWHERE},
        {.what = "a node that does not say where it is",
         .labels = "'rack':'1'",
         .objects = {ZONED(NEW, "z2")},
         .pod = USES("c")},
        {.what = "a node that says its region only",
         .labels = "'topology.kubernetes.io/region':'r'",
         .objects = {ZONED(NEW, "z1")},
         .pod = USES("c"),
         ELSEWHERE},
        {.what = "ephemeral claims are not looked at",
         .objects = {CLAIM("p-e", OWNED, NAMES("x")), VOLUME("x", ",'labels':{'" NEW "':'z2'}", OFFERS(""))},
         .pod = EPHEMERAL},
    };
    for (size_t i = 0; i < YK_COUNT(rules); i++)
        check_rule(&rules[i]);
}

/* ---- deciding ---- */

static struct world world;

static struct yk_volume_plan *assume(struct yk_pod_volumes *pod, const char *node, uint32_t want)
{
    struct yk_volume_plan *plan;
    uint32_t got = yk_volumes_assume(&world.volumes, pod, node_of(&world, node), &plan);
    if (got != want)
        fail_msg("assume on %s: got %x", node, got);
    return plan;
}

static uint32_t check(struct yk_pod_volumes *pod, const char *node)
{
    return yk_volumes_check(&world.volumes, pod, node_of(&world, node));
}

static bool is_woken(const struct yk_pod_volumes *pod)
{
    const struct yk_pod_volumes *woken;
    bool found = false;
    while ((woken = yk_volumes_next_woken(&world.volumes)) != NULL)
        found = found || woken == pod;
    return found;
}

static void a_volume_is_decided_for_one_pod_at_a_time(void **state)
{
    (void)state;
    world_init(&world);
    put_node(&world, "n1", "'topology.kubernetes.io/zone':'z1'");
    put_objects(&world,
                (struct object[OBJECTS_MAX]){CLASS("s", DELAYED), CLAIM("c", "", WANTS("s")),
                                             CLAIM("d", "", WANTS("s")), VOLUME("x", "", OFFERS(""))});
    struct yk_pod_volumes *one = volumes_of(&world, "a", "p", USES("c"));
    struct yk_pod_volumes *other = volumes_of(&world, "a", "q", USES("d"));
    struct yk_volume_plan *plan = assume(one, "n1", 0);
    assert_non_null(plan);
    assert_int_equal(check(other, "n1"), YK_VOLUMES_BIND_CONFLICT);
    assert_null(assume(other, "n1", YK_VOLUMES_BIND_CONFLICT));
    assert_false(is_woken(other));
    /* The overlay stays while another client writes to the volume. */
    put(&world, YK_KIND_VOLUME, NULL, "x", ",'labels':{'new':'1'}", OFFERS(""));
    assert_int_equal(check(other, "n1"), YK_VOLUMES_BIND_CONFLICT);
    (void)is_woken(other); /* whether it was does not matter */
    assert_int_equal(check(other, "n1"), YK_VOLUMES_BIND_CONFLICT);
    yk_volumes_forget(&world.volumes, plan);
    assert_true(is_woken(other));
    assert_int_equal(check(other, "n1"), 0);
    yk_pod_volumes_put(&world.volumes, one);
    yk_pod_volumes_put(&world.volumes, other);
    world_done(&world);
}

static void a_claim_that_is_to_be_provisioned_stays_with_its_node(void **state)
{
    (void)state;
    world_init(&world);
    put_node(&world, "n1", "'topology.kubernetes.io/zone':'z1'");
    put_node(&world, "n2", "'topology.kubernetes.io/zone':'z2'");
    put_objects(&world, (struct object[OBJECTS_MAX]){CLASS("s", MAKES), CLAIM("c", "", WANTS("s"))});
    struct yk_pod_volumes *one = volumes_of(&world, "a", "p", USES("c"));
    assert_ptr_equal(volumes_of(&world, "a", "q", USES("c")), one); /* the same volumes, described once */
    struct yk_volume_plan *plan = assume(one, "n1", 0);
    assert_int_equal(check(one, "n2"), YK_VOLUMES_BIND_CONFLICT);
    struct yk_volume_plan *second = assume(one, "n1", 0);
    yk_volumes_forget(&world.volumes, plan);
    assert_int_equal(check(one, "n2"), YK_VOLUMES_BIND_CONFLICT);
    yk_volumes_forget(&world.volumes, second);
    assert_true(is_woken(one));
    assert_int_equal(check(one, "n2"), 0);
    put(&world, YK_KIND_VOLUME_CLAIM, "a", "c", BOUND, NAMES("x"));
    put(&world, YK_KIND_VOLUME, NULL, "x", "", OFFERS(""));
    assert_null(assume(one, "n2", 0)); /* all bound: nothing to decide */
    yk_pod_volumes_put(&world.volumes, one);
    yk_pod_volumes_put(&world.volumes, one);
    world_done(&world);
}

static void what_if_a_pod_ended(void **state)
{
    (void)state;
    world_init(&world);
    put_node(&world, "n1", "");
    put_objects(&world,
                (struct object[OBJECTS_MAX]){CLAIM("c", ONCE), VOLUME("x", "", ON_DRIVER("h")), LIMIT("1")});
    struct yk_pod_volumes *guest = volumes_of(&world, "a", "g", USES("c") "," GCE("d", "false"));
    struct yk_pod_volumes *pod = volumes_of(&world, "a", "p", USES("c") "," GCE("d", "true"));
    stands(&world, guest, "n1", true);
    assert_int_equal(check(pod, "n1"), YK_VOLUMES_DISK_IN_USE);
    assert_int_not_equal(check(pod, "n1") & YK_VOLUMES_RESOLVABLE, 0);
    yk_volumes_try_begin(&world.volumes);
    stands(&world, guest, "n1", false);
    assert_int_equal(yk_volumes_possible(&world.volumes, pod, NULL), YK_VOLUMES_POSSIBLE);
    assert_int_equal(check(pod, "n1"), 0);
    stands(&world, guest, "n1", true);
    yk_volumes_try_end(&world.volumes);
    assert_int_equal(check(pod, "n1"), YK_VOLUMES_DISK_IN_USE);
    assert_false(is_woken(pod)); /* nothing has happened */
    stands(&world, guest, "n1", false);
    assert_true(is_woken(pod));
    yk_pod_volumes_put(&world.volumes, guest);
    yk_pod_volumes_put(&world.volumes, pod);
    world_done(&world);
}

static size_t count_refused(void)
{
    size_t count = 0;
    const struct yk_list *at;
    for (at = world.volumes.refused.next; at != &world.volumes.refused; at = at->next)
        count++;
    return count;
}

/* Each event looks at those who wait, not at those who were refused somewhere on their way to where they
 * run. */
static void who_stands_is_not_refused_any_more(void **state)
{
    (void)state;
    world_init(&world);
    put_node(&world, "n1", "'topology.kubernetes.io/zone':'z1'");
    put_node(&world, "n2", "'topology.kubernetes.io/zone':'z2'");
    put_objects(&world,
                (struct object[OBJECTS_MAX]){CLAIM("c", BOUND, NAMES("x")), EBS_PV("", IN_ZONE("z1"))});
    struct yk_pod_volumes *runs = volumes_of(&world, "a", "p", USES("c"));
    struct yk_pod_volumes *waits = volumes_of(&world, "a", "q", USES("c"));
    assert_int_equal(check(runs, "n2"), YK_VOLUMES_NODE_CONFLICT);
    assert_int_equal(count_refused(), 1);
    stands(&world, runs, "n1", true);
    assert_int_equal(count_refused(), 0);
    assert_true(is_woken(waits)); /* of the same description, it asks again */
    assert_int_equal(check(waits, "n2"), YK_VOLUMES_NODE_CONFLICT);
    assert_int_equal(count_refused(), 1);
    yk_pod_volumes_put(&world.volumes, waits);
    assert_int_equal(count_refused(), 0);
    stands(&world, runs, "n1", false);
    yk_pod_volumes_put(&world.volumes, runs);
    world_done(&world);
}

static void a_csi_node_that_migrates_wakes(void **state)
{
    (void)state;
    world_init(&world);
    put_node(&world, "n1", "'topology.ebs.csi.aws.com/zone':'z1'");
    put_objects(&world,
                (struct object[OBJECTS_MAX]){CLAIM("c", BOUND, NAMES("x")), EBS_PV("", IN_ZONE("z1"))});
    struct yk_pod_volumes *pod = volumes_of(&world, "a", "p", USES("c"));
    assert_int_equal(check(pod, "n1"), YK_VOLUMES_NODE_CONFLICT);
    put_objects(&world, (struct object[OBJECTS_MAX]){MIGRATED});
    assert_true(is_woken(pod));
    assert_int_equal(check(pod, "n1"), 0);
    yk_pod_volumes_put(&world.volumes, pod);
    world_done(&world);
}

static void pods_without_such_volumes_have_nothing(void **state)
{
    (void)state;
    world_init(&world);
    assert_null(volumes_of(&world, "a", "p", ""));
    assert_null(volumes_of(&world, "a", "p", "{'name':'v','emptyDir':{}},{'name':'w','csi':{'driver':'d'}}"));
    assert_int_equal(yk_volumes_possible(&world.volumes, NULL, NULL), YK_VOLUMES_POSSIBLE);
    put_node(&world, "n1", "");
    assert_int_equal(check(NULL, "n1"), 0);
    assert_null(assume(NULL, "n1", 0));
    world_done(&world);
}

static void claims_wait_until_volumes_are_listed(void **state)
{
    (void)state;
    world_init(&world);
    yk_volumes_set_listed(&world.volumes, 0);
    struct yk_pod_volumes *pod = volumes_of(&world, "a", "p", USES("c"));
    struct yk_pod_volumes *disk = volumes_of(&world, "a", "q", GCE("d", "false"));
    assert_int_equal(yk_volumes_possible(&world.volumes, pod, NULL), YK_VOLUMES_NEVER);
    assert_int_equal(yk_volumes_possible(&world.volumes, disk, NULL), YK_VOLUMES_POSSIBLE);
    yk_volumes_set_listed(&world.volumes, YK_VOLUMES_ALL_KINDS);
    assert_true(is_woken(pod));
    yk_pod_volumes_put(&world.volumes, pod);
    yk_pod_volumes_put(&world.volumes, disk);
    world_done(&world);
}

/* A kind that cannot be listed keeps those pods that need it, and they say so. */
static void each_kind_by_itself(void **state)
{
    enum { CLAIM = 1, VOLUME = 2, CLASS = 4, NODE = 8, DRIVER = 16, CAPACITY = 32, ATTACHMENT = 64 };
    static const struct {
        const char *what, *claim; /* bound to a local volume, to one of a CSI driver, not bound, not there */
        unsigned needs;
    } cases[] = {
        {"bound to a volume that is not attached", "local", CLAIM | VOLUME},
        {"bound to a volume that is", "attached", CLAIM | VOLUME | NODE | DRIVER | ATTACHMENT},
        {"not bound", "open", CLAIM | VOLUME | CLASS | NODE | DRIVER | CAPACITY | ATTACHMENT},
        {"no such claim", "none", CLAIM},
    };
    (void)state;
    world_init(&world);
    put(&world, YK_KIND_VOLUME, NULL, "l", "", ",'spec':{'claimRef':{'namespace':'a','name':'local'}}");
    put(&world, YK_KIND_VOLUME, NULL, "x", "", ON_DRIVER("h"));
    put(&world, YK_KIND_VOLUME_CLAIM, "a", "local", BOUND, NAMES("l"));
    put(&world, YK_KIND_VOLUME_CLAIM, "a", "attached", BOUND, NAMES("x"));
    put(&world, YK_KIND_VOLUME_CLAIM, "a", "open", "", "");
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char use[100];
        snprintf(use, sizeof(use), "{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}", cases[i].claim);
        struct yk_pod_volumes *pod = volumes_of(&world, "a", cases[i].claim, use);
        for (int kind = YK_KIND_VOLUME_FIRST; kind <= YK_KIND_VOLUME_LAST; kind++) {
            YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
            char waits[100];
            uint32_t bit = yk_volumes_kind((enum yk_kind)kind);
            yk_volumes_set_listed(&world.volumes, YK_VOLUMES_ALL_KINDS & ~bit);
            (void)yk_volumes_possible(&world.volumes, pod, &message);
            snprintf(waits, sizeof(waits), "waiting for %s to be listed", yk_kind_name((enum yk_kind)kind));
            bool is_held = strncmp(yk_buf_cstr(&message), waits, strlen(waits)) == 0;
            if (is_held != ((cases[i].needs & bit) != 0))
                fail_msg("%s: %s: '%s'", cases[i].what, yk_kind_name((enum yk_kind)kind),
                         yk_buf_cstr(&message));
            yk_volumes_set_listed(&world.volumes, YK_VOLUMES_ALL_KINDS);
        }
        yk_pod_volumes_put(&world.volumes, pod);
    }
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volume_restrictions_4_8),
        cmocka_unit_test(node_volume_limits_4_9),
        cmocka_unit_test(volume_binding_is_possible_4_10),
        cmocka_unit_test(bound_claims_4_10),
        cmocka_unit_test(static_matching_4_10),
        cmocka_unit_test(provisioning_4_10),
        cmocka_unit_test(volume_zone_4_11),
        cmocka_unit_test(a_volume_is_decided_for_one_pod_at_a_time),
        cmocka_unit_test(a_claim_that_is_to_be_provisioned_stays_with_its_node),
        cmocka_unit_test(what_if_a_pod_ended),
        cmocka_unit_test(who_stands_is_not_refused_any_more),
        cmocka_unit_test(a_csi_node_that_migrates_wakes),
        cmocka_unit_test(pods_without_such_volumes_have_nothing),
        cmocka_unit_test(each_kind_by_itself),
        cmocka_unit_test(claims_wait_until_volumes_are_listed),
    };
    return cmocka_run_group_tests_name("volumes/filters", tests, NULL, NULL);
}

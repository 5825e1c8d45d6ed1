/* SPDX-License-Identifier: Apache-2.0 */
/* The files in data/ were written by Kubernetes' own encoders (data/make_data.go). */
#include "api/fields.h"
#include "api/json_reader.h"
#include "api/protobuf_reader.h"
#include "api/server_status.h"
#include "lib/object_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static const struct {
    enum yk_kind kind;
    const char *protobuf, *json;
} files[] = {
    {YK_KIND_POD, "pod.pb", "pod.json"},
    {YK_KIND_POD, "empty_pod.pb", "empty_pod.json"},
    {YK_KIND_NODE, "node.pb", "node.json"},
    {YK_KIND_NAMESPACE, "namespace.pb", "namespace.json"},
    {YK_KIND_PRIORITY_CLASS, "priority_class.pb", "priority_class.json"},
    {YK_KIND_CONFIG_MAP, "config_map.pb", "config_map.json"},
    {YK_KIND_DISRUPTION_BUDGET, "disruption_budget.pb", "disruption_budget.json"},
    {YK_KIND_VOLUME_CLAIM, "volume_claim.pb", "volume_claim.json"},
    {YK_KIND_VOLUME_CLAIM, "volume_claim_bare.pb", "volume_claim_bare.json"},
    {YK_KIND_VOLUME, "volume_csi.pb", "volume_csi.json"},
    {YK_KIND_VOLUME, "volume_gce.pb", "volume_gce.json"},
    {YK_KIND_VOLUME, "volume_ebs.pb", "volume_ebs.json"},
    {YK_KIND_VOLUME, "volume_rbd.pb", "volume_rbd.json"},
    {YK_KIND_VOLUME, "volume_iscsi.pb", "volume_iscsi.json"},
    {YK_KIND_VOLUME, "volume_cinder.pb", "volume_cinder.json"},
    {YK_KIND_VOLUME, "volume_azure.pb", "volume_azure.json"},
    {YK_KIND_VOLUME, "volume_portworx.pb", "volume_portworx.json"},
    {YK_KIND_VOLUME, "volume_free.pb", "volume_free.json"},
    {YK_KIND_STORAGE_CLASS, "storage_class.pb", "storage_class.json"},
    {YK_KIND_CSI_NODE, "csi_node.pb", "csi_node.json"},
    {YK_KIND_CSI_DRIVER, "csi_driver.pb", "csi_driver.json"},
    {YK_KIND_CSI_CAPACITY, "csi_capacity.pb", "csi_capacity.json"},
    {YK_KIND_CSI_CAPACITY, "csi_capacity_bare.pb", "csi_capacity_bare.json"},
    {YK_KIND_VOLUME_ATTACHMENT, "volume_attachment.pb", "volume_attachment.json"},
    {YK_KIND_VOLUME_ATTACHMENT, "volume_attachment_inline.pb", "volume_attachment_inline.json"},
};

static struct yk_object *from_json(enum yk_kind kind, const char *text)
{
    struct yk_err err = {0};
    struct yk_object *object = NULL;
    if (yk_object_from_json(kind, yk_str_from(text), &object, &err) != YK_OK)
        fail_msg("%s: %s", text, err.text);
    return object;
}

static struct yk_object *from_protobuf(enum yk_kind kind, struct yk_str bytes)
{
    struct yk_err err = {0};
    struct yk_object *object = NULL;
    if (yk_object_from_protobuf(kind, bytes, &object, &err) != YK_OK)
        fail_msg("%s", err.text);
    return object;
}

static void both_readers_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(files); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        read_data(files[i].protobuf, &raw);
        read_data(files[i].json, &text);
        YK_CLEANUP(yk_object_freep) struct yk_object *a = from_protobuf(files[i].kind, yk_buf_view(&raw));
        YK_CLEANUP(yk_object_freep) struct yk_object *b = from_json(files[i].kind, yk_buf_cstr(&text));
        assert_objects_equal(files[i].json, a, b);

        struct yk_envelope envelope;
        assert_int_equal(yk_envelope_open(yk_buf_view(&raw), &envelope, NULL), YK_OK);
        assert_true(yk_str_is(envelope.kind, yk_kind_info(files[i].kind)->word));
        YK_CLEANUP(yk_object_freep) struct yk_object *bare = from_protobuf(files[i].kind, envelope.raw);
        assert_objects_equal("without its envelope", a, bare);
    }
}

/* PodSpec: activeDeadlineSeconds = 5, an int64; PodStatus: startTime = 7. */
static void run_limits(void **state)
{
    (void)state;
    static const char bytes[] = "\x12\x06\x28\x80\x80\x80\x80\x10\x1a\x08\x3a\x06\x08\x80\xe2\xcf\xaa\x06";
    const char *text = "{\"spec\":{\"activeDeadlineSeconds\":4294967296},"
                       "\"status\":{\"startTime\":\"2023-11-14T22:13:20Z\"}}";
    YK_CLEANUP(yk_object_freep)
    struct yk_object *a = from_protobuf(YK_KIND_POD, (struct yk_str){bytes, sizeof(bytes) - 1});
    YK_CLEANUP(yk_object_freep) struct yk_object *b = from_json(YK_KIND_POD, text);
    assert_int_equal(yk_pod_of(a)->active_deadline_s, INT64_C(1) << 32);
    assert_int_equal(yk_pod_of(a)->start_wall_ns, 1700000000 * YK_NS_PER_S);
    assert_objects_equal("run limits", a, b);
}

/* PodSpec: resourceClaims = 39; PodResourceClaim: name = 1. */
static void resource_claims(void **state)
{
    (void)state;
    static const char bytes[] = "\x12\x06\xba\x02\x03\x0a\x01g";
    const char *text = "{\"spec\":{\"resourceClaims\":[{\"name\":\"g\",\"resourceClaimName\":\"c\"}]}}";
    YK_CLEANUP(yk_object_freep)
    struct yk_object *a = from_protobuf(YK_KIND_POD, (struct yk_str){bytes, sizeof(bytes) - 1});
    YK_CLEANUP(yk_object_freep) struct yk_object *b = from_json(YK_KIND_POD, text);
    assert_int_equal(yk_pod_of(a)->resource_claim_count, 1);
    assert_true(yk_str_is(yk_pod_of(a)->resource_claims[0], "g"));
    assert_objects_equal("resource claims", a, b);
}

#define assert_text(view, wanted) assert_string_equal((view).p, wanted)

static void check_pod_spec(const struct yk_pod *pod)
{
    assert_text(pod->node_name, "node-7");
    assert_text(pod->scheduler_name, "yunikorn");
    assert_text(pod->preemption_policy, "Never");
    assert_int_equal(pod->priority, -5);
    assert_true(pod->has_required_affinity);
    assert_int_equal(pod->required_term_count, 2);
    assert_int_equal(pod->required_terms[0].expression_count, 2);
    assert_int_equal(pod->required_terms[0].expressions[0].value_count, 3);
    assert_text(pod->required_terms[0].expressions[0].values[1], "");
    assert_text(pod->required_terms[1].fields[0].values[0], "node-7");
    assert_int_equal(pod->toleration_count, 2);
    assert_text(pod->tolerations[1].operator_, "Exists");
    assert_int_equal(pod->container_count, 2);
    assert_int_equal(pod->containers[0].requests.count, 3);
    assert_text(pod->containers[0].requests.items[0].name, "cpu");
    assert_int_equal(yk_quantity_milli(pod->containers[0].requests.items[0].quantity), 500);
    assert_int_equal(yk_quantity_value(pod->containers[0].requests.items[1].quantity), 1 << 30);
    assert_int_equal(pod->init_container_count, 2);
    assert_text(pod->init_containers[1].restart_policy, "Always");
    assert_int_equal(yk_quantity_milli(pod->overhead.items[0].quantity), 10);
    assert_int_equal(pod->pod_requests.count, 2);
    assert_text(pod->scheduling_gates[0], "gate-1");
    assert_int_equal(pod->image_pull_secret_count, 2);
    assert_text(pod->volumes[0].claim_name, "claim-1");
    assert_null(pod->volumes[1].claim_name.p);
    assert_true(pod->host_network && pod->has_host_users && !pod->host_users);
    assert_text(pod->containers[0].restart_actions[0], "RestartAllContainers");
}

static void check_pod_disks(const struct yk_pod *pod)
{
    const struct yk_pod_volume *v = pod->volumes;
    assert_int_equal(pod->volume_count, 11);
    assert_true(v[0].has_claim && !v[1].has_claim && v[2].is_ephemeral && !v[3].is_ephemeral);
    assert_text(v[3].source.gce_disk, "pd-1");
    assert_true(v[3].source.gce_read_only);
    assert_text(v[4].source.ebs_volume, "vol-1");
    assert_text(v[5].source.iscsi_iqn, "iqn.2026-03.example:disk");
    assert_true(v[5].source.iscsi_read_only);
    assert_text(v[6].source.rbd_pool, "pool-1");
    assert_text(v[6].source.rbd_image, "image-1");
    assert_int_equal(v[6].source.rbd_monitor_count, 2);
    assert_text(v[6].source.rbd_monitors[1], "mon-2");
    assert_true(v[6].source.rbd_read_only);
    assert_text(v[7].source.azure_disk_uri, "uri-1");
    assert_text(v[8].source.cinder_volume, "cinder-1");
    assert_text(v[9].source.portworx_volume, "portworx-1");
    assert_null(v[10].source.csi_driver.p); /* inside a pod it says nothing about where */
}

static void check_pod_status(const struct yk_pod *pod)
{
    assert_text(pod->phase, "Pending");
    assert_text(pod->resize, "Infeasible");
    assert_text(pod->nominated_node, "node-8");
    assert_text(pod->conditions[0].message, "no room");
    assert_int_equal(pod->container_status_count, 2);
    assert_int_equal(yk_quantity_milli(pod->container_statuses[0].allocated.items[0].quantity), 600);
    assert_int_equal(yk_quantity_milli(pod->container_statuses[0].actual.items[0].quantity), 750);
    assert_true(pod->container_statuses[1].has_actual);
    assert_int_equal(pod->container_statuses[1].actual.count, 0);
    assert_false(pod->init_container_statuses[0].has_actual);
    assert_true(pod->has_allocated && pod->has_actual);
    assert_int_equal(yk_quantity_milli(pod->allocated.items[0].quantity), 1500);
    assert_int_equal(yk_quantity_milli(pod->actual.items[0].quantity), 1250);
}

static void a_pod_is_read_whole(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
    read_data("pod.pb", &raw);
    YK_CLEANUP(yk_object_freep) struct yk_object *object = from_protobuf(YK_KIND_POD, yk_buf_view(&raw));
    assert_text(object->name, "pod-1");
    assert_text(object->namespace_, "team-a");
    assert_text(object->resource_version, "987654321");
    assert_int_equal(object->creation_wall_ns, INT64_C(1772600767) * YK_NS_PER_S);
    assert_true(object->deleting);
    assert_text(yk_pairs_get(&object->labels, "applicationId"), "spark-1");
    assert_text(yk_pairs_get(&object->labels, "empty"), "");
    assert_int_equal(object->annotations.count, 3); /* without last-applied-configuration */
    assert_int_equal(yk_pairs_get(&object->annotations, "yunikorn.apache.org/odd").len, 17);
    assert_int_equal(object->owner_count, 2);
    assert_true(object->owners[0].controller);
    check_pod_spec(yk_pod_of(object));
    check_pod_disks(yk_pod_of(object));
    check_pod_status(yk_pod_of(object));
}

static void other_kinds_are_read_whole(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf node_raw = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf class_raw = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf map_raw = {0};
    read_data("node.pb", &node_raw);
    read_data("priority_class.pb", &class_raw);
    read_data("config_map.pb", &map_raw);
    YK_CLEANUP(yk_object_freep) struct yk_object *n = from_protobuf(YK_KIND_NODE, yk_buf_view(&node_raw));
    YK_CLEANUP(yk_object_freep)
    struct yk_object *c = from_protobuf(YK_KIND_PRIORITY_CLASS, yk_buf_view(&class_raw));
    YK_CLEANUP(yk_object_freep)
    struct yk_object *m = from_protobuf(YK_KIND_CONFIG_MAP, yk_buf_view(&map_raw));

    assert_true(yk_node_of(n)->unschedulable);
    assert_int_equal(yk_node_of(n)->taint_count, 2);
    assert_text(yk_node_of(n)->taints[0].effect, "NoSchedule");
    assert_int_equal(yk_node_of(n)->allocatable.count, 4);
    assert_int_equal(yk_node_of(n)->declared_feature_count, 2);
    assert_text(yk_node_of(n)->declared_features[1], "RestartAllContainersOnContainerExits");
    assert_int_equal(yk_priority_class_of(c)->value, -1000);
    assert_true(yk_priority_class_of(c)->global_default);
    assert_text(yk_pairs_get(&yk_config_map_of(m)->data, "log.level"), "INFO");
    struct yk_str bytes = yk_pairs_get(&yk_config_map_of(m)->binary_data, "a.gz");
    assert_int_equal(bytes.len, 6);
    assert_memory_equal(bytes.p, "\x1f\x8b\0\1\2\xff", 6);
}

static struct yk_object *from_file(enum yk_kind kind, const char *name)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
    read_data(name, &raw);
    return from_protobuf(kind, yk_buf_view(&raw));
}

static void claims_are_read_whole(void **state)
{
    (void)state;
    YK_CLEANUP(yk_object_freep) struct yk_object *a = from_file(YK_KIND_VOLUME_CLAIM, "volume_claim.pb");
    YK_CLEANUP(yk_object_freep) struct yk_object *b = from_file(YK_KIND_VOLUME_CLAIM, "volume_claim_bare.pb");
    const struct yk_volume_claim *claim = yk_volume_claim_of(a), *bare = yk_volume_claim_of(b);
    assert_text(claim->volume_name, "pv-1");
    assert_true(claim->has_class_name && claim->has_selector);
    assert_text(claim->class_name, "fast");
    assert_text(claim->volume_mode, "Block");
    assert_text(claim->attributes_class, "gold");
    assert_int_equal(claim->selector.expression_count, 2);
    assert_int_equal(claim->access_mode_count, 2);
    assert_text(claim->access_modes[0], "ReadWriteOncePod");
    assert_int_equal(claim->requests.count, 1);
    assert_int_equal(yk_quantity_value(claim->requests.items[0].quantity), INT64_C(8) << 30);
    assert_text(claim->phase, "Bound");
    assert_text(yk_pairs_get(&a->annotations, YK_ANNOTATION_SELECTED_NODE), "node-7");
    assert_text(yk_pairs_get(&a->annotations, YK_ANNOTATION_BIND_COMPLETED), "yes");
    assert_text(yk_pairs_get(&a->annotations, YK_ANNOTATION_STORAGE_CLASS), "old");
    assert_true(bare->has_class_name &&
                bare->class_name.p == NULL); /* the class "" is no class, not none given */
    assert_false(bare->has_selector);
}

static void volumes_are_read_whole(void **state)
{
    (void)state;
    YK_CLEANUP(yk_object_freep) struct yk_object *a = from_file(YK_KIND_VOLUME, "volume_csi.pb");
    YK_CLEANUP(yk_object_freep) struct yk_object *b = from_file(YK_KIND_VOLUME, "volume_free.pb");
    const struct yk_volume *volume = yk_volume_of(a), *free_one = yk_volume_of(b);
    assert_text(volume->source.csi_driver, "csi.example");
    assert_text(volume->source.csi_handle, "handle-1");
    assert_int_equal(yk_quantity_value(volume->capacity.items[0].quantity), INT64_C(10) << 30);
    assert_text(volume->access_modes[1], "ReadWriteMany");
    assert_true(volume->has_claim && volume->has_required_affinity);
    assert_text(volume->claim.namespace_, "team-a");
    assert_text(volume->claim.uid, "44");
    assert_text(volume->claim.resource_version, "17");
    assert_int_equal(volume->required_term_count, 2);
    assert_text(volume->required_terms[0].expressions[0].values[1], "b");
    assert_text(volume->required_terms[1].fields[0].values[0], "node-7");
    assert_text(yk_pairs_get(&a->annotations, YK_ANNOTATION_PROVISIONED_BY), "csi.example");
    assert_text(yk_pairs_get(&a->annotations, YK_ANNOTATION_MIGRATED_TO), "csi.example");
    assert_false(free_one->has_claim || free_one->has_required_affinity);
}

static void csi_objects_are_read_whole(void **state)
{
    (void)state;
    YK_CLEANUP(yk_object_freep) struct yk_object *n = from_file(YK_KIND_CSI_NODE, "csi_node.pb");
    YK_CLEANUP(yk_object_freep) struct yk_object *d = from_file(YK_KIND_CSI_DRIVER, "csi_driver.pb");
    YK_CLEANUP(yk_object_freep) struct yk_object *c = from_file(YK_KIND_CSI_CAPACITY, "csi_capacity.pb");
    YK_CLEANUP(yk_object_freep) struct yk_object *e = from_file(YK_KIND_CSI_CAPACITY, "csi_capacity_bare.pb");
    YK_CLEANUP(yk_object_freep) struct yk_object *s = from_file(YK_KIND_STORAGE_CLASS, "storage_class.pb");
    YK_CLEANUP(yk_object_freep)
    struct yk_object *t = from_file(YK_KIND_VOLUME_ATTACHMENT, "volume_attachment.pb");
    const struct yk_csi_node_driver *drivers = yk_csi_node_of(n)->drivers;
    assert_int_equal(yk_csi_node_of(n)->driver_count, 4);
    assert_true(drivers[0].has_limit && drivers[0].limit == 25);
    assert_true(drivers[1].has_limit && drivers[1].limit == 0); /* none at all is not: no limit */
    assert_false(drivers[2].has_limit || drivers[3].has_limit);
    assert_int_equal(yk_pairs_get(&n->annotations, YK_ANNOTATION_MIGRATED_PLUGINS).len, 42);
    assert_true(yk_csi_driver_of(d)->storage_capacity && yk_csi_driver_of(d)->prevent_if_missing);
    assert_true(yk_csi_capacity_of(c)->has_topology && yk_csi_capacity_of(c)->has_maximum);
    assert_int_equal(yk_quantity_value(yk_csi_capacity_of(c)->capacity), INT64_C(1) << 40);
    assert_int_equal(yk_quantity_value(yk_csi_capacity_of(c)->maximum), INT64_C(100) << 30);
    assert_false(yk_csi_capacity_of(e)->has_topology || yk_csi_capacity_of(e)->has_maximum);
    assert_true(yk_csi_capacity_of(e)->has_capacity && yk_csi_capacity_of(e)->capacity == 0);
    assert_text(yk_storage_class_of(s)->binding_mode, "WaitForFirstConsumer");
    assert_int_equal(yk_storage_class_of(s)->allowed_topology_count, 2);
    assert_text(yk_storage_class_of(s)->allowed_topologies[0].requirements[1].values[0], "1");
    assert_text(yk_volume_attachment_of(t)->volume_name, "pv-1");
    assert_text(yk_volume_attachment_of(t)->attacher, "csi.example");
    assert_text(yk_volume_attachment_of(t)->node_name, "node-7");
}

static void disks_are_noticed(void **state)
{
    (void)state;
    static const struct {
        const char *volume;
        bool want;
    } cases[] = {
        {"\"emptyDir\":{}", false},
        {"\"csi\":{\"driver\":\"d\"}", false},
        {"\"persistentVolumeClaim\":{\"claimName\":\"c\"}", true},
        {"\"persistentVolumeClaim\":{}", true},
        {"\"ephemeral\":{}", true},
        {"\"gcePersistentDisk\":{\"pdName\":\"d\"}", true},
        {"\"awsElasticBlockStore\":{\"volumeID\":\"d\"}", true},
        {"\"iscsi\":{\"iqn\":\"d\"}", true},
        {"\"rbd\":{\"monitors\":[\"m\"]}", true},
        {"\"azureDisk\":{\"diskURI\":\"d\"}", true},
        {"\"cinder\":{\"volumeID\":\"d\"}", true},
        {"\"portworxVolume\":{\"volumeID\":\"d\"}", true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(&text, "{\"spec\":{\"volumes\":[{\"name\":\"v\",%s}]}}", cases[i].volume);
        YK_CLEANUP(yk_object_freep) struct yk_object *pod = from_json(YK_KIND_POD, yk_buf_cstr(&text));
        if (yk_pod_has_disks(yk_pod_of(pod)) != cases[i].want)
            fail_msg("%s", cases[i].volume);
    }
}

static void bad_quantities_of_capacities_are_refused(void **state)
{
    (void)state;
    struct yk_err err = {0};
    struct yk_object *object = NULL;
    assert_int_equal(yk_object_from_json(YK_KIND_CSI_CAPACITY,
                                         YK_STR("{\"metadata\":{\"name\":\"c\"},\"capacity\":\"1x\"}"),
                                         &object, &err),
                     YK_ERR_INVALID);
    assert_string_equal(err.text, "CSIStorageCapacity 'c': capacity: '1x' is not a quantity");
    assert_int_equal(yk_object_from_protobuf(YK_KIND_CSI_CAPACITY,
                                             YK_STR("\x22\x04\x0a\x02"
                                                    "1x"),
                                             &object, &err),
                     YK_ERR_INVALID);
    assert_string_equal(err.text, "CSIStorageCapacity: capacity: '1x' is not a quantity");
    assert_int_equal(yk_object_from_protobuf(YK_KIND_CSI_CAPACITY, YK_STR("\x22\x02\x0a\x02"), &object, &err),
                     YK_ERR_INVALID);
    assert_string_equal(err.text, "CSIStorageCapacity: capacity: malformed or truncated protobuf");
}

static void an_object_is_one_allocation_of_its_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(files); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        read_data(files[i].protobuf, &raw);
        YK_CLEANUP(yk_object_freep)
        struct yk_object *object = from_protobuf(files[i].kind, yk_buf_view(&raw));
        size_t bytes = yk_arena_bytes(&object->arena);
        assert_true(bytes <= YK_MAX(object->arena.used, (size_t)512) + 32);
    }
}

/* A cut of a valid message is an error or, where a whole field was cut off, an object; never anything
 * else. */
static void truncated_input_is_survived(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(files); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        read_data(files[i].protobuf, &raw);
        read_data(files[i].json, &text);
        struct yk_envelope envelope;
        assert_int_equal(yk_envelope_open(yk_buf_view(&raw), &envelope, NULL), YK_OK);
        for (size_t len = 0; len < envelope.raw.len; len++) {
            YK_CLEANUP(yk_freep)
            char *copy = yk_strndup(envelope.raw.p, len); /* the sanitizer sees its end */
            struct yk_object *object = NULL;
            struct yk_err err = {0};
            if (yk_object_from_protobuf(files[i].kind, (struct yk_str){copy, len}, &object, &err) == YK_OK)
                yk_object_free(object);
            else
                assert_true(err.text[0] != '\0' && object == NULL);
        }
        size_t inner = (size_t)(envelope.raw.p - raw.p);
        for (size_t len = inner; len < inner + envelope.raw.len; len++) {
            struct yk_object *object = NULL;
            if (yk_object_from_protobuf(files[i].kind, (struct yk_str){raw.p, len}, &object, NULL) == YK_OK)
                fail_msg("%s cut at %zu was accepted", files[i].protobuf, len);
        }
        for (size_t len = 0; len + 1 < text.len; len += 13) { /* each costs as much as it is long */
            YK_CLEANUP(yk_freep) char *copy = yk_strndup(text.p, len);
            struct yk_object *object = NULL;
            if (yk_object_from_json(files[i].kind, (struct yk_str){copy, len}, &object, NULL) == YK_OK)
                fail_msg("%s cut at %zu was accepted", files[i].json, len);
        }
    }
}

/* Every single byte changed, in turn: an error or an object, never a fault. */
static void changed_input_is_survived(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(files); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        read_data(files[i].protobuf, &raw);
        for (size_t at = 0; at < raw.len; at++) {
            char was = raw.p[at];
            raw.p[at] = (char)(was ^ (1 << (at % 8)));
            struct yk_object *object = NULL;
            if (yk_object_from_protobuf(files[i].kind, yk_buf_view(&raw), &object, NULL) == YK_OK)
                yk_object_free(object);
            raw.p[at] = was;
        }
    }
}

static void unknown_fields_are_skipped(void **state)
{
    (void)state;
    /* metadata {name "p", 100: varint, 101: 8 bytes, 102: text, 103: 4 bytes}, 200: text */
    static const char bytes[] = "\x0a\x1a"
                                "\x0a\x01p"
                                "\xa0\x06\x96\x01"
                                "\xa9\x06\1\2\3\4\5\6\7\0"
                                "\xb2\x06\x00"
                                "\xbd\x06\1\2\3\4"
                                "\xc2\x0c\x02xy";
    YK_CLEANUP(yk_object_freep)
    struct yk_object *a = from_protobuf(YK_KIND_POD, (struct yk_str){bytes, sizeof(bytes) - 1});
    YK_CLEANUP(yk_object_freep)
    struct yk_object *b = from_json(
        YK_KIND_POD,
        "{\"metadata\":{\"name\":\"p\",\"new\":[{\"deep\":{}}]},\"x\":[1,2.5,null],\"spec\":{\"y\":true}}");
    assert_text(a->name, "p");
    assert_objects_equal("unknown fields", a, b);
}

static void absent_and_null_read_the_same(void **state)
{
    (void)state;
    YK_CLEANUP(yk_object_freep) struct yk_object *a = from_json(YK_KIND_POD, "{}");
    YK_CLEANUP(yk_object_freep)
    struct yk_object *b =
        from_json(YK_KIND_POD, "{\"metadata\":{\"creationTimestamp\":null,\"labels\":null,\"name\":\"\"},"
                               "\"spec\":{\"containers\":[],"
                               "\"affinity\":null,\"priority\":null,\"overhead\":{}},\"status\":null}");
    YK_CLEANUP(yk_object_freep) struct yk_object *c = from_protobuf(YK_KIND_POD, YK_STR(""));
    assert_objects_equal("null", a, b);
    assert_objects_equal("no bytes", a, c);
}

static void bad_json_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *reason;
        enum yk_status want;
    } cases[] = {
        {"no JSON", "{", "not JSON", YK_ERR_INVALID},
        {"nothing", "", "not JSON", YK_ERR_INVALID},
        {"two documents", "{}{}", "not JSON", YK_ERR_INVALID},
        {"not an object", "[]", "is a list instead of an object", YK_ERR_INVALID},
        {"another kind", "{\"kind\":\"Node\"}", "'Node' is not a Pod", YK_ERR_INVALID},
        {"number for a text", "{\"metadata\":{\"name\":7}}",
         "metadata: name: is an integer instead of a text", YK_ERR_INVALID},
        {"text for an object", "{\"spec\":\"x\"}", "spec: is a text instead of an object", YK_ERR_INVALID},
        {"object for a list", "{\"spec\":{\"containers\":{}}}", "containers: is an object instead of a list",
         YK_ERR_INVALID},
        {"list of texts", "{\"spec\":{\"containers\":[\"a\"]}}", "containers: is a text instead of an object",
         YK_ERR_INVALID},
        {"list for a map", "{\"metadata\":{\"labels\":[]}}", "labels: is a list instead of an object",
         YK_ERR_INVALID},
        {"number as label", "{\"metadata\":{\"labels\":{\"a\":1}}}", "labels: 'a': is an integer",
         YK_ERR_INVALID},
        {"text for a bool", "{\"metadata\":{\"ownerReferences\":[{\"controller\":\"yes\"}]}}",
         "controller: is a text", YK_ERR_INVALID},
        {"priority too large", "{\"spec\":{\"priority\":2147483648}}", "2147483648 does not fit",
         YK_ERR_INVALID},
        {"fraction as priority", "{\"spec\":{\"priority\":1.5}}", "instead of an integer", YK_ERR_INVALID},
        {"no time", "{\"metadata\":{\"creationTimestamp\":\"soon\"}}", "'soon' is not a time",
         YK_ERR_INVALID},
        {"bad quantity names pod, container list and value",
         "{\"metadata\":{\"name\":\"p\",\"namespace\":\"n\"},\"spec\":{\"containers\":[{\"resources\":{"
         "\"requests\":{\"cpu\":\"1x\"}}}]}}",
         "Pod 'n/p': spec: containers: resources: requests: 'cpu': '1x' is not a quantity", YK_ERR_INVALID},
        {"empty quantity", "{\"spec\":{\"overhead\":{\"cpu\":\"\"}}}", "quantity is empty", YK_ERR_INVALID},
        {"list as quantity", "{\"spec\":{\"overhead\":{\"cpu\":[]}}}", "'cpu': is a list", YK_ERR_INVALID},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        struct yk_object *object = NULL;
        enum yk_status st = yk_object_from_json(YK_KIND_POD, yk_str_from(cases[i].text), &object, &err);
        if (st != cases[i].want || object != NULL || strstr(err.text, cases[i].reason) == NULL)
            fail_msg("%s: got %s, '%s'", cases[i].what, yk_status_word(st), err.text);
    }
}

static void bad_protobuf_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct yk_str bytes;
        const char *reason;
    } cases[] = {
        {"length beyond the end",
         YK_STR("\x0a\x05"
                "ab"),
         "malformed or truncated"},
        {"length of 2^64-1", YK_STR("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
         "malformed or truncated"},
        {"varint of 11 bytes", YK_STR("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
         "malformed or truncated"},
        {"varint above 64 bits", YK_STR("\x50\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
         "malformed or truncated"},
        {"field number 0", YK_STR("\x02\x00"), "malformed or truncated"},
        {"a group", YK_STR("\x0b\x0c"), "malformed or truncated"},
        {"varint for metadata", YK_STR("\x08\x01"), "metadata: not a text, list or message"},
        {"text for priority",
         YK_STR("\x12\x05\xca\x01\x02"
                "ab"),
         "spec: priority: not a number"},
        {"varint in a map entry", YK_STR("\x0a\x04\x5a\x02\x08\x01"), "metadata: labels: malformed"},
        {"bad quantity",
         YK_STR("\x0a\x03\x0a\x01p\x12\x0d\x82\x02\x0a\x0a\x03"
                "cpu\x12\x03\x0a\x01x"),
         "Pod 'p': spec: overhead: 'cpu': 'x' is not a quantity"},
        {"another kind", YK_STR("k8s\0\x0a\x08\x12\x06Status"), "'Status' is not a Pod"},
        {"compressed", YK_STR("k8s\0\x1a\x04gzip"), "content encoding 'gzip'"},
        {"cut envelope", YK_STR("k8s\0\x0a\x08"), "envelope"},
        {"year 292 billion", YK_STR("\x0a\x0e\x42\x0c\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x10\x00"),
         "a time beyond"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        struct yk_object *object = NULL;
        enum yk_status st = yk_object_from_protobuf(YK_KIND_POD, cases[i].bytes, &object, &err);
        if (st != YK_ERR_INVALID || object != NULL || strstr(err.text, cases[i].reason) == NULL)
            fail_msg("%s: got %s, '%s'", cases[i].what, yk_status_word(st), err.text);
    }
}

static void add_varint(struct yk_buf *out, size_t number)
{
    for (; number > 0x7f; number >>= 7)
        yk_buf_char(out, (char)((number & 0x7f) | 0x80));
    yk_buf_char(out, (char)number);
}

/* A pod with that many tolerations, in both formats. */
static void tolerations(size_t count, struct yk_buf *json, struct yk_buf *protobuf)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf inner = {0};
    yk_buf_text(json, "{\"spec\":{\"tolerations\":[");
    for (size_t i = 0; i < count; i++) {
        yk_buf_text(json, i > 0 ? ",{}" : "{}");
        yk_buf_add(&inner, "\xb2\x01\x00", 3);
    }
    yk_buf_text(json, "]}}");
    yk_buf_char(protobuf, '\x12');
    add_varint(protobuf, inner.len);
    yk_buf_str(protobuf, yk_buf_view(&inner));
}

/* The object has a bound, not the list. */
static void long_lists(void **state)
{
    (void)state;
    static const size_t counts[] = {4096, 4097, YK_OBJECT_ITEMS_MAX, YK_OBJECT_ITEMS_MAX + 1};
    for (size_t i = 0; i < YK_COUNT(counts); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf protobuf = {0};
        struct yk_err err = {0};
        tolerations(counts[i], &json, &protobuf);
        for (int is_json = 0; is_json < 2; is_json++) {
            struct yk_object *object = NULL;
            enum yk_status st =
                is_json ? yk_object_from_json(YK_KIND_POD, yk_buf_view(&json), &object, &err)
                        : yk_object_from_protobuf(YK_KIND_POD, yk_buf_view(&protobuf), &object, &err);
            assert_int_equal(st, counts[i] <= YK_OBJECT_ITEMS_MAX ? YK_OK : YK_ERR_LIMIT);
            if (st == YK_OK)
                assert_int_equal(yk_pod_of(object)->toleration_count, counts[i]);
            else
                assert_string_equal(
                    err.text, "Pod: spec: tolerations: the object has more than 32768 entries in its lists");
            yk_object_free(object);
        }
    }
}

static void too_many_items_in_all_are_refused(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    struct yk_err err = {0};
    struct yk_object *object = NULL;
    yk_buf_text(&json, "{\"spec\":{\"containers\":[");
    for (int c = 0; c < 20; c++) {
        yk_buf_printf(&json, "%s{\"resources\":{\"requests\":{", c > 0 ? "," : "");
        for (int r = 0; r < 2000; r++)
            yk_buf_printf(&json, "%s\"r%d\":1", r > 0 ? "," : "", r);
        yk_buf_text(&json, "}}}");
    }
    yk_buf_text(&json, "]}}");
    assert_int_equal(yk_object_from_json(YK_KIND_POD, yk_buf_view(&json), &object, &err), YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "more than 32768 entries"));
}

/* Appends `count` times `item` between `open` and `close`. */
static void add_many(struct yk_buf *json, const char *open, const char *item, size_t count, const char *close)
{
    yk_buf_text(json, open);
    for (size_t i = 0; i < count; i++)
        yk_buf_printf(json, "%s%s", i > 0 ? "," : "", item);
    yk_buf_text(json, close);
}

/* What can be read of a pod that cannot be read whole. */
static void pods_are_read_in_part(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        const char *flood, *item; /* a list with more than fits into an object; or a bad field, `item` NULL */
        enum yk_read read;
        const char *fault;
    } cases[] = {
        {"tolerations", "\"tolerations\"", "{}", YK_READ_AMOUNTS,
         "Pod: spec: tolerations: the object has more than 32768 entries in its lists"},
        {"a toleration of another type", "\"tolerations\":7", NULL, YK_READ_AMOUNTS,
         "Pod: spec: tolerations"},
        {"init containers", "\"initContainers\"", "{}", YK_READ_IDENTITY,
         "Pod: spec: initContainers: the object has more than 32768 entries in its lists"},
        {"an amount", "\"overhead\":{\"cpu\":\"much\"}", NULL, YK_READ_IDENTITY,
         "spec: overhead: 'cpu': 'much' is not a quantity"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
        struct yk_err err = {0};
        struct yk_object *object = NULL;
        yk_buf_text(
            &json,
            "{\"metadata\":{\"name\":\"p\",\"namespace\":\"ns\",\"uid\":\"u\",\"resourceVersion\":\"7\","
            "\"labels\":{\"a\":\"b\"}},\"status\":{\"phase\":\"Running\"},\"spec\":{\"nodeName\":\"n1\","
            "\"schedulerName\":\"yunikorn\",\"containers\":[{\"resources\":{\"requests\":{\"cpu\":2}}}],");
        yk_buf_text(&json, cases[i].flood);
        if (cases[i].item != NULL)
            add_many(&json, ":[", cases[i].item, YK_OBJECT_ITEMS_MAX + 1, "]");
        yk_buf_text(&json, "}}");
        assert_int_equal(yk_object_from_json(YK_KIND_POD, yk_buf_view(&json), &object, &err), YK_OK);
        const struct yk_pod *pod = yk_pod_of(object);
        if (object->read != cases[i].read || strstr(object->fault.p, cases[i].fault) == NULL)
            fail_msg("%s: %d, %s", cases[i].what, (int)object->read, object->fault.p);
        assert_string_equal(object->name.p, "p");
        assert_string_equal(object->namespace_.p, "ns");
        assert_string_equal(object->uid.p, "u");
        assert_string_equal(object->resource_version.p, "7");
        assert_string_equal(pod->node_name.p, "n1");
        assert_string_equal(pod->scheduler_name.p, "yunikorn");
        assert_string_equal(pod->phase.p, "Running");
        assert_int_equal(pod->container_count, cases[i].read == YK_READ_AMOUNTS ? 1 : 0);
        assert_int_equal(object->labels.count, 0);
        yk_object_free(object);
    }
}

static void device_classes(void **state)
{
    (void)state;
    struct yk_err err = {0};
    for (int is_json = 0; is_json < 2; is_json++) {
        YK_CLEANUP(yk_object_freep) struct yk_object *object = NULL;
        enum yk_status st =
            is_json
                ? yk_object_from_json(YK_KIND_DEVICE_CLASS,
                                      YK_STR("{\"metadata\":{\"name\":\"gpu\"},\"spec\":{\"selectors\":[{}],"
                                             "\"extendedResourceName\":\"x.y/gpu\"}}"),
                                      &object, &err)
                : yk_object_from_protobuf(YK_KIND_DEVICE_CLASS,
                                          YK_STR("\x0a\x05\x0a\x03gpu\x12\x0b\x0a\x00\x22\x07x.y/gpu"),
                                          &object, &err);
        if (st != YK_OK)
            fail_msg("%s", err.text);
        assert_string_equal(object->name.p, "gpu");
        assert_string_equal(yk_device_class_of(object)->extended_resource_name.p, "x.y/gpu");
    }
}

static void mutating_webhooks(void **state)
{
    (void)state;
    struct yk_err err = {0};
    for (int is_json = 0; is_json < 2; is_json++) {
        YK_CLEANUP(yk_object_freep) struct yk_object *object = NULL;
        enum yk_status st =
            is_json ? yk_object_from_json(
                          YK_KIND_MUTATING_WEBHOOKS,
                          YK_STR("{\"metadata\":{\"name\":\"m\"},\"webhooks\":[{\"name\":\"a.b.c\","
                                 "\"failurePolicy\":\"Fail\",\"rules\":[{}]},{\"name\":\"d.e.f\"}]}"),
                          &object, &err)
                    : yk_object_from_protobuf(YK_KIND_MUTATING_WEBHOOKS,
                                              YK_STR("\x0a\x03\x0a\x01m\x12\x0d\x0a\x05"
                                                     "a.b.c\x22\x04"
                                                     "Fail\x12\x07\x0a\x05"
                                                     "d.e.f"),
                                              &object, &err);
        if (st != YK_OK)
            fail_msg("%s", err.text);
        const struct yk_mutating_webhooks *read = yk_mutating_webhooks_of(object);
        assert_string_equal(object->name.p, "m");
        assert_int_equal(read->webhook_count, 2);
        assert_string_equal(read->webhooks[0].name.p, "a.b.c");
        assert_string_equal(read->webhooks[0].failure_policy.p, "Fail");
        assert_string_equal(read->webhooks[1].name.p, "d.e.f");
        assert_null(read->webhooks[1].failure_policy.p);
    }
}

/* Without a name or a uid there is nothing that could be said of it. */
static void a_pod_without_identity_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"tolerations\":7}}",
        "{\"metadata\":{\"uid\":\"u\"},\"spec\":{\"tolerations\":7}}",
        "{\"metadata\":{\"name\":\"p\",\"uid\":7},\"spec\":{}}",
    };
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        struct yk_err err = {0};
        struct yk_object *object = NULL;
        assert_int_equal(yk_object_from_json(YK_KIND_POD, yk_str_from(texts[i]), &object, &err),
                         YK_ERR_INVALID);
        assert_null(object);
    }
}

static void too_deep_and_too_large_are_refused(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    struct yk_err err = {0};
    struct yk_object *object = NULL;
    for (int depth = YK_JSON_NESTING_MAX; depth <= YK_JSON_NESTING_MAX + 1; depth++) {
        yk_buf_clear(&json);
        yk_buf_text(&json, "{\"x\":");
        for (int i = 1; i < depth; i++)
            yk_buf_char(&json, '[');
        for (int i = 1; i < depth; i++)
            yk_buf_char(&json, ']');
        yk_buf_char(&json, '}');
        enum yk_status st = yk_object_from_json(YK_KIND_POD, yk_buf_view(&json), &object, &err);
        assert_int_equal(st, depth == YK_JSON_NESTING_MAX ? YK_OK : YK_ERR_LIMIT);
        if (st == YK_OK)
            yk_object_free(object);
    }
    YK_CLEANUP(yk_freep) char *large = yk_alloc0(YK_JSON_BYTES_MAX + 1);
    assert_int_equal(
        yk_object_from_json(YK_KIND_POD, (struct yk_str){large, YK_JSON_BYTES_MAX + 1}, &object, &err),
        YK_ERR_LIMIT);
    assert_int_equal(yk_object_from_protobuf(YK_KIND_POD, (struct yk_str){large, YK_PROTOBUF_BYTES_MAX + 1},
                                             &object, &err),
                     YK_ERR_LIMIT);
}

static void quantities_in_json_may_be_numbers(void **state)
{
    (void)state;
    YK_CLEANUP(yk_object_freep)
    struct yk_object *object = from_json(
        YK_KIND_NODE,
        "{\"status\":{\"allocatable\":{\"cpu\":2,\"a\":0.1,\"b\":1e3,\"c\":\" 5Ki \",\"d\":null}}}");
    const struct yk_amounts *got = &yk_node_of(object)->allocatable;
    static const int64_t milli[] = {2000, 100, 1000000, 5120000, 0};
    assert_int_equal(got->count, 5);
    for (size_t i = 0; i < YK_COUNT(milli); i++)
        assert_true(got->items[i].quantity == (yk_quantity)milli[i] * 1000000);
}

static void a_status_is_read_from_both(void **state)
{
    (void)state;
    static const char *const names[] = {[YK_WIRE_JSON] = "status.json", [YK_WIRE_PROTOBUF] = "status.pb"};
    for (int format = YK_WIRE_JSON; format <= YK_WIRE_PROTOBUF; format++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        struct yk_server_status status;
        struct yk_err err;
        read_data(names[format], &raw);
        assert_int_equal(yk_server_status_read((enum yk_wire_format)format, yk_buf_view(&raw), &status, &err),
                         YK_OK);
        assert_int_equal(status.code, 410);
        assert_text(status.reason, "Expired");
        assert_text(status.message, "too old resource version: 1 (2)");
        assert_int_equal(status.retry_after_s, 3);
        assert_int_equal(status.cause_count, 2);
        assert_true(yk_server_status_has_cause(&status, NULL, "sendInitialEvents"));
        assert_true(yk_server_status_has_cause(&status, "ResourceVersionTooLarge", NULL));
        assert_false(yk_server_status_has_cause(&status, "Other", "other"));
        yk_server_status_done(&status);
        assert_int_equal(
            yk_server_status_read((enum yk_wire_format)format, YK_STR("{\"kind\":\"Pod\"}"), &status, &err),
            YK_ERR_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_readers_agree),
        cmocka_unit_test(run_limits),
        cmocka_unit_test(resource_claims),
        cmocka_unit_test(a_pod_is_read_whole),
        cmocka_unit_test(other_kinds_are_read_whole),
        cmocka_unit_test(claims_are_read_whole),
        cmocka_unit_test(volumes_are_read_whole),
        cmocka_unit_test(csi_objects_are_read_whole),
        cmocka_unit_test(disks_are_noticed),
        cmocka_unit_test(bad_quantities_of_capacities_are_refused),
        cmocka_unit_test(an_object_is_one_allocation_of_its_size),
        cmocka_unit_test(truncated_input_is_survived),
        cmocka_unit_test(changed_input_is_survived),
        cmocka_unit_test(unknown_fields_are_skipped),
        cmocka_unit_test(absent_and_null_read_the_same),
        cmocka_unit_test(bad_json_is_refused),
        cmocka_unit_test(bad_protobuf_is_refused),
        cmocka_unit_test(long_lists),
        cmocka_unit_test(too_many_items_in_all_are_refused),
        cmocka_unit_test(pods_are_read_in_part),
        cmocka_unit_test(device_classes),
        cmocka_unit_test(mutating_webhooks),
        cmocka_unit_test(a_pod_without_identity_is_refused),
        cmocka_unit_test(too_deep_and_too_large_are_refused),
        cmocka_unit_test(quantities_in_json_may_be_numbers),
        cmocka_unit_test(a_status_is_read_from_both),
    };
    return cmocka_run_group_tests_name("api/readers", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/object_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void text(struct yk_buf *out, const char *name, struct yk_str value)
{
    if (value.p == NULL) {
        yk_buf_printf(out, "%s: absent\n", name);
        return;
    }
    assert_int_equal(value.p[value.len], '\0'); /* every text is terminated */
    yk_buf_printf(out, "%s: \"", name);
    yk_buf_str(out, value);
    yk_buf_text(out, "\"\n");
}

static void number(struct yk_buf *out, const char *name, int64_t value)
{
    yk_buf_printf(out, "%s: %lld\n", name, (long long)value);
}

static void pairs(struct yk_buf *out, const char *name, const struct yk_pairs *p)
{
    number(out, name, p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        text(out, " key", p->items[i].key);
        text(out, " value", p->items[i].value);
    }
}

static void amounts(struct yk_buf *out, const char *name, const struct yk_amounts *a)
{
    number(out, name, a->count);
    for (uint32_t i = 0; i < a->count; i++) {
        text(out, " resource", a->items[i].name);
        number(out, " nano high", (int64_t)(a->items[i].quantity >> 60));
        number(out, " nano low", (int64_t)(a->items[i].quantity & (((yk_quantity)1 << 60) - 1)));
    }
}

static void texts(struct yk_buf *out, const char *name, const struct yk_str *items, uint32_t count)
{
    number(out, name, count);
    for (uint32_t i = 0; i < count; i++)
        text(out, " -", items[i]);
}

static void metadata(struct yk_buf *out, const struct yk_object *o)
{
    number(out, "kind", o->kind);
    text(out, "name", o->name);
    text(out, "namespace", o->namespace_);
    text(out, "uid", o->uid);
    text(out, "resource version", o->resource_version);
    number(out, "created", o->creation_wall_ns);
    number(out, "generation", o->generation);
    number(out, "deleting", o->deleting);
    pairs(out, "labels", &o->labels);
    pairs(out, "annotations", &o->annotations);
    number(out, "owners", o->owner_count);
    for (uint32_t i = 0; i < o->owner_count; i++) {
        text(out, " api", o->owners[i].api_version);
        text(out, " kind", o->owners[i].kind);
        text(out, " name", o->owners[i].name);
        text(out, " uid", o->owners[i].uid);
        number(out, " controller", o->owners[i].controller);
    }
}

static void requirements(struct yk_buf *out, const char *name, const struct yk_requirement *r, uint32_t count)
{
    number(out, name, count);
    for (uint32_t i = 0; i < count; i++) {
        text(out, "  key", r[i].key);
        text(out, "  operator", r[i].operator_);
        texts(out, "  values", r[i].values, r[i].value_count);
    }
}

static void containers(struct yk_buf *out, const char *name, const struct yk_container *c, uint32_t count)
{
    number(out, name, count);
    for (uint32_t i = 0; i < count; i++) {
        text(out, " name", c[i].name);
        amounts(out, " requests", &c[i].requests);
        text(out, " restart", c[i].restart_policy);
        texts(out, " restart actions", c[i].restart_actions, c[i].restart_action_count);
        number(out, " ports", c[i].port_count);
        for (uint32_t p = 0; p < c[i].port_count; p++) {
            number(out, "  host port", c[i].ports[p].host_port);
            text(out, "  protocol", c[i].ports[p].protocol);
            text(out, "  address", c[i].ports[p].host_ip);
        }
    }
}

static void statuses(struct yk_buf *out, const char *name, const struct yk_container_status *s,
                     uint32_t count)
{
    number(out, name, count);
    for (uint32_t i = 0; i < count; i++) {
        text(out, " name", s[i].name);
        amounts(out, " allocated", &s[i].allocated);
        number(out, " has actual", s[i].has_actual);
        amounts(out, " actual", &s[i].actual);
    }
}

static void selector(struct yk_buf *out, const char *name, bool there, const struct yk_label_selector *s)
{
    number(out, name, there);
    pairs(out, "  match labels", &s->labels);
    requirements(out, "  match expressions", s->expressions, s->expression_count);
}

static void affinity_terms(struct yk_buf *out, const char *name, const struct yk_pod_affinity_term *t,
                           uint32_t count)
{
    number(out, name, count);
    for (uint32_t i = 0; i < count; i++) {
        text(out, " topology", t[i].topology_key);
        selector(out, " selector", t[i].has_selector, &t[i].selector);
        texts(out, " namespaces", t[i].namespaces, t[i].namespace_count);
        selector(out, " namespace selector", t[i].has_namespace_selector, &t[i].namespace_selector);
    }
}

static void spread_constraints(struct yk_buf *out, const struct yk_spread_constraint *c, uint32_t count)
{
    number(out, "spread constraints", count);
    for (uint32_t i = 0; i < count; i++) {
        number(out, " max skew", c[i].max_skew);
        number(out, " min domains", c[i].min_domains);
        text(out, " topology", c[i].topology_key);
        text(out, " when unsatisfiable", c[i].when_unsatisfiable);
        text(out, " node affinity", c[i].node_affinity_policy);
        text(out, " node taints", c[i].node_taints_policy);
        selector(out, " selector", c[i].has_selector, &c[i].selector);
        texts(out, " label keys", c[i].match_label_keys, c[i].match_label_key_count);
    }
}

static void node_terms(struct yk_buf *out, bool there, const struct yk_selector_term *terms, uint32_t count)
{
    number(out, "required affinity", there);
    number(out, "terms", count);
    for (uint32_t i = 0; i < count; i++) {
        requirements(out, " expressions", terms[i].expressions, terms[i].expression_count);
        requirements(out, " fields", terms[i].fields, terms[i].field_count);
    }
}

static void volume_source(struct yk_buf *out, const struct yk_volume_source *s)
{
    text(out, " gce", s->gce_disk);
    number(out, " gce read only", s->gce_read_only);
    text(out, " ebs", s->ebs_volume);
    text(out, " iscsi", s->iscsi_iqn);
    number(out, " iscsi read only", s->iscsi_read_only);
    text(out, " rbd pool", s->rbd_pool);
    text(out, " rbd image", s->rbd_image);
    texts(out, " rbd monitors", s->rbd_monitors, s->rbd_monitor_count);
    number(out, " rbd read only", s->rbd_read_only);
    text(out, " azure", s->azure_disk_uri);
    text(out, " cinder", s->cinder_volume);
    text(out, " portworx", s->portworx_volume);
    text(out, " csi driver", s->csi_driver);
    text(out, " csi handle", s->csi_handle);
}

static void pod_spec(struct yk_buf *out, const struct yk_pod *p)
{
    text(out, "node", p->node_name);
    text(out, "scheduler", p->scheduler_name);
    text(out, "priority class", p->priority_class);
    text(out, "preemption policy", p->preemption_policy);
    number(out, "priority", p->priority);
    number(out, "deadline", p->active_deadline_s);
    pairs(out, "node selector", &p->node_selector);
    node_terms(out, p->has_required_affinity, p->required_terms, p->required_term_count);
    number(out, "preferred terms", p->preferred_term_count);
    for (uint32_t i = 0; i < p->preferred_term_count; i++) {
        number(out, " weight", p->preferred_terms[i].weight);
        node_terms(out, true, &p->preferred_terms[i].term, 1);
    }
    affinity_terms(out, "affinity", p->affinity_terms, p->affinity_term_count);
    affinity_terms(out, "anti-affinity", p->anti_affinity_terms, p->anti_affinity_term_count);
    spread_constraints(out, p->spread_constraints, p->spread_constraint_count);
    number(out, "host network", p->host_network);
    number(out, "has host users", p->has_host_users);
    number(out, "host users", p->host_users);
    number(out, "tolerations", p->toleration_count);
    for (uint32_t i = 0; i < p->toleration_count; i++) {
        text(out, " key", p->tolerations[i].key);
        text(out, " operator", p->tolerations[i].operator_);
        text(out, " value", p->tolerations[i].value);
        text(out, " effect", p->tolerations[i].effect);
    }
    containers(out, "containers", p->containers, p->container_count);
    containers(out, "init containers", p->init_containers, p->init_container_count);
    amounts(out, "overhead", &p->overhead);
    amounts(out, "pod requests", &p->pod_requests);
    texts(out, "gates", p->scheduling_gates, p->scheduling_gate_count);
    texts(out, "resource claims", p->resource_claims, p->resource_claim_count);
    texts(out, "secrets", p->image_pull_secrets, p->image_pull_secret_count);
    number(out, "volumes", p->volume_count);
    for (uint32_t i = 0; i < p->volume_count; i++) {
        text(out, " name", p->volumes[i].name);
        text(out, " claim", p->volumes[i].claim_name);
        number(out, " has claim", p->volumes[i].has_claim);
        number(out, " ephemeral", p->volumes[i].is_ephemeral);
        volume_source(out, &p->volumes[i].source);
    }
}

static void pod_status(struct yk_buf *out, const struct yk_pod *p)
{
    text(out, "phase", p->phase);
    text(out, "resize", p->resize);
    text(out, "nominated", p->nominated_node);
    number(out, "start", p->start_wall_ns);
    number(out, "conditions", p->condition_count);
    for (uint32_t i = 0; i < p->condition_count; i++) {
        text(out, " type", p->conditions[i].type);
        text(out, " status", p->conditions[i].status);
        text(out, " reason", p->conditions[i].reason);
        text(out, " message", p->conditions[i].message);
    }
    statuses(out, "container statuses", p->container_statuses, p->container_status_count);
    statuses(out, "init container statuses", p->init_container_statuses, p->init_container_status_count);
    number(out, "has allocated", p->has_allocated);
    amounts(out, "allocated", &p->allocated);
    number(out, "has actual", p->has_actual);
    amounts(out, "actual", &p->actual);
}

static void node_body(struct yk_buf *out, const struct yk_k8s_node *n)
{
    number(out, "unschedulable", n->unschedulable);
    number(out, "taints", n->taint_count);
    for (uint32_t i = 0; i < n->taint_count; i++) {
        text(out, " key", n->taints[i].key);
        text(out, " value", n->taints[i].value);
        text(out, " effect", n->taints[i].effect);
    }
    amounts(out, "allocatable", &n->allocatable);
    texts(out, "features", n->declared_features, n->declared_feature_count);
}

static void quantity(struct yk_buf *out, const char *name, bool there, yk_quantity value)
{
    const struct yk_amount amount = {.name = yk_str_from(name), .quantity = value};
    number(out, name, there);
    amounts(out, name, &(struct yk_amounts){(struct yk_amount *)(uintptr_t)&amount, 1});
}

static void claim_body(struct yk_buf *out, const struct yk_volume_claim *c)
{
    number(out, "has class", c->has_class_name);
    text(out, "class", c->class_name);
    text(out, "volume", c->volume_name);
    text(out, "mode", c->volume_mode);
    text(out, "attributes", c->attributes_class);
    selector(out, "selector", c->has_selector, &c->selector);
    texts(out, "access", c->access_modes, c->access_mode_count);
    amounts(out, "requests", &c->requests);
    text(out, "phase", c->phase);
}

static void volume_body(struct yk_buf *out, const struct yk_volume *v)
{
    amounts(out, "capacity", &v->capacity);
    volume_source(out, &v->source);
    texts(out, "access", v->access_modes, v->access_mode_count);
    number(out, "has claim", v->has_claim);
    text(out, " kind", v->claim.kind);
    text(out, " namespace", v->claim.namespace_);
    text(out, " name", v->claim.name);
    text(out, " uid", v->claim.uid);
    text(out, " api", v->claim.api_version);
    text(out, " version", v->claim.resource_version);
    text(out, "class", v->class_name);
    text(out, "mode", v->volume_mode);
    text(out, "attributes", v->attributes_class);
    node_terms(out, v->has_required_affinity, v->required_terms, v->required_term_count);
    text(out, "phase", v->phase);
}

static void storage_class_body(struct yk_buf *out, const struct yk_storage_class *c)
{
    text(out, "provisioner", c->provisioner);
    text(out, "binding", c->binding_mode);
    number(out, "topologies", c->allowed_topology_count);
    for (uint32_t i = 0; i < c->allowed_topology_count; i++) {
        const struct yk_topology_term *term = &c->allowed_topologies[i];
        number(out, " requirements", term->requirement_count);
        for (uint32_t r = 0; r < term->requirement_count; r++) {
            text(out, "  key", term->requirements[r].key);
            texts(out, "  values", term->requirements[r].values, term->requirements[r].value_count);
        }
    }
}

static void csi_node_body(struct yk_buf *out, const struct yk_csi_node *n)
{
    number(out, "drivers", n->driver_count);
    for (uint32_t i = 0; i < n->driver_count; i++) {
        text(out, " name", n->drivers[i].name);
        number(out, " has limit", n->drivers[i].has_limit);
        number(out, " limit", n->drivers[i].limit);
    }
}

static void csi_capacity_body(struct yk_buf *out, const struct yk_csi_capacity *c)
{
    selector(out, "topology", c->has_topology, &c->topology);
    text(out, "class", c->class_name);
    quantity(out, "capacity", c->has_capacity, c->capacity);
    quantity(out, "maximum", c->has_maximum, c->maximum);
}

void object_text(const struct yk_object *object, struct yk_buf *out)
{
    struct yk_object *o = (struct yk_object *)(uintptr_t)object;
    metadata(out, object);
    switch (object->kind) {
    case YK_KIND_POD:
        pod_spec(out, yk_pod_of(o));
        pod_status(out, yk_pod_of(o));
        break;
    case YK_KIND_NODE:
        node_body(out, yk_node_of(o));
        break;
    case YK_KIND_PRIORITY_CLASS:
        number(out, "value", yk_priority_class_of(o)->value);
        number(out, "global default", yk_priority_class_of(o)->global_default);
        text(out, "preemption policy", yk_priority_class_of(o)->preemption_policy);
        break;
    case YK_KIND_CONFIG_MAP:
        pairs(out, "data", &yk_config_map_of(o)->data);
        pairs(out, "binary data", &yk_config_map_of(o)->binary_data);
        break;
    case YK_KIND_DISRUPTION_BUDGET:
        selector(out, "has selector", yk_disruption_budget_of(o)->has_selector,
                 &yk_disruption_budget_of(o)->selector);
        number(out, "disruptions allowed", yk_disruption_budget_of(o)->disruptions_allowed);
        break;
    case YK_KIND_DEVICE_CLASS:
        text(out, "extended resource name", yk_device_class_of(o)->extended_resource_name);
        break;
    case YK_KIND_MUTATING_WEBHOOKS:
        for (uint32_t i = 0; i < yk_mutating_webhooks_of(o)->webhook_count; i++) {
            text(out, "webhook", yk_mutating_webhooks_of(o)->webhooks[i].name);
            text(out, "failure policy", yk_mutating_webhooks_of(o)->webhooks[i].failure_policy);
        }
        break;
    case YK_KIND_VOLUME_CLAIM:
        claim_body(out, yk_volume_claim_of(o));
        break;
    case YK_KIND_VOLUME:
        volume_body(out, yk_volume_of(o));
        break;
    case YK_KIND_STORAGE_CLASS:
        storage_class_body(out, yk_storage_class_of(o));
        break;
    case YK_KIND_CSI_NODE:
        csi_node_body(out, yk_csi_node_of(o));
        break;
    case YK_KIND_CSI_DRIVER:
        number(out, "storage capacity", yk_csi_driver_of(o)->storage_capacity);
        number(out, "prevent if missing", yk_csi_driver_of(o)->prevent_if_missing);
        break;
    case YK_KIND_CSI_CAPACITY:
        csi_capacity_body(out, yk_csi_capacity_of(o));
        break;
    case YK_KIND_VOLUME_ATTACHMENT:
        text(out, "attacher", yk_volume_attachment_of(o)->attacher);
        text(out, "node", yk_volume_attachment_of(o)->node_name);
        text(out, "volume", yk_volume_attachment_of(o)->volume_name);
        break;
    case YK_KIND_NAMESPACE:
    case YK_KIND_COUNT:
        break;
    }
}

void assert_objects_equal(const char *what, const struct yk_object *a, const struct yk_object *b)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf left = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf right = {0};
    object_text(a, &left);
    object_text(b, &right);
    if (!yk_str_eq(yk_buf_view(&left), yk_buf_view(&right)))
        fail_msg("%s: objects differ\n--- one\n%s\n--- other\n%s", what, yk_buf_cstr(&left),
                 yk_buf_cstr(&right));
}

void read_data(const char *name, struct yk_buf *out)
{
    char path[128];
    struct yk_err err;
    (void)snprintf(path, sizeof(path), "test/unit/api/data/%s", name);
    if (yk_file_read(path, out, &err) != YK_OK)
        fail_msg("%s", err.text);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "api/object_text.h"

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

static void pod_spec(struct yk_buf *out, const struct yk_pod *p)
{
    text(out, "node", p->node_name);
    text(out, "scheduler", p->scheduler_name);
    text(out, "priority class", p->priority_class);
    text(out, "preemption policy", p->preemption_policy);
    number(out, "priority", p->priority);
    pairs(out, "node selector", &p->node_selector);
    number(out, "required affinity", p->has_required_affinity);
    number(out, "terms", p->required_term_count);
    for (uint32_t i = 0; i < p->required_term_count; i++) {
        requirements(out, " expressions", p->required_terms[i].expressions,
                     p->required_terms[i].expression_count);
        requirements(out, " fields", p->required_terms[i].fields, p->required_terms[i].field_count);
    }
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
    texts(out, "secrets", p->image_pull_secrets, p->image_pull_secret_count);
    number(out, "volumes", p->volume_count);
    for (uint32_t i = 0; i < p->volume_count; i++) {
        text(out, " name", p->volumes[i].name);
        text(out, " claim", p->volumes[i].claim_name);
    }
}

static void pod_status(struct yk_buf *out, const struct yk_pod *p)
{
    text(out, "phase", p->phase);
    text(out, "resize", p->resize);
    text(out, "nominated", p->nominated_node);
    number(out, "conditions", p->condition_count);
    for (uint32_t i = 0; i < p->condition_count; i++) {
        text(out, " type", p->conditions[i].type);
        text(out, " status", p->conditions[i].status);
        text(out, " reason", p->conditions[i].reason);
        text(out, " message", p->conditions[i].message);
    }
    statuses(out, "container statuses", p->container_statuses, p->container_status_count);
    statuses(out, "init container statuses", p->init_container_statuses, p->init_container_status_count);
}

static void node_body(struct yk_buf *out, const struct yk_node *n)
{
    number(out, "unschedulable", n->unschedulable);
    number(out, "taints", n->taint_count);
    for (uint32_t i = 0; i < n->taint_count; i++) {
        text(out, " key", n->taints[i].key);
        text(out, " value", n->taints[i].value);
        text(out, " effect", n->taints[i].effect);
    }
    amounts(out, "allocatable", &n->allocatable);
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
        break;
    case YK_KIND_CONFIG_MAP:
        pairs(out, "data", &yk_config_map_of(o)->data);
        pairs(out, "binary data", &yk_config_map_of(o)->binary_data);
        break;
    case YK_KIND_DISRUPTION_BUDGET:
        number(out, "has selector", yk_disruption_budget_of(o)->has_selector);
        pairs(out, "match labels", &yk_disruption_budget_of(o)->selector.labels);
        requirements(out, "match expressions", yk_disruption_budget_of(o)->selector.expressions,
                     yk_disruption_budget_of(o)->selector.expression_count);
        number(out, "disruptions allowed", yk_disruption_budget_of(o)->disruptions_allowed);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "api/likeness.h"

#include "base/map.h"

/*
 * The bytes that are hashed. A message is its fields with a zero behind them; a field that says nothing is
 * left out. A field begins with its number within the message and, as it may be, the length of its text or
 * the count of its entries. So no two contents have the same bytes.
 *
 * This could walk the field tables, as the readers do. But it is done for every pod that is read, and of what
 * the tables name most pods say little: plain code is three times as fast. test/unit/api/test_likeness.c
 * walks the tables instead and finds what is forgotten here.
 */
struct bytes {
    char *at;
    const char *end;
    bool is_full; /* something did not fit, and `at` has come to the end */
};

static inline bool has_room(struct bytes *out, size_t len)
{
    if ((size_t)(out->end - out->at) >= len)
        return true;
    out->at += out->end - out->at;
    out->is_full = true;
    return false;
}

static inline void add_bytes(struct bytes *out, const void *bytes, size_t len)
{
    memcpy(out->at, bytes, len);
    out->at += len;
}

/* Two numbers of which there is room for what they count, and so small ones. */
static inline void add_head(struct bytes *out, size_t low, size_t high)
{
    uint32_t head = (uint32_t)(high << 16 | low);
    add_bytes(out, &head, sizeof(head));
}

static inline void end_message(struct bytes *out)
{
    if (has_room(out, sizeof(uint32_t)))
        add_head(out, 0, 0);
}

/* An absent text is an empty one: readers make no difference. */
static inline void add_text(struct bytes *out, unsigned field, struct yk_str text)
{
    if (text.len == 0 || !has_room(out, sizeof(uint32_t) + text.len))
        return;
    add_head(out, field, text.len);
    add_bytes(out, text.p, text.len);
}

static inline void add_number(struct bytes *out, unsigned field, int32_t number)
{
    if (number == 0 || !has_room(out, sizeof(uint32_t) + sizeof(number)))
        return;
    add_head(out, field, 0);
    add_bytes(out, &number, sizeof(number));
}

static inline void add_long(struct bytes *out, unsigned field, int64_t number)
{
    if (number == 0 || !has_room(out, sizeof(uint32_t) + sizeof(number)))
        return;
    add_head(out, field, 0);
    add_bytes(out, &number, sizeof(number));
}

/* True if its entries are to follow: each has a byte at least. */
static inline bool add_count(struct bytes *out, unsigned field, uint32_t count)
{
    if (count == 0 || !has_room(out, sizeof(uint32_t) + count))
        return false;
    add_head(out, field, count);
    return true;
}

static inline void add_entry(struct bytes *out, struct yk_str key, struct yk_str value)
{
    if (!has_room(out, sizeof(uint32_t) + key.len + value.len))
        return;
    add_head(out, key.len, value.len);
    if (key.len > 0)
        add_bytes(out, key.p, key.len);
    if (value.len > 0)
        add_bytes(out, value.p, value.len);
}

static inline void add_texts(struct bytes *out, unsigned field, const struct yk_str *texts, uint32_t count)
{
    if (!add_count(out, field, count))
        return;
    for (uint32_t i = 0; i < count; i++)
        add_entry(out, texts[i], (struct yk_str){0});
}

static inline void add_pairs(struct bytes *out, unsigned field, const struct yk_pairs *pairs)
{
    if (!add_count(out, field, pairs->count))
        return;
    for (uint32_t i = 0; i < pairs->count; i++)
        add_entry(out, pairs->items[i].key, pairs->items[i].value);
}

/* True if some of them number pods. */
static inline bool add_labels(struct bytes *out, unsigned field, const struct yk_pairs *labels)
{
    bool is_numbered = false;
    if (!add_count(out, field, labels->count))
        return false;
    for (uint32_t i = 0; i < labels->count; i++) {
        const struct yk_pair *label = &labels->items[i];
        bool numbers = yk_label_numbers_pods(label->key);
        is_numbered = is_numbered || numbers;
        add_entry(out, label->key, numbers ? (struct yk_str){0} : label->value);
    }
    return is_numbered;
}

static inline void add_amounts(struct bytes *out, unsigned field, const struct yk_amounts *amounts)
{
    if (!add_count(out, field, amounts->count))
        return;
    for (uint32_t i = 0; i < amounts->count; i++) {
        const struct yk_amount *item = &amounts->items[i];
        add_entry(out, item->name, (struct yk_str){(const char *)&item->quantity, sizeof(item->quantity)});
    }
}

/* ---- selectors ---- */

static void add_requirements(struct bytes *out, unsigned field, const struct yk_requirement *items,
                             uint32_t count)
{
    if (!add_count(out, field, count))
        return;
    for (uint32_t i = 0; i < count; i++) {
        add_text(out, 1, items[i].key);
        add_text(out, 2, items[i].operator_);
        add_texts(out, 3, items[i].values, items[i].value_count);
        end_message(out);
    }
}

static void add_selector_term(struct bytes *out, const struct yk_selector_term *term)
{
    add_requirements(out, 1, term->expressions, term->expression_count);
    add_requirements(out, 2, term->fields, term->field_count);
    end_message(out);
}

static void add_label_selector(struct bytes *out, unsigned field, bool is_there,
                               const struct yk_label_selector *selector)
{
    if (!is_there)
        return;
    add_number(out, field, 1);
    add_pairs(out, 1, &selector->labels);
    add_requirements(out, 2, selector->expressions, selector->expression_count);
    end_message(out);
}

/* ---- what a pod says ---- */

static void add_owners(struct bytes *out, unsigned field, const struct yk_object *object)
{
    if (!add_count(out, field, object->owner_count))
        return;
    for (uint32_t i = 0; i < object->owner_count; i++) {
        const struct yk_owner_ref *owner = &object->owners[i];
        add_text(out, 1, owner->api_version);
        add_text(out, 2, owner->kind);
        add_text(out, 3, owner->name);
        add_text(out, 4, owner->uid);
        add_number(out, 5, owner->controller);
        end_message(out);
    }
}

static void add_affinity_to_nodes(struct bytes *out, unsigned field, const struct yk_pod *pod)
{
    add_number(out, field, pod->has_required_affinity);
    if (add_count(out, field + 1, pod->required_term_count)) {
        for (uint32_t i = 0; i < pod->required_term_count; i++)
            add_selector_term(out, &pod->required_terms[i]);
    }
    if (!add_count(out, field + 2, pod->preferred_term_count))
        return;
    for (uint32_t i = 0; i < pod->preferred_term_count; i++) {
        add_number(out, 3, pod->preferred_terms[i].weight);
        add_selector_term(out, &pod->preferred_terms[i].term);
    }
}

static void add_affinity_to_pods(struct bytes *out, unsigned field, const struct yk_pod_affinity_term *terms,
                                 uint32_t count)
{
    if (!add_count(out, field, count))
        return;
    for (uint32_t i = 0; i < count; i++) {
        const struct yk_pod_affinity_term *term = &terms[i];
        add_text(out, 1, term->topology_key);
        add_label_selector(out, 2, term->has_selector, &term->selector);
        add_texts(out, 3, term->namespaces, term->namespace_count);
        add_label_selector(out, 4, term->has_namespace_selector, &term->namespace_selector);
        end_message(out);
    }
}

static void add_spread(struct bytes *out, unsigned field, const struct yk_pod *pod)
{
    if (!add_count(out, field, pod->spread_constraint_count))
        return;
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        const struct yk_spread_constraint *constraint = &pod->spread_constraints[i];
        add_number(out, 1, constraint->max_skew);
        add_number(out, 2, constraint->min_domains);
        add_text(out, 3, constraint->topology_key);
        add_text(out, 4, constraint->when_unsatisfiable);
        add_text(out, 5, constraint->node_affinity_policy);
        add_text(out, 6, constraint->node_taints_policy);
        add_label_selector(out, 7, constraint->has_selector, &constraint->selector);
        add_texts(out, 8, constraint->match_label_keys, constraint->match_label_key_count);
        end_message(out);
    }
}

static void add_tolerations(struct bytes *out, unsigned field, const struct yk_pod *pod)
{
    if (!add_count(out, field, pod->toleration_count))
        return;
    for (uint32_t i = 0; i < pod->toleration_count; i++) {
        const struct yk_toleration *toleration = &pod->tolerations[i];
        add_text(out, 1, toleration->key);
        add_text(out, 2, toleration->operator_);
        add_text(out, 3, toleration->value);
        add_text(out, 4, toleration->effect);
        end_message(out);
    }
}

static void add_ports(struct bytes *out, unsigned field, const struct yk_container *container)
{
    if (!add_count(out, field, container->port_count))
        return;
    for (uint32_t i = 0; i < container->port_count; i++) {
        add_number(out, 1, container->ports[i].host_port);
        add_text(out, 2, container->ports[i].protocol);
        add_text(out, 3, container->ports[i].host_ip);
        end_message(out);
    }
}

static void add_containers(struct bytes *out, unsigned field, const struct yk_container *containers,
                           uint32_t count)
{
    if (!add_count(out, field, count))
        return;
    for (uint32_t i = 0; i < count; i++) {
        const struct yk_container *container = &containers[i];
        add_text(out, 1, container->name);
        add_amounts(out, 2, &container->requests);
        add_text(out, 3, container->restart_policy);
        add_texts(out, 4, container->restart_actions, container->restart_action_count);
        add_ports(out, 5, container);
        end_message(out);
    }
}

static void add_source(struct bytes *out, const struct yk_volume_source *source)
{
    add_text(out, 1, source->gce_disk);
    add_text(out, 2, source->ebs_volume);
    add_text(out, 3, source->iscsi_iqn);
    add_text(out, 4, source->rbd_pool);
    add_text(out, 5, source->rbd_image);
    add_text(out, 6, source->azure_disk_uri);
    add_text(out, 7, source->cinder_volume);
    add_text(out, 8, source->portworx_volume);
    add_text(out, 9, source->csi_driver);
    add_text(out, 10, source->csi_handle);
    add_texts(out, 11, source->rbd_monitors, source->rbd_monitor_count);
    add_number(out, 12, source->gce_read_only);
    add_number(out, 13, source->iscsi_read_only);
    add_number(out, 14, source->rbd_read_only);
    end_message(out);
}

static void add_volumes(struct bytes *out, unsigned field, const struct yk_pod *pod)
{
    if (!add_count(out, field, pod->volume_count))
        return;
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        const struct yk_pod_volume *volume = &pod->volumes[i];
        add_text(out, 15, volume->name);
        add_text(out, 16, volume->claim_name);
        add_number(out, 17, volume->has_claim);
        add_number(out, 18, volume->is_ephemeral);
        add_source(out, &volume->source);
    }
}

static void add_spec(struct bytes *out, const struct yk_pod *pod)
{
    add_text(out, 1, pod->scheduler_name);
    add_text(out, 2, pod->priority_class);
    add_text(out, 3, pod->preemption_policy);
    add_number(out, 4, pod->priority);
    add_pairs(out, 5, &pod->node_selector);
    add_affinity_to_nodes(out, 6 /* to 8 */, pod);
    add_tolerations(out, 9, pod);
    add_containers(out, 10, pod->containers, pod->container_count);
    add_containers(out, 11, pod->init_containers, pod->init_container_count);
    add_amounts(out, 12, &pod->overhead);
    add_amounts(out, 13, &pod->pod_requests);
    add_number(out, 14, pod->host_network);
    add_number(out, 15, pod->has_host_users);
    add_number(out, 16, pod->host_users);
    add_texts(out, 17, pod->scheduling_gates, pod->scheduling_gate_count);
    add_texts(out, 18, pod->image_pull_secrets, pod->image_pull_secret_count);
    add_volumes(out, 19, pod);
    add_affinity_to_pods(out, 20, pod->affinity_terms, pod->affinity_term_count);
    add_affinity_to_pods(out, 21, pod->anti_affinity_terms, pod->anti_affinity_term_count);
    add_spread(out, 22, pod);
    add_long(out, 23, pod->active_deadline_s);
    add_texts(out, 24, pod->resource_claims, pod->resource_claim_count);
    end_message(out);
}

/* True if it is numbered. */
static bool add_metadata(struct bytes *out, const struct yk_object *object)
{
    add_text(out, 1, object->namespace_);
    bool is_numbered = add_labels(out, 2, &object->labels);
    add_pairs(out, 3, &object->annotations);
    add_owners(out, 4, object);
    end_message(out);
    return is_numbered;
}

void yk_pod_set_likeness(struct yk_pod *pod)
{
    char room[YK_LIKENESS_BYTES_MAX];
    struct bytes out = {.at = room, .end = room + sizeof(room)};
    pod->is_numbered = add_metadata(&out, &pod->object);
    add_spec(&out, pod);
    pod->likeness[0] = pod->likeness[1] = 0;
    if (!out.is_full)
        yk_hash_128(room, (size_t)(out.at - room), pod->likeness);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Leases: stored as JSON. Each write gives a new resource version, and an update must name the current
 * one. */
#include "simulate/cluster_priv.h"

#include "api/json_reader.h"

#include <inttypes.h>
#include <jansson.h>

struct lease {
    struct yk_list link;
    char *namespace_, *name; /* owned */
    json_t *tree;            /* the object; owned */
};

static struct lease *find(const struct yk_cluster *cluster, const char *namespace_, const char *name)
{
    struct lease *lease;
    yk_list_foreach (lease, &cluster->leases, struct lease, link) {
        if (strcmp(lease->namespace_, namespace_) == 0 && strcmp(lease->name, name) == 0)
            return lease;
    }
    return NULL;
}

static void lease_free(struct lease *lease)
{
    yk_list_remove(&lease->link);
    json_decref(lease->tree);
    free(lease->namespace_);
    free(lease->name);
    free(lease);
}

void yk__leases_done(struct yk_cluster *cluster)
{
    while (!yk_list_empty(&cluster->leases))
        lease_free(yk_list_first(&cluster->leases, struct lease, link));
}

static int show(const struct lease *lease, struct yk_buf *answer, int http_status)
{
    char *text = json_dumps(lease->tree, JSON_COMPACT);
    yk_buf_text(answer, text);
    free(text);
    return http_status;
}

/* Makes `tree`, which is taken, the object of the Lease, with a new resource version. */
static void store(struct yk_cluster *cluster, struct lease *lease, json_t *tree)
{
    char version[24];
    (void)snprintf(version, sizeof(version), "%" PRIu64, ++cluster->version); /* the text fits */
    json_t *meta = json_object_get(tree, "metadata");
    /* cannot fail: the callers have read from `meta` */
    (void)json_object_set_new(meta, "resourceVersion", json_string(version));
    json_decref(lease->tree);
    lease->tree = tree;
}

static int create(struct yk_cluster *cluster, const struct yk_op *op, json_t *tree, struct yk_buf *answer)
{
    const char *name = json_string_value(json_object_get(json_object_get(tree, "metadata"), "name"));
    if (name == NULL || find(cluster, op->namespace_, name) != NULL) {
        json_decref(tree);
        return name == NULL ? 422 : 409;
    }
    struct lease *lease = yk_new0(struct lease);
    lease->namespace_ = yk_strdup(op->namespace_);
    lease->name = yk_strdup(name);
    yk_list_append(&cluster->leases, &lease->link);
    store(cluster, lease, tree);
    return show(lease, answer, 201);
}

static const char *version_of(const json_t *tree)
{
    const char *version =
        json_string_value(json_object_get(json_object_get(tree, "metadata"), "resourceVersion"));
    return version != NULL ? version : "";
}

static int update(struct yk_cluster *cluster, const struct yk_op *op, json_t *tree, struct yk_buf *answer)
{
    struct lease *lease = find(cluster, op->namespace_, op->name);
    int refusal = 0;
    if (lease == NULL)
        refusal = 404;
    else if (version_of(tree)[0] == '\0')
        refusal = 422; /* an update without a version would overwrite changes of other clients */
    else if (strcmp(version_of(tree), version_of(lease->tree)) != 0)
        refusal = 409;
    if (refusal != 0) {
        json_decref(tree);
        return refusal;
    }
    store(cluster, lease, tree);
    return show(lease, answer, 200);
}

int yk__lease_request(struct yk_cluster *cluster, const struct yk_op *op, struct yk_buf *answer)
{
    json_t *tree = NULL;
    if (op->kind == YK_OP_GET_LEASE) {
        const struct lease *lease = find(cluster, op->namespace_, op->name);
        return lease != NULL ? show(lease, answer, 200) : 404;
    }
    if (yk_json_parse(yk_buf_view(&op->body), &tree, NULL) != YK_OK)
        return 400;
    return op->kind == YK_OP_CREATE_LEASE ? create(cluster, op, tree, answer)
                                          : update(cluster, op, tree, answer);
}

char *yk_cluster_lease(const struct yk_cluster *cluster, const char *namespace_, const char *name)
{
    const struct lease *lease = find(cluster, namespace_, name);
    return lease != NULL ? json_dumps(lease->tree, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
}

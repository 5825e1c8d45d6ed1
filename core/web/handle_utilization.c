/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of each node is in use per resource type, in tenths: docs/reference/rest.md, endpoint 25.
 *
 * First the nodes are visited in the order of their names, window by window (web/list.h), and the tenth of each
 * node and type is noted in a byte. Then the lists of names are written from these notes. Both are done in
 * slices. Names are not kept: a note has the index of its node, and a hash of the name, which says whether that
 * index has been given to another node meanwhile.
 */
#include "web/list.h"
#include "web/routes_priv.h"
#include "web/show_priv.h"

enum {
    TENTHS = 10,
    ABSENT = 0xff,
    NODES_PER_LOOK = 128,
    NAMES_PER_LOOK = 32,
    NOTES_MAX =
        4 << 20, /* bytes of the tenths of all types; a type is left out if its tenths would need more */
};

/* A node whose tenths were noted. */
struct noted {
    uint32_t index; /* in the partition's `nodes` */
    uint32_t hash;  /* of the name */
};

struct tenths {
    /* char *, owned: full names when the answer began. The rank of an entry of job->names is an index in
     * it. */
    struct yk_vec partitions;
    size_t *ends;        /* owned; by partition: the end of its nodes in `nodes` */
    struct noted *nodes; /* owned; `count` of them, by partition and name */
    size_t count, capacity;
    /* Owned: the tenth of each node, or ABSENT; NULL: no node has the type, or its notes need too much
     * memory. */
    uint8_t *of_type[YK_RESTYPE_MAX];
    struct yk_resvec seen; /* the types of `of_type`; a type that a vector has keeps its name */
    size_t types_noted;
    size_t opened; /* the partition whose names are collected; job->inner_at is its next node */
    /* Progress of the writing. */
    size_t partition, first, end; /* the present partition; its nodes are [first, end) */
    int types[YK_RESTYPE_MAX];    /* the types that its nodes have, by name */
    int type_count, type;
    int tenth;
    size_t name, in_tenth; /* the next node; names in the present tenth so far */
};

static void tenths_free(void *own)
{
    struct tenths *tenths = own;
    char *name;
    yk_vec_foreach (name, &tenths->partitions)
        free(name);
    yk_vec_done(&tenths->partitions);
    free(tenths->ends);
    free(tenths->nodes);
    yk_resvec_foreach(t, &tenths->seen)
    {
        free(tenths->of_type[t]);
    }
    yk_resvec_done(&tenths->seen);
    free(tenths);
}

/* ---- notes ---- */

static struct tenths *tenths_of(struct yk_job *job)
{
    if (job->own != NULL)
        return job->own;
    struct tenths *tenths = yk_new0(struct tenths);
    const struct yk_partition *partition;
    yk_resvec_init(&tenths->seen);
    tenths->type = tenths->tenth = -1;
    tenths->name = SIZE_MAX;
    yk_vec_foreach (partition, &job->core->partitions) {
        yk_vec_append(&tenths->partitions, yk_strdup(partition->full_name));
        tenths->capacity += partition->nodes.count;
    }
    tenths->nodes = yk_new0_array(struct noted, YK_MAX(tenths->capacity, (size_t)1));
    tenths->ends = yk_new0_array(size_t, tenths->partitions.count);
    job->own = tenths;
    job->own_free = tenths_free;
    return tenths;
}

/* NULL: the partition is gone. */
static const struct yk_partition *partition_at(const struct yk_job *job, const struct tenths *tenths,
                                               size_t at)
{
    return yk_core_find_partition(job->core, yk_str_from(tenths->partitions.items[at]));
}

static enum yk_list_open open_nodes(struct yk_job *job, int64_t until_mono_ns)
{
    struct tenths *tenths = tenths_of(job);
    for (; tenths->opened < tenths->partitions.count; tenths->opened++, job->inner_at = 0) {
        const struct yk_partition *partition = partition_at(job, tenths, tenths->opened);
        while (partition != NULL && job->inner_at < partition->nodes.count) {
            const struct yk_node *node = partition->nodes.items[job->inner_at++];
            if (node != NULL)
                yk_names_add(&job->names, yk_str_from(node->id), (int64_t)tenths->opened, NULL);
            if (job->inner_at % NODES_PER_LOOK == 0 && yk_job_must_pause(job, until_mono_ns))
                return YK_LIST_MORE;
        }
    }
    tenths->opened = 0;
    return YK_LIST_READY;
}

/* The index of a tenth: 0 for up to 10 percent (also for 0), and 9 for more than 90 percent (also above
 * 100). */
static uint8_t tenth_of(int64_t percent)
{
    int64_t tenth = (percent + TENTHS - 1) / TENTHS - 1;
    return (uint8_t)YK_MIN(YK_MAX(tenth, INT64_C(0)), INT64_C(9));
}

static void note_type(struct tenths *tenths, int type, int64_t percent)
{
    if (tenths->of_type[type] == NULL) {
        if ((tenths->types_noted + 1) * tenths->capacity > NOTES_MAX)
            return;
        tenths->types_noted++;
        yk_resvec_put(&tenths->seen, type, 1);
        tenths->of_type[type] = yk_new0_array(uint8_t, tenths->capacity);
        memset(tenths->of_type[type], ABSENT, tenths->capacity);
    }
    tenths->of_type[type][tenths->count - 1] = tenth_of(percent);
}

/* Makes place for nodes that came after the answer began. */
static void grow(struct tenths *tenths)
{
    size_t before = tenths->capacity;
    tenths->capacity = before + before / 2 + 256;
    tenths->nodes = yk_realloc_array(tenths->nodes, tenths->capacity, sizeof(*tenths->nodes));
    yk_resvec_foreach(t, &tenths->seen)
    {
        tenths->of_type[t] = yk_realloc_array(tenths->of_type[t], tenths->capacity, 1);
        memset(tenths->of_type[t] + before, ABSENT, tenths->capacity - before);
    }
}

static uint32_t hash_of(const struct yk_node *node)
{
    return (uint32_t)yk_hash(node->id, strlen(node->id));
}

static enum yk_step note(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    struct tenths *tenths = job->own;
    const struct yk_partition *partition = partition_at(job, tenths, (size_t)entry->rank);
    const struct yk_node *node =
        partition != NULL ? yk_strmap_get(&partition->nodes_by_id, entry->text) : NULL;
    YK_RESVEC(allocated);
    YK_RESVEC(percent);
    (void)until_mono_ns;
    if (node == NULL)
        return YK_STEP_DONE;
    if (tenths->count == tenths->capacity)
        grow(tenths);
    tenths->nodes[tenths->count++] = (struct noted){node->index, hash_of(node)};
    tenths->ends[entry->rank] = tenths->count;
    yk_node_allocated(node, &allocated);
    yk_resvec_percent(node->total, &allocated, &percent);
    yk_resvec_foreach(t, node->total)
    {
        note_type(tenths, t, yk_resvec_has(&percent, t) ? yk_resvec_get(&percent, t) : 0);
    }
    return YK_STEP_DONE;
}

/* ---- the answer ---- */

static bool has_type(const struct tenths *tenths, int type)
{
    const uint8_t *notes = tenths->of_type[type];
    for (size_t i = tenths->first; notes != NULL && i < tenths->end; i++) {
        if (notes[i] != ABSENT)
            return true;
    }
    return false;
}

static void open_partition(struct yk_job *job, struct tenths *tenths)
{
    const char *name = tenths->partitions.items[tenths->partition];
    const struct yk_partition *partition = partition_at(job, tenths, tenths->partition);
    YK_RESVEC(seen);
    tenths->end = YK_MAX(tenths->first, tenths->ends[tenths->partition]);
    yk_resvec_foreach(t, &tenths->seen)
    {
        if (has_type(tenths, t))
            yk_resvec_put(&seen, t, 1);
    }
    tenths->type_count = yk_resvec_types_by_name(&seen, tenths->types);
    tenths->type = 0;
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "clusterId", partition != NULL ? partition->rm->id : "");
    yk_json_add_text(&job->json, "partition", partition != NULL ? partition->name : name);
    yk_json_key(&job->json, "utilizations");
    yk_json_array_begin(&job->json);
}

static void open_type(struct yk_job *job, struct tenths *tenths)
{
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "type", yk_restype_name(tenths->types[tenths->type]));
    yk_json_key(&job->json, "utilization");
    yk_json_array_begin(&job->json);
    tenths->tenth = 0;
}

static void open_tenth(struct yk_job *job, struct tenths *tenths)
{
    static const char *const names[TENTHS] = {"0-10%",  "10-20%", "20-30%", "30-40%", "40-50%",
                                              "50-60%", "60-70%", "70-80%", "80-90%", "90-100%"};
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "bucketName", names[tenths->tenth]);
    tenths->in_tenth = 0;
    tenths->name = tenths->first;
}

/* The node that was noted; NULL: it is gone. */
static const struct yk_node *node_of(const struct yk_partition *partition, const struct noted *noted)
{
    const struct yk_node *node = partition != NULL && noted->index < partition->nodes.count
                                     ? partition->nodes.items[noted->index]
                                     : NULL;
    return node != NULL && hash_of(node) == noted->hash ? node : NULL;
}

static void put_name(struct yk_job *job, struct tenths *tenths, const struct yk_node *node)
{
    if (tenths->in_tenth++ == 0) {
        yk_json_key(&job->json, "nodeNames");
        yk_json_array_begin(&job->json);
    }
    yk_json_text(&job->json, node->id);
}

/* Nodes that are gone are left out, so the number of names follows them. False: the slice is over. */
static bool put_names(struct yk_job *job, struct tenths *tenths, int64_t until_mono_ns)
{
    const uint8_t *notes = tenths->of_type[tenths->types[tenths->type]];
    const struct yk_partition *partition = partition_at(job, tenths, tenths->partition);
    size_t written = 0;
    for (; tenths->name < tenths->end; tenths->name++) {
        if (notes[tenths->name] != tenths->tenth)
            continue;
        if (written == NAMES_PER_LOOK && yk_job_must_pause(job, until_mono_ns))
            return false;
        written = written == NAMES_PER_LOOK ? 0 : written + 1;
        const struct yk_node *node = node_of(partition, &tenths->nodes[tenths->name]);
        if (node != NULL)
            put_name(job, tenths, node);
    }
    if (tenths->in_tenth > 0)
        yk_json_array_end(&job->json);
    yk__put_uint_if(&job->json, "numOfNodes", tenths->in_tenth);
    yk_json_object_end(&job->json);
    return true;
}

static bool put_type(struct yk_job *job, struct tenths *tenths, int64_t until_mono_ns)
{
    if (tenths->tenth < 0)
        open_type(job, tenths);
    for (; tenths->tenth < TENTHS; tenths->tenth++) {
        if (tenths->name == SIZE_MAX)
            open_tenth(job, tenths);
        if (!put_names(job, tenths, until_mono_ns))
            return false;
        tenths->name = SIZE_MAX;
    }
    yk_json_array_end(&job->json);
    yk_json_object_end(&job->json);
    tenths->tenth = -1;
    return true;
}

static bool put_partition(struct yk_job *job, struct tenths *tenths, int64_t until_mono_ns)
{
    if (tenths->type < 0)
        open_partition(job, tenths);
    for (; tenths->type < tenths->type_count; tenths->type++) {
        if (!put_type(job, tenths, until_mono_ns))
            return false;
    }
    yk_json_array_end(&job->json);
    yk_json_object_end(&job->json);
    tenths->first = tenths->end;
    tenths->type = -1;
    return true;
}

static enum yk_step put_all(struct yk_job *job, int64_t until_mono_ns)
{
    struct tenths *tenths = job->own;
    for (; tenths->partition < tenths->partitions.count; tenths->partition++) {
        if (!put_partition(job, tenths, until_mono_ns))
            return YK_STEP_AGAIN;
    }
    return YK_STEP_DONE;
}

static const struct yk_list_kind kind = {.open = open_nodes, .item = note, .tail = put_all};

YK_LIST_WORK(yk__get_node_utilizations, kind)

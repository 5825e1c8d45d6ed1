/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of each node is in use per resource type, in tenths: docs/reference/rest.md, endpoint 25.
 *
 * First the tenth of each node and type is noted in a byte; then the lists of names are written from these
 * notes. Both are done in slices.
 */
#include "web/list.h"
#include "web/routes_priv.h"
#include "web/show_priv.h"

enum {
    TENTHS = 10,
    ABSENT = 0xff,
    NAMES_PER_LOOK = 32,
    NOTES_MAX = 4 << 20, /* bytes of all notes; a type is left out if its notes would need more */
};

struct tenths {
    /* char *, owned: full names when the answer began. The rank of an entry of job->names is an index in
     * it. */
    struct yk_vec partitions;
    /* Owned: the tenth of each name, or ABSENT; NULL: no node has the type, or its notes need too much
     * memory. */
    uint8_t *of_type[YK_RESTYPE_MAX];
    struct yk_resvec noted; /* the types of `of_type`; a type that a vector has keeps its name */
    size_t bytes;           /* size of all notes */
    /* Progress of the writing. */
    size_t partition, first, end; /* the present partition; its names are [first, end) */
    int types[YK_RESTYPE_MAX];    /* the types that its nodes have, by name */
    int type_count, type;
    int tenth;
    size_t name, in_tenth;
};

static void tenths_free(void *own)
{
    struct tenths *tenths = own;
    char *name;
    yk_vec_foreach (name, &tenths->partitions)
        free(name);
    yk_vec_done(&tenths->partitions);
    yk_resvec_foreach(t, &tenths->noted)
    {
        free(tenths->of_type[t]);
    }
    yk_resvec_done(&tenths->noted);
    free(tenths);
}

/* ---- notes ---- */

static enum yk_list_open open_nodes(struct yk_job *job, int64_t until_mono_ns)
{
    struct tenths *tenths = yk_new0(struct tenths);
    const struct yk_partition *partition;
    (void)until_mono_ns;
    yk_resvec_init(&tenths->noted);
    tenths->type = tenths->tenth = -1;
    tenths->name = SIZE_MAX;
    job->own = tenths;
    job->own_free = tenths_free;
    yk_vec_foreach (partition, &job->core->partitions) {
        for (size_t i = 0; i < partition->nodes.count; i++) {
            const struct yk_node *node = partition->nodes.items[i];
            if (node != NULL)
                yk_names_add(&job->names, yk_str_from(node->id), (int64_t)tenths->partitions.count, NULL);
        }
        yk_vec_append(&tenths->partitions, yk_strdup(partition->full_name));
    }
    return YK_LIST_READY;
}

/* The index of a tenth: 0 for up to 10 percent (also for 0), and 9 for more than 90 percent (also above
 * 100). */
static uint8_t tenth_of(int64_t percent)
{
    int64_t tenth = (percent + TENTHS - 1) / TENTHS - 1;
    return (uint8_t)YK_MIN(YK_MAX(tenth, INT64_C(0)), INT64_C(9));
}

static void note_type(const struct yk_job *job, struct tenths *tenths, int type, int64_t percent)
{
    if (tenths->of_type[type] == NULL) {
        if (tenths->bytes + job->names.count > NOTES_MAX)
            return;
        tenths->bytes += job->names.count;
        yk_resvec_put(&tenths->noted, type, 1);
        tenths->of_type[type] = yk_new0_array(uint8_t, job->names.count);
        memset(tenths->of_type[type], ABSENT, job->names.count);
    }
    tenths->of_type[type][job->at] = tenth_of(percent);
}

static enum yk_step note(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    struct tenths *tenths = job->own;
    const char *name = tenths->partitions.items[entry->rank];
    const struct yk_partition *partition = yk_core_find_partition(job->core, yk_str_from(name));
    const struct yk_node *node =
        partition != NULL ? yk_strmap_get(&partition->nodes_by_id, entry->text) : NULL;
    YK_RESVEC(allocated);
    YK_RESVEC(percent);
    (void)until_mono_ns;
    if (node == NULL)
        return YK_STEP_DONE;
    yk_node_allocated(node, &allocated);
    yk_resvec_percent(node->total, &allocated, &percent);
    yk_resvec_foreach(t, node->total)
    {
        note_type(job, tenths, t, yk_resvec_has(&percent, t) ? yk_resvec_get(&percent, t) : 0);
    }
    return YK_STEP_DONE;
}

/* ---- the answer ---- */

static bool is_of_partition(const struct yk_job *job, const struct tenths *tenths, size_t name)
{
    return name < job->names.count && job->names.items[name].rank == (int64_t)tenths->partition;
}

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
    const struct yk_partition *partition = yk_core_find_partition(job->core, yk_str_from(name));
    YK_RESVEC(seen);
    for (tenths->end = tenths->first; is_of_partition(job, tenths, tenths->end);)
        tenths->end++;
    yk_resvec_foreach(t, &tenths->noted)
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
    const uint8_t *notes = tenths->of_type[tenths->types[tenths->type]];
    size_t count = 0;
    for (size_t i = tenths->first; i < tenths->end; i++)
        count += notes[i] == tenths->tenth;
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "bucketName", names[tenths->tenth]);
    yk__put_uint_if(&job->json, "numOfNodes", count);
    tenths->in_tenth = count;
    tenths->name = tenths->first;
    if (count == 0)
        return;
    yk_json_key(&job->json, "nodeNames");
    yk_json_array_begin(&job->json);
}

/* False: the slice is over. */
static bool put_names(struct yk_job *job, struct tenths *tenths, int64_t until_mono_ns)
{
    const uint8_t *notes = tenths->of_type[tenths->types[tenths->type]];
    size_t written = 0;
    for (; tenths->name < tenths->end; tenths->name++) {
        if (notes[tenths->name] != tenths->tenth)
            continue;
        if (written == NAMES_PER_LOOK && yk_job_must_pause(job, until_mono_ns))
            return false;
        written = written == NAMES_PER_LOOK ? 0 : written + 1;
        yk_json_str(&job->json, job->names.items[tenths->name].text);
    }
    if (tenths->in_tenth > 0)
        yk_json_array_end(&job->json);
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

static const struct yk_list_kind kind = {
    .open = open_nodes, .item = note, .tail = put_all, .keeps_all = true};

YK_LIST_WORK(yk__get_node_utilizations, kind)

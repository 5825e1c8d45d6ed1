/* SPDX-License-Identifier: Apache-2.0 */
#include "app/pod_resources.h"

#include "metrics/metric_text.h"

static const char *unit_of(struct yk_str resource)
{
    if (yk_str_is(resource, "cpu"))
        return "cores";
    bool is_bytes = yk_str_is(resource, "memory") || yk_str_is(resource, "storage") ||
                    yk_str_is(resource, "ephemeral-storage") || yk_str_starts(resource, "hugepages-");
    return is_bytes ? "bytes" : yk_str_starts(resource, "attachable-volumes-") ? "integer" : "";
}

/* The labels of the series of a pod: those before the label of the resource, and the scheduler, which comes
 * after it. */
struct pod_labels {
    struct yk_buf before;
    const char *scheduler;
};

static void put_amount(struct yk_metric_lines *lines, const struct pod_labels *pod, const char *resource,
                       int64_t amount)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf labels = {0}, scheduler = {0};
    bool is_cpu = strcmp(resource, "cpu") == 0;
    yk_metric_escape(&scheduler, yk_str_from(pod->scheduler));
    yk_buf_str(&labels, yk_buf_view(&pod->before));
    yk_metric_label(&labels, "resource", yk_str_from(resource));
    yk_buf_printf(&labels, ",scheduler=\"%s\",unit=\"%s\"", yk_buf_cstr(&scheduler),
                  unit_of(yk_str_from(resource)));
    if (is_cpu)
        yk_metric_put_double(lines, yk_buf_cstr(&labels), (double)amount / 1000);
    else
        yk_metric_put(lines, yk_buf_cstr(&labels), (uint64_t)amount);
}

static void put_pod(struct yk_metric_lines *lines, const struct yk_cache_pod *pod, const struct yk_size *size)
{
    struct pod_labels labels = {.scheduler = pod->scheduler.id != 0 ? yk_name_text(pod->scheduler)
                                                                    : YK_SCHEDULER_NAME};
    const char *node = pod->node != NULL ? yk_name_text(pod->node->name) : "";
    yk_metric_label(&labels.before, "namespace", yk_cache_pod_namespace(pod));
    yk_buf_char(&labels.before, ',');
    yk_metric_label(&labels.before, "node", yk_str_from(node));
    yk_buf_char(&labels.before, ',');
    yk_metric_label(&labels.before, "pod", yk_cache_pod_name(pod));
    yk_buf_printf(&labels.before, ",priority=\"%d\",", pod->priority);
    yk_resvec_foreach(type, &size->amounts)
    {
        int64_t amount = yk_resvec_get(&size->amounts, type);
        if (amount > 0 && type != YK_RESTYPE_PODS && !yk_restype_is_asked(type))
            put_amount(lines, &labels, yk_restype_to_kubernetes(type), amount);
    }
    for (uint32_t i = 0; i < size->extra_count; i++) {
        if (size->extra[i].amount > 0)
            put_amount(lines, &labels, size->extra[i].name, size->extra[i].amount);
    }
    yk_buf_done(&labels.before);
}

struct piece {
    struct yk_metric_lines lines;
    bool of_limits;
};

static void visit(void *context, void *item)
{
    struct piece *piece = context;
    const struct yk_cache_pod *pod = item;
    const struct yk_size *size = piece->of_limits ? pod->limits : pod->size;
    if (size != NULL)
        put_pod(&piece->lines, pod, size);
}

bool yk_pod_resources_put(const struct yk_apps *apps, struct yk_si_dump *at, struct yk_buf *out)
{
    struct piece piece = {.of_limits = at->part == YK_SI_POD_LIMITS};
    piece.lines = yk_metric_begin(
        piece.of_limits ? &yk_metric_pod_resource_limit : &yk_metric_pod_resource_request, out);
    piece.lines.has_head = at->is_open;
    bool more = yk_cache_visit_pods(apps->cache, &at->at, &at->seen, visit, &piece);
    at->is_open = piece.lines.has_head;
    return more;
}

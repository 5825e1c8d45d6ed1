/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/reload.h"

struct yk_reload *yk_reload_new(const struct yk_si_register *request, struct yk_config *active,
                                const struct yk_directory *directory)
{
    struct yk_str text = request->config;
    struct yk_reload *reload = yk_new0(struct yk_reload);
    reload->rm_id = yk_strdup(request->rm_id);
    reload->keeps_default = request->keeps_default;
    reload->refusal = yk_strdup_or_null(request->refusal);
    reload->entry.source = yk_strdup_or_null(request->source);
    /* One more than allowed, so that a longer text is refused. */
    reload->text.max = YK_CONFIG_BYTES_MAX + 1;
    yk_buf_add(&reload->text, text.p, YK_MIN(text.len, reload->text.max));
    yk_tags_init(&reload->extra, request->extra_config, request->extra_count);
    reload->active = yk_config_hold(active);
    reload->directory = directory;
    return reload;
}

static void forget(struct yk_reload *reload)
{
    for (uint32_t i = 0; i < reload->activation_count; i++)
        yk_activation_free(reload->activations[i]);
    free(reload->activations);
    reload->activations = NULL;
    reload->activation_count = 0;
    yk_config_free(yk_move(reload->config));
    yk_config_free(yk_move(reload->active));
    reload->is_prepared = reload->is_same = false;
}

void yk_reload_restart(struct yk_reload *reload, struct yk_config *active)
{
    forget(reload);
    reload->active = yk_config_hold(active);
}

void yk_reload_free(struct yk_reload *reload)
{
    if (reload == NULL)
        return;
    forget(reload);
    yk_buf_done(&reload->text);
    yk_tags_done(&reload->extra);
    yk_config_entry_done(&reload->entry);
    free(reload->refusal);
    free(reload->rm_id);
    free(reload);
}

static const struct yk_config_partition *partition_named(const struct yk_config *config, struct yk_str name)
{
    for (uint32_t i = 0; config != NULL && i < config->partition_count; i++) {
        if (yk_str_eq(config->partitions[i].name, name))
            return &config->partitions[i];
    }
    return NULL;
}

static enum yk_status prepare_partitions(struct yk_reload *reload)
{
    struct yk_config *config = reload->config;
    reload->activations = yk_calloc(config->partition_count, sizeof(struct yk_activation *));
    reload->activation_count = config->partition_count;
    for (uint32_t i = 0; i < config->partition_count; i++) {
        struct yk_config_partition *wanted = &config->partitions[i];
        enum yk_status st = yk_activation_prepare(partition_named(reload->active, wanted->name), wanted,
                                                  reload->directory, &reload->activations[i], &reload->err);
        if (st != YK_OK)
            return st;
    }
    return YK_OK;
}

static bool is_active(const struct yk_reload *reload, const char *checksum)
{
    return reload->active != NULL && strcmp(reload->active->checksum, checksum) == 0;
}

/* Refuses to remove the default partition if the resource manager wants to keep it. The removal would end
 * everything that runs on the nodes of the partition, so it is probably a mistake. */
static enum yk_status check_default(struct yk_reload *reload)
{
    const struct yk_str name = YK_STR(YK_SI_DEFAULT_PARTITION);
    if (!reload->keeps_default || partition_named(reload->active, name) == NULL ||
        partition_named(reload->config, name) != NULL)
        return YK_OK;
    return yk_fail(&reload->err, YK_ERR_INVALID,
                   "no partition is called 'default', the one that Kubernetes nodes and pods go to, and it "
                   "cannot be removed");
}

static enum yk_status prepare(struct yk_reload *reload)
{
    yk_config_checksum(yk_buf_view(&reload->text), reload->entry.checksum);
    if (reload->refusal != NULL) {
        yk_config_entry_set_text(&reload->entry, yk_buf_view(&reload->text));
        return yk_fail(&reload->err, YK_ERR_INVALID, "%s", reload->refusal);
    }
    if (is_active(reload, reload->entry.checksum)) {
        reload->is_same = true;
        return YK_OK;
    }
    yk_config_entry_set_text(&reload->entry, yk_buf_view(&reload->text));
    enum yk_status st = yk_config_load(yk_buf_view(&reload->text), &reload->config, &reload->err);
    if (st != YK_OK)
        return st;
    /* A blank text stands for the built-in configuration, which may be active already. */
    reload->is_same = is_active(reload, reload->config->checksum);
    if (reload->is_same)
        return YK_OK;
    if (reload->active != NULL)
        yk_config_entry_compare(&reload->entry, reload->active, reload->config);
    st = check_default(reload);
    if (st == YK_OK)
        st = yk_config_check_activation(reload->config, &reload->err);
    if (st == YK_OK)
        st = prepare_partitions(reload);
    yk_config_forget_places(reload->config); /* no error will need them from here on */
    return st;
}

void yk_reload_prepare(struct yk_reload *reload)
{
    reload->status = prepare(reload);
    reload->is_prepared = true;
}

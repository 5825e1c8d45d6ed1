/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/verdict.h"

#include "config/settings.h"
#include "placement/placement.h"

static void add_all(struct yk_config_errors *to, const struct yk_config_warning *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct yk_err err;
        (void)yk_fail_at(&err, YK_OK, from[i].place.line, from[i].place.column, YK_STR_FMT,
                         YK_STR_ARG(from[i].text)); /* only sets text and place */
        yk_config_errors_add(to, &err);
    }
}

/* Checks that placement rules can be compiled (V10). A rule that the loader has refused is left out: its
 * error would be repeated in other words. */
static void check_rules(struct yk_source *source)
{
    for (uint32_t i = 0; source->config != NULL && i < source->config->partition_count; i++) {
        const struct yk_config_partition *partition = &source->config->partitions[i];
        for (uint32_t r = 0; r < partition->rule_count; r++) {
            struct yk_err err = {0};
            if (partition->rules[r].refused || yk_placement_check_rule(&partition->rules[r], &err) == YK_OK)
                continue;
            (void)yk_fail_in(&err, YK_ERR_INVALID, "partition '" YK_STR_FMT "'",
                             YK_STR_ARG(partition->name)); /* only extends the text */
            yk_config_errors_add(&source->errors, &err);
        }
    }
}

static void check_queues(struct yk_source *source)
{
    yk_config_load_all(yk_buf_view(&source->effective.queues), &source->config, &source->errors);
    check_rules(source);
    if (source->config != NULL)
        add_all(&source->warnings, source->config->warnings, source->config->warning_count);
}

static void warn_missing_queues(struct yk_source *source)
{
    struct yk_err err;
    if (!source->effective.from_config_maps || source->effective.has_queues)
        return;
    (void)yk_fail(&err, YK_OK, "there is no entry '" YK_STR_FMT "': the built-in queues are used",
                  YK_STR_ARG(source->effective.file));
    yk_config_errors_add(&source->warnings, &err);
}

/* The loader accepts a blank text without a warning, because it also gets a blank text if there is no entry
 * (C3). */
static void warn_blank_queues(struct yk_source *source)
{
    struct yk_err err;
    bool is_there = !source->effective.from_config_maps || source->effective.has_queues;
    if (!is_there || yk_str_trim(yk_buf_view(&source->effective.queues)).len > 0)
        return;
    (void)yk_fail(&err, YK_OK,
                  "the text is empty: the built-in queues are used, and all active queues drain");
    yk_config_errors_add(&source->warnings, &err);
}

static void check_rest(struct yk_source *source)
{
    const struct yk_effective_config *effective = &source->effective;
    add_all(&source->errors, effective->errors.items, effective->errors.count);
    add_all(&source->warnings, effective->warnings.items, effective->warnings.count);
    yk_settings_check(effective->settings.items, effective->settings.count, &source->errors,
                      &source->warnings);
}

void yk_source_check(struct yk_source *source)
{
    check_queues(source);
    warn_missing_queues(source);
    warn_blank_queues(source);
    check_rest(source);
}

void yk_source_check_content(struct yk_source *source)
{
    check_queues(source);
    check_rest(source);
}

void yk_source_done(struct yk_source *source)
{
    yk_effective_config_done(&source->effective);
    yk_config_free(source->config);
    yk_config_errors_done(&source->errors);
    yk_config_errors_done(&source->warnings);
}

void yk_verdict_done(struct yk_config_verdict *verdict)
{
    yk_source_done(&verdict->source);
    yk_buf_done(&verdict->changes);
}

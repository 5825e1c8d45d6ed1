/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as queues.yaml: refused with a sentence, or accepted and then the rendered form is accepted as
 * well. Without its comments the text has as many lines, and means the same. */
#include "base/log.h"
#include "base/yaml_comments.h"
#include "config/config.h"
#include "config/property_set.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_settings(const struct yk_config_queue *queue, struct yk_property_set *inherited)
{
    struct yk_arena arena = {0};
    struct yk_queue_settings settings;
    struct yk_property_set *effective = yk_property_set_new(inherited, &queue->properties);
    yk_queue_settings_from(effective, "root", &settings);
    if (yk_property_set_list(effective, &arena).count < queue->properties.count)
        abort(); /* own ones count */
    for (uint32_t i = 0; i < queue->queue_count; i++)
        use_settings(&queue->queues[i], effective);
    yk_property_set_put(effective);
    yk_arena_done(&arena);
}

static void check_rendered(const struct yk_config *config)
{
    struct yk_buf yaml = {0}, json = {0};
    struct yk_config *copy = NULL;
    struct yk_err err = {0};
    yk_config_render_json(config, NULL, &json);
    yk_config_render_yaml(config, NULL, &yaml);
    /* What follows the configuration as read; inside it a line never begins so. */
    static const char behind[] = "\ndeadlockdetectionenabled:";
    const char *end = memmem(yaml.p, yaml.len, behind, sizeof(behind) - 1);
    struct yk_str text = {yaml.p, end != NULL ? (size_t)(end - yaml.p) : yaml.len};
    if (!yaml.failed && yk_config_check(text, &copy, &err) != YK_OK && text.len < 1 << 20) {
        (void)fprintf(stderr, "not accepted again: %s\n%s\n", err.text, yk_buf_cstr(&yaml));
        abort();
    }
    yk_config_free(copy);
    yk_buf_done(&yaml);
    yk_buf_done(&json);
}

static size_t lines_of(struct yk_str text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text.len; i++)
        lines += text.p[i] == '\n';
    return lines;
}

/* `config`: what the text says; NULL: it is refused. */
static void check_without_comments(struct yk_str text, const struct yk_config *config)
{
    struct yk_buf kept = {.max = text.len + 1}, changes = {0};
    struct yk_config *copy = NULL;
    struct yk_err err = {0};
    yk_yaml_strip_comments(text, &kept);
    if (kept.failed || kept.len > text.len || lines_of(yk_buf_view(&kept)) != lines_of(text))
        abort();
    /* UTF-16 is read, but not looked at for comments; a zero byte is in each of its line ends. */
    if (config != NULL && memchr(text.p, '\0', text.len) == NULL &&
        (yk_config_check(yk_buf_view(&kept), &copy, &err) != YK_OK ||
         yk_config_diff(config, copy, &changes) != 0)) {
        (void)fprintf(stderr, "not the same: %s\n%s\n%s\n", err.text, yk_buf_cstr(&changes),
                      yk_buf_cstr(&kept));
        abort();
    }
    yk_config_free(copy);
    yk_buf_done(&kept);
    yk_buf_done(&changes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_config *config = NULL;
    struct yk_err err = {0};
    yk_log_set_stream(NULL);
    enum yk_status st = yk_config_check((struct yk_str){(const char *)data, size}, &config, &err);
    if ((st == YK_OK) != (config != NULL) || (st != YK_OK && err.text[0] == '\0'))
        abort();
    if (size > 0)
        check_without_comments((struct yk_str){(const char *)data, size}, config);
    if (st == YK_OK) {
        check_rendered(config);
        if (yk_config_check_activation(config, &err) != YK_OK && err.text[0] == '\0')
            abort();
        for (uint32_t i = 0; i < config->partition_count; i++)
            use_settings(&config->partitions[i].root, NULL);
    }
    yk_config_free(config);
    return 0;
}

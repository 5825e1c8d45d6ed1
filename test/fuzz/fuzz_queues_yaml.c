/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as queues.yaml: refused with a sentence, or accepted and then the rendered form is accepted as
 * well. */
#include "base/log.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_config *config = NULL;
    struct yk_err err = {0};
    yk_log_set_stream(NULL);
    enum yk_status st = yk_config_check((struct yk_str){(const char *)data, size}, &config, &err);
    if ((st == YK_OK) != (config != NULL) || (st != YK_OK && err.text[0] == '\0'))
        abort();
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

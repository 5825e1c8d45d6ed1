/* SPDX-License-Identifier: Apache-2.0 */
/* Lines "key=value" as the entries of a ConfigMap. */
#include "base/log.h"
#include "config/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PAIRS_MAX = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_pair pairs[PAIRS_MAX];
    size_t count = 0;
    struct yk_str rest = {(const char *)data, size}, line;
    yk_log_set_stream(NULL);
    while (count < PAIRS_MAX && yk_str_split(&rest, '\n', &line)) {
        struct yk_str value = line, key;
        if (!yk_str_split(&value, '=', &key))
            continue;
        pairs[count++] = (struct yk_pair){key, value};
    }
    struct yk_settings *settings = NULL;
    struct yk_err err = {0};
    enum yk_status st = yk_settings_parse(pairs, count, &settings, &err);
    if ((st == YK_OK) != (settings != NULL) || (st != YK_OK && err.text[0] == '\0'))
        abort();
    if (st == YK_OK &&
        (settings->web_port < 0 || settings->web_port > UINT16_MAX || settings->event_ring_capacity <= 0 ||
         settings->event_ring_capacity > YK_SETTINGS_EVENTS_MAX))
        abort();
    yk_settings_apply_log_levels(pairs, count);
    yk_settings_free(settings);
    return 0;
}

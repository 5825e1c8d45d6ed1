/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of the configuration tests: load a text, and say which text it was when the answer is not the
 * expected one. */
#ifndef TEST_CONFIG_CONFIGS_H
#define TEST_CONFIG_CONFIGS_H

#include "config/config.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct config_case {
    const char *what;
    const char *text;
    const char *refusal; /* part of the sentence, or NULL: accepted */
};

/* A partition with one root that holds `queues` (lines indented by 6). */
#define BELOW_ROOT(queues) "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n" queues
#define ROOT(keys)         "partitions:\n- name: default\n  queues:\n  - name: root\n" keys
#define PARTITION(keys)    "partitions:\n- name: default\n" keys

static inline struct yk_config *config_of(const char *text)
{
    struct yk_config *config = NULL;
    struct yk_err err = {0};
    if (yk_config_load(yk_str_from(text), &config, &err) != YK_OK)
        fail_msg("refused: %s\n%s", err.text, text);
    return config;
}

static inline void check_config_cases(const struct config_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct yk_config *config = NULL;
        struct yk_err err = {0};
        enum yk_status st = yk_config_load(yk_str_from(cases[i].text), &config, &err);
        if (cases[i].refusal == NULL && st != YK_OK)
            fail_msg("%s: refused: %s", cases[i].what, err.text);
        if (cases[i].refusal != NULL && st == YK_OK)
            fail_msg("%s: accepted", cases[i].what);
        if (cases[i].refusal != NULL && strstr(err.text, cases[i].refusal) == NULL)
            fail_msg("%s: wanted '%s', got '%s'", cases[i].what, cases[i].refusal, err.text);
        if (st != YK_OK && config != NULL)
            fail_msg("%s: refused, but something was returned", cases[i].what);
        yk_config_free(config);
    }
}

static inline bool has_warning(const struct yk_config *config, const char *part)
{
    for (uint32_t i = 0; i < config->warning_count; i++) {
        if (strstr(config->warnings[i].text.p, part) != NULL)
            return true;
    }
    return false;
}

/* Few of the texts of these tests say who may submit. */
static inline uint32_t other_warnings(const struct yk_config *config)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < config->warning_count; i++)
        count += strstr(config->warnings[i].text.p, "no user may submit") == NULL;
    return count;
}

#endif

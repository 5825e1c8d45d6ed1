/* SPDX-License-Identifier: Apache-2.0 */
#include "api/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void check_table(const char *what, const struct yk_fields *table, int depth)
{
    bool has_lists = false;
    uint32_t last = 0;
    if (depth > 8)
        fail_msg("%s: tables refer to themselves", what);
    assert_true(table->count <= YK_FIELDS_MAX);
    for (uint32_t i = 0; i < table->count; i++) {
        const struct yk_field *field = &table->items[i];
        if (field->number <= last)
            fail_msg("%s: field %u is not in ascending order", what, field->number);
        last = field->number;
        has_lists = has_lists || yk_field_is_list(field);
        bool is_message = field->type == YK_FIELD_NESTED || field->type == YK_FIELD_ITEMS;
        if (is_message != (field->nested != NULL) ||
            (field->type == YK_FIELD_ITEMS) != (field->item_bytes != 0))
            fail_msg("%s: field %u: table or item size missing or in excess", what, field->number);
        if (is_message)
            check_table(field->json != NULL ? field->json : what, field->nested, depth + 1);
    }
    if (has_lists != table->has_lists)
        fail_msg("%s: has_lists is %d", what, table->has_lists);
}

static void tables_hold_together(void **state)
{
    (void)state;
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        const struct yk_kind_info *info = yk_kind_info((enum yk_kind)kind);
        assert_true(info->bytes >= sizeof(struct yk_object));
        check_table(info->word, info->fields, 0);
    }
}

static void annotations_are_chosen(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        bool read;
    } cases[] = {
        {"yunikorn.apache.org/app-id", true},
        {"internal.yunikorn.apache.org/placeholder", true},
        {"k8s.io/initial-events-end", true},
        {"kubectl.kubernetes.io/last-applied-configuration", false},
        {"yunikorn.apache.org", false},
        {"", false},
        {"volume.kubernetes.io/selected-node", true},
        {"pv.kubernetes.io/bind-completed", true},
        {"volume.kubernetes.io/storage-provisioner", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (yk_annotation_is_read(yk_str_from(cases[i].key)) != cases[i].read)
            fail_msg("'%s'", cases[i].key);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_hold_together),
        cmocka_unit_test(annotations_are_chosen),
    };
    return cmocka_run_group_tests_name("api/fields", tests, NULL, NULL);
}

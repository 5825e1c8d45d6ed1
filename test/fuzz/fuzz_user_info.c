/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the annotation user.info: refused with a sentence, or a user and groups that end. */
#include "api/user_info.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_user_info info = {0};
    struct yk_err err = {0};
    enum yk_status st = yk_user_info_parse((struct yk_str){(const char *)data, size}, &info, &err);
    if (st != YK_OK && (err.text[0] == '\0' || info.user != NULL || info.groups != NULL))
        abort();
    if (info.group_count > YK_USER_INFO_GROUPS_MAX || (info.user != NULL && info.user[0] == '\0'))
        abort();
    size_t bytes = info.user != NULL ? strlen(info.user) : 0;
    for (size_t i = 0; i < info.group_count; i++)
        bytes += strlen(info.groups[i]);
    if (bytes > size) /* a text never grows by being read */
        abort();
    yk_user_info_done(&info);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a kubeconfig: refused with a message, or an access whose promises hold. */
#include "client/kubeconfig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    YK_CLEANUP(yk_access_freep) struct yk_access *access = NULL;
    struct yk_err err = {0};
    enum yk_status st =
        yk_kubeconfig_parse((struct yk_str){(const char *)data, size}, "/etc/kube", NULL, &access, &err);
    if (st != YK_OK) {
        if (access != NULL || err.text[0] == '\0')
            abort();
        return 0;
    }
    bool has_certificate = access->certificate.data != NULL || access->certificate.file != NULL;
    bool has_key = access->key.data != NULL || access->key.file != NULL;
    if (access->server == NULL || strncmp(access->server, "http", 4) != 0 || has_certificate != has_key ||
        (access->token_file != NULL && access->token_file[0] != '/'))
        abort();
    return 0;
}

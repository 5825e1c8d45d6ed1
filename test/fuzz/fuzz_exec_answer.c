/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a credential plug-in's answer: refused with a message, or a credential that is whole. */
#include "client/exec_credential.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_credential credential = {0};
    struct yk_err err = {0};
    enum yk_status st = yk_exec_answer_read((struct yk_str){(const char *)data, size},
                                            "client.authentication.k8s.io/v1", &credential, &err);
    bool has_pair = credential.certificate != NULL && credential.key != NULL;
    if (st != YK_OK && (credential.token != NULL || has_pair || err.text[0] == '\0'))
        abort();
    if (st == YK_OK && ((credential.certificate == NULL) != (credential.key == NULL) ||
                        (credential.token == NULL && !has_pair)))
        abort();
    yk_credential_done(&credential);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The certificate authorities in the Secret `admission-controller-secrets`: keys cacert1.pem, cakey1.pem,
 * cacert2.pem and cakey2.pem, as YuniKorn 1.9 writes them.
 *
 * Private keys are never logged. They are overwritten in memory before they are freed, except for copies that
 * jansson makes while it parses.
 *
 * Owns: nothing.
 * Thread: any.
 * Source: docs/reference/admission-server.md, "Certificates".
 */
#ifndef YK_ADMISSION_CA_SECRET_H
#define YK_ADMISSION_CA_SECRET_H

#include "http/certificates.h"

#define YK_CA_SECRET "admission-controller-secrets"

enum { YK_CA_SECRET_MAX = 2 << 20 }; /* bytes of the Secret in JSON */

/*
 * Reads the authorities from the Secret `current` (JSON as the API server sent it) and replaces those that
 * have to be replaced at `now_wall_ns` (certificates.h).
 *
 * `*ret_pair`: initialised before; its content is freed and replaced by the authorities to use. The caller
 * ends it with yk_ca_pair_done(). `*ret_differs`: whether an authority was replaced. If so, the Secret to
 * write is appended to `ret_body`, with the resourceVersion and all other fields of `current`, and `why`
 * says which authorities are new. The caller then writes the Secret before it uses `*ret_pair`; if the API
 * server answers with a conflict, it reads the Secret and calls this function again. `ret_body` has private
 * keys: the caller overwrites its bytes before it frees them, also after an error.
 * Errors: YK_ERR_INVALID, `current` is not a Secret; YK_ERR_LIMIT, `current` is larger than YK_CA_SECRET_MAX,
 * or the new Secret is larger than `ret_body->max`; YK_ERR_UNAVAILABLE, OpenSSL cannot make a key.
 */
YK_NODISCARD enum yk_status yk_ca_secret_plan(struct yk_str current, int64_t now_wall_ns,
                                              struct yk_ca_pair *ret_pair, bool *ret_differs,
                                              struct yk_buf *ret_body, struct yk_err *why,
                                              struct yk_err *err);

#endif

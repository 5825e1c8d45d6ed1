/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connects the REST server with the API server: reviews of tokens and access, and writing of configurations.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_ADMINISTRATION_H
#define YK_CMD_ADMINISTRATION_H

#include "cmd/engine.h"
#include "web/auth_backend.h"

/* The functions that the REST server calls to review its callers and to write configurations, over the API
 * server of `engine`, and to ask whether this scheduler leads. `engine` is borrowed as long as the REST
 * server exists. Until yk_engine_start(), reviews and writing fail with YK_ERR_UNAVAILABLE. When a request
 * has changed the core directly, such as a kill, the recording of `engine` ends (yk_engine_cut_record()). */
struct yk_auth_backend yk_administration(struct yk_engine *engine);

#endif

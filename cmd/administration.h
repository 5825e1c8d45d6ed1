/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where REST finds who its callers are and keeps configurations: with the engine's API server.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_ADMINISTRATION_H
#define YK_CMD_ADMINISTRATION_H

#include "cmd/engine.h"
#include "web/auth_backend.h"

/* The functions that answer requests of REST with the API server of `engine`, which is borrowed for as long
 * as the web server exists. Scheduling thread. */
struct yk_auth_backend yk_administration(struct yk_engine *engine);

#endif

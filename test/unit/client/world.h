/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client, a scripted API server and a virtual clock on one thread: the test turns both loops itself.
 */
#ifndef YK_TEST_CLIENT_WORLD_H
#define YK_TEST_CLIENT_WORLD_H

#include "base/actor.h"
#include "client/client.h"
#include "lib/mock_server.h"

struct world {
    struct yk_clock clock;
    struct yk_actor actor;
    struct yk_io *io;
    struct yk_fence fence; /* open until the test closes it */
    struct mock mock;
    struct yk_api_server *server;
    char folder[64];     /* for files of the test, removed at the end */
    struct yk_buf seen;  /* what the watch's sink got: "[ +a@1 -b@2 ]" */
    struct yk_buf asked; /* paths of lists and watches without their random time-out, one per line */
    /* How the last operation ended. */
    size_t ops_done, ops_failed;
    enum yk_op_result result;
    int http_status;
    char reason[256], answer[256]; /* cut */
    struct yk_object *object;      /* owned */
    bool without_devices;          /* /apis does not name resource.k8s.io/v1 */
    int version_status;            /* of the answer to /version; 0: 200 */
    int groups_status;             /* of the answer to /apis; 0: 200 */
    size_t groups_asked;           /* requests of /apis */
    mock_handler *handler;
    void *script; /* the handler's own */
};

enum world_flags {
    WORLD_TLS = 1u << 0,
    WORLD_TOKEN_FILE = 1u << 1,
    WORLD_WRONG_CA = 1u << 2,
    WORLD_SERVER_NAME = 1u << 3,
    WORLD_SMALL_INBOX = 1u << 4,
    WORLD_CLIENT_CERTIFICATE = 1u << 5, /* client.pem and client.key in the folder, named "first" */
    WORLD_PLUGIN = 1u << 6,             /* "plugin" in the folder says who we are; the test writes it */
};

/* How the client gets to the mock, which then is the proxy, too. Each may be NULL. */
struct world_way {
    const char *host; /* in the kubeconfig, with the scheme's own port; NULL: 127.0.0.1 and the mock's port */
    const char *variable; /* of the environment: the mock as proxy */
    const char *no_proxy; /* the variable NO_PROXY */
    bool proxy_url;       /* the mock as proxy in the kubeconfig */
    bool mock_port;       /* `host` with the mock's port */
};

/* The handler's context is the world. /version and /apis are answered by the world itself. */
void world_open(struct world *world, unsigned flags, mock_handler *handler, void *script);
void world_open_via(struct world *world, unsigned flags, const struct world_way *way, mock_handler *handler,
                    void *script);
void world_close(struct world *world);
/* Turns the loops until `*count >= wanted`; fails the test after 10 s of real time, saying `what`. */
void world_until(struct world *world, const size_t *count, size_t wanted, const char *what);
/* Turns the loops until the sink has got exactly `seen`. */
void world_until_seen(struct world *world, const char *seen);
/* Turns them a little, for things that must not happen. */
void world_settle(struct world *world);
void world_advance(struct world *world, int64_t ns);
/* Time passes in steps, without a server: what is on its way is not waited for as long as in world_advance(). */
void world_pass(struct world *world, int64_t ns, int64_t step_ns);
/* Moves the clock to the client's next timer again and again until the condition holds. */
void world_advance_until_seen(struct world *world, const char *seen);
void world_watch(struct world *world, enum yk_kind kind);
struct yk_op *world_op(struct world *world, enum yk_op_kind kind);
struct yk_op *world_op_named(struct world *world, enum yk_op_kind kind, const char *name);
void world_write(struct world *world, const char *file, const char *text);
void world_path(const struct world *world, const char *file, char path[128]);

#endif

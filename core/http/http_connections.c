/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which connections and request bodies the HTTP server keeps (docs/reference/rest.md 1.1). */
#include "base/clock.h"
#include "http/http_server_priv.h"

/* a connection whose request is not complete after this time is closed before an idle connection */
#define SLOW_NS YK_NS_PER_S

static bool is_from(const struct yk_http_peer *peer, const struct yk_http_peer *other)
{
    return other == NULL || memcmp(peer->network, other->network, sizeof(peer->network)) == 0;
}

/* Counts the connections from the address `from` (NULL: any) that have a slot for probes (`reserved`), or the
 * ordinary ones. */
static size_t count(const struct yk_http_server *server, bool reserved, const struct yk_http_peer *from)
{
    const struct yk_http_connection *connection;
    size_t found = 0;
    yk_list_foreach (connection, &server->connections, struct yk_http_connection, in_server)
        found += connection->is_reserved == reserved && is_from(&connection->peer, from);
    return found;
}

/* Whether a request has begun to arrive and its head or body is not complete. */
static bool is_unfinished(const struct yk_http_connection *connection)
{
    switch (connection->state) {
    case YK__HTTP_HEAD:
        return connection->scanned > 0;
    case YK__HTTP_BODY:
    case YK__HTTP_CHUNK_SIZE:
    case YK__HTTP_CHUNK_DATA:
    case YK__HTTP_CHUNK_END:
    case YK__HTTP_TRAILER:
        return true;
    case YK__HTTP_WORKING:
    case YK__HTTP_SENDING:
    case YK__HTTP_STREAMING:
    case YK__HTTP_LINGER:
        return false;
    }
    return false;
}

/*
 * The connection to close first, among those that are reserved (or not) and from the address `from`: the
 * slowest unfinished request if it is slow, otherwise the connection that has been idle longest, otherwise
 * the slowest unfinished request. NULL: all their requests are being answered.
 */
static struct yk_http_connection *find_least(struct yk_http_server *server, bool reserved,
                                             const struct yk_http_peer *from)
{
    struct yk_http_connection *connection, *slowest = NULL, *idle = NULL;
    yk_list_foreach (connection, &server->connections, struct yk_http_connection, in_server) {
        if (connection->is_reserved != reserved || !is_from(&connection->peer, from))
            continue;
        if (idle == NULL && yk__http_is_idle(connection))
            idle = connection;
        if (is_unfinished(connection) &&
            (slowest == NULL || connection->began_mono_ns < slowest->began_mono_ns))
            slowest = connection;
    }
    bool is_slow = slowest != NULL && yk_clock_mono_ns(&yk_clock_real) - slowest->began_mono_ns >= SLOW_NS;
    return idle == NULL || is_slow ? slowest : idle;
}

static bool close_least(struct yk_http_server *server, bool reserved, const struct yk_http_peer *from)
{
    struct yk_http_connection *least = find_least(server, reserved, from);
    if (least != NULL)
        yk__http_close(least);
    return least != NULL;
}

bool yk__http_close_one(struct yk_http_server *server)
{
    return close_least(server, false, NULL);
}

static bool make_capacity(struct yk_http_server *server, bool reserved, const struct yk_http_peer *peer,
                          size_t max_of_address, size_t max)
{
    if (count(server, reserved, peer) >= max_of_address)
        return close_least(server, reserved, peer);
    return (reserved ? server->reserved : server->count) < max || close_least(server, reserved, NULL);
}

enum yk__http_slot yk__http_make_slot(struct yk_http_server *server, const struct yk_http_peer *peer)
{
    if (make_capacity(server, false, peer, server->options.connections_of_address_max,
                      server->options.connections_max))
        return YK__HTTP_SLOT_ANY;
    if (make_capacity(server, true, peer, YK_HTTP_PROBE_CONNECTIONS_OF_ADDRESS_MAX,
                      YK_HTTP_PROBE_CONNECTIONS_MAX))
        return YK__HTTP_SLOT_PROBE;
    return YK__HTTP_SLOT_NONE;
}

bool yk__http_charge(struct yk_http_exchange *exchange, size_t bytes)
{
    struct yk_http_server *server = exchange->server;
    const struct yk_http_exchange *other;
    size_t of_address = bytes;
    yk_list_foreach (other, &server->exchanges, struct yk_http_exchange, in_server)
        of_address += is_from(&other->peer, &exchange->peer) ? other->charged : 0;
    bool is_small = exchange->charged + bytes <= YK_HTTP_BODY_SMALL;
    bool fits = of_address <= server->options.bodies_of_address_max &&
                server->body_bytes + bytes <= YK_HTTP_BODIES_MAX;
    if (!is_small && !fits)
        return false;
    exchange->charged += bytes;
    server->body_bytes += bytes;
    return true;
}

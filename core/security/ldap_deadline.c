/* SPDX-License-Identifier: Apache-2.0 */
#include "security/ldap_deadline.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>

/* The place of the layer: above the socket, below TLS. */
enum { LEVEL = (LBER_SBIOD_LEVEL_PROVIDER + LBER_SBIOD_LEVEL_TRANSPORT) / 2 };
/* The library allocates memory for any length that a message announces, up to this. */
enum { MESSAGE_BYTES_MAX = 4 << 20 };

static int setup(Sockbuf_IO_Desc *layer, void *deadline)
{
    layer->sbiod_pvt = deadline;
    return 0;
}

static int nothing(Sockbuf_IO_Desc *layer)
{
    (void)layer;
    return 0;
}

static int control(Sockbuf_IO_Desc *layer, int option, void *argument)
{
    return LBER_SBIOD_CTRL_NEXT(layer, option, argument);
}

/* Waits until the socket is ready for `events`. False, and errno is set: the deadline came first, or poll()
 * failed. */
static bool wait_until_ready(const Sockbuf_IO_Desc *layer, short events)
{
    const struct yk_ldap_deadline *deadline = layer->sbiod_pvt;
    struct pollfd socket = {.fd = -1, .events = events};
    if (ber_sockbuf_ctrl(layer->sbiod_sb, LBER_SB_OPT_GET_FD, &socket.fd) < 0)
        return false;
    for (;;) {
        int64_t left_ns = yk_i64_sub(deadline->mono_ns, yk_clock_mono_ns(&yk_clock_real));
        if (left_ns <= 0)
            break;
        int ready = poll(&socket, 1, (int)YK_MIN(left_ns / YK_NS_PER_MS + 1, 60000));
        if (ready > 0)
            return true; /* ready, or broken: then the next read or write returns the error */
        if (ready < 0 && errno != EINTR)
            return false;
    }
    errno = ETIMEDOUT;
    return false;
}

static ber_slen_t read_in_time(Sockbuf_IO_Desc *layer, void *bytes, ber_len_t len)
{
    struct yk_ldap_deadline *deadline = layer->sbiod_pvt;
    if (deadline->bytes_left == 0) {
        errno = EMSGSIZE;
        return -1;
    }
    if (!wait_until_ready(layer, POLLIN))
        return -1;
    ber_slen_t got = LBER_SBIOD_READ_NEXT(layer, bytes, YK_MIN(len, deadline->bytes_left));
    if (got > 0)
        deadline->bytes_left -= (ber_len_t)got;
    return got;
}

static ber_slen_t write_in_time(Sockbuf_IO_Desc *layer, void *bytes, ber_len_t len)
{
    return wait_until_ready(layer, POLLOUT) ? LBER_SBIOD_WRITE_NEXT(layer, bytes, len) : -1;
}

/* Never changed; not const, because the library takes a pointer to non-const. */
static Sockbuf_IO in_time = {setup, nothing, control, read_in_time, write_in_time, nothing};

/* Called by the library when the socket is connected and nothing was sent. */
static int add_layer(LDAP *ldap, Sockbuf *socket, LDAPURLDesc *server, struct sockaddr *address,
                     struct ldap_conncb *callback)
{
    (void)ldap, (void)server, (void)address;
    ber_len_t most = MESSAGE_BYTES_MAX;
    if (ber_sockbuf_ctrl(socket, LBER_SB_OPT_SET_MAX_INCOMING, &most) < 0 ||
        ber_sockbuf_add_io(socket, &in_time, LEVEL, callback->lc_arg) != 0)
        return LDAP_LOCAL_ERROR;
    return LDAP_SUCCESS;
}

static void leave(LDAP *ldap, Sockbuf *socket, struct ldap_conncb *callback)
{
    (void)ldap, (void)socket, (void)callback; /* the library removes its layers itself */
}

int yk_ldap_deadline_install(struct yk_ldap_deadline *deadline, LDAP *ldap)
{
    deadline->callback = (struct ldap_conncb){.lc_add = add_layer, .lc_del = leave, .lc_arg = deadline};
    return ldap_set_option(ldap, LDAP_OPT_CONNECT_CB, &deadline->callback);
}

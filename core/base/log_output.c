/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log_output.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char rest[YK_LOG_LINE_MAX]; /* under lock: what `rest_fd` has not taken yet of the last line */
static size_t rest_len;
static int rest_fd = -1;

/* A pipe that can be written to takes PIPE_BUF bytes without waiting (POSIX, write()). */
static size_t write_now(int fd, const char *bytes, size_t len, bool waits)
{
    size_t written = 0;
    while (written < len) {
        struct pollfd output = {.fd = fd, .events = POLLOUT};
        if (poll(&output, 1, waits ? -1 : 0) != 1 || (output.revents & POLLOUT) == 0)
            break;
        ssize_t now = write(fd, bytes + written, YK_MIN(len - written, (size_t)PIPE_BUF));
        if (now <= 0)
            break;
        written += (size_t)now;
    }
    return written;
}

static bool write_rest(int fd, bool waits)
{
    if (fd != rest_fd)
        rest_len = 0; /* the output has changed: the rest of a line for the former one is dropped */
    size_t written = write_now(fd, rest, rest_len, waits);
    memmove(rest, rest + written, rest_len - written);
    rest_len -= written;
    return rest_len == 0;
}

bool yk_log_output(int fd, struct yk_str line, bool waits)
{
    pthread_mutex_lock(&lock);
    bool is_free = line.len <= sizeof(rest) && write_rest(fd, waits);
    size_t written = is_free ? write_now(fd, line.p, line.len, waits) : 0;
    if (written > 0) {
        rest_len = line.len - written;
        memcpy(rest, line.p + written, rest_len);
        rest_fd = fd;
    }
    pthread_mutex_unlock(&lock);
    return written > 0;
}

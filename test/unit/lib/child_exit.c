/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/child_exit.h"

#include <sys/wait.h>
#include <unistd.h>

#include "lib/cmocka_headers.h"

int child_exit_code(void (*run)(const void *context), const void *context, char message[CHILD_MESSAGE_MAX])
{
    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO); /* without it, the message is empty and the test fails */
        run(context);
        _exit(0);
    }
    close(ends[1]);
    size_t len = 0;
    for (ssize_t more; (more = read(ends[0], message + len, CHILD_MESSAGE_MAX - 1 - len)) > 0;)
        len += (size_t)more;
    message[len] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/hash_names.h"

#include "base/log.h"
#include "cmd/replay.h"
#include "record/hash_names.h"
#include "record/record_file.h"

#include <sys/stat.h>
#include <unistd.h>

/* The copy is read again to be checked, and creating it removes a file that is there. */
static enum yk_status check_target(const char *from, const char *to, struct yk_err *err)
{
    struct stat source, target;
    if (lstat(to, &target) != 0)
        return YK_OK;
    if (!S_ISREG(target.st_mode))
        return yk_fail(err, YK_ERR_INVALID, "%s: is not a regular file", to);
    if (stat(from, &source) == 0 && source.st_dev == target.st_dev && source.st_ino == target.st_ino)
        return yk_fail(err, YK_ERR_INVALID, "%s: is the recording itself", to);
    return YK_OK;
}

static enum yk_status copy(const char *from, const char *to, struct yk_replay_result *result,
                           struct yk_err *err)
{
    YK_CLEANUP(yk_record_reader_close) struct yk_record_reader first = {0}, second = {0};
    struct yk_record_writer writer = {0};
    enum yk_status st = yk_record_reader_open(&first, from, err);
    if (st == YK_OK)
        st = yk_record_reader_open(&second, from, err);
    if (st == YK_OK)
        st = yk_record_writer_open(&writer, to, err);
    if (st != YK_OK)
        return st;
    const struct yk_record_source sources[] = {{&first, yk_record_reader_next},
                                               {&second, yk_record_reader_next}};
    st = yk_hash_names(&sources[0], &sources[1], yk_record_writer_put, &writer, result, err);
    bool is_written = yk_record_writer_close(&writer);
    if (st == YK_OK && !is_written)
        st = yk_fail(err, YK_ERR_IO, "%s: cannot be written", to);
    if (st != YK_OK)
        (void)unlink(to); /* an incomplete recording is of no use */
    return st;
}

/* Describes the first of three possible differences: in the replay of the recording itself, in its replay
 * with hashed names, or in the replay of the copy. */
static void explain(const struct yk_replay_result *original, const struct yk_replay_result *hashed,
                    const struct yk_replay_result *again, struct yk_buf *why)
{
    if (yk_replay_differs(original))
        yk_buf_printf(why,
                      "This build makes other decisions than the recorded scheduler, even with the original "
                      "names: %s. The file "
                      "without names was written, but cannot be replayed.",
                      original->difference.text);
    else if (yk_replay_differs(hashed))
        yk_buf_printf(why,
                      "Without the names, the scheduler makes other decisions: %s. A likely reason is a rule "
                      "about names, such as "
                      "a regular expression in the filter of a placement rule, or a name that became too "
                      "long. The file without "
                      "names was written, and can be replayed up to that decision.",
                      hashed->difference.text);
    else if (yk_replay_differs(again))
        yk_buf_printf(why, "The file without names does not replay: %s.", again->difference.text);
}

/* Discards the log: each of the replays would write the log of the recorded scheduler. */
static void be_quiet(void)
{
    FILE *nowhere = fopen("/dev/null", "we");
    if (nowhere != NULL)
        yk_log_set_stream(nowhere);
}

enum yk_status yk_hash_names_file(const char *from, const char *to, struct yk_buf *why, struct yk_err *err)
{
    struct yk_replay_result original, hashed, again = {0};
    enum yk_status st = check_target(from, to, err);
    if (st != YK_OK)
        return st;
    be_quiet();
    st = yk_replay_read(from, &original, err);
    if (st != YK_OK)
        return st;
    st = copy(from, to, &hashed, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "%s", from);
    if (!yk_replay_differs(&original) && !yk_replay_differs(&hashed))
        st = yk_replay_read(to, &again, err);
    if (st != YK_OK)
        return st;
    explain(&original, &hashed, &again, why);
    return YK_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a leaf is owed. Where no pod is killed, a share passes from one queue to another only when pods end,
 * and the last ones end after the longest run time. So use is fair if it is between the least and the most
 * that the leaf was entitled to within that time: what the leaf is owed is the value in this range that is
 * closest to its use.
 */
#include "cmd/steady_priv.h"

#include <math.h>

void yk__steady_note_owed(const struct yk_steady *steady, struct steady_leaf *leaf)
{
    int64_t now_ns = yk__steady_now(steady);
    size_t gone = 0;
    while (gone < leaf->owed_count && leaf->owed[gone].at_ns < now_ns - steady->longest_run_ns)
        gone++;
    leaf->owed_count -= gone;
    if (gone > 0)
        memmove(leaf->owed, &leaf->owed[gone], leaf->owed_count * sizeof(*leaf->owed));
    leaf->owed = yk_realloc_array(leaf->owed, leaf->owed_count + 1, sizeof(*leaf->owed));
    leaf->owed[leaf->owed_count++] = (struct steady_owed){now_ns, leaf->entitled};
}

double yk__steady_owed(const struct yk_steady *steady, const struct steady_leaf *leaf, double used)
{
    bool is_new = leaf->created_ns > yk__steady_now(steady) - steady->longest_run_ns;
    double least = is_new ? 0 : leaf->entitled, most = leaf->entitled;
    for (size_t i = 0; i < leaf->owed_count; i++) {
        least = fmin(least, leaf->owed[i].share);
        most = fmax(most, leaf->owed[i].share);
    }
    return fmin(fmax(used, least), most);
}

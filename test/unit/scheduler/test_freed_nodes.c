/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/world.h"
int main(void)
{
    return 0;
}

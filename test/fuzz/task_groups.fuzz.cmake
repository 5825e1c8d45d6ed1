# SPDX-License-Identifier: Apache-2.0
yk_fuzz(task_groups LINK base resources si api app)

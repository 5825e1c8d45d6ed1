# SPDX-License-Identifier: Apache-2.0
yk_module(core/objects
  SOURCES app.c app_history.c app_state.c ask.c gang.c limit_list.c node.c pending_count.c priority_count.c queue.c shape.c tags.c wait_branch.c
  LINK base resources si config security)

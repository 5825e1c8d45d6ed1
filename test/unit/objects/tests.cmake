# SPDX-License-Identifier: Apache-2.0
yk_test(objects/shape LINK base resources si config objects)
yk_test(objects/queue LINK base resources si config security objects)
yk_test(objects/queue_rules LINK objects)
yk_test(objects/app_history LINK objects)
yk_test(objects/app_state LINK objects)
yk_test(objects/node LINK objects)

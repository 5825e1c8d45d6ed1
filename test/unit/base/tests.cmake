# SPDX-License-Identifier: Apache-2.0
yk_test(base/containers LINK base)
yk_test(base/text_set LINK base)
yk_test(base/program_pages LINK base)
yk_test(base/text LINK base)
yk_test(base/time LINK base)
yk_test(base/log LINK base)
yk_test(base/mailbox LINK base)

# SPDX-License-Identifier: Apache-2.0
yk_test(events/ring LINK events)

# SPDX-License-Identifier: Apache-2.0
yk_test(security/acl LINK base config security)
yk_test(security/users LINK base config security)

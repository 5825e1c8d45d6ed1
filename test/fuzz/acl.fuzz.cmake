# SPDX-License-Identifier: Apache-2.0
yk_fuzz(acl LINK base config security)

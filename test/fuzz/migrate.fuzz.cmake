# SPDX-License-Identifier: Apache-2.0
yk_fuzz(migrate LINK base api config migrate)

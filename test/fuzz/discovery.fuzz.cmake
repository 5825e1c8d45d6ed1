# SPDX-License-Identifier: Apache-2.0
yk_fuzz(discovery LINK base api client)

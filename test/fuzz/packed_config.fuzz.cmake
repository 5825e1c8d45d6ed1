# SPDX-License-Identifier: Apache-2.0
yk_fuzz(packed_config LINK base api cache)

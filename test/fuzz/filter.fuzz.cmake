# SPDX-License-Identifier: Apache-2.0
yk_fuzz(filter LINK base placement)

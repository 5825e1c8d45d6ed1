# SPDX-License-Identifier: Apache-2.0
yk_fuzz(selectors LINK base api cache selectors simulate)

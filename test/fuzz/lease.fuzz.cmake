# SPDX-License-Identifier: Apache-2.0
yk_fuzz(lease LINK base leader)

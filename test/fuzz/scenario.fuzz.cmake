# SPDX-License-Identifier: Apache-2.0
yk_fuzz(scenario LINK simulate base)

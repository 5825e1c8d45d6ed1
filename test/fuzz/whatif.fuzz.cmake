# SPDX-License-Identifier: Apache-2.0
yk_fuzz(whatif LINK base api cache whatif LIBS PkgConfig::JANSSON)

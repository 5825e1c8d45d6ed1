# SPDX-License-Identifier: Apache-2.0
yk_fuzz(namespace LINK base api app LIBS PkgConfig::JANSSON)

# SPDX-License-Identifier: Apache-2.0
yk_fuzz(kubectl LINK cmd base LIBS PkgConfig::JANSSON)

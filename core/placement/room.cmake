# SPDX-License-Identifier: Apache-2.0
yk_room(core/placement SOURCES filter.c placement.c LINK base resources config objects LIBS PkgConfig::PCRE2)

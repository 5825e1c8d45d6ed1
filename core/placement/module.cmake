# SPDX-License-Identifier: Apache-2.0
# A placement rule is a file rule_NAME.c, and a row in rule_priv.h.
file(GLOB rule_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/core/placement ${CMAKE_SOURCE_DIR}/core/placement/rule_*.c)
set(placement_sources compile.c config_check.c evaluate.c filter.c kinds.c placement.c target.c view.c ${rule_sources})
yk_module(core/placement SOURCES ${placement_sources} LINK base resources config objects LIBS PkgConfig::PCRE2)

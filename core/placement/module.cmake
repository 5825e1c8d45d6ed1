# SPDX-License-Identifier: Apache-2.0
set(placement_sources compile.c config_check.c evaluate.c filter.c placement.c rule_kind.c secondary_group.c target.c view.c)
yk_module(core/placement SOURCES ${placement_sources} LINK base resources config objects LIBS PkgConfig::PCRE2)

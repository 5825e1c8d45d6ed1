# SPDX-License-Identifier: Apache-2.0
yk_module(core/limits SOURCES apply.c usage.c LINK base resources config security objects events)

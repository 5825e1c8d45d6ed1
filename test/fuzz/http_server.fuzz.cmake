# SPDX-License-Identifier: Apache-2.0
yk_fuzz(http_server SOURCES http_oracle.c LINK http base LIBS PkgConfig::EVENT)

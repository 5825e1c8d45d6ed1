# SPDX-License-Identifier: Apache-2.0
yk_fuzz(http_server SOURCES http_oracle.c LINK web base LIBS PkgConfig::EVENT)

# SPDX-License-Identifier: Apache-2.0
yk_test(migrate/cluster LINK migrate LIBS PkgConfig::JANSSON)
yk_test(migrate/values LINK migrate LIBS PkgConfig::JANSSON)
yk_test(migrate/finding LINK migrate)

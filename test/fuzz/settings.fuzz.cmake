# SPDX-License-Identifier: Apache-2.0
yk_fuzz(settings LINK base resources config)

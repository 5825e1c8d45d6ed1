# SPDX-License-Identifier: Apache-2.0
yk_test(resources/quantity LINK resources)
yk_test(resources/resvec LINK resources)
yk_test(resources/resvec_random LINK resources base)
yk_test(resources/restype LINK resources)
yk_test(resources/shared LINK resources base)
yk_test(resources/amount_text LINK resources)

# SPDX-License-Identifier: Apache-2.0
yk_test(record/record_file LINK record base)
yk_test(record/replay LINK cmd record simulate api base)
yk_test(record/pseudonyms LINK record config placement base)
yk_test(record/hash_names LINK cmd record simulate api base LIBS PkgConfig::JANSSON)
set_tests_properties(record/hash_names PROPERTIES TIMEOUT 900) # up to 100 simulations, four times each

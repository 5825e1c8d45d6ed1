# SPDX-License-Identifier: Apache-2.0
yk_fuzz(record LINK record bind app volumes predicates cache scheduler api resources base)

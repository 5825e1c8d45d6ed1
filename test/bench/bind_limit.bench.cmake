# SPDX-License-Identifier: Apache-2.0
yk_bench(bind_limit LINK base api client LIBS Threads::Threads)

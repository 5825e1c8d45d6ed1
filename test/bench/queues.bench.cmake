# SPDX-License-Identifier: Apache-2.0
yk_bench(queues LINK scheduler LIBS Threads::Threads)

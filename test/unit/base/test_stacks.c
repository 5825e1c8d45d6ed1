/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of all threads, also of those that block signals; samples; names of functions. */
#include "base/stacks.h"
#include "base/symbols.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include <cmocka.h>

static sem_t started, may_end;

/* Static functions have names, too. */
static __attribute__((noinline)) void wait_for_the_end(void)
{
    (void)sem_post(&started);
    while (sem_wait(&may_end) != 0)
        ;
    __asm__ volatile(""); /* no tail call */
}

static void *wait_here(void *context)
{
    (void)prctl(PR_SET_NAME, context);
    wait_for_the_end();
    return NULL;
}

static pthread_t start(const char *name, bool unblocked)
{
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    if (unblocked)
        yk_stacks_unblock(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    assert_int_equal(pthread_create(&thread, NULL, wait_here, (void *)(uintptr_t)name), 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    while (sem_wait(&started) != 0)
        ;
    return thread;
}

static const struct yk_stack *named(const struct yk_stack *stacks, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(stacks[i].name, name) == 0)
            return &stacks[i];
    }
    fail_msg("no thread %s", name);
    return NULL;
}

static bool is_in(const struct yk_symbols *symbols, const struct yk_stack *stack, const char *function)
{
    for (int i = 0; i < stack->depth; i++) {
        struct yk_symbol symbol = yk_symbols_find(symbols, stack->frames[i]);
        if (symbol.name != NULL && strcmp(symbol.name, function) == 0)
            return true;
    }
    return false;
}

static void stacks_of_all_threads(void **state)
{
    (void)state;
    YK_CLEANUP(yk_symbols_freep) struct yk_symbols *symbols = yk_symbols_new();
    struct yk_stack *stacks = yk_new0_array(struct yk_stack, YK_STACKS_MAX);
    assert_int_equal(sem_init(&started, 0, 0), 0);
    assert_int_equal(sem_init(&may_end, 0, 0), 0);
    pthread_t open = start("answers", true), deaf = start("blocks", false);
    for (int round = 0; round < 3; round++) {
        size_t count = yk_stacks_take(stacks);
        assert_true(count >= 3);
        assert_true(is_in(symbols, named(stacks, count, "answers"), "wait_for_the_end"));
        assert_int_equal(named(stacks, count, "blocks")->depth, 0);
    }
    (void)sem_post(&may_end);
    (void)sem_post(&may_end);
    assert_int_equal(pthread_join(open, NULL), 0);
    assert_int_equal(pthread_join(deaf, NULL), 0);
    free(stacks);
}

static __attribute__((noinline)) unsigned burn(unsigned seed)
{
    for (int i = 0; i < 1000000; i++)
        seed = seed * 1103515245u + 12345u;
    return seed;
}

static void samples_of_what_runs(void **state)
{
    (void)state;
    YK_CLEANUP(yk_symbols_freep) struct yk_symbols *symbols = yk_symbols_new();
    struct yk_err err = {0};
    struct yk_sample *samples;
    size_t dropped, found = 0;
    assert_int_equal(yk_samples_start(&err), YK_OK);
    assert_int_equal(yk_samples_start(&err), YK_ERR_EXISTS);
    volatile unsigned result = 1;
    struct timespec now;
    do { /* of processor time: half a second */
        result = burn(result);
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec == 0 && now.tv_nsec < 500000000);
    size_t count = yk_samples_stop(&samples, &dropped);
    assert_int_equal(dropped, 0);
#ifdef __SANITIZE_THREAD__ /* it puts signals off until a call */
    free(samples);
    skip();
#endif
    assert_true(count >= 5);
    for (size_t i = 0; i < count; i++) {
        struct yk_symbol symbol = yk_symbols_find(symbols, samples[i].frames[0]);
        found += samples[i].depth > 0 && symbol.name != NULL && strcmp(symbol.name, "burn") == 0;
    }
    free(samples);
    assert_true(found * 2 > count);
    assert_int_equal(yk_samples_stop(&samples, &dropped), 0);
    assert_null(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_of_what_runs),
        cmocka_unit_test(stacks_of_all_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

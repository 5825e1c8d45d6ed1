/* SPDX-License-Identifier: Apache-2.0 */
/* The ldap resolver against a real server (A14). */
#include "security/ldap.h"

#include "base/clock.h"
#include "lib/quiet.h"
#include "security/fake_settings.h"
#include "security/slapd.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE_NS (10 * YK_NS_PER_S) /* for a server that is there: it is never used up */
#define HOLD_OFF_NS (200 * YK_NS_PER_MS)

struct stage {
    struct slapd slapd;
    struct fake_settings settings;
    struct yk_ldap *ldap;
};

static void use_port(const struct stage *stage, uint16_t port)
{
    char text[16];
    (void)snprintf(text, sizeof(text), "%u", port);
    fake_settings_put(&stage->settings, "Port", text);
}

static void set_up(struct stage *stage, bool tls)
{
    *stage = (struct stage){0};
    fake_settings_init(&stage->settings);
    assert_true(slapd_init(&stage->slapd, tls));
    assert_true(slapd_start(&stage->slapd, tls));
    use_port(stage, stage->slapd.port);
    const struct yk_ldap_options options = {
        .folder = stage->settings.folder, .patience_ns = PATIENCE_NS, .hold_off_ns = HOLD_OFF_NS};
    stage->ldap = yk_ldap_new(&options);
}

static void tear_down(struct stage *stage)
{
    yk_ldap_free(stage->ldap);
    fake_settings_done(&stage->settings);
    slapd_done(&stage->slapd);
}

/* `want`: the groups with a | behind each, or, if it starts with !, part of the failure. */
static void check(struct stage *stage, const char *what, const char *user, const char *want)
{
    struct yk_user got = {.name = yk_strdup(user)};
    struct yk_err err = {0};
    struct yk_buf groups = {0};
    enum yk_status st = yk_ldap_groups(stage->ldap, &got, &err);
    for (size_t i = 0; i < got.group_count; i++)
        yk_buf_printf(&groups, "%s|", got.groups[i]);
    bool as_wanted = want[0] == '!' ? st != YK_OK && strstr(err.text, want + 1) != NULL
                                    : st == YK_OK && strcmp(yk_buf_cstr(&groups), want) == 0;
    if (!as_wanted)
        fail_msg("%s: status %d, groups '%s', '%s'", what, (int)st, yk_buf_cstr(&groups), err.text);
    yk_buf_done(&groups);
    yk_user_done(&got);
}

/* As after a reload that brought new settings. */
static void reconnect(struct stage *stage)
{
    const struct yk_ldap_options options = {
        .folder = stage->settings.folder, .patience_ns = PATIENCE_NS, .hold_off_ns = HOLD_OFF_NS};
    yk_ldap_free(stage->ldap);
    stage->ldap = yk_ldap_new(&options);
}

static void put(struct stage *stage, const char *name, const char *value)
{
    fake_settings_put(&stage->settings, name, value);
    reconnect(stage);
}

static void hold_off(void)
{
    (void)usleep((useconds_t)(HOLD_OFF_NS / YK_NS_PER_US)); /* real time: the server is real */
}

static void searching(void **state)
{
    (void)state;
    struct stage stage;
    set_up(&stage, false);
    check(&stage, "the user, then the first value of each group", "ann", "ann|dev|ops, night|");
    check(&stage, "a user without groups", "b*b", "b*b|");
    check(&stage, "a user that is not there", "zoe", "zoe|");
    check(&stage, "a name is no pattern", "a*", "a*|");
    check(&stage, "nor a filter", "x)(uid=*", "x)(uid=*|");
    check(&stage, "more entries than a user may have", "many", "!finds more than");
    check(&stage, "and the connection goes on", "ann", "ann|dev|ops, night|");
    put(&stage, "GroupAttr", "SEEALSO"); /* not in ReturnAttr, and names have no case */
    check(&stage, "A14: GroupAttr is honoured", "ann", "ann|readers|");
    put(&stage, "BaseDN", "ou=nowhere,dc=example,dc=org");
    check(&stage, "a base that is not there", "ann", "!No such object");
    put(&stage, "BaseDN", "ou=people,dc=example,dc=org");
    check(&stage, "another base", "ann", "ann|readers|");
    put(&stage, "Filter", "(&(uid=%s)(!%s))");
    check(&stage, "a filter that the library refuses", "ann", "!Bad search filter");
    tear_down(&stage);
}

/* Each search has its own time: a connection may be older than that. */
static void old_connection(void **state)
{
    enum { PATIENCE_S = 2 };
    struct stage stage;
    (void)state;
    set_up(&stage, false);
    yk_ldap_free(stage.ldap);
    const struct yk_ldap_options options = {
        .folder = stage.settings.folder, .patience_ns = PATIENCE_S * YK_NS_PER_S, .hold_off_ns = HOLD_OFF_NS};
    stage.ldap = yk_ldap_new(&options);
    check(&stage, "a new connection", "ann", "ann|dev|ops, night|");
    fake_settings_put(&stage.settings, "BindUser", NULL); /* no other connection can be made */
    (void)sleep(PATIENCE_S + 1);                          /* real time: the server is real */
    check(&stage, "the same connection", "ann", "ann|dev|ops, night|");
    tear_down(&stage);
}

static void logging_in(void **state)
{
    (void)state;
    struct stage stage;
    set_up(&stage, false);
    fake_settings_put(&stage.settings, "BindPassword", "wrong");
    check(&stage, "a wrong password", "ann", "!cannot log in: Invalid credentials");
    fake_settings_put(&stage.settings, "BindPassword", "secret");
    check(&stage, "held off, though it is mended", "ann", "!Invalid credentials");
    hold_off();
    check(&stage, "settings are read again", "ann", "ann|dev|ops, night|");
    fake_settings_put(&stage.settings, "BindUser", NULL);
    check(&stage, "not while the connection holds", "ann", "ann|dev|ops, night|");
    slapd_stop(&stage.slapd);
    check(&stage, "but with the next one", "ann", "!LDAP setting 'BindUser'");
    tear_down(&stage);
}

static void server_comes_and_goes(void **state)
{
    (void)state;
    struct stage stage;
    set_up(&stage, false);
    check(&stage, "before", "ann", "ann|dev|ops, night|");
    slapd_stop(&stage.slapd);
    assert_true(slapd_start(&stage.slapd, false));
    check(&stage, "a new connection is made at once", "ann", "ann|dev|ops, night|");
    slapd_stop(&stage.slapd);
    check(&stage, "while it is gone", "ann", "!Can't contact LDAP server");
    check(&stage, "for everybody", "b*b", "!Can't contact LDAP server");
    assert_true(slapd_start(&stage.slapd, false));
    hold_off();
    check(&stage, "and back", "ann", "ann|dev|ops, night|");
    tear_down(&stage);
}

static void encrypted(void **state)
{
    (void)state;
    struct stage stage;
    char authorities[4096];
    set_up(&stage, true);
    check(&stage, "plain text to a TLS port", "ann", "!cannot log in");
    put(&stage, "SSL", "true");
    check(&stage, "a certificate of an unknown authority", "ann", "!cannot log in");
    put(&stage, "Insecure", "true");
    check(&stage, "Insecure: any certificate", "ann", "ann|dev|ops, night|");
    put(&stage, "Insecure", "false");
    check(&stage, "and no longer", "ann", "!cannot log in");
    YK_CLEANUP(yk_buf_done) struct yk_buf cert = {.max = sizeof(authorities)};
    (void)snprintf(authorities, sizeof(authorities), "%s/cert.pem", stage.slapd.folder);
    assert_int_equal(yk_file_read(authorities, &cert, NULL), YK_OK);
    put(&stage, "ca.crt", yk_buf_cstr(&cert));
    check(&stage, "ca.crt vouches for it", "ann", "ann|dev|ops, night|");
    put(&stage, "Host", "localhost");
    check(&stage, "but not for another name", "ann", "!cannot log in");
    tear_down(&stage);
}

static int listen_somewhere(uint16_t *ret_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(fd, 8), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *ret_port = ntohs(address.sin_port);
    return fd;
}

/* One that accepts connections and says nothing: patience is bounded, and used up once. */
static void silent_server(void **state)
{
    (void)state;
    struct stage stage = {0};
    uint16_t port;
    int fd = listen_somewhere(&port);
    fake_settings_init(&stage.settings);
    use_port(&stage, port);
    const struct yk_ldap_options options = {
        .folder = stage.settings.folder, .patience_ns = 100 * YK_NS_PER_MS, .hold_off_ns = 600 * YK_NS_PER_S};
    stage.ldap = yk_ldap_new(&options);
    check(&stage, "it is given up", "ann", "!Timed out");
    int64_t before = yk_clock_mono_ns(&yk_clock_real);
    for (int i = 0; i < 1000; i++)
        check(&stage, "and not asked again for a while", "ann", "!Timed out");
    assert_true(yk_clock_mono_ns(&yk_clock_real) - before < 60 * YK_NS_PER_S); /* 1000 times: 100 s */
    yk_ldap_free(stage.ldap);
    fake_settings_put(&stage.settings, "SSL", "true");
    stage.ldap = yk_ldap_new(&options);
    check(&stage, "nor is it waited for when it should shake hands", "ann", "!cannot log in");
    yk_ldap_free(stage.ldap);
    fake_settings_done(&stage.settings);
    (void)close(fd); /* nothing to lose */
}

/* A server in a process of its own: accepts the login, then sends `count` times `entry` to the search. */
static pid_t talk(int listener, const char *entry, size_t len, size_t count)
{
    static const char accepted[] = "\x30\x0c\x02\x01\x01\x61\x07\x0a\x01\x00\x04\x00\x04\x00";
    char request[512];
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    int fd = accept(listener, NULL, NULL);
    if (fd < 0 || read(fd, request, sizeof(request)) <= 0 || write(fd, accepted, sizeof(accepted) - 1) <= 0 ||
        read(fd, request, sizeof(request)) <= 0)
        _exit(1);
    while (count-- > 0 && send(fd, entry, len, MSG_NOSIGNAL) == (ssize_t)len)
        continue;
    (void)!read(fd, request, sizeof(request)); /* until the other side has had enough */
    _exit(0);
}

/* One that is not what it seems: what it says is bounded, in all and in each message. */
static void talkative_server(void **state)
{
    (void)state;
    static char entry[8 + 60000] = "\x30\x82\xea\x64\x02\x01\x02\x64"; /* of message 2, a search entry */
    static const char huge[] = "\x30\x84\x7f\xff\xff\xff\x02\x01\x02\x64";
    struct stage stage = {0};
    uint16_t port;
    int fd = listen_somewhere(&port);
    fake_settings_init(&stage.settings);
    use_port(&stage, port);
    reconnect(&stage);
    pid_t pid = talk(fd, entry, sizeof(entry), 1000);
    check(&stage, "60 MB of entries", "ann", "!cannot search: Can't contact LDAP server");
    yk_ldap_free(stage.ldap);
    stage.ldap = NULL;
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    reconnect(&stage);
    pid = talk(fd, huge, sizeof(huge) - 1, 1);
    check(&stage, "a message of 2 GB", "ann", "!cannot search");
    yk_ldap_free(stage.ldap);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    fake_settings_done(&stage.settings);
    (void)close(fd); /* nothing to lose */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silent_server),
        cmocka_unit_test(talkative_server),
        cmocka_unit_test(searching),
        cmocka_unit_test(logging_in),
        cmocka_unit_test(server_comes_and_goes),
        cmocka_unit_test(encrypted),
        cmocka_unit_test(old_connection),
    };
    if (slapd_program() == NULL) {
        (void)fputs("slapd is not installed (Debian package slapd): the tests against it are left out\n",
                    stderr);
        return getenv("CI") != NULL ? 1 : 0;
    }
    return cmocka_run_group_tests(tests, quiet, NULL);
}

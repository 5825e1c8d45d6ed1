/* SPDX-License-Identifier: Apache-2.0 */
#include "security/slapd.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char configuration[] = "include /etc/ldap/schema/core.schema\n"
                                    "include /etc/ldap/schema/cosine.schema\n"
                                    "include /etc/ldap/schema/inetorgperson.schema\n"
                                    "modulepath /usr/lib/ldap\n"
                                    "moduleload back_mdb\n"
                                    "moduleload memberof\n"
                                    "pidfile %1$s/pid\n"
                                    "%2$s"
                                    "database mdb\n"
                                    "maxsize 16777216\n"
                                    "suffix dc=example,dc=org\n"
                                    "rootdn cn=admin,dc=example,dc=org\n"
                                    "rootpw secret\n"
                                    "directory %1$s/db\n"
                                    "overlay memberof\n";

static const char tls_configuration[] = "TLSCertificateFile %1$s/cert.pem\n"
                                        "TLSCertificateKeyFile %1$s/key.pem\n";

/* `ann` is in two groups, `b*b` in none; 80 entries carry the name `many`. */
static const char entries[] = "dn: dc=example,dc=org\n"
                              "objectClass: domain\n"
                              "dc: example\n\n"
                              "dn: ou=people,dc=example,dc=org\n"
                              "objectClass: organizationalUnit\n"
                              "ou: people\n\n"
                              "dn: uid=ann,ou=people,dc=example,dc=org\n"
                              "objectClass: inetOrgPerson\n"
                              "uid: ann\ncn: Ann\nsn: A\n"
                              "memberOf: CN=dev,ou=groups,dc=example,dc=org\n"
                              "memberOf: cn=ops\\, night,ou=groups,dc=example,dc=org\n"
                              "seeAlso: cn=readers,dc=example,dc=org\n\n"
                              "dn: uid=b*b,ou=people,dc=example,dc=org\n"
                              "objectClass: inetOrgPerson\n"
                              "uid: b*b\ncn: Bob\nsn: B\n\n";

const char *slapd_program(void)
{
    static const char *const places[] = {"/usr/sbin/slapd", "/usr/libexec/slapd", "/usr/local/libexec/slapd"};
    for (size_t i = 0; i < YK_COUNT(places); i++) {
        if (access(places[i], X_OK) == 0)
            return places[i];
    }
    return NULL;
}

static pid_t start(const char *program, const char *const *arguments)
{
    pid_t parent = getpid(), pid = fork();
    if (pid != 0)
        return pid;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failing test does not come to the end */
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (getppid() != parent || nowhere < 0 || dup2(nowhere, 0) < 0 || dup2(nowhere, 1) < 0 ||
        dup2(nowhere, 2) < 0)
        _exit(127);
    union {
        const char *const *shown;
        char *const *wanted;
    } list = {.shown = arguments};
    (void)execvp(program, list.wanted);
    _exit(127);
}

static bool run(const char *program, const char *const *arguments)
{
    int status = -1;
    pid_t pid = start(program, arguments);
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static FILE *open_in(const struct slapd *slapd, const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/%s", slapd->folder, name);
    return fopen(path, "w");
}

static bool write_configuration(const struct slapd *slapd, bool tls)
{
    char with_tls[512] = "";
    FILE *file = open_in(slapd, "slapd.conf");
    if (file == NULL)
        return false;
    if (tls)
        (void)snprintf(with_tls, sizeof(with_tls), tls_configuration, slapd->folder);
    (void)fprintf(file, configuration, slapd->folder, with_tls);
    return fclose(file) == 0;
}

static bool write_entries(const struct slapd *slapd)
{
    FILE *file = open_in(slapd, "entries.ldif");
    if (file == NULL)
        return false;
    (void)fputs(entries, file);
    for (int i = 0; i < 80; i++)
        (void)fprintf(file,
                      "dn: cn=%d,ou=people,dc=example,dc=org\n"
                      "objectClass: inetOrgPerson\ncn: %d\nsn: M\nuid: many\n\n",
                      i, i);
    return fclose(file) == 0;
}

static bool load_entries(const struct slapd *slapd)
{
    char conf[128], ldif[128], db[128];
    (void)snprintf(conf, sizeof(conf), "%s/slapd.conf", slapd->folder);
    (void)snprintf(ldif, sizeof(ldif), "%s/entries.ldif", slapd->folder);
    (void)snprintf(db, sizeof(db), "%s/db", slapd->folder);
    /* slapadd is slapd under another name. */
    const char *const arguments[] = {"slapadd", "-q", "-f", conf, "-l", ldif, NULL};
    return write_entries(slapd) && mkdir(db, 0700) == 0 && run(slapd_program(), arguments);
}

static bool make_certificate(const struct slapd *slapd)
{
    char key[128], cert[128];
    (void)snprintf(key, sizeof(key), "%s/key.pem", slapd->folder);
    (void)snprintf(cert, sizeof(cert), "%s/cert.pem", slapd->folder);
    const char *const arguments[] = {"openssl",
                                     "req",
                                     "-x509",
                                     "-newkey",
                                     "ec",
                                     "-pkeyopt",
                                     "ec_paramgen_curve:prime256v1",
                                     "-nodes",
                                     "-keyout",
                                     key,
                                     "-out",
                                     cert,
                                     "-days",
                                     "2",
                                     "-subj",
                                     "/CN=127.0.0.1",
                                     "-addext",
                                     "subjectAltName=IP:127.0.0.1",
                                     NULL};
    return run("openssl", arguments);
}

static struct sockaddr_in loopback(uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static uint16_t free_port(void)
{
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        abort();
    (void)close(fd); /* nothing to lose */
    return ntohs(address.sin_port);
}

bool slapd_init(struct slapd *slapd, bool tls)
{
    *slapd = (struct slapd){.folder = "/tmp/yk-slapd-XXXXXX", .port = free_port()};
    return mkdtemp(slapd->folder) != NULL && write_configuration(slapd, tls) && load_entries(slapd) &&
           (!tls || make_certificate(slapd));
}

static bool listens(uint16_t port)
{
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool reached = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
    (void)close(fd); /* nothing to lose */
    return reached;
}

bool slapd_start(struct slapd *slapd, bool tls)
{
    char conf[128], url[64];
    (void)snprintf(conf, sizeof(conf), "%s/slapd.conf", slapd->folder);
    (void)snprintf(url, sizeof(url), "%s://127.0.0.1:%u/", tls ? "ldaps" : "ldap", slapd->port);
    /* With a debug level it stays in the foreground, so its process is the one we started. */
    const char *const arguments[] = {"slapd", "-h", url, "-f", conf, "-d", "0", NULL};
    slapd->pid = start(slapd_program(), arguments);
    for (int i = 0; i < 2000 && slapd->pid > 0; i++) {
        if (listens(slapd->port))
            return true;
        (void)poll(NULL, 0, 5); /* it has no way to tell us */
    }
    return false;
}

void slapd_stop(struct slapd *slapd)
{
    if (slapd->pid <= 0)
        return;
    (void)kill(slapd->pid, SIGKILL); /* nothing that it knows is worth keeping */
    (void)waitpid(slapd->pid, NULL, 0);
    slapd->pid = 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

void slapd_done(struct slapd *slapd)
{
    slapd_stop(slapd);
    (void)nftw(slapd->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); /* best effort: it is in /tmp */
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/mock_server.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent_ssl.h>
#include <event2/listener.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

/* The present request of a connection, which has at most one at a time. */
struct mock_request {
    struct connection *connection;
    char *method, *path, *headers, *body;
    char value[1024]; /* what mock_header() has returned last */
};

struct connection {
    struct yk_list link;
    struct mock *mock;
    struct bufferevent *socket;
    struct mock_request *request; /* NULL: the connection waits for one */
};

/* A certificate for `key`, signed with the same key. */
static X509 *make_certificate(EVP_PKEY *key, const char *common_name)
{
    X509 *certificate = X509_new();
    X509_NAME *name = X509_get_subject_name(certificate);
    X509V3_CTX context;
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_set_version(certificate, 2);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)common_name, -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *names =
        X509V3_EXT_conf_nid(NULL, &context, NID_subject_alt_name, "IP:127.0.0.1,DNS:kubernetes.example");
    X509_add_ext(certificate, names, -1);
    X509_EXTENSION_free(names);
    X509_sign(certificate, key, EVP_sha256());
    return certificate;
}

void mock_write_certificate(const char *common_name, const char *certificate_file, const char *key_file)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = make_certificate(key, common_name);
    FILE *out = fopen(certificate_file, "w");
    PEM_write_X509(out, certificate);
    (void)fclose(out);
    out = fopen(key_file, "w");
    PEM_write_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL);
    (void)fclose(out);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

static void open_tls(struct mock *mock, const char *certificate_file)
{
    char key_file[160];
    (void)snprintf(key_file, sizeof(key_file), "%s.key", certificate_file);
    mock_write_certificate("mock", certificate_file, key_file);
    mock->tls = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_file(mock->tls, certificate_file, SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_use_PrivateKey_file(mock->tls, key_file, SSL_FILETYPE_PEM) != 1)
        abort();
    (void)unlink(key_file);
}

static int accept_any(int is_good, X509_STORE_CTX *store)
{
    (void)is_good;
    (void)store;
    return 1;
}

void mock_want_certificate(struct mock *mock)
{
    SSL_CTX_set_verify(mock->tls, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, accept_any);
    SSL_CTX_set_session_cache_mode(mock->tls, SSL_SESS_CACHE_OFF);
}

static void free_request(struct mock_request *request)
{
    if (request == NULL)
        return;
    free(request->method);
    free(request->path);
    free(request->headers);
    free(request->body);
    free(request);
}

static void free_connection(struct connection *connection)
{
    if (connection->mock->stream == connection->request)
        connection->mock->stream = NULL;
    yk_list_remove(&connection->link);
    free_request(connection->request);
    bufferevent_free(connection->socket);
    free(connection);
}

/* The next request that has come completely, or NULL. */
static struct mock_request *take_request(struct connection *connection)
{
    struct evbuffer *input = bufferevent_get_input(connection->socket);
    struct evbuffer_ptr end = evbuffer_search(input, "\r\n\r\n", 4, NULL);
    if (end.pos < 0)
        return NULL;
    size_t head_len = (size_t)end.pos + 4, body_len = 0;
    struct mock_request *request = yk_new0(struct mock_request);
    request->connection = connection;
    request->headers = yk_strndup((const char *)evbuffer_pullup(input, (ev_ssize_t)head_len), head_len);
    struct yk_str line = {request->headers, strcspn(request->headers, "\r")}, method, path;
    if (!yk_str_split(&line, ' ', &method) || !yk_str_split(&line, ' ', &path))
        abort();
    request->method = yk_str_dup(method);
    request->path = yk_str_dup(path);
    uint64_t number;
    if (yk_str_to_u64(yk_str_from(mock_header(request, "Content-Length")), &number) == YK_OK)
        body_len = (size_t)number;
    if (evbuffer_get_length(input) < head_len + body_len) {
        free_request(request);
        return NULL;
    }
    evbuffer_drain(input, head_len);
    request->body =
        yk_strndup(body_len > 0 ? (const char *)evbuffer_pullup(input, (ev_ssize_t)body_len) : "", body_len);
    evbuffer_drain(input, body_len);
    return request;
}

static void note_client(struct connection *connection)
{
    struct mock *mock = connection->mock;
    SSL *ssl = bufferevent_openssl_get_ssl(connection->socket);
    const X509 *certificate = ssl != NULL ? SSL_get0_peer_certificate(ssl) : NULL;
    if (certificate != NULL)
        X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, mock->client_name,
                                  sizeof(mock->client_name));
}

static void listen_to(struct connection *connection);

/* Begins TLS on the connection. */
static void tunnel(struct connection *connection)
{
    evbuffer_add_printf(bufferevent_get_output(connection->socket), "HTTP/1.1 200 Go on\r\n\r\n");
    free_request(connection->request);
    connection->request = NULL;
    connection->socket = bufferevent_openssl_filter_new(connection->mock->base, connection->socket,
                                                        SSL_new(connection->mock->tls),
                                                        BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
    listen_to(connection);
}

/* Notes a request to a proxy: its path is a whole URL, or its method is CONNECT. False: it is a CONNECT. */
static bool proxied(struct connection *connection)
{
    struct mock *mock = connection->mock;
    struct mock_request *request = connection->request;
    bool is_connect = strcmp(request->method, "CONNECT") == 0;
    size_t len = strlen(request->path);
    if (strncmp(request->path, "http://", 7) == 0)
        len = 7 + strcspn(request->path + 7, "/");
    else if (!is_connect)
        return true;
    mock->proxied++;
    (void)snprintf(mock->asked_for, sizeof(mock->asked_for), "%.*s", (int)len, request->path);
    if (!is_connect)
        memmove(request->path, request->path + len, strlen(request->path + len) + 1);
    return !is_connect;
}

static void bytes_came(struct bufferevent *socket, void *context)
{
    (void)socket;
    struct connection *connection = context;
    struct mock *mock = connection->mock;
    if (connection->request != NULL || (connection->request = take_request(connection)) == NULL)
        return;
    note_client(connection);
    if (!proxied(connection)) {
        tunnel(connection);
        return;
    }
    mock->requests++;
    mock->handler(mock, connection->request, connection->request->path, mock->context);
}

static void connection_ended(struct bufferevent *socket, short what, void *context)
{
    (void)socket;
    if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) != 0)
        free_connection(context);
}

static void listen_to(struct connection *connection)
{
    bufferevent_setcb(connection->socket, bytes_came, NULL, connection_ended, connection);
    bufferevent_enable(connection->socket, EV_READ | EV_WRITE);
}

static void accepted(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address, int len,
                     void *context)
{
    (void)listener;
    (void)address;
    (void)len;
    struct mock *mock = context;
    if (mock->take_socket != NULL) {
        mock->take_socket(mock, fd);
        return;
    }
    struct connection *connection = yk_new0(struct connection);
    connection->mock = mock;
    connection->socket =
        mock->tls == NULL || mock->is_proxy
            ? bufferevent_socket_new(mock->base, fd, BEV_OPT_CLOSE_ON_FREE)
            : bufferevent_openssl_socket_new(mock->base, fd, SSL_new(mock->tls), BUFFEREVENT_SSL_ACCEPTING,
                                             BEV_OPT_CLOSE_ON_FREE);
    yk_list_append(&mock->connections, &connection->link);
    listen_to(connection);
}

static void listen_on(struct mock *mock, uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    socklen_t len = sizeof(address);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    mock->listener = evconnlistener_new_bind(
        mock->base, accepted, mock, LEV_OPT_REUSEABLE | LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, -1,
        (struct sockaddr *)&address, sizeof(address));
    if (mock->listener == NULL ||
        getsockname(evconnlistener_get_fd(mock->listener), (struct sockaddr *)&address, &len) != 0)
        abort();
    mock->port = ntohs(address.sin_port);
}

void mock_open(struct mock *mock, struct event_base *base, const char *certificate_file,
               mock_handler *handler, void *context)
{
    *mock = (struct mock){.base = base, .handler = handler, .context = context};
    yk_list_init(&mock->connections);
    if (certificate_file != NULL)
        open_tls(mock, certificate_file);
    listen_on(mock, 0);
}

void mock_close(struct mock *mock)
{
    struct connection *connection;
    if (mock->listener != NULL)
        evconnlistener_free(mock->listener);
    mock->listener = NULL;
    while ((connection = yk_list_first(&mock->connections, struct connection, link)) != NULL)
        free_connection(connection);
    SSL_CTX_free(mock->tls);
    mock->tls = NULL;
}

void mock_reopen(struct mock *mock)
{
    listen_on(mock, mock->port);
}

static struct evbuffer *output_of(const struct mock_request *request)
{
    return bufferevent_get_output(request->connection->socket);
}

/* The answer is complete: reads the next request of the connection. */
static void finish(struct mock_request *request)
{
    struct connection *connection = request->connection;
    connection->request = NULL;
    free_request(request);
    bufferevent_trigger(connection->socket, EV_READ, BEV_TRIG_DEFER_CALLBACKS);
}

void mock_answer(struct mock_request *request, int status, const char *header, const char *value,
                 const char *body)
{
    evbuffer_add_printf(output_of(request),
                        "HTTP/1.1 %d Said\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n",
                        status, strlen(body));
    if (header != NULL)
        evbuffer_add_printf(output_of(request), "%s: %s\r\n", header, value);
    evbuffer_add_printf(output_of(request), "\r\n");
    evbuffer_add(output_of(request), body, strlen(body));
    finish(request);
}

void mock_refuse(struct mock_request *request, int status, const char *reason, const char *extra)
{
    struct yk_buf body = {0};
    yk_buf_printf(&body,
                  "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                  "\"message\":\"no\","
                  "\"reason\":\"%s\",\"code\":%d%s}",
                  reason, status, extra != NULL ? extra : "");
    mock_answer(request, status, NULL, NULL, yk_buf_cstr(&body));
    yk_buf_done(&body);
}

void mock_stream_open(struct mock *mock, struct mock_request *request, const char *content_type)
{
    mock->stream = request;
    evbuffer_add_printf(output_of(request),
                        "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n",
                        content_type);
}

void mock_stream_send(struct mock *mock, const void *bytes, size_t len)
{
    if (mock->stream == NULL)
        abort();
    evbuffer_add_printf(output_of(mock->stream), "%zx\r\n", len);
    evbuffer_add(output_of(mock->stream), bytes, len);
    evbuffer_add_printf(output_of(mock->stream), "\r\n");
}

void mock_stream_text(struct mock *mock, const char *text)
{
    mock_stream_send(mock, text, strlen(text));
}

void mock_stream_end(struct mock *mock)
{
    struct mock_request *request = yk_move(mock->stream);
    evbuffer_add_printf(output_of(request), "0\r\n\r\n");
    finish(request);
}

void mock_stream_cut(struct mock *mock)
{
    free_connection(mock->stream->connection);
}

const char *mock_header(struct mock_request *request, const char *name)
{
    size_t len = strlen(name);
    request->value[0] = '\0';
    for (const char *line = strstr(request->headers, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, len) != 0 || line[2 + len] != ':')
            continue;
        struct yk_str value = {line + 3 + len, strcspn(line + 3 + len, "\r")};
        (void)snprintf(request->value, sizeof(request->value), YK_STR_FMT, YK_STR_ARG(yk_str_trim(value)));
        break;
    }
    return request->value;
}

const char *mock_body(const struct mock_request *request)
{
    return request->body;
}
const char *mock_method(const struct mock_request *request)
{
    return request->method;
}

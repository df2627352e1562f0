/* A provider that answers at once: an HTTP server on loopback with a token endpoint and a userinfo endpoint.
 *   provider TOKEN_BYTES      prints its port; answers with access tokens of that length; ends when its standard input closes. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS 1024
struct connection { char bytes[16384]; size_t count; };
static struct connection *connections[CONNECTIONS];
static char token[8192], userinfo[1024];

static void fail(const char *what) { perror(what); exit(1); }

static void make_answer(char *into, size_t size, const char *body) {
    int length = snprintf(into, size, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-store\r\nContent-Length: %zu\r\n\r\n%s",
                          strlen(body), body);
    if (length < 0 || (size_t)length >= size) { fprintf(stderr, "the answer is too long\n"); exit(64); }
}

/* The length of the first request, or 0 while it is incomplete. */
static size_t request_length(const char *bytes) {
    const char *end = strstr(bytes, "\r\n\r\n"), *field = strcasestr(bytes, "\r\ncontent-length:");
    if (!end) return 0;
    size_t length = end + 4 - bytes;
    if (field && field < end) length += strtoul(field + 17, NULL, 10);
    return strlen(bytes) < length ? 0 : length;
}

static int serve(int fd) {
    struct connection *c = connections[fd];
    ssize_t got = read(fd, c->bytes + c->count, sizeof c->bytes - 1 - c->count);
    if (got < 0 && errno == EAGAIN) return 1;
    if (got <= 0) return 0;
    c->count += got;
    c->bytes[c->count] = 0;
    for (size_t length; (length = request_length(c->bytes));) {
        const char *answer = strncmp(c->bytes, "POST /token ", 12) ? userinfo : token;
        if (write(fd, answer, strlen(answer)) != (ssize_t)strlen(answer)) return 0;
        memmove(c->bytes, c->bytes + length, c->count - length + 1);
        c->count -= length;
    }
    return c->count < sizeof c->bytes - 1;
}

int main(int argc, char **argv) {
    if (argc != 2) { fprintf(stderr, "usage: provider TOKEN_BYTES\n"); return 64; }
    char body[8000], access[4097] = "";
    size_t length = strtoul(argv[1], NULL, 10);
    if (length >= sizeof access) { fprintf(stderr, "at most %zu bytes\n", sizeof access - 1); return 64; }
    for (size_t i = 0; i < length; i++) access[i] = "abcdefghijklmnopqrstuvwxyz0123456789-_"[i * 7 % 38];
    snprintf(body, sizeof body, "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":86400,\"refresh_token\":\"refresh-0123456789\"}", access);
    make_answer(token, sizeof token, body);
    make_answer(userinfo, sizeof userinfo,
                "{\"sub\":\"1000000001\",\"name\":\"Ada Lovelace\",\"email\":\"ada@example.com\",\"email_verified\":true,\"picture\":\"https://example.com/ada.png\"}");

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 256) || getsockname(listener, (struct sockaddr *)&address, &size))
        fail("listen");
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    event.data.fd = 0;
    epoll_ctl(poll, EPOLL_CTL_ADD, 0, &event);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(poll, events, 64, -1);
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            if (fd == 0) return 0;
            if (fd != listener) {
                if (!serve(fd)) { close(fd); free(connections[fd]); connections[fd] = NULL; }
                continue;
            }
            int peer;
            while ((peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                if (peer >= CONNECTIONS || !(connections[peer] = calloc(1, sizeof **connections))) { close(peer); continue; }
                setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                event.events = EPOLLIN;
                event.data.fd = peer;
                epoll_ctl(poll, EPOLL_CTL_ADD, peer, &event);
            }
        }
    }
}

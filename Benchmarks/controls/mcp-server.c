/* An MCP server that answers at once, over plain HTTP on loopback; whoever measures puts TLS in front of it.
 *   mcp-server      prints its port; ends when its standard input closes.
 * A call of the tool `stream` is answered with as many messages as its `count` says, of `size` bytes each; any other with a short result. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define LARGEST 65536

static void fail(const char *what) { perror(what); exit(1); }

static int put(int fd, const char *bytes, size_t count) {
    while (count) {
        ssize_t done = write(fd, bytes, count);
        if (done <= 0) return 0;
        bytes += done;
        count -= done;
    }
    return 1;
}

static int answer(int fd, const char *head, const char *body) {
    char whole[2048];
    int length = snprintf(whole, sizeof whole, "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n%s", head, strlen(body), body);
    return length > 0 && (size_t)length < sizeof whole && put(fd, whole, length);
}

static int stream(int fd, long id, long count, long size) {
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nTransfer-Encoding: chunked\r\n\r\n";
    if (size < 256 || size > LARGEST) size = LARGEST;
    char *event = malloc(size + 64), *together = malloc(2 * LARGEST);
    if (!event || !together) fail("malloc");
    /* The message without its filling is as long in every event: the number has seven digits. */
    char start[256];
    int before = snprintf(start, sizeof start, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":%07d,\"message\":\"", 1000000);
    const char end[] = "\"}}\n\n";
    int length = (int)size + (int)sizeof end - 1, held = 0;
    int ok = put(fd, head, sizeof head - 1);
    int offset = sprintf(event, "%x\r\n", length);
    memset(event + offset, 'x', size);
    memcpy(event + offset + size, end, sizeof end - 1);
    memcpy(event + offset + length, "\r\n", 2);
    for (long number = 0; ok && number < count; number++) {
        snprintf(start, sizeof start, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":%07ld,\"message\":\"", 1000000 + number % 9000000);
        memcpy(event + offset, start, before);
        memcpy(together + held, event, offset + length + 2);
        held += offset + length + 2;
        if (held < LARGEST && number + 1 < count) continue;
        ok = put(fd, together, held);
        held = 0;
    }
    free(event);
    free(together);
    char last[256], chunk[320];
    int rest = snprintf(last, sizeof last, "data: {\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}\n\n", id);
    int whole = snprintf(chunk, sizeof chunk, "%x\r\n%s\r\n0\r\n\r\n", rest, last);
    return ok && put(fd, chunk, whole);
}

static int respond(int fd, const char *head, const char *body) {
    if (strncmp(head, "POST ", 5) != 0) return answer(fd, strncmp(head, "GET ", 4) ? "204 No Content" : "405 Method Not Allowed", "");
    const char *id = strstr(body, "\"id\":"), *count = strstr(body, "\"count\":"), *size = strstr(body, "\"size\":");
    if (!id) return answer(fd, "202 Accepted", "");
    long number = strtol(id + 5, NULL, 10);
    char result[1024];
    if (strstr(body, "\"initialize\"")) {
        snprintf(result, sizeof result, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                 "\"serverInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}", number);
        return answer(fd, "200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: 0123456789abcdef", result);
    }
    if (count && strstr(body, "\"stream\"")) return stream(fd, number, strtol(count + 8, NULL, 10), size ? strtol(size + 7, NULL, 10) : LARGEST);
    if (strstr(body, "\"tools/list\"")) {
        snprintf(result, sizeof result, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}}", number);
        return answer(fd, "200 OK\r\nContent-Type: application/json", result);
    }
    snprintf(result, sizeof result, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%0400d\"}],\"isError\":false}}", number, 0);
    return answer(fd, "200 OK\r\nContent-Type: application/json", result);
}

static void *serve(void *given) {
    int fd = (int)(intptr_t)given, one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    static const size_t room = 65536;
    char *bytes = malloc(room);
    size_t count = 0;
    if (!bytes) fail("malloc");
    for (;;) {
        bytes[count] = 0;
        char *end = strstr(bytes, "\r\n\r\n");
        size_t length = 0;
        if (end) {
            char *field = strcasestr(bytes, "\r\ncontent-length:");
            length = field && field < end ? strtoul(field + 17, NULL, 10) : 0;
        }
        size_t whole = end ? (size_t)(end + 4 - bytes) + length : 0;
        if (end && count >= whole) {
            char kept = bytes[whole];
            bytes[whole] = 0;
            int ok = respond(fd, bytes, end + 4);
            bytes[whole] = kept;
            if (!ok) break;
            memmove(bytes, bytes + whole, count - whole);
            count -= whole;
            continue;
        }
        ssize_t got = count < room - 1 ? read(fd, bytes + count, room - 1 - count) : 0;
        if (got <= 0) break;
        count += got;
    }
    free(bytes);
    close(fd);
    return NULL;
}

static void *watch(void *unused) {
    char byte;
    (void)unused;
    while (read(0, &byte, 1) > 0) {}
    _exit(0);
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 512) || getsockname(listener, (struct sockaddr *)&address, &size))
        fail("listen");
    signal(SIGPIPE, SIG_IGN);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch, NULL)) fail("thread");
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0) fail("accept");
        if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd)) fail("thread");
        pthread_detach(thread);
    }
}

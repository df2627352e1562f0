/* The control: an epoll server on a Unix socket that answers every NUL-ended message with a fixed one.
 *   echo-server SOCKET BYTES      answers with BYTES bytes and a NUL; ends when its standard input closes
 *   echo-server - BYTES           the same on the socket that it is passed as descriptor 3, until it is ended */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void fail(const char *what) { perror(what); exit(1); }

int main(int argc, char **argv) {
    if (argc != 3) { fprintf(stderr, "usage: echo-server SOCKET BYTES\n"); return 64; }
    size_t length = strtoul(argv[2], NULL, 10) + 1;
    char *answer = malloc(length), buffer[65536];
    if (!answer) fail("malloc");
    memset(answer, 'x', length - 1);
    answer[length - 1] = 0;
    int passed = !strcmp(argv[1], "-"), listener = 3;
    if (!passed) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
        unlink(argv[1]);
        listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 256)) fail("listen");
    } else if (fcntl(listener, F_SETFL, O_NONBLOCK)) fail("fcntl");
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    if (!passed) {
        event.data.fd = 0;
        epoll_ctl(poll, EPOLL_CTL_ADD, 0, &event);
        puts("ready");
        fflush(stdout);
    }
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(poll, events, 64, -1);
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            if (fd == 0) { if (read(0, buffer, 1) <= 0) return 0; continue; }
            if (fd == listener) {
                int peer;
                while ((peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                    event.events = EPOLLIN;
                    event.data.fd = peer;
                    epoll_ctl(poll, EPOLL_CTL_ADD, peer, &event);
                }
                continue;
            }
            ssize_t got = read(fd, buffer, sizeof buffer);
            if (got <= 0) { if (got == 0 || errno != EAGAIN) close(fd); continue; }
            for (ssize_t j = 0; j < got; j++)
                if (!buffer[j] && write(fd, answer, length) != (ssize_t)length) { close(fd); break; }
        }
    }
}

/* Measures round trips of one NUL-ended message over a Unix socket, from one thread, so that the client takes as little as it can.
 *   round-trips SOCKET kept|percall CLIENTS CALLS MESSAGE     CALLS in all, after a tenth as many to warm up; each of CLIENTS connections
 *   has one call under way. `percall` is for one client: it connects for each call. Prints one line:
 *   p50_us p99_us calls_per_second reply_bytes */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS 256
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static const char *message;
static size_t message_length;
static long calls, reply_bytes;
static double *times;

static void fail(const char *what) { perror(what); exit(1); }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int dial(void) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) fail("connect");
    return fd;
}

static void ask(int fd) {
    if (write(fd, message, message_length) != (ssize_t)message_length) fail("write");
}

/* Reads what is there; the length of the whole reply at its end, else 0. */
static long answer(int fd, long before) {
    static char buffer[65536];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got <= 0) fail("read");
    if (!before && strncmp(buffer, "{\"error", 7) == 0) { fprintf(stderr, "%.*s\n", (int)got, buffer); exit(1); }
    return buffer[got - 1] ? -(before + got) : before + got;
}

static void one(int kept) {
    int fd = kept ? dial() : -1;
    for (long i = -calls / 10; i < calls; i++) {
        double start = now();
        if (!kept) fd = dial();
        ask(fd);
        long bytes = 0;
        while ((bytes = answer(fd, -bytes)) < 0) {}
        reply_bytes = bytes;
        if (!kept) close(fd);
        if (i >= 0) times[i] = now() - start;
    }
}

static double many(int clients) {
    struct { int fd; long bytes; double start; } all[CLIENTS] = {0};
    int poll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < clients; i++) {
        all[i].fd = dial();
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &event);
    }
    double begin = now(), end = begin;
    for (int i = 0; i < clients; i++) { all[i].start = now(); ask(all[i].fd); }
    /* All that is asked is also read: as many calls as clients after the last one that counts. */
    for (long done = -calls / 10; done < calls + clients;) {
        struct epoll_event events[CLIENTS];
        int count = epoll_wait(poll, events, CLIENTS, -1);
        for (int i = 0; i < count; i++) {
            int client = events[i].data.u32;
            if ((all[client].bytes = answer(all[client].fd, -all[client].bytes)) < 0) continue;
            reply_bytes = all[client].bytes;
            all[client].bytes = 0;
            double time = now();
            if (done == 0) begin = time;
            if (done >= 0 && done < calls) { times[done] = time - all[client].start; end = time; }
            if (done++ >= calls) continue;
            all[client].start = time;
            ask(all[client].fd);
        }
    }
    return end - begin;
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

int main(int argc, char **argv) {
    if (argc != 6) { fprintf(stderr, "usage: round-trips SOCKET kept|percall CLIENTS CALLS MESSAGE\n"); return 64; }
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    int kept = !strcmp(argv[2], "kept"), clients = atoi(argv[3]);
    calls = atol(argv[4]);
    message = argv[5];
    message_length = strlen(message) + 1;
    if (clients < 1 || clients > CLIENTS || calls < 10 || (!kept && clients > 1)) { fprintf(stderr, "1 to %d clients, at least 10 calls\n", CLIENTS); return 64; }
    if (!(times = malloc(sizeof *times * calls))) fail("malloc");
    double seconds = 0;
    if (clients > 1) seconds = many(clients) / 1e6;
    else {
        one(kept);
        for (long i = 0; i < calls; i++) seconds += times[i] / 1e6;
    }
    qsort(times, calls, sizeof *times, compare);
    printf("%.2f %.2f %.0f %ld\n", times[calls / 2], times[calls * 99 / 100], calls / seconds, reply_bytes);
    return 0;
}

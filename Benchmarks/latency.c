/* Measures round trips of one NUL-ended message over a Unix socket.
 *   latency SOCKET kept|percall CLIENTS CALLS MESSAGE     CALLS for each client; prints one line:
 *   p50_us p99_us calls_per_second errors reply_bytes */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static const char *message;
static size_t message_length;
static int calls, kept;

struct client { pthread_t thread; double *times; long errors; size_t bytes; };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int dial(void) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address)) { close(fd); return -1; }
    return fd;
}

static long call(int fd) {
    char buffer[65536];
    long total = 0;
    if (write(fd, message, message_length) != (ssize_t)message_length) return -1;
    for (;;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got <= 0) return -1;
        total += got;
        if (!buffer[got - 1]) return total;
    }
}

static void *run(void *argument) {
    struct client *client = argument;
    int fd = kept ? dial() : -1;
    for (int i = -calls / 10; i < calls; i++) { /* the first tenth warms up */
        double start = now();
        if (!kept) fd = dial();
        long bytes = fd < 0 ? -1 : call(fd);
        if (!kept && fd >= 0) close(fd);
        if (bytes < 0) client->errors++; else client->bytes = bytes;
        if (i >= 0) client->times[i] = now() - start;
    }
    if (kept && fd >= 0) close(fd);
    return NULL;
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

int main(int argc, char **argv) {
    if (argc != 6) { fprintf(stderr, "usage: latency SOCKET kept|percall CLIENTS CALLS MESSAGE\n"); return 64; }
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    kept = !strcmp(argv[2], "kept");
    int clients = atoi(argv[3]);
    calls = atoi(argv[4]);
    message = argv[5];
    message_length = strlen(message) + 1;
    if (clients < 1 || clients > 256 || calls < 10) { fprintf(stderr, "1 to 256 clients, at least 10 calls\n"); return 64; }
    struct client *all = calloc(clients, sizeof *all);
    double *times = malloc(sizeof(double) * clients * calls), start = now();
    for (int i = 0; i < clients; i++) {
        all[i].times = times + (size_t)i * calls;
        pthread_create(&all[i].thread, NULL, run, &all[i]);
    }
    long errors = 0;
    for (int i = 0; i < clients; i++) { pthread_join(all[i].thread, NULL); errors += all[i].errors; }
    double seconds = (now() - start) / 1e6;
    size_t count = (size_t)clients * calls;
    qsort(times, count, sizeof *times, compare);
    printf("%.1f %.1f %.0f %ld %zu\n", times[count / 2], times[count * 99 / 100], clients * calls * 1.1 / seconds, errors, all[0].bytes);
    return errors ? 1 : 0;
}

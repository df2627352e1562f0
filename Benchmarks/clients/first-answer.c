/* Measures a server's start as a socket unit brings it about: the client is connected and has asked before the server is there.
 *   first-answer SOCKET MESSAGE PROGRAM ARGUMENT…
 * The server gets the listening socket as descriptor 3 with LISTEN_PID and LISTEN_FDS. Prints the milliseconds from before fork to the
 * whole answer, and ends the server. An answer that begins with {"error" fails. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) { perror(what); exit(1); }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
    if (argc < 4) { fprintf(stderr, "usage: first-answer SOCKET MESSAGE PROGRAM ARGUMENT...\n"); return 64; }
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    unlink(argv[1]);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 256)) fail("listen");
    if (connect(client, (struct sockaddr *)&address, sizeof address)) fail("connect");
    size_t length = strlen(argv[2]) + 1;
    if (write(client, argv[2], length) != (ssize_t)length) fail("write");

    double start = now();
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", getpid());
        setenv("LISTEN_PID", number, 1);
        setenv("LISTEN_FDS", "1", 1);
        setenv("LISTEN_FDNAMES", "varlink", 1);
        if (listener == 3) fcntl(3, F_SETFD, 0);
        else dup2(listener, 3);
        execv(argv[3], argv + 3);
        fail(argv[3]);
    }
    char buffer[65536];
    ssize_t got = 0, count;
    do {
        if ((count = read(client, buffer + got, sizeof buffer - got)) <= 0) fail("read");
        got += count;
    } while (buffer[got - 1]);
    double taken = now() - start;
    int status;
    kill(pid, SIGTERM);
    waitpid(pid, &status, 0);
    if (!strncmp(buffer, "{\"error", 7)) { fprintf(stderr, "%s\n", buffer); return 1; }
    printf("%.3f\n", taken);
    return 0;
}

#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

/* The other threads do not exist in a forked child, but the locks that they held do: from the fork to the exec only what is
   async-signal-safe may be called (signal-safety(7)), which is why this is C. */

enum { report = 3 };

/* Tells the process that waits why there is no program. */
static _Noreturn void fail(int descriptor, int code) {
    while (write(descriptor, &code, sizeof code) < 0 && errno == EINTR) {}
    _exit(127);
}

static void reset_signals(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t none;
    /* Refused for SIGKILL, SIGSTOP and the two that the C library keeps for itself, which are as they should be. */
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void become(const char *path, char *const arguments[], char *const environment[], int input, int output, int pipe_end) {
    /* Out of the way of the standard descriptors and of its own place, wherever it was opened. */
    int high = fcntl(pipe_end, F_DUPFD_CLOEXEC, report + 1);
    if (high < 0) fail(pipe_end, errno);
    if (setsid() < 0) fail(high, errno);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) fail(high, errno);
    int ends[] = {input < 0 ? null : input, output < 0 ? null : output, null};
    /* All of them first: one that was given may have the number of another's place. */
    for (int standard = 0; standard < report; standard++) {
        ends[standard] = fcntl(ends[standard], F_DUPFD_CLOEXEC, report + 1);
        if (ends[standard] < 0) fail(high, errno);
    }
    for (int standard = 0; standard < report; standard++) {
        if (dup2(ends[standard], standard) < 0) fail(high, errno);
    }
    if (dup3(high, report, O_CLOEXEC) < 0) fail(high, errno);
    closefrom(report + 1);
    reset_signals();
    execve(path, arguments, environment);
    fail(report, errno);
}

/* Waits for the program to run, which closes the pipe, or for the reason why it does not. */
static int outcome(int descriptor) {
    int code = 0;
    ssize_t count;
    do count = read(descriptor, &code, sizeof code);
    while (count < 0 && errno == EINTR);
    if (count < 0) return errno;
    return count == (ssize_t)sizeof code ? code : 0;
}

int postern_start_detached(const char *path, char *const arguments[], char *const environment[], int input, int output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    /* No handler of this process may run in the others. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = _Fork();
    if (child == 0) {
        pid_t program = _Fork();
        if (program == 0) become(path, arguments, environment, input, output, ends[1]);
        if (program < 0) fail(ends[1], errno);
        /* Its parent gone, the program belongs to init, or to the service manager that adopts in its place. */
        _exit(0);
    }
    int code = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        code = outcome(ends[0]);
    }
    close(ends[0]);
    return code;
}

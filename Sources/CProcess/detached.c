#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
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

/* Waits for the program in a process of its own: only a parent learns how it ended. All signals are blocked here, and one that is
   blocked can be waited for. */
static _Noreturn void watch_program(pid_t program, int milliseconds, int descriptor) {
    /* Of the rest it has nothing: not the connections, nor the pipe whose end says that the program runs. */
    if (dup2(descriptor, report) < 0) _exit(1);
    closefrom(report + 1);
    for (int standard = 0; standard < report; standard++) close(standard);
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += milliseconds % 1000 * 1000000L;
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    while (1) {
        int status;
        if (waitpid(program, &status, WNOHANG) == program) {
            while (write(report, &status, sizeof status) < 0 && errno == EINTR) {}
            _exit(0);
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        long nanoseconds = end.tv_nsec - now.tv_nsec;
        long seconds = end.tv_sec - now.tv_sec + (nanoseconds < 0 ? -1 : nanoseconds / 1000000000L);
        if (seconds < 0) _exit(0);
        struct timespec left = {seconds, nanoseconds < 0 ? nanoseconds + 1000000000L : nanoseconds % 1000000000L};
        if (sigtimedwait(&child, NULL, &left) < 0 && errno == EAGAIN) _exit(0);
    }
}

/* The program, its parent gone, belongs to init, or to the service manager that adopts in its place; so does what watches it. */
static int start(
    const char *path, char *const arguments[], char *const environment[], int input, int output, int milliseconds, int watch_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    /* No handler of this process may run in the others. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = _Fork();
    if (child == 0) {
        pid_t watcher = watch_end < 0 ? 0 : _Fork();
        if (watcher < 0) fail(ends[1], errno);
        if (watcher > 0) _exit(0);
        pid_t program = _Fork();
        if (program == 0) become(path, arguments, environment, input, output, ends[1]);
        if (program < 0) fail(ends[1], errno);
        if (watch_end >= 0) watch_program(program, milliseconds, watch_end);
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

int postern_start_detached(const char *path, char *const arguments[], char *const environment[], int input, int output) {
    return start(path, arguments, environment, input, output, 0, -1);
}

int postern_start_watched(const char *path, char *const arguments[], char *const environment[], int milliseconds, int *watch) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    int code = start(path, arguments, environment, -1, -1, milliseconds, ends[1]);
    close(ends[1]);
    if (code == 0) *watch = ends[0];
    else close(ends[0]);
    return code;
}

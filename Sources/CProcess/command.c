#define _GNU_SOURCE
#include "CProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int postern_start_command(char *const arguments[], const sigset_t *mask, int output, int errors, pid_t *child) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    pid_t parent = getpid();
    pid_t started = fork();
    if (started == 0) {
        int code = prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) < 0 ? errno : 0;
        /* The parent may have ended before the kernel was told. */
        if (code == 0 && getppid() != parent) _exit(127);
        if (code == 0 && output >= 0 && dup2(output, STDOUT_FILENO) < 0) code = errno;
        if (code == 0 && errors >= 0 && dup2(errors, STDERR_FILENO) < 0) code = errno;
        if (code == 0) {
            sigprocmask(SIG_SETMASK, mask, NULL);
            execvp(arguments[0], arguments);
            code = errno;
        }
        while (write(ends[1], &code, sizeof code) < 0 && errno == EINTR) {}
        _exit(127);
    }
    int code = started < 0 ? errno : 0;
    close(ends[1]);
    if (started > 0) {
        ssize_t count;
        /* The exec closes the pipe. */
        do count = read(ends[0], &code, sizeof code);
        while (count < 0 && errno == EINTR);
        if (count != (ssize_t)sizeof code) {
            code = 0;
        } else {
            while (waitpid(started, NULL, 0) < 0 && errno == EINTR) {}
        }
    }
    close(ends[0]);
    *child = started;
    return code;
}

static void remove_directory(const char *path) {
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return;
    DIR *directory = fdopendir(descriptor);
    if (directory == NULL) return;
    /* Refused for . and .. */
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) unlinkat(descriptor, entry->d_name, 0);
    rmdir(path);
}

int postern_remove_at_end(const char *directory, int *end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    pid_t child = fork();
    if (child < 0) {
        int code = errno;
        close(ends[0]);
        close(ends[1]);
        return code;
    }
    if (child > 0) {
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        close(ends[0]);
        *end = ends[1];
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
        close(ends[1]);
        return EAGAIN;
    }
    /* Out of the process group, which a signal may end as a whole, and away from the terminal. */
    if (setsid() < 0) _exit(1);
    pid_t watcher = fork();
    if (watcher != 0) _exit(watcher < 0);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    /* Nobody may wait for the end of a pipe that is held here. */
    if (dup2(ends[0], 0) < 0) _exit(1);
    closefrom(1);
    if (chdir("/") < 0) _exit(1);
    prctl(PR_SET_NAME, "postern-remove", 0, 0, 0);
    char byte;
    /* Only the process that started this one has the other end, and writes nothing. */
    while (read(0, &byte, 1) < 0 && errno == EINTR) {}
    remove_directory(directory);
    _exit(0);
}

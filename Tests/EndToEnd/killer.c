// Loaded in front of libc (LD_PRELOAD): ends its process as kill -9 does, in front of one chosen write to the store.
//
// As long as there is a file POSTERN_KILL_AT, the number in it says which: 1 is the first. What was written before is in the files, as the
// kernel has it, and nothing of what was to come. Each write appends a letter to POSTERN_KILL_LEDGER, so that a test can count them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int seen;

static int is_of_the_store(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "/postern.db") != NULL && strstr(path, "-shm") == NULL;
}

static void before(int file, char kind) {
    const char *at = getenv("POSTERN_KILL_AT"), *ledger = getenv("POSTERN_KILL_LEDGER");
    if (!at || !ledger) return;
    int number = (int)syscall(SYS_openat, AT_FDCWD, at, O_RDONLY | O_CLOEXEC, 0);
    if (number < 0) return;
    char text[16] = {0};
    syscall(SYS_read, number, text, sizeof text - 1);
    syscall(SYS_close, number);
    if (!is_of_the_store(file)) return;
    int last = ++seen == atoi(text);
    int log = (int)syscall(SYS_openat, AT_FDCWD, ledger, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    syscall(SYS_write, log, &kind, 1);
    syscall(SYS_close, log);
    if (last) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
}

// The function of that name that would have been called.
#define REAL(name) __typeof__(name) *real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    before(file, 'w');
    return real(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    REAL(pwrite);
    before(file, 'w');
    return real(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    before(file, 'w');
    return real(file, bytes, count);
}

int fdatasync(int file) {
    REAL(fdatasync);
    before(file, 's');
    return real(file);
}

int fsync(int file) {
    REAL(fsync);
    before(file, 's');
    return real(file);
}

int ftruncate64(int file, off64_t length) {
    REAL(ftruncate64);
    before(file, 't');
    return real(file, length);
}

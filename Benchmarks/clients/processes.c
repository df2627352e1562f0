/* Measures whole processes, from before vfork to after wait, by turns: each round runs every command once.
 *   processes ROUNDS ";" [<FILE] COMMAND… [";" [<FILE] COMMAND…]…
 * Prints a line for each command: its times in ms, in the order of the rounds. A command that fails ends it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
struct command { char **argv; const char *input; double *times; };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double run(const struct command *command, int nowhere) {
    int input = command->input ? open(command->input, O_RDONLY | O_CLOEXEC) : nowhere, status;
    double start = now();
    pid_t pid = vfork();
    if (pid == 0) {
        dup2(input, 0);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        execve(command->argv[0], command->argv, environ);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) { perror("vfork"); exit(1); }
    double taken = now() - start;
    if (input != nowhere) close(input);
    if (status) { fprintf(stderr, "%s %s ended with %d\n", command->argv[0], command->argv[1] ? command->argv[1] : "", status); exit(1); }
    return taken;
}

int main(int argc, char **argv) {
    int rounds = argc > 3 ? atoi(argv[1]) : 0, count = 0;
    struct command commands[64];
    if (rounds < 1 || strcmp(argv[2], ";")) { fprintf(stderr, "usage: processes ROUNDS ';' [<FILE] COMMAND... [';' ...]\n"); return 64; }
    for (int i = 2; i < argc && count < 64; count++) {
        argv[i++] = NULL; /* ends the command before */
        struct command *command = &commands[count];
        command->input = i < argc && argv[i][0] == '<' ? argv[i++] + 1 : NULL;
        command->argv = argv + i;
        command->times = calloc(rounds, sizeof(double));
        while (i < argc && strcmp(argv[i], ";")) i++;
    }
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int round = -2; round < rounds; round++) /* two to warm up */
        for (int i = 0; i < count; i++) {
            double taken = run(&commands[i], nowhere);
            if (round >= 0) commands[i].times[round] = taken;
        }
    for (int i = 0; i < count; i++)
        for (int round = 0; round < rounds; round++) printf("%.4f%c", commands[i].times[round], round + 1 < rounds ? ' ' : '\n');
    return 0;
}

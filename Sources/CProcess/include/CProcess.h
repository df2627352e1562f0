/* CProcess: what runs between fork and exec, where only async-signal-safe calls are allowed, and system calls that Glibc's module does
   not have. No Swift, no policy. */
#ifndef POSTERN_CPROCESS_H
#define POSTERN_CPROCESS_H
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>

/* System calls that do not reach Swift, because they are variadic or shown to GNU programs only. Each gives -1 and errno on
   failure where it says nothing else. */

/* Neither a core file nor a debugger of the same user gets at this process's memory. */
int postern_forbid_dumps(void);

/* A pipe whose ends no other program inherits, not even one that another thread starts meanwhile. */
int postern_pipe(int ends[2]);

/* Keeps every descriptor that is open now, from this number on, from the programs that are started. */
int postern_close_on_exec_from(unsigned int lowest);

/* The program gets no descriptor from this number on, close-on-exec or not. Gives an errno. */
int postern_spawn_without_descriptors_from(posix_spawn_file_actions_t *actions, int lowest);

/* Starts a program that is not our child: in a session of its own, with no other descriptor than these, all signals as they are by
   default. Returns once it runs, or cannot: 0, or an errno.
   input, output: its standard input and output; /dev/null where the number is negative, as for its standard error. */
int postern_start_detached(const char *path, char *const arguments[], char *const environment[], int input, int output);

/* The same, without input and output, and watched for so many milliseconds by a process that is not our child either.
   watch: a descriptor, to be closed; from it comes the program's wait status (an int) if it ends meanwhile, then the end. */
int postern_start_watched(const char *path, char *const arguments[], char *const environment[], int milliseconds, int *watch);

/* Starts a program as our child, found as a shell finds it, with this signal mask. It gets SIGTERM if the calling thread ends before it,
   however that happens. Call it while the process has one thread, or with a path: the search is not async-signal-safe. Gives an errno.
   output, errors: its standard output and standard error; those of this process if negative. */
int postern_start_command(char *const arguments[], const sigset_t *mask, int output, int errors, pid_t *child);

/* Starts a process that removes the directory and the files in it once this process has ended, however that happens. It is not our child,
   and has a copy of our memory: call it before there are secrets, and while the process has one thread. Gives an errno.
   end: a descriptor; that process ends earlier if it is closed. */
int postern_remove_at_end(const char *directory, int *end);

/* Gives an open new file the extended attributes of the file at the path, its access control list included or not; the new file has no
   other list. Gives an errno, and the name of the attribute that could not be copied, or an empty one. */
int postern_copy_attributes(const char *path, int descriptor, int with_access_list, char failed[256]);

/* This process gets the signal when the thread that started it ends, which need not be the end of that process (prctl(2)). */
int postern_signal_at_parents_end(int signal);

/* What a process can give up for good. Its later threads have it, too. Each gives -1 where the kernel does not have it. */

/* execve(2) gives no privileges. */
int postern_no_new_privileges(void);

/* Files and directories can be read below these paths, a list that ends with null, and nowhere else; nothing can be written, made or removed.
   What is open stays open, and sockets are no files. Needs no new privileges (landlock(7)). */
int postern_read_only_below(const char *const paths[]);

/* No program can be started, no other process looked into, and nothing mounted. Needs no new privileges (seccomp(2)). */
int postern_no_programs(void);

/* The path that this program was started by, as execve(2) got it (AT_EXECFN, getauxval(3)); null if the kernel does not tell. */
const char *postern_program_path(void);
#endif

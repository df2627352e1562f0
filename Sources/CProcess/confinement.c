#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int postern_signal_at_parents_end(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

int postern_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

/* <linux/landlock.h> of an older system lacks half of it. The numbers are the same for every architecture. */
enum { create_ruleset = 444, add_rule = 445, restrict_self = 446, version_flag = 1, path_beneath = 1 };

struct ruleset { uint64_t files; };
struct path_rule { uint64_t allowed; int32_t parent; } __attribute__((packed));

/* EXECUTE, WRITE_FILE, READ_FILE, READ_DIR and the nine that remove and make; REFER; TRUNCATE; IOCTL_DEV. By version of the interface. */
static const uint64_t rights[] = {0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF};
enum { read_file = 1 << 2, read_directory = 1 << 3 };

int postern_read_only_below(const char *const paths[]) {
    long version = syscall(create_ruleset, NULL, 0, version_flag);
    if (version < 1) return -1;
    if (version > (long)(sizeof rights / sizeof *rights)) version = sizeof rights / sizeof *rights;
    struct ruleset files = {rights[version - 1]};
    int rules = (int)syscall(create_ruleset, &files, sizeof files, 0);
    if (rules < 0) return -1;
    for (; *paths != NULL; paths++) {
        struct path_rule rule = {read_file | read_directory, open(*paths, O_PATH | O_CLOEXEC)};
        if (rule.parent < 0) continue;
        /* A file has no directory to be read. */
        if (syscall(add_rule, rules, path_beneath, &rule, 0) < 0) {
            rule.allowed = read_file;
            syscall(add_rule, rules, path_beneath, &rule, 0);
        }
        close(rule.parent);
    }
    int result = (int)syscall(restrict_self, rules, 0);
    close(rules);
    return result;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Numbers that an older system's headers lack. They are the same for every architecture. */
enum { io_uring_setup = 425, open_tree = 428, move_mount = 429, fsopen = 430, pidfd_getfd = 438 };

/* What starts programs, looks into other processes, or changes what is mounted; and io_uring, whose work no filter sees. */
static const uint32_t refused[] = {
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, pidfd_getfd, SYS_unshare, SYS_setns, SYS_mount,
    fsopen, open_tree, move_mount, SYS_bpf, io_uring_setup,
};

int postern_no_programs(void) {
#ifdef ARCHITECTURE
    enum { calls = sizeof refused / sizeof *refused, before = 4 };
    struct sock_filter code[before + calls + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        /* The numbers mean other calls there. A jump says how many instructions are left out: these go to the refusal at the end. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, calls + 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        /* x32. */
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, calls + 1, 0),
    };
    for (int index = 0; index < calls; index++)
        code[before + index] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[index], calls - index, 0);
    code[before + calls] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[before + calls + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#else
    errno = ENOSYS;
    return -1;
#endif
}

#define _GNU_SOURCE
#include "CProcess.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <unistd.h>

int postern_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int postern_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int postern_close_on_exec_from(unsigned int lowest) { return close_range(lowest, ~0U, CLOSE_RANGE_CLOEXEC); }

int postern_spawn_without_descriptors_from(posix_spawn_file_actions_t *actions, int lowest) {
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

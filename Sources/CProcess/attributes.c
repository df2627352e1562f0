#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <limits.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

static const char access_list[] = "system.posix_acl_access";

static int copy_attribute(const char *path, int descriptor, const char *name, void *value) {
    ssize_t size = lgetxattr(path, name, value, XATTR_SIZE_MAX);
    /* Somebody removed it meanwhile. */
    if (size < 0) return errno == ENODATA ? 0 : errno;
    if (fsetxattr(descriptor, name, value, (size_t)size, 0) == 0) return 0;
    /* The system labels each file itself, and need not let this user do so. */
    return strncmp(name, "security.", strlen("security.")) == 0 ? 0 : errno;
}

int postern_copy_attributes(const char *path, int descriptor, int with_access_list, char failed[256]) {
    failed[0] = 0;
    /* A new file may have one of its directory's. */
    if (fremovexattr(descriptor, access_list) < 0 && errno != ENODATA && errno != EOPNOTSUPP) return errno;
    char *names = malloc(XATTR_LIST_MAX);
    void *value = malloc(XATTR_SIZE_MAX);
    int code = names != NULL && value != NULL ? 0 : ENOMEM;
    ssize_t length = code == 0 ? llistxattr(path, names, XATTR_LIST_MAX) : 0;
    if (length < 0) {
        code = errno == EOPNOTSUPP ? 0 : errno;
        length = 0;
    }
    for (const char *name = names; code == 0 && name < names + length; name += strlen(name) + 1) {
        if (!with_access_list && strcmp(name, access_list) == 0) continue;
        code = copy_attribute(path, descriptor, name, value);
        if (code != 0) strncat(failed, name, XATTR_NAME_MAX);
    }
    free(value);
    free(names);
    return code;
}

#ifndef POSTERN_CPROCESS_SHIM_H
#define POSTERN_CPROCESS_SHIM_H
#include <malloc.h>
#include <sys/prctl.h>

/* prctl(2) is variadic, which Swift does not import. */
static inline int postern_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
#endif

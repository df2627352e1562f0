#include "CProcess.h"

#include <sys/auxv.h>

const char *postern_program_path(void) { return (const char *)getauxval(AT_EXECFN); }

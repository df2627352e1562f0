#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* libstdc++'s archive names it, and would take it from glibc, which has it from 2.36 on; Ubuntu 22.04 has 2.35. */
__attribute__((visibility("hidden"))) uint32_t arc4random(void);

uint32_t arc4random(void) {
    uint32_t number;
    /* So few bytes are given whole, whatever signal arrives. */
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) abort();
    return number;
}

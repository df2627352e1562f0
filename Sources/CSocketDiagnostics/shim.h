/* CSocketDiagnostics: the kernel's headers that say whose a socket is. Imported by LoopbackHTTP alone. */
#ifndef POSTERN_CSOCKETDIAGNOSTICS_SHIM_H
#define POSTERN_CSOCKETDIAGNOSTICS_SHIM_H
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/inet_diag.h>
#endif

#define _GNU_SOURCE
#include "CEpoll.h"

#include <stddef.h>
#include <sys/socket.h>

int postern_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

/* CEpoll: epoll, timers and signals as descriptors, and accept4, which Glibc's module does not have. No state. */
#ifndef POSTERN_CEPOLL_H
#define POSTERN_CEPOLL_H
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/* Accepts a connection that neither blocks nor is inherited by the programs that are started; -1 and errno on failure. Glibc shows accept4
   to GNU programs only. */
int postern_accept(int listener);
#endif

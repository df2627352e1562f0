// Reactor: one thread that waits for descriptors, timers and wakings: epoll.
//
// Knows when something is ready, and calls back.
//
// Does not know what is read or written. The daemon's actor runs on it, instead of Swift's default executor.
//
// Imports: CEpoll, Glibc.
// Start: EpollLoop.swift.

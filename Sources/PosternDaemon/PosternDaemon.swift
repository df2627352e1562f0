// PosternDaemon: the composition: makes the parts, and gives them to each other.
//
// Knows every module of the daemon. A wire implements a protocol of PosternApplication with a socket, the disk, a program or D-Bus. It
// starts and stops them in order.
//
// Does not decide: a rule that stands here has no test without sockets.
//
// Imports: CEpoll, CProcess, PosternApplication, Reactor, StrictJSON, PosternCore, PosternConfiguration, PosternInterface, PosternCrypto,
// PosternSystemd, PosternStore, Varlink, VarlinkServer, LoopbackHTTP, CallbackServer, HTTPSClient, NIOCore, NIOPosix, Glibc.
// Start: Daemon.swift, Composition.swift, Lifecycle.swift.

import Glibc

/// How a child ended.
enum ChildEnd {
    /// To be called before the first child is started.
    ///
    /// If whoever started this program ignores SIGCHLD, so does this program (execve(2)), and the kernel discards how children ended.
    static func keep() { signal(SIGCHLD, SIG_DFL) }

    /// Waits for a child.
    ///
    /// - Returns: the status of `waitpid`; nil if it is lost, which must not count as success.
    static func wait(for child: pid_t) -> Int32? {
        var status: Int32 = 0
        while true {
            if waitpid(child, &status, 0) == child { return status }
            guard errno == EINTR else { return nil }
        }
    }
}

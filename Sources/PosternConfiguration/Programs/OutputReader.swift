import Glibc

/// Reads a child's output until the child has exited, and records its status.
///
/// The end of the pipe and the end of the child are independent: a background process may hold the pipe open.
struct OutputReader {
    let descriptor: Int32
    let process: pid_t
    let limit: Int
    private(set) var bytes: [UInt8] = []
    /// From `waitpid`; nil if somebody else reaped the child.
    private(set) var status: Int32?
    private(set) var hasEnded = false
    private var isAtEnd = false

    init(descriptor: Int32, process: pid_t, limit: Int) {
        self.descriptor = descriptor
        self.process = process
        self.limit = limit
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// - Returns: why it was not read to the end; nil if it was.
    mutating func run(for timeout: Duration) -> CommandOutput.Failure? {
        let deadline = ContinuousClock.now + timeout
        // Without a signal handler or a pidfd, which Swift cannot open, one cannot wait for a child and a pipe together; so the child is
        // polled after the pipe's end, at first often and then less.
        var pause: Int32 = 1
        while true {
            let mayBeLast = reap()
            drain()
            if bytes.count > limit { return .tooLong(limit: limit) }
            if mayBeLast { return nil }
            let left = deadline - .now
            guard left > .zero else { return .timedOut(seconds: timeout.components.seconds) }
            let milliseconds = left.components.seconds >= 1 ? 1000 : Int32(left.components.attoseconds / 1_000_000_000_000_000)
            var entry = pollfd(fd: isAtEnd ? -1 : descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, max(1, min(milliseconds, pause)))
            pause = min(pause * 2, 50)
        }
    }

    /// True once the child has exited; its output is in the pipe by then.
    private mutating func reap() -> Bool {
        guard !hasEnded else { return true }
        var status: Int32 = 0
        let reaped = waitpid(process, &status, WNOHANG)
        if reaped == process { self.status = status }
        hasEnded = reaped == process || (reaped < 0 && errno == ECHILD)
        return hasEnded
    }

    /// Reads all that is available now.
    private mutating func drain() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !isAtEnd, bytes.count <= limit {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                bytes.append(contentsOf: chunk[..<count])
            } else if count == 0 {
                isAtEnd = true
            } else if errno != EINTR {
                // EAGAIN: nothing more for now.
                return
            }
        }
    }
}

import Glibc

/// A pipe whose ends no child inherits unless it is given one. (`pipe2` is not among what Glibc's module offers; between
/// the two calls nothing else is started here.)
struct PipeEnds {
    let readEnd: Int32
    let writeEnd: Int32

    init(blocking: Bool) throws(CommandFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandFailure("no pipe could be had: \(String(cString: strerror(errno)))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            if !blocking { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}

import Glibc
import LoopbackHTTP
import VarlinkServer

/// How many connections programs and browsers may have, so that neither, by idling, takes the file descriptors that the others, requests to
/// providers and the store need.
struct DescriptorShares: Equatable {
    /// For the store, the log, the two loops, what is listened on, requests to providers, and programs that are started.
    private static let reserved = 48

    let programs: Int
    let browsers: Int
    /// What to report at the start; nil if the limit reduces nothing.
    let warning: String?

    /// - Parameter limit: the most descriptors that this process may have (`RLIMIT_NOFILE`).
    init(limit: UInt64) {
        let (most, mostBrowsers) = (VarlinkLimits().connections, HTTPLimits().connections)
        let rest = Int(clamping: limit) - Self.reserved
        programs = min(most, max(4, rest / 3 * 2))
        browsers = min(mostBrowsers, max(2, rest / 3))
        let enough = Self.reserved + most / 2 * 3
        warning =
            programs == most
            ? nil
            : "no more than \(limit) file descriptors are allowed, so that \(programs) programs and \(browsers) browser connections are served at once; "
                + "set LimitNOFILE= of the service (ulimit -n) to \(enough) or more"
    }

    static let ofThisProcess: DescriptorShares = {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return DescriptorShares(limit: .max) }
        return DescriptorShares(limit: UInt64(limits.rlim_cur))
    }()
}

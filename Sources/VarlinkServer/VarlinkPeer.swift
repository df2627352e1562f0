import Glibc
import Synchronization

/// The process at the other end of a connection, as the kernel knew it when the connection was made.
///
/// The uid decides who may connect. The executable and the unit are for logs and for people only: a process can exit and its pid be reused
/// at any time, so nothing may be allowed because of them.
public struct VarlinkPeer: Sendable {
    /// Unique among the connections of one listener.
    public let id: UInt64
    public let pid: pid_t
    public let uid: uid_t
    public let gid: gid_t
    private let process: ProcessFacts

    public init(id: UInt64, pid: pid_t, uid: uid_t, gid: gid_t) {
        self.id = id
        self.pid = pid
        self.uid = uid
        self.gid = gid
        process = ProcessFacts(pid: pid)
    }

    /// The program's path, read on first use; nil if it cannot be read.
    public var executable: String? { process.executable }

    /// The systemd service or scope that the process runs in, read on first use.
    public var unit: String? { process.unit }
}

/// Read on demand, because most calls need neither, and kept, because the process may exit.
private final class ProcessFacts: Sendable {
    private struct Facts {
        var executable: String??
        var unit: String??
    }

    private let pid: pid_t
    private let facts = Mutex(Facts())

    init(pid: pid_t) { self.pid = pid }

    var executable: String? { known(\.executable) { ProcessFiles.executable(of: pid) } }
    var unit: String? { known(\.unit) { ProcessFiles.controlGroups(of: pid).flatMap(ControlGroup.unit(in:)) } }

    private func known(_ fact: WritableKeyPath<Facts, String??> & Sendable, look: () -> String?) -> String? {
        facts.withLock { facts in
            if let known = facts[keyPath: fact] { return known }
            let found = look()
            facts[keyPath: fact] = .some(found)
            return found
        }
    }
}

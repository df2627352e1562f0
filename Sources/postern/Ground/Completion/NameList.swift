import Glibc
import PosternClient

/// The names that the daemon last wrote to a file for shells, beside its store.
struct NameList: Equatable {
    /// Providers with a configured client.
    var providers: [String] = []
    /// The other providers that the daemon knows.
    var unreadyProviders: [String] = []
    /// `[account.NAME]`
    var accounts: [String] = []

    init() {}

    /// Each line has a kind and a name; others are ignored, since another version may have written them.
    init(_ text: some StringProtocol) {
        for line in text.parts(separator: "\n") {
            let parts = line.parts(separator: " ", maxSplits: 1)
            guard parts.count == 2, Self.isName(parts[1]) else { continue }
            switch parts[0] {
            case "provider": providers.append(String(parts[1]))
            case "unready": unreadyProviders.append(String(parts[1]))
            case "account": accounts.append(String(parts[1]))
            default: break
            }
        }
    }

    /// The configuration's rule: the name is sent to a terminal.
    private static func isName(_ word: some StringProtocol) -> Bool {
        word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x5F }
    }
}

/// The file with those names (`NamesFile` of the daemon).
struct NamesFile {
    /// More than the largest configuration needs.
    private static let limit = 1 << 18

    let list: NameList
    /// A running daemon holds the file's lock. No connection is made: that would start a daemon.
    let isDaemonRunning: Bool

    /// Nil if there is none that belongs to this user.
    init?() {
        guard let state = ProcessEnvironment.directory("XDG_STATE_HOME", orHome: ".local/state") else { return nil }
        let descriptor = open("\(state)/postern/names", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG, information.st_uid == geteuid(),
            information.st_size <= Self.limit
        else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(information.st_size)) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        list = NameList(text)
        isDaemonRunning = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}

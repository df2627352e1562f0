import Glibc

/// The result of `stat` for a path, without following a link at its end.
struct FileStatus: Equatable {
    enum Kind { case directory, socket, other }

    var kind: Kind
    var owner: UInt32
    /// The lower nine bits.
    var permissions: UInt32

    var permissionText: String { "0" + String(permissions, radix: 8) }
}

extension FileStatus {
    /// Nil if there is nothing at the path, or if `stat` fails; `errno` says which.
    init?(path: String) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return nil }
        self.init(information)
    }

    /// The status of the target if the path is a link.
    init?(following path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        self.init(information)
    }

    private init(_ information: stat) {
        switch information.st_mode & S_IFMT {
        case S_IFDIR: kind = .directory
        case S_IFSOCK: kind = .socket
        default: kind = .other
        }
        owner = information.st_uid
        permissions = information.st_mode & 0o777
    }
}

/// The name of a user, for people.
enum UserName {
    /// `user 1000 (ada)`; only the number if there is no name.
    static func text(_ userID: UInt32) -> String { name(of: userID).map { "user \(userID) (\($0))" } ?? "user \(userID)" }

    static func name(of userID: UInt32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer -> String? in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let start = buffer.baseAddress, getpwuid_r(userID, &entry, start, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return nil }
            return String(cString: name)
        }
    }
}

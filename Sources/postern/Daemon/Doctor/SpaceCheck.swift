import Glibc

/// The free space of a file system for users other than root.
struct FreeSpace: Equatable {
    var bytes: UInt64
    /// Nil if the file system creates them as needed.
    var files: UInt64?
}

extension FreeSpace {
    /// Nil if it cannot be determined.
    init?(of path: String) {
        var information = statvfs()
        guard statvfs(path, &information) == 0 else { return nil }
        bytes = UInt64(information.f_bavail).multipliedReportingOverflow(by: UInt64(information.f_frsize)).partialValue
        files = information.f_files == 0 ? nil : UInt64(information.f_favail)
    }
}

/// Whether the daemon can store credentials: without space a sign-in fails after the provider has agreed.
enum SpaceCheck {
    static let title = "disk"
    /// Less than a sign-in needs: the changed page, and SQLite's journal of it.
    static let tooLittle: UInt64 = 64 << 10
    /// The size of SQLite's journal during many writes, and some more.
    static let least: UInt64 = 4 << 20
    static let scarce: UInt64 = 64 << 20

    /// - Parameter isStoreOpen: if false, a file system that is only nearly full is not reported, as it is not why the store cannot be
    ///   opened.
    static func findings(_ directory: String, _ space: FreeSpace?, isStoreOpen: Bool = true) -> [Finding] {
        guard let space else { return [] }
        let quoted = ShellWord.quoted(directory)
        let fix = "make room there: df -h \(quoted)"
        if space.files == 0 {
            return [.fail(title, "the file system of \(directory) takes no more files", fix: "remove files there: df -i \(quoted)")]
        }
        let left = space.bytes < 1 << 20 ? "\(space.bytes >> 10) KiB" : "\(space.bytes >> 20) MiB"
        if space.bytes < tooLittle {
            return [.fail(title, "it is full: \(left) are left for \(directory), so nothing can be kept", fix: fix)]
        }
        guard isStoreOpen, space.bytes < scarce else { return [] }
        let sentence = "it is nearly full: \(left) are left for \(directory)"
        return [space.bytes < least ? .fail(title, "\(sentence), so soon nothing can be kept", fix: fix) : .warn(title, sentence, fix: fix)]
    }
}

import Glibc

/// Whether other users can put something else in the place of a directory, by way of the directories above it.
///
/// Those that the path leads through by links count, too.
enum PathCheck {
    /// One directory or link on the way.
    struct Step: Equatable {
        var path: String
        var owner: UInt32
        var permissions: UInt32
        /// As in /tmp: users can rename and remove only their own entries.
        var isSticky = false
        /// Whose permissions count for the entries of the directory, not for the entry itself.
        var isLink = false
        /// The group has members besides this user.
        var isGroupShared = false
    }

    /// - Parameters:
    ///   - path: the directory; its own permissions are judged by ``DirectoryCheck``.
    ///   - steps: what is above it.
    ///   - trusted: this user, root and the owner of `/`, whom a user namespace may show as another user.
    static func findings(title: String, of path: String, steps: [Step], trusted: Set<UInt32>, home: String?) -> [Finding] {
        steps.compactMap { step in
            let name = step.path == home ? "your home directory \(step.path)" : step.path
            guard trusted.contains(step.owner) else {
                return .fail(
                    title, "\(name) belongs to \(UserName.text(step.owner)), who can put something else in the place of \(path)",
                    fix: "make it yours or root's, or use a directory below another one")
            }
            guard !step.isLink, !step.isSticky else { return nil }
            let fix = "chmod go-w \(ShellWord.quoted(step.path))"
            let mode = "0" + String(step.permissions, radix: 8)
            let follows = "can write to \(name) (mode \(mode)), and put something else in the place of \(path)"
            if step.permissions & 0o002 != 0 { return .fail(title, "others \(follows)", fix: fix) }
            if step.permissions & 0o020 != 0, step.isGroupShared { return .warn(title, "others of its group \(follows)", fix: fix) }
            return nil
        }
    }

    /// As many links as the kernel follows (path_resolution(7)).
    private static let mostLinks = 40

    /// What is on the way to a directory, from `/` on, without the directory itself. It ends where nothing is yet.
    static func steps(to path: String) -> [Step] {
        var steps: [Step] = []
        var links = 0
        var rest = path.parts(separator: "/").map(String.init)[...]
        var place = ""
        while let name = rest.popFirst() {
            if name == "." { continue }
            if name == ".." {
                place = place.unicodeScalars.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
                continue
            }
            let next = "\(place)/\(name)"
            var information = stat()
            guard lstat(next, &information) == 0 else { break }
            let isLink = information.st_mode & S_IFMT == S_IFLNK
            let step = Step(
                path: next, owner: information.st_uid, permissions: information.st_mode & 0o777,
                isSticky: information.st_mode & S_ISVTX != 0, isLink: isLink, isGroupShared: isShared(group: information.st_gid))
            if !steps.contains(step) { steps.append(step) }
            guard isLink else {
                place = next
                continue
            }
            links += 1
            guard links <= mostLinks, let target = TextFile.link(next, limit: Int(PATH_MAX)) else { break }
            if target.begins(with: "/") { place = "" }
            rest = target.parts(separator: "/").map(String.init) + rest
        }
        if let last = steps.last, !last.isLink, rest.isEmpty { steps.removeLast() }
        return steps
    }

    static var trusted: Set<UInt32> {
        var information = stat()
        return stat("/", &information) == 0 ? [getuid(), 0, information.st_uid] : [getuid(), 0]
    }

    /// False for root's group, and for a user's private group (useradd(8)): one of the user's name with no other members.
    private static func isShared(group: UInt32) -> Bool {
        guard group != 0 else { return false }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer -> Bool in
            var entry = Glibc.group()
            var found: UnsafeMutablePointer<Glibc.group>?
            guard let start = buffer.baseAddress, getgrgid_r(group, &entry, start, buffer.count, &found) == 0, found != nil,
                let name = entry.gr_name, let members = entry.gr_mem
            else { return group != getgid() }
            return members.pointee != nil || String(cString: name) != UserName.name(of: getuid())
        }
    }
}

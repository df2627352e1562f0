import Glibc

/// Whether a directory is one that only its owner, and root, can put files into or take the place of.
enum KeyDirectory {
    /// What is known of one that is there.
    struct Facts {
        var isDirectory: Bool
        var owner: UInt32
        var mode: UInt32
        /// As it is without symbolic links.
        var realPath: String

        init(isDirectory: Bool = true, owner: UInt32, mode: UInt32, realPath: String) {
            (self.isDirectory, self.owner, self.mode, self.realPath) = (isDirectory, owner, mode, realPath)
        }

        /// Nil where there is nothing of that name.
        init?(path: String) {
            var status = stat()
            guard stat(path, &status) == 0, let real = realpath(path, nil) else { return nil }
            defer { free(real) }
            self.init(
                isDirectory: status.st_mode & S_IFMT == S_IFDIR, owner: status.st_uid, mode: status.st_mode & 0o7777,
                realPath: String(cString: real))
        }

        /// Nobody else can rename or remove what is in it: whoever may write there is trusted, or may touch what is theirs alone.
        func keeps(_ user: UInt32, isLast: Bool) -> Bool {
            guard owner == user || owner == 0 else { return false }
            if mode & 0o022 == 0 { return true }
            // As /tmp: a directory below it is its owner's, but new files there are anybody's.
            return !isLast && owner == 0 && mode & 0o1000 != 0
        }
    }

    /// Why no key belongs there; nil where it does. As sshd looks at the way to `authorized_keys`: who can write to a directory above can
    /// put another one in its place. What is missing is made for its owner alone.
    ///
    /// - Parameters:
    ///   - path: from the root.
    ///   - user: who owns the key.
    static func problem(of path: String, user: UInt32, look: (String) -> Facts?) -> String? {
        var existing = path
        var facts = look(existing)
        while facts == nil, existing != "/" {
            existing = parent(of: existing)
            facts = look(existing)
        }
        guard var current = facts else { return nil }
        var isLast = existing == path
        if !current.isDirectory { return "\(existing): not a directory" }
        while true {
            if !current.keeps(user, isLast: isLast) { return problem(of: current, below: path, user: user) }
            guard current.realPath != "/" else { return nil }
            // Above a symbolic link's target, not above the link: it is there that the files are.
            guard let next = look(parent(of: current.realPath)) else { return nil }
            (current, isLast) = (next, false)
        }
    }

    private static func problem(of facts: Facts, below path: String, user: UInt32) -> String {
        let place = facts.realPath == path ? path : "\(path): \(facts.realPath) is above it, and"
        let subject = facts.realPath == path ? "\(place): others can write there" : "\(place) others can write there"
        // A sticky one is everybody's on purpose.
        let isTheirs = facts.owner == user && facts.mode & 0o1000 == 0
        let advice =
            isTheirs ? "; use one that only you can write to, or: chmod go-w \(facts.realPath)" : "; use one that only you can write to"
        return subject + ", and could put their own key or certificate in its place" + advice
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

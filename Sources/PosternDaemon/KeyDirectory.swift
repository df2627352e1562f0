import Glibc

/// Decides whether only its owner, and root, can put files into a directory or replace it.
enum KeyDirectory {
    /// What is known about an existing directory.
    struct Facts {
        var isDirectory = true
        var owner: UInt32
        var mode: UInt32
        /// The path without symbolic links.
        var realPath: String

        /// Nobody else can rename or remove its contents: anyone who may write there is trusted, or may only change their own files.
        func keeps(_ user: UInt32, isLast: Bool) -> Bool {
            guard owner == user || owner == 0 else { return false }
            if mode & 0o022 == 0 { return true }
            // Like /tmp: a directory below it is its owner's, but anybody can create files there.
            return !isLast && owner == 0 && mode & 0o1000 != 0
        }
    }

    /// Why no key may be stored there; nil if one may. As sshd checks the path to `authorized_keys`: whoever can write to a directory above
    /// can replace this one. A missing directory is created for its owner only.
    ///
    /// - Parameters:
    ///   - path: from the root.
    ///   - user: the owner of the key.
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
            // Above a symbolic link's target, not above the link: that is where the files are.
            guard let next = look(parent(of: current.realPath)) else { return nil }
            (current, isLast) = (next, false)
        }
    }

    private static func problem(of facts: Facts, below path: String, user: UInt32) -> String {
        let place = facts.realPath == path ? path : "\(path): \(facts.realPath) is above it, and"
        let subject = facts.realPath == path ? "\(place): others can write there" : "\(place) others can write there"
        // A sticky one is shared on purpose.
        let isTheirs = facts.owner == user && facts.mode & 0o1000 == 0
        let advice =
            isTheirs ? "; use one that only you can write to, or: chmod go-w \(facts.realPath)" : "; use one that only you can write to"
        return subject + ", and could put their own key or certificate in its place" + advice
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

extension KeyDirectory.Facts {
    /// Nil if there is nothing with that name.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        self.init(
            isDirectory: status.st_mode & S_IFMT == S_IFDIR, owner: status.st_uid, mode: status.st_mode & 0o7777,
            realPath: String(cString: real))
    }
}

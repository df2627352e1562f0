import Glibc

/// A user as a person knows them.
enum UserName {
    /// `user 1000 (ada)`; the number alone where there is no name for it.
    static func text(_ userID: UInt32) -> String {
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer -> String? in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let start = buffer.baseAddress, getpwuid_r(userID, &entry, start, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return nil }
            return String(cString: name)
        }
        return name.map { "user \(userID) (\($0))" } ?? "user \(userID)"
    }
}

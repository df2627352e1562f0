/// Who may do what with a file, as far as it matters here.
public struct FileAccess: Sendable, Hashable {
    /// It belongs to the daemon's user or to root.
    public var ownerIsTrusted: Bool
    /// The permission bits, as in `chmod`.
    public var mode: UInt32

    public init(ownerIsTrusted: Bool = true, mode: UInt32) {
        self.ownerIsTrusted = ownerIsTrusted
        self.mode = mode
    }

    /// The group counts as others: who is in it can change without this file changing.
    public var isWritableByOthers: Bool { !ownerIsTrusted || mode & 0o022 != 0 }
    public var isReadableByOthers: Bool { !ownerIsTrusted || mode & 0o044 != 0 }
}

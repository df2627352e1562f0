import CProcess

/// The memory of this process, once it holds a secret.
enum ProcessMemory {
    /// Keeps the memory out of core files, and from debuggers of the same user. It does not affect the programs that this process starts or
    /// becomes: execve(2) sets the attribute again, and the limit on core files stays.
    ///
    /// Not called before a sign-in: the daemon asks `/proc` which program begins it, and this hides the answer, too.
    static func hide() { _ = postern_forbid_dumps() }
}

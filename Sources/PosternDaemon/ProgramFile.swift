import CProcess
import Glibc

/// The file that this program runs from: whether the next start takes another one.
struct ProgramFile: Sendable {
    /// The absolute path that it was started by, if that led through symbolic links to the file that runs. Nix, stow and the like upgrade
    /// by pointing such a link to another file, and the old one stays.
    private let link: String?
    private let running: @Sendable () -> String?

    /// - Parameters:
    ///   - path: what it was started by.
    ///   - running: the file that runs, as the kernel reports it now.
    init(startedBy path: String?, running: @escaping @Sendable () -> String?) {
        self.running = running
        // A relative path means something else elsewhere. If it led to another file, something stands between the two, such as the dynamic
        // linker started by name or a mount, and the path says nothing about the next start.
        if let path, path.begins(with: "/"), let target = Self.target(of: path), target != path, target == running() {
            link = path
        } else {
            link = nil
        }
    }

    /// Of this process.
    init() { self.init(startedBy: postern_program_path().map { String(cString: $0) }, running: Self.runningFile) }

    /// A program that has not changed since its own start is not replaced: no daemon ends twice because of the same upgrade.
    var isReplaced: Bool {
        guard let file = running() else { return false }
        // The kernel reports this for a program whose file was removed or replaced while it runs (proc_pid_exe(5)).
        if file.utf8.suffix(10).elementsEqual(" (deleted)".utf8) { return true }
        // While a link is being switched it may lead nowhere, or to what cannot be started.
        guard let link, let target = Self.target(of: link) else { return false }
        return target != file && access(target, X_OK) == 0
    }

    /// Nil if it leads to no file.
    private static func target(of path: String) -> String? {
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(validatingCString: target)
    }

    private static func runningFile() -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink("/proc/self/exe", start, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
    }
}

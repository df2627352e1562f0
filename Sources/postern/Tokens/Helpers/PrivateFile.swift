import Glibc

/// A file that only this user can read, written whole or not at all.
enum PrivateFile {
    /// Replaces the content of the file. Readers see the old content or the new.
    ///
    /// Only a regular file is replaced, and links are not followed: another program's configuration names the path.
    ///
    /// - Returns: false if it failed; nothing is left behind then.
    static func replace(_ path: String, with bytes: [UInt8]) -> Bool {
        var information = stat()
        if lstat(path, &information) == 0 {
            guard information.st_mode & S_IFMT == S_IFREG else { return false }
        } else if errno != ENOENT {
            return false
        }
        var template = Array(path.utf8CString.dropLast()) + Array(".XXXXXX".utf8CString)
        // 0600, under an unused name. (Glibc's module has no `mkostemp`; no program is started here.)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return false }
        let isWritten = FileDescriptorWriter.writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(template, path) == 0 else {
            unlink(template)
            return false
        }
        return true
    }
}

import CProcess
import Glibc

/// A user's file that is written whole or not at all. Mode, owner, access control list and other attributes are kept, and a link still leads
/// to the file.
struct ReplacedFile {
    /// The target of a link at the path, or the path.
    let path: String

    init(_ path: String) {
        guard let real = realpath(path, nil) else {
            self.path = path
            return
        }
        defer { free(real) }
        self.path = String(cString: real)
    }

    var exists: Bool { access(path, F_OK) == 0 }

    /// - Parameter limit: no file of this command's own is larger than a mebibyte.
    /// - Returns: nil if there is no file.
    func content(limit: Int = 1 << 20) throws(CommandFailure) -> [UInt8]? {
        // O_NONBLOCK: opening a FIFO would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw CommandFailure("\(path) cannot be read: \(String(cString: strerror(errno)))".plain)
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure("\(path) is not a regular file".plain)
        }
        guard let bytes = DescriptorReader.all(from: descriptor, limit: limit), bytes.count <= limit else {
            throw CommandFailure("\(path) cannot be read, or is too large".plain)
        }
        return bytes
    }

    /// - Parameters:
    ///   - mode: the mode of a new file.
    ///   - keepsMode: false applies the mode to an existing file as well, which then loses its access control list, as a secret requires.
    func write(_ bytes: [UInt8], mode: mode_t = 0o600, keepsMode: Bool = true) throws {
        try Self.makeDirectories(Self.directory(of: path))
        var information = stat()
        let isThere = lstat(path, &information) == 0
        if isThere, information.st_mode & S_IFMT != S_IFREG { throw CommandFailure("\(path) is not a regular file".plain) }
        var template = Array(path.utf8CString.dropLast()) + Array(".XXXXXX".utf8CString)
        // 0600, under an unused name.
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure() }
        var note: String?
        do {
            defer { close(descriptor) }
            var wanted = mode
            if isThere {
                let keepsGroup = try takeOwner(information, descriptor)
                try takeAttributes(descriptor, withAccessList: keepsMode && keepsGroup)
                if keepsMode { wanted = information.st_mode & 0o7777 }
                // The user's own group gets no rights that were another's.
                if !keepsGroup {
                    let lost = wanted & 0o070 & ~((wanted & 0o007) << 3)
                    wanted &= ~lost
                    if lost != 0 { note = "\(path): you are not in its group \(information.st_gid), which has lost its rights" }
                }
            }
            guard fchmod(descriptor, wanted) == 0, FileDescriptorWriter.writeAll(bytes, to: descriptor), fsync(descriptor) == 0 else {
                throw failure()
            }
            guard isThere ? rename(template, path) == 0 : try putNew(template) else { throw failure() }
        } catch {
            unlink(template)
            throw error
        }
        Self.sync(directory: Self.directory(of: path))
        if let note { StandardError.write(line: note.plain) }
    }

    /// Never over a file that somebody else has made in the meantime.
    private func putNew(_ file: [CChar]) throws -> Bool {
        if link(file, path) == 0 {
            unlink(file)
            return true
        }
        guard errno != EEXIST else { throw CommandFailure("\(path) has changed in the meantime and was not written".plain) }
        // Not every file system has links.
        return rename(file, path) == 0
    }

    /// Gives the new file the owner and the group of the existing one.
    ///
    /// - Returns: false if it keeps this user's group: only a member can give a file to a group, as after a `chown` by root.
    private func takeOwner(_ information: stat, _ descriptor: Int32) throws -> Bool {
        // A directory may give its own group to what is made in it.
        var made = stat()
        if fstat(descriptor, &made) == 0, information.st_uid == made.st_uid, information.st_gid == made.st_gid { return true }
        if fchown(descriptor, information.st_uid, information.st_gid) == 0 { return true }
        guard information.st_uid == geteuid() else {
            throw CommandFailure(
                "\(path) belongs to \(UserName.text(information.st_uid)), and would become yours".plain, advice: "change it as its owner")
        }
        return false
    }

    private func takeAttributes(_ descriptor: Int32, withAccessList: Bool) throws {
        var failed = [CChar](repeating: 0, count: 256)
        let code = postern_copy_attributes(path, descriptor, withAccessList ? 1 : 0, &failed)
        guard code != 0 else { return }
        let name = String(decoding: failed.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw CommandFailure(
            "the attributes of \(path) cannot be kept\(name.isEmpty ? "" : " (\(name))"): \(String(cString: strerror(code)))".plain)
    }

    /// Creates a directory and those above it where they are missing, for their owner alone.
    static func makeDirectories(_ directory: String) throws {
        guard access(directory, F_OK) != 0, directory != "/" else { return }
        try makeDirectories(Self.directory(of: directory))
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure("\(directory) cannot be made: \(String(cString: strerror(errno)))".plain)
        }
    }

    /// Ensures that the name survives a power failure.
    private static func sync(directory: String) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    static func directory(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func failure() -> CommandFailure {
        let reason = String(cString: strerror(errno))
        let directory = Self.directory(of: path)
        for place in [directory, path] {
            guard let obstacle = WriteObstacle(at: place) else { continue }
            return CommandFailure("\(path) cannot be written: \(place) \(obstacle.sentence)".plain, advice: obstacle.fix(place).plain)
        }
        return CommandFailure("\(path) cannot be written: \(reason)".plain)
    }
}

/// The content of a file before it was written, to be restored.
struct FileSnapshot {
    private let file: ReplacedFile
    /// Nil if there was no file.
    let content: [UInt8]?
    private let isSecret: Bool

    /// - Throws: if there is a file that cannot be read, and therefore not be restored.
    init(_ path: String, isSecret: Bool) throws {
        file = ReplacedFile(path)
        self.isSecret = isSecret
        content = try file.content()
    }

    /// - Parameter written: what this command wrote over it, if it came so far. What somebody else has written since then stays.
    func restore(over written: [UInt8]) throws {
        let present = try file.content()
        guard present != content else { return }
        guard present == written else {
            throw CommandFailure("\(file.path) has changed in the meantime, and stays as it is now".plain)
        }
        guard let content else {
            guard unlink(file.path) == 0 || errno == ENOENT else {
                throw CommandFailure("\(file.path) cannot be removed: \(String(cString: strerror(errno)))".plain)
            }
            return
        }
        try file.write(content, keepsMode: !isSecret)
    }
}

import Glibc
import TOML

/// What the administrator's files said when they could last be used. A file that is broken later stays in force with that.
///
/// Kept in memory, and in a directory of the user's for the next start. Whoever can write there is the user, who can override the
/// administrator's settings anyway. A copy of a file that was removed is removed as well.
public struct LastGoodFiles: Sendable {
    /// Larger files are remembered only while the daemon runs.
    static let sizeLimit = 1 << 16

    /// Nil if nothing is kept for the next start.
    private let directory: String?
    private var known: [String: [UInt8]] = [:]

    /// - Parameters:
    ///   - state: the state directory; nil if there is none.
    ///   - environment: for the machine: a home directory that several machines share has copies of each.
    public init(state: String?, environment: [String: String]) {
        let machine = Self.machine(SystemDirectories(environment: environment))
        directory = state.map { "\($0)/administrator/\(machine)" }
    }

    /// - Parameter path: of a file of the administrator's.
    func bytes(of path: String) -> [UInt8]? {
        if let bytes = known[path] { return bytes }
        guard let copy = copy(of: path) else { return nil }
        let file = try? BoundedFile(path: copy, limit: Self.sizeLimit)
        // An empty one may be left of a crash; nothing is lost with it.
        return file.flatMap { $0.access.isOwn && !$0.access.isWritableByOthers && !$0.bytes.isEmpty ? $0.bytes : nil }
    }

    /// The known parts of a directory, in the order of their names.
    func paths(in directory: String) -> [String] {
        let prefix = FilePath.name(of: directory) + Self.separator
        let names = copies.compactMap { $0.rest(after: prefix).map(String.init) }
        let paths = Set(known.keys.filter { FilePath.directory(of: $0) == directory } + names.map { "\(directory)/\($0)" })
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Remembers the administrator's files that can be used, and forgets those that are gone.
    mutating func keep(_ files: [ConfigurationFile]) {
        let administrators = files.filter { $0.origin == .administrator }
        // Nobody can tell which files are gone from a directory that cannot be read.
        if !administrators.contains(where: \.isDirectory) {
            let there = Set(administrators.map(\.path))
            known = known.filter { there.contains($0.key) }
            let wanted = Set(there.compactMap(copy))
            if let directory { for name in copies where !wanted.contains("\(directory)/\(name)") { unlink("\(directory)/\(name)") } }
        }
        for file in administrators where !file.isDirectory && file.isUsable && bytes(of: file.path) != file.bytes {
            known[file.path] = file.bytes
            write(file.bytes, for: file.path)
        }
    }

    // MARK: The copies

    private static let separator = "%"

    /// `config.toml`, `config.d%mail.toml`
    private func copy(of path: String) -> String? {
        let folder = FilePath.name(of: FilePath.directory(of: path))
        let name = FilePath.name(of: path)
        return directory.map { "\($0)/\(folder == ConfigurationLoader.parts ? folder + Self.separator + name : name)" }
    }

    private var copies: [String] {
        guard let directory, let names = try? ConfigurationLoader.partFiles(in: directory) else { return [] }
        return names.map { FilePath.name(of: $0) }
    }

    /// Failing costs only the copy: the file itself is in force.
    private func write(_ bytes: [UInt8], for path: String) {
        guard let directory, let copy = copy(of: path) else { return }
        guard bytes.count <= Self.sizeLimit, !bytes.isEmpty else {
            unlink(copy)
            return
        }
        Self.makeDirectory(directory)
        let new = copy + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let isWritten = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        if !isWritten || rename(new, copy) != 0 { unlink(new) }
    }

    private static func makeDirectory(_ path: String) {
        if mkdir(path, 0o700) == 0 || errno != ENOENT { return }
        let parent = FilePath.directory(of: path)
        guard parent != path, parent != "." else { return }
        makeDirectory(parent)
        mkdir(path, 0o700)
    }

    private static func machine(_ system: SystemDirectories) -> String {
        let path = "\(FilePath.directory(of: system.administrator))/machine-id"
        guard let file = try? BoundedFile(path: path, limit: 64) else { return "unknown" }
        let digits = file.bytes.filter { $0 != UInt8(ascii: "\n") }
        let isHexadecimal = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return digits.count == 32 && isHexadecimal ? String(decoding: digits, as: UTF8.self) : "unknown"
    }
}

extension ConfigurationFile {
    /// Its sections can be told apart, and nobody else can have written it.
    fileprivate var isUsable: Bool {
        fault == nil && !access.isWritableByOthers && (try? TOMLTable(parsing: bytes)) != nil
    }
}

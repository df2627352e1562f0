import Glibc

/// The clients that the user's configuration names, as far as they stand there in so many words. What is not found is written anew, and
/// the daemon says where that does not go together.
struct ConfiguredClients {
    private var clients: [String: String] = [:]
    private var sections: Set<String> = []

    /// - Parameter texts: the files, in the order in which they are read.
    init(_ texts: [String]) {
        for text in texts { read(text) }
    }

    /// Whether there is a section for the provider.
    func mentions(_ providerID: String) -> Bool { sections.contains(providerID) }

    func client(of providerID: String) -> String? { clients[providerID] }

    private mutating func read(_ text: String) {
        var provider: String?
        for line in text.split(separator: "\n") {
            let words = line.drop { $0 == " " || $0 == "\t" }
            if words.hasPrefix("[") {
                provider = Self.section(words)
                if let provider { sections.insert(provider) }
            } else if let provider, words.hasPrefix("client-id"), let value = Self.string(behindEquals: words.dropFirst("client-id".count))
            {
                clients[provider] = value
            }
        }
    }

    private static func section(_ line: Substring) -> String? {
        guard line.hasPrefix("[provider."), let end = line.lastIndex(of: "]") else { return nil }
        let name = line[line.index(line.startIndex, offsetBy: "[provider.".count)..<end]
        return name.hasPrefix("\"") && name.hasSuffix("\"") && name.count >= 2 ? String(name.dropFirst().dropLast()) : String(name)
    }

    private static func string(behindEquals text: Substring) -> String? {
        let parts = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].trimmingBlanks == "=" else { return nil }
        return String(parts[1])
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

/// The user's configuration on disk, to which a file is added. None that is there is changed.
struct ConfigurationDirectory {
    /// `config.toml`; the files are in `config.d` beside it.
    let main: String

    init(file: String?, environment: [String: String]) throws(CommandFailure) {
        if let file {
            main = file.hasPrefix("/") ? file : Self.workingDirectory + "/" + file
        } else if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") {
            main = "\(directory)/postern/config.toml"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            main = "\(home)/.config/postern/config.toml"
        } else {
            throw CommandFailure("HOME names no directory; name the configuration with --config")
        }
    }

    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    private var parent: String { main.lastIndex(of: "/").map { String(main[..<$0]) } ?? "." }
    var directory: String { parent + "/config.d" }

    func file(of name: String) -> String { "\(directory)/\(name).toml" }
    /// Not read as configuration: its name ends otherwise.
    func secretFile(of name: String) -> String { "\(directory)/\(name).secret" }

    /// All that can be read: the main file, then the others by name.
    func texts() -> [String] {
        var files = [main]
        if let stream = opendir(directory) {
            defer { closedir(stream) }
            var names: [String] = []
            while let entry = readdir(stream), names.count < 1024 {
                let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                }
                if name.hasSuffix(".toml") { names.append(name) }
            }
            files += names.sorted().map { "\(directory)/\($0)" }
        }
        return files.compactMap { path in (try? ForeignFile.read(path)).map { String(decoding: $0, as: UTF8.self) } }
    }

    static func remove(_ path: String) { unlink(path) }

    /// Makes the file, readable by this user alone.
    ///
    /// - Returns: false where the same one was there already.
    func write(_ text: String, to path: String) throws(CommandFailure) -> Bool {
        for directory in [parent, directory] where mkdir(directory, 0o700) != 0 && errno != EEXIST {
            throw CommandFailure("\(directory) cannot be made: \(String(cString: strerror(errno)))".plain)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            if code == EEXIST, let there = try? ForeignFile.read(path), there.elementsEqual(text.utf8) { return false }
            throw code == EEXIST
                ? CommandFailure("\(path) is there already, and was left as it is".plain, advice: "choose another name with --as")
                : CommandFailure("\(path) cannot be written: \(String(cString: strerror(code)))".plain)
        }
        defer { close(descriptor) }
        guard FileDescriptorWriter.writeAll(Array(text.utf8), to: descriptor), fsync(descriptor) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(path)
            throw CommandFailure("\(path) cannot be written: \(reason)".plain)
        }
        return true
    }
}

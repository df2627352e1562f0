import ArgumentParser
import Glibc
import PosternConfiguration

struct ConfigEdit: ConfigurationChangeCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a copy of the file, and install it once it is valid.",
        discussion: """
            With $VISUAL, else $EDITOR, else editor or vi. Errors are shown with their line, and you can edit again or discard the \
            changes; the file itself stays as it was.

            EXAMPLES
              postern config edit
              EDITOR=nano postern config edit
            """)

    @OptionGroup var file: ConfigurationFileOption
    @OptionGroup var common: ConnectionOptions

    mutating func take(from line: inout PlainLine) {
        file = ConfigurationFileOption(plain: &line)
        common = Options(plain: &line)
    }

    func perform(on text: ConfigurationText) throws {
        let target = ReplacedFile(text.mainFile)
        let before = text.content(of: text.mainFile)
        let copy = try EditedCopy(name: text.mainFile.parts(separator: "/").last.map(String.init) ?? "config.toml", bytes: before)
        defer { copy.remove() }
        while true {
            try copy.edit(environment: environment)
            let after = try copy.bytes()
            guard after != before else { return StandardError.write(line: "nothing was changed") }
            let change = ConfigurationText.Change(file: text.mainFile, before: before, after: after, isNew: !target.exists)
            do throws(ConfigurationError) { try text.check(change) } catch {
                StandardError.write(line: "postern: \(error)".plain)
                guard try copy.isEditedAgain() else { throw CommandFailure("the file stays as it was", status: .declined) }
                continue
            }
            try ConfigurationUpdate(change: change).write()
            return try reload(after: change, of: text)
        }
    }
}

/// A copy of a file, which an editor may change in any way.
private struct EditedCopy {
    private let directory: String
    private let path: String

    init(name: String, bytes: [UInt8]) throws {
        let parent = ProcessEnvironment.current["TMPDIR"].flatMap { $0.begins(with: "/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(parent)/postern-edit.XXXXXX".utf8CString)
        // 0700: the configuration may hold a secret.
        guard mkdtemp(&template) != nil else { throw CommandFailure("no directory could be made in \(parent)".plain) }
        directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = "\(directory)/\(name)"
        try ReplacedFile(path).write(bytes)
    }

    /// Including what the editor left behind.
    func remove() {
        if let stream = opendir(directory) {
            var names: [String] = []
            while let entry = readdir(stream) {
                names.append(
                    withUnsafePointer(to: &entry.pointee.d_name) { field in
                        field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) { String(cString: $0) }
                    })
            }
            closedir(stream)
            for name in names { unlink("\(directory)/\(name)") }
        }
        rmdir(directory)
    }

    func bytes() throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw CommandFailure("the editor left no file") }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while case let count = read(descriptor, &chunk, chunk.count), count != 0 {
            guard count > 0, all.count < 1 << 21 else { throw CommandFailure("the file that the editor left cannot be read") }
            all += chunk[..<count]
        }
        return all
    }

    /// The variables hold a command line, as in every program that starts an editor.
    func edit(environment: [String: String]) throws {
        let set = ["VISUAL", "EDITOR"].compactMap { (name: String) in getenv(name).map { String(cString: $0) } }.first { !$0.isEmpty }
        let search = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        guard let editor = set ?? Executable.find("editor", path: search) ?? Executable.find("vi", path: search) else {
            throw CommandFailure("no editor is set", advice: "set EDITOR, or edit the file that postern config path names")
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var keys = sigset_t()
        sigemptyset(&keys)
        sigaddset(&keys, SIGINT)
        sigaddset(&keys, SIGQUIT)
        posix_spawnattr_setsigdefault(&attributes, &keys)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        // Ctrl-C is for the editor.
        let previous = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
        defer {
            signal(SIGINT, previous.0)
            signal(SIGQUIT, previous.1)
        }
        var child: pid_t = 0
        let error = withCStrings(["sh", "-c", "\(editor) \"$1\"", "sh", path]) {
            posix_spawn(&child, "/bin/sh", nil, &attributes, $0, environ)
        }
        guard error == 0 else { throw CommandFailure("the editor could not be started: \(String(cString: strerror(error)))") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw CommandFailure("the editor \(editor) failed; the file stays as it was".plain) }
    }

    /// False if the user cannot be asked.
    func isEditedAgain() throws -> Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        while true {
            StandardError.write("Edit again, or discard the changes? [E/d] ")
            guard let answer = readLine(strippingNewline: true) else { return false }
            switch PastedLines.trimmed(answer).lowercased() {
            case "", "e", "edit": return true
            case "d", "discard", "t", "x": return false
            default: StandardError.write(line: "Type e to edit it again, or d to discard the changes.")
            }
        }
    }
}

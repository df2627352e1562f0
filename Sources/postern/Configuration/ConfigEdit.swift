import Glibc
import PosternClient
import PosternConfiguration
import ProgramOptions

struct ConfigEdit: ConfigurationFileCommand {
    static let name = "edit"
    static let abstract = "Edit a copy of the file, and install it once it is valid."
    static let discussion = """
        With $VISUAL, else $EDITOR, else editor or vi. Errors are shown with their line, and you can edit again or discard the \
        changes; the file itself stays as it was.

        EXAMPLES
          postern config edit
          EDITOR=nano postern config edit
        """

    let file: ConfigurationFileOption
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        file = ConfigurationFileOption(&line)
        common = line.connectionOptions()
    }

    func perform(on text: ConfigurationText) throws {
        let before = text.content(of: text.mainFile)
        // Before there is a copy, which Ctrl-C must not leave behind.
        let interrupts = try Interrupts()
        let copy = try EditedCopy(name: text.mainFile.parts(separator: "/").last.map(String.init) ?? "config.toml", bytes: before)
        var isKept = false
        defer { if !isKept { copy.remove() } }
        while true {
            try copy.edit(environment: environment, interrupts)
            let change: ConfigurationText.Change
            do {
                let after = try copy.bytes()
                guard after != before else { return StandardError.write(line: "nothing was changed") }
                change = try install(after, insteadOf: before, text)
            } catch let error as ConfigurationError {
                StandardError.write(line: "postern: \(error)".plain)
                switch try copy.decision(interrupts) {
                case .edit: continue
                case .discard: throw CommandFailure("the file stays as it was", status: .declined)
                case nil:
                    isKept = true
                    throw CommandFailure("the file stays as it was", advice: copy.advice)
                }
            } catch {
                isKept = copy.isThere
                let failure = CommandFailure(editing: error)
                let advice = [failure.advice, isKept ? copy.advice : nil].compactMap { $0 }.joined(separator: "\n")
                throw CommandFailure(failure.sentence, status: failure.status, advice: advice.isEmpty ? nil : advice)
            }
            return try reload(after: change, of: text)
        }
    }

    private func install(_ after: [UInt8], insteadOf before: [UInt8], _ text: ConfigurationText) throws -> ConfigurationText.Change {
        try file.locked(text, environment) { present in
            let target = ReplacedFile(present.mainFile)
            let change = ConfigurationText.Change(file: present.mainFile, before: before, after: after, isNew: !target.exists)
            try present.check(change)
            try ConfigurationUpdate(change: change).write()
            return change
        }
    }
}

/// A copy of a file, which an editor may change in any way.
private struct EditedCopy {
    private static let limit = 1 << 21
    private let directory: String
    private let path: String

    init(name: String, bytes: [UInt8]) throws {
        let parent = ProcessEnvironment.path("TMPDIR") ?? "/tmp"
        // The configuration may hold a secret.
        directory = try PrivateDirectory.make("postern-edit", in: parent)
        path = "\(directory)/\(name)"
        try ReplacedFile(path).write(bytes)
    }

    var isThere: Bool { access(path, F_OK) == 0 }

    /// What is to be done with it if it is not removed.
    var advice: String { "your text is in \(path), which may hold secrets: remove it when you are done".plain }

    /// Including what the editor left behind.
    func remove() { _ = PrivateDirectory.remove(directory) }

    func bytes() throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw CommandFailure("the editor left no file; the file stays as it was") }
        defer { close(descriptor) }
        guard let bytes = DescriptorReader.all(from: descriptor, limit: Self.limit), bytes.count <= Self.limit else {
            throw CommandFailure("the file that the editor left cannot be read")
        }
        return bytes
    }

    /// The variables hold a command line, as in every program that starts an editor.
    func edit(environment: [String: String], _ interrupts: Interrupts) throws {
        let set = ["VISUAL", "EDITOR"].compactMap { (name: String) in getenv(name).map { String(cString: $0) } }.first { !$0.isEmpty }
        let search = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        guard let editor = set ?? Executable.find("editor", path: search) ?? Executable.find("vi", path: search) else {
            throw CommandFailure("no editor is set", advice: "set EDITOR, or edit the file that postern config path names")
        }
        var status: Int32?
        try interrupts.leavingKeys {
            let words = ["sh", "-c", "\(editor) \"$1\"", "sh", path]
            let started = ChildProgram.start("/bin/sh", words, signals: .unblocked)
            status = ChildEnd.wait(for: try started.mapError { CommandFailure("the editor could not be started: \($0)") }.get())
        }
        if interrupts.take() { throw PosternError.cancelled }
        guard status == 0 else { throw CommandFailure("the editor \(editor) failed; the file stays as it was".plain) }
    }

    enum Decision { case edit, discard }

    /// Nil if the user cannot be asked, or does not answer.
    func decision(_ interrupts: Interrupts) throws -> Decision? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        while true {
            StandardError.write("Edit again, or discard the changes? [E/d] ")
            guard let answer = try InputLine.read(from: STDIN_FILENO, interrupts: interrupts) else {
                StandardError.write("\n")
                return nil
            }
            switch PastedLines.trimmed(answer).lowercased() {
            case "", "e", "edit": return .edit
            case "d", "discard", "t", "x": return .discard
            default: StandardError.write(line: "Type e to edit it again, or d to discard the changes.")
            }
        }
    }
}

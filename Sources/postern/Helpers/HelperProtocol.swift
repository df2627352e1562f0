import Glibc

/// The way in which one kind of program asks for its tokens. One file each, and one line in ``HelperTable``.
protocol HelperProtocol {
    /// From the question's bytes to the answer's. It touches nothing but what it is given.
    static func answer(_ call: HelperCall, _ desk: some HelperDesk) -> HelperOutput
}

/// What the other program gave the helper.
struct HelperCall {
    /// Without the name of the program, or of the protocol.
    var arguments: [String]
    /// A variable of the environment.
    var variable: (String) -> String?
    /// Standard input up to its end, or to where the question is over; nil if it is longer than any question is.
    var input: (HelperInput.End) -> [UInt8]?
    /// What the other program wants to read before it asks; false if nobody reads it.
    var greet: (String) -> Bool = { _ in true }
}

/// What the helper gives back.
struct HelperOutput: Equatable {
    /// For standard output: the answer in the other program's words, whole, or nothing.
    var bytes: [UInt8] = []
    /// For the user, on standard error.
    var words: String?
    var status: Int32 = 0

    init(_ text: String = "", words: String? = nil, status: Int32 = 0) {
        bytes = Array(text.utf8)
        self.words = words
        self.status = status
    }

    /// Wrong usage. Only the user who set the helper up can read it.
    static func usage(_ words: String) -> HelperOutput {
        HelperOutput(words: words, status: CommandStatus.wrongUsage.rawValue)
    }
}

/// The protocols, and the names of programs that stand for one.
enum HelperTable {
    struct Entry: Sendable {
        var name: String
        /// Links to `postern`, under the names by which other programs look for their helper.
        var programs: [String]
        /// Another program's name. Whoever wants it makes the link, in its own directory; installed it would hide that program.
        var shim: String?
        /// For the help.
        var summary: String
        var answer: @Sendable (HelperCall, HelperDecision) -> HelperOutput
    }

    static let entries: [Entry] = [
        Entry(
            name: "git", programs: ["git-credential-postern"], summary: "git's credential helper: get, store, erase, capability",
            answer: { GitHelper.answer($0, $1) }),
        Entry(
            name: "docker", programs: ["docker-credential-postern"],
            summary: "docker's credential helper, and podman's: get, list, store, erase",
            answer: { DockerHelper.answer($0, $1) }),
        Entry(
            name: "kubectl", programs: ["kubectl-postern"], summary: "Kubernetes' exec credential: ACCOUNT [--id-token] [--interactive]",
            answer: { KubectlHelper.answer($0, $1) }),
        Entry(
            name: "cargo", programs: ["cargo-credential-postern"], summary: "Cargo's credential provider",
            answer: { CargoHelper.answer($0, $1) }),
        Entry(
            name: "terraform", programs: ["terraform-credentials-postern"],
            summary: "credentials helper of Terraform and OpenTofu: get, store, forget", answer: { TerraformHelper.answer($0, $1) }),
        Entry(
            name: "bazel", programs: ["bazel-credential-postern"], summary: "Bazel's credential helper: get",
            answer: { BazelHelper.answer($0, $1) }),
        Entry(name: "goauth", programs: [], summary: "a command for Go's GOAUTH", answer: { GoAuthHelper.answer($0, $1) }),
        Entry(
            name: "keyring", programs: [], shim: "keyring", summary: "the keyring command of pip, uv, twine and poetry: get",
            answer: { KeyringHelper.answer($0, $1) }),
        Entry(name: "pnpm", programs: [], summary: "pnpm's tokenHelper, for one account", answer: { PnpmHelper.answer($0, $1) }),
        Entry(
            name: "mcp-headers", programs: [], summary: "the headersHelper of MCP clients, for one account",
            answer: { HeadersHelper.answer($0, $1) }),
        Entry(
            name: "aws", programs: [], summary: "credential_process of the AWS tools, for an account and a role",
            answer: { AWSHelper.answer($0, $1) }),
        Entry(
            name: "google", programs: [], summary: "executable source of Google's external accounts, for one account",
            answer: { GoogleHelper.answer($0, $1) }),
    ]
}

/// A command line that is a helper's: `postern helper git get`, or `git-credential-postern get`.
struct HelperInvocation {
    var entry: HelperTable.Entry
    var arguments: [String]

    /// - Parameter commandLine: with the name of the program.
    /// - Returns: nil for whatever the argument parser is to read.
    init?(_ commandLine: [String]) {
        guard let path = commandLine.first else { return nil }
        let program = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        if let entry = HelperTable.entries.first(where: { $0.programs.contains(program) || $0.shim == program }) {
            self.init(entry: entry, arguments: Array(commandLine.dropFirst()))
        } else if commandLine.count >= 3, commandLine[1] == "helper" {
            self.init(name: commandLine[2], arguments: Array(commandLine.dropFirst(3)))
        } else {
            return nil
        }
    }

    /// - Returns: nil if no protocol has the name.
    init?(name: String, arguments: [String]) {
        guard let entry = HelperTable.entries.first(where: { $0.name == name }) else { return nil }
        self.init(entry: entry, arguments: arguments)
    }

    private init(entry: HelperTable.Entry, arguments: [String]) {
        self.entry = entry
        self.arguments = arguments
    }

    /// Answers, in one write.
    ///
    /// - Returns: the status to end with.
    func run() -> Int32 {
        let call = HelperCall(
            arguments: arguments, variable: { getenv($0).map { String(cString: $0) } }, input: { HelperInput.read(until: $0) },
            greet: { FileDescriptorWriter.writeAll(Array($0.utf8), to: STDOUT_FILENO) })
        let output = entry.answer(call, HelperDecision())
        if let words = output.words { StandardError.write(line: "postern: " + words.plain) }
        if !output.bytes.isEmpty, !FileDescriptorWriter.writeAll(output.bytes, to: STDOUT_FILENO) {
            StandardError.write(line: "postern: the answer could not be written: \(String(cString: strerror(errno)))")
            return CommandStatus.failed.rawValue
        }
        return output.status
    }
}

/// Standard input, as long as a question may be.
enum HelperInput {
    /// Where a question is over.
    enum End: Equatable {
        case endOfInput
        /// Or after a line.
        case line
        /// Or after an empty line.
        case emptyLine
    }

    /// Bytes; git's longest line is half of it.
    static let limit = 128 * 1024

    /// - Returns: nil if there is more than the limit.
    static func read(until end: End, from descriptor: Int32 = STDIN_FILENO) -> [UInt8]? {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !isComplete(all, end) {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            all += bytes[..<count]
            guard all.count <= limit else { return nil }
        }
        return all
    }

    /// Whoever has written the end of a question waits for the answer, so it stands last.
    private static func isComplete(_ bytes: [UInt8], _ end: End) -> Bool {
        guard bytes.last == 0x0A else { return false }
        return switch end {
        case .endOfInput: false
        case .line: true
        case .emptyLine: bytes.count == 1 || bytes[bytes.count - 2] == 0x0A
        }
    }
}

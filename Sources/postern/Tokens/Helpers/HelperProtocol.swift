import Glibc
import ProgramOptions

/// How one kind of program requests its tokens. Each has its own file, and a line in ``HelperTable``.
protocol HelperProtocol: SendableMetatype {
    /// Turns the bytes of the request into those of the answer. It uses nothing except its arguments.
    ///
    /// - Throws: the output that ends it early.
    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput
}

extension HelperProtocol {
    static func answer(_ call: HelperCall, _ source: some HelperSource) -> HelperOutput {
        do throws(HelperOutput) { return try output(for: call, source) } catch { return error }
    }
}

/// The other program's input to the helper.
struct HelperCall {
    /// Without the name of the program or the protocol.
    var arguments: [String]
    /// Returns an environment variable.
    var variable: (String) -> String?
    /// Reads standard input up to its end, or to the end of the request; nil if it is longer than any request.
    var input: (HelperInput.End) -> [UInt8]?
    /// Writes what the other program wants to read before it asks; false if nobody reads it.
    var greet: (String) -> Bool = { _ in true }
}

/// The helper's output.
struct HelperOutput: Error, Equatable {
    /// For standard output: the complete answer in the other program's format, or nothing.
    var bytes: [UInt8] = []
    /// For the user, on standard error.
    var words: String?
    var status: Int32 = 0

    init(_ text: String = "", words: String? = nil, status: Int32 = 0) {
        bytes = Array(text.utf8)
        self.words = words
        self.status = status
    }

    /// Wrong usage. Only the user who set up the helper can read it.
    static func usage(_ words: String) -> HelperOutput {
        HelperOutput(words: words, status: CommandStatus.wrongUsage.rawValue)
    }

    static func failed(_ words: String) -> HelperOutput { HelperOutput(words: words, status: CommandStatus.failed.rawValue) }
}

/// The protocols, and the program names that select one.
enum HelperTable {
    struct Entry: Sendable {
        var name: String
        /// Links to `postern`, with the names by which other programs look for their helper.
        var programs: [String]
        /// The name of another program. Users who want it create the link in their own directory; an installed one would hide that program.
        var shim: String?
        /// For the help.
        var summary: String
        var helper: any HelperProtocol.Type
    }

    static let entries: [Entry] = [
        Entry(
            name: "git", programs: ["git-credential-postern"],
            summary: "git's credential helper: get, store, erase, capability", helper: GitHelper.self),
        Entry(
            name: "docker", programs: ["docker-credential-postern"],
            summary: "credential helper of docker and podman: get, list, store, erase", helper: DockerHelper.self),
        Entry(
            name: "kubectl", programs: ["kubectl-postern"],
            summary: "kubectl's exec credential: ACCOUNT [--id-token] [--interactive]", helper: KubectlHelper.self),
        Entry(name: "cargo", programs: ["cargo-credential-postern"], summary: "Cargo's credential provider", helper: CargoHelper.self),
        Entry(
            name: "terraform", programs: ["terraform-credentials-postern"],
            summary: "credentials helper of Terraform and OpenTofu: get, store, forget", helper: TerraformHelper.self),
        Entry(name: "bazel", programs: ["bazel-credential-postern"], summary: "Bazel's credential helper: get", helper: BazelHelper.self),
        Entry(name: "goauth", programs: [], summary: "a command for Go's GOAUTH", helper: GoAuthHelper.self),
        Entry(
            name: "keyring", programs: [], shim: "keyring",
            summary: "the keyring command of pip and uv: get", helper: KeyringHelper.self),
        Entry(name: "pnpm", programs: [], summary: "pnpm's tokenHelper, for one account", helper: PnpmHelper.self),
        Entry(
            name: "mcp-headers", programs: [], summary: "header fields for MCP clients: [ACCOUNT] [--url URL]", helper: HeadersHelper.self),
        Entry(name: "aws", programs: [], summary: "credential_process of the AWS tools, for an account and a role", helper: AWSHelper.self),
        Entry(
            name: "google", programs: [],
            summary: "executable source of Google's external accounts, for one account", helper: GoogleHelper.self),
    ]
}

/// The command line of a helper: `postern helper git get`, or `git-credential-postern get`.
struct HelperInvocation {
    var entry: HelperTable.Entry
    var arguments: [String]

    /// Writes the answer at once.
    ///
    /// - Returns: the exit status.
    func run() -> Int32 {
        // No program asks its helper for it.
        if let word = arguments.first, arguments.count == 1, word == "--help" || word == "-h" { return help() }
        let call = HelperCall(
            arguments: arguments, variable: { getenv($0).map { String(cString: $0) } }, input: { HelperInput.read(until: $0) },
            greet: { FileDescriptorWriter.writeAll(Array($0.utf8), to: STDOUT_FILENO) })
        let output = entry.helper.answer(call, HelperDecision())
        if let words = output.words { StandardError.write(line: "postern: " + words.plain) }
        if !output.bytes.isEmpty, !FileDescriptorWriter.writeAll(output.bytes, to: STDOUT_FILENO) {
            StandardError.write(line: "postern: the answer could not be written: \(String(cString: strerror(errno)))")
            return CommandStatus.failed.rawValue
        }
        return output.status
    }

    private func help() -> Int32 {
        let names = (["postern helper \(entry.name)"] + entry.programs).joined(separator: ", ")
        let lines = [
            names, "  \(entry.summary)", "", "How the other program is made to ask it, and its options: man postern-helpers",
            "All protocols: postern helper --help",
        ]
        return FileDescriptorWriter.writeAll(Array(lines.map { $0 + "\n" }.joined().utf8), to: STDOUT_FILENO)
            ? CommandStatus.done.rawValue : CommandStatus.failed.rawValue
    }
}

extension HelperInvocation {
    /// - Parameter commandLine: including the program's name.
    /// - Returns: nil for any command line that is not a helper's.
    init?(_ commandLine: [String]) {
        guard let path = commandLine.first else { return nil }
        let program = path.unicodeScalars.lastIndex(of: "/").map { String(path.after($0)) } ?? path
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
}

/// Standard input, up to the longest permitted request.
enum HelperInput {
    /// What marks the end of a request.
    enum End: Equatable {
        case endOfInput
        /// End of input, or a line.
        case line
        /// End of input, or an empty line.
        case emptyLine
    }

    /// In bytes; git's longest line is half of it.
    static let limit = 128 * 1024

    /// - Returns: nil if there is more than the limit.
    static func read(until end: End, from descriptor: Int32 = STDIN_FILENO) -> [UInt8]? {
        let bytes = DescriptorReader.all(from: descriptor, limit: limit) { isComplete($0, end) } ?? []
        return bytes.count <= limit ? bytes : nil
    }

    /// The program that has written the end of its request waits for the answer, so nothing follows the end.
    private static func isComplete(_ bytes: [UInt8], _ end: End) -> Bool {
        guard bytes.last == 0x0A else { return false }
        return switch end {
        case .endOfInput: false
        case .line: true
        case .emptyLine: bytes.count == 1 || bytes[bytes.count - 2] == 0x0A
        }
    }
}

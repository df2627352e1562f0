import Glibc
import PosternCore

/// Fetches secrets from their configured sources.
///
/// It blocks: a command may take ten seconds. Call it on a thread that may block, never on an event loop.
public struct SecretResolver: Sendable {
    let environment: [String: String]
    let commandTimeout: Duration

    /// - Parameter environment: the daemon's own; `$CREDENTIALS_DIRECTORY` is taken from it, and commands inherit it.
    public init(environment: [String: String], commandTimeout: Duration = .seconds(10)) {
        self.environment = environment
        self.commandTimeout = commandTimeout
    }

    /// - Parameter extent: how much of the source's content is the secret.
    public func resolve(_ source: SecretSource, extent: SecretExtent = .firstLine) throws(SecretError) -> Secret {
        switch source {
        case .literal(let secret): return secret
        case .file(let path): return try file(path, extent)
        case .credential(let name): return try credential(name, extent)
        case .command(let arguments): return try command(arguments, extent)
        case .environment(let name): return try variable(name, extent)
        }
    }

    /// The stamp of a secret's file; nil if the secret has no file of its own, or if the file does not exist.
    public func stamp(of source: SecretSource) -> FileStamp? {
        switch source {
        case .file(let path): FileStamp(path: path)
        case .credential(let name): environment["CREDENTIALS_DIRECTORY"].flatMap { FileStamp(path: "\($0)/\(name)") }
        case .literal, .command, .environment: nil
        }
    }

    /// From a file that nobody else can read.
    private func file(_ path: String, _ extent: SecretExtent) throws(SecretError) -> Secret {
        let own = "put the secret into a file of your own, with mode 600"
        let file: BoundedFile
        do throws(BoundedFile.Failure) { file = try BoundedFile(path: path, limit: SecretExtent.sourceLimit) } catch {
            throw SecretError(
                description: "the secret's file \(path) \(error.sentence)\(error == .system(EACCES) ? "; \(own)" : "")")
        }
        guard !file.access.isReadableByOthers, !file.access.isWritableByOthers else {
            // If root or another user closed their file, this user could not read it either.
            let fix = file.access.isOwn ? "chmod 600 \(path)" : "it belongs to another user, so \(own)"
            throw SecretError(description: "the secret's file \(path) can be read or changed by others; \(fix)")
        }
        return try extent.secret(in: file.bytes, from: "the secret's file \(path)")
    }

    /// systemd is responsible for the permissions: the directory belongs to the service.
    private func credential(_ name: String, _ extent: SecretExtent) throws(SecretError) -> Secret {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], directory.begins(with: "/") else {
            throw SecretError(
                description: "the credential \(name) cannot be read: the service was started without LoadCredential=\(name):FILE")
        }
        let file: BoundedFile
        do throws(BoundedFile.Failure) {
            file = try BoundedFile(path: "\(directory)/\(name)", limit: SecretExtent.sourceLimit)
        } catch {
            throw SecretError(description: "the credential \(name) \(error.sentence)")
        }
        return try extent.secret(in: file.bytes, from: "the credential \(name)")
    }

    /// A systemd credential, byte for byte: for a key, which is not text.
    ///
    /// - Returns: nil if the service has no credential of that name.
    /// - Throws: if there is one and it cannot be read or is larger than 64 KiB.
    public func bytes(ofCredential name: String) throws(SecretError) -> Secret? {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], !directory.isEmpty else { return nil }
        guard directory.begins(with: "/") else {
            throw SecretError(
                description: "the credential \(name) cannot be read: $CREDENTIALS_DIRECTORY is not an absolute path")
        }
        do throws(BoundedFile.Failure) {
            return Secret(try BoundedFile(path: "\(directory)/\(name)", limit: SecretExtent.sourceLimit).bytes)
        } catch {
            guard error != .missing else { return nil }
            throw SecretError(description: "the credential \(name) \(error.sentence)")
        }
    }

    private func command(_ arguments: [String], _ extent: SecretExtent) throws(SecretError) -> Secret {
        // Its arguments are omitted from all texts: one may be a password.
        let name = "the secret's command \(arguments.first ?? "")"
        let output: [UInt8]
        do throws(CommandOutput.Failure) {
            output = try CommandOutput.read(
                arguments, environment: environment, timeout: commandTimeout, limit: SecretExtent.sourceLimit)
        } catch {
            throw SecretError(description: "\(name) \(error.sentence)")
        }
        return try extent.secret(in: output, from: name)
    }

    private func variable(_ name: String, _ extent: SecretExtent) throws(SecretError) -> Secret {
        guard let value = environment[name] else {
            throw SecretError(description: "the environment variable \(name) is not set")
        }
        return try extent.secret(in: Array(value.utf8), from: "the environment variable \(name)")
    }
}

/// Why a secret could not be obtained. The sentence names the place, never its content.
public struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Safe for any client and any log.
    public var description: String

    public init(description: String) { self.description = description }
}

import Glibc
import PosternApplication
import PosternConfiguration
import PosternCore
import PosternCrypto

/// Why a certificate was not created or not saved.
struct CertificateFileError: Error, Sendable, CustomStringConvertible {
    var description: String
}

/// The files of a ``LoopbackCertificate``, beside the configuration.
struct CertificateFiles {
    static let authority = "loopback-authority.crt"
    static let certificate = "loopback.crt"
    static let key = "loopback.key"

    let directory: String

    /// Writes all of them, the key readable only by its owner. Each is replaced as a whole, so a daemon that starts meanwhile reads no
    /// partial file.
    ///
    /// - Parameter replacing: overwrite existing files; if false, they are left as they are, and it is an error.
    func write(_ made: @autoclosure () throws(CryptoError) -> LoopbackCertificate, replacing: Bool) throws(CertificateFileError) {
        try makeDirectory()
        // Of two commands at once, one would install the other's key with its own certificate.
        let lock = try lock()
        defer { lock.release() }
        if !replacing {
            for name in [Self.authority, Self.certificate, Self.key] where access(path(name), F_OK) == 0 {
                throw CertificateFileError(
                    description: "\(path(name)) already exists; --replace makes new files, and the new authority must be trusted again")
            }
        }
        let certificate: LoopbackCertificate
        do throws(CryptoError) { certificate = try made() } catch {
            throw CertificateFileError(description: "no certificate was made: \(error)")
        }
        let files: [(name: String, bytes: [UInt8], mode: mode_t)] = [
            (Self.key, certificate.key.revealBytes(), 0o600), (Self.certificate, Array(certificate.certificate.utf8), 0o644),
            (Self.authority, Array(certificate.authority.utf8), 0o644),
        ]
        do throws(CertificateFileError) {
            // All are complete before the first is replaced: if the disk is full, the existing ones stay, which match each other.
            for file in files { try write(file.bytes, besides: file.name, mode: file.mode) }
            for file in files {
                guard rename(temporary(file.name), path(file.name)) == 0 else { throw failure("cannot write \(path(file.name))") }
            }
        } catch {
            for file in files { unlink(temporary(file.name)) }
            throw error
        }
    }

    /// With its parents: a new account has no ~/.config yet.
    private func makeDirectory() throws(CertificateFileError) {
        var made = directory.begins(with: "/") ? "" : "."
        for part in directory.parts(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, X_OK) == 0 else {
                throw failure("cannot make the directory \(made)")
            }
        }
    }

    private func lock() throws(CertificateFileError) -> DirectoryLock {
        do throws(DirectoryLock.Failure) { return try DirectoryLock(directory) } catch {
            switch error {
            case .held: throw CertificateFileError(description: "another command has been changing \(directory) for 15 s; try again later")
            case .system(let code):
                errno = code
                throw failure("cannot lock \(directory)")
            }
        }
    }

    private func path(_ name: String) -> String { "\(directory)/\(name)" }

    private func temporary(_ name: String) -> String { path(".\(name).new") }

    private func write(_ bytes: [UInt8], besides name: String, mode: mode_t) throws(CertificateFileError) {
        let temporary = temporary(name)
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot write \(temporary)") }
        let isWritten = bytes.withUnsafeBytes { writeAll(descriptor, $0) } && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
        let problem = errno
        guard close(descriptor) == 0, isWritten else {
            if !isWritten { errno = problem }
            throw failure("cannot write \(temporary)")
        }
    }

    /// A regular file accepts all, or there is no room.
    private func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func failure(_ what: String) -> CertificateFileError {
        CertificateFileError(description: "\(what): \(String(cString: strerror(errno)))")
    }
}

/// The certificate of the callback listener, checked before browsers see it.
@DaemonActor
enum CallbackEncryption {
    /// A user needs some time to make a new certificate trusted everywhere.
    private nonisolated static let fewDays = 30

    /// What browsers refuse it for, one sentence each.
    ///
    /// - Parameter hosts: what the listener is reached by; nil for the configured addresses.
    nonisolated static func problems(
        of context: TLSContext, _ settings: Configuration.Callback, hosts: [String]? = nil
    ) -> [String] {
        context.objections(hosts: hosts ?? settings.addresses).map { objection in
            switch objection {
            case .ended(let day): "\(name(settings)) ended\(day.map { " on \($0)" } ?? ""), so browsers refuse it"
            case .notYetValid(let day):
                "\(name(settings)) is not valid \(day.map { "before \($0)" } ?? "yet"), so browsers refuse it"
            case .foreign(let hosts): "\(name(settings)) is not for \(hosts.joined(separator: " and ")), so browsers refuse it"
            }
        }
    }

    /// That they will refuse it soon.
    nonisolated static func warning(of context: TLSContext, _ settings: Configuration.Callback) -> String? {
        guard let days = context.certificateDaysLeft, 0..<fewDays ~= days else { return nil }
        return "\(name(settings)) ends within \(days + 1) days, and browsers refuse it then"
    }

    /// That they may refuse it, as far as this system knows: each browser also has a list of its own.
    nonisolated static func doubt(about context: TLSContext, _ settings: Configuration.Callback) -> String? {
        let beside = settings.certificate.map { path in
            path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] + CertificateFiles.authority } ?? CertificateFiles.authority[...]
        }
        guard let issuer = context.unknownAuthority(besides: beside.map(String.init)) else { return nil }
        return "\(name(settings)) was issued by '\(issuer)', which neither this system nor \(CertificateFiles.authority) beside it vouches "
            + "for; a browser refuses it unless it was made to trust that authority"
    }

    private nonisolated static func name(_ settings: Configuration.Callback) -> String {
        "the callback listener's certificate in '\(settings.certificate ?? "")'"
    }

    /// - Returns: nil if the listener speaks plain http.
    static func context(of settings: Configuration.Callback, events: EventLog) throws(TLSError) -> TLSContext? {
        guard let certificate = settings.certificate, let key = settings.key else { return nil }
        let context = try TLSContext.server(certificateFile: certificate, keyFile: key)
        for problem in problems(of: context, settings) + [warning(of: context, settings)].compactMap(\.self) {
            events.report(.configuration, "\(problem); postern provider certificate --replace makes a new one")
        }
        var information = stat()
        if stat(key, &information) == 0, information.st_mode & 0o077 != 0 {
            events.report(.configuration, "the key in '\(key)' can be read by others; run chmod 600 on it")
        }
        return context
    }
}

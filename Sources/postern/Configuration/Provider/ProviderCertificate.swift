import Glibc
import ProgramOptions
import StrictJSON

struct ProviderCertificate: DaemonCommand {
    static let name = "certificate"
    static let abstract = "Make a key and a certificate for https callbacks on this machine."
    static let discussion = """
        For providers that accept only https callback URLs. The certificate is for 127.0.0.1, ::1 and localhost. The key of the \
        authority that signs it is thrown away, so whoever trusts it trusts this certificate and nothing else. The command prints what \
        to do with it, step by step, and how to undo that.

        EXAMPLES
          postern provider certificate
          postern provider certificate --replace
        """

    let directory: String?
    let replace: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        directory = line.option(
            "directory", .directory, named: "path", help: "Where to put the files. (default: the directory of the configuration)")
        replace = line.flag("replace", help: "Replace existing ones.")
        common = line.outputOptions()
    }

    func perform() throws {
        let environment = environment
        let files = try CertificatePlace(directory: directory, environment: environment)
        if replace || !files.isComplete {
            try make(in: files.directory, environment: environment)
        } else {
            StandardError.note("there is already a certificate, and it stays; --replace makes a new one, which must be trusted again")
        }
        if common.json {
            return try StandardOutput.write(document: [
                "authority": .string(files.authority), "certificate": .string(files.certificate), "key": .string(files.key),
            ])
        }
        let restart = Remedies(hasSystemd: SystemdUnits(environment: environment).isThere).restart
        for line in CertificateSteps(files: files, restart: restart).lines { try StandardOutput.write(line: line.plain) }
    }

    /// The daemon's program makes it: it has OpenSSL, which this one lacks so that it starts quickly.
    private func make(in directory: String, environment: [String: String]) throws {
        guard let program = Executable.companion("posternd", path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin") else {
            throw CommandFailure("posternd, which makes the certificate, is neither beside this program nor in PATH")
        }
        let arguments = ["--make-certificate", directory] + (replace ? ["--replace"] : [])
        guard try ChildProcess.output(of: program, arguments, environment, timeout: 20_000) != nil else {
            throw CommandFailure("no certificate was made")
        }
    }
}

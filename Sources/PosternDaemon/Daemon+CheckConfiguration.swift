import Glibc
import PosternConfiguration
import PosternCrypto

extension Daemon {
    /// Reads the configuration, its certificates and its secrets as the daemon would, and reports what is wrong with them.
    ///
    /// A systemd credential exists only for the service; anywhere else it is reported as not checked. Providers that no file mentions are
    /// left out.
    ///
    /// - Parameter isElsewhere: the environment is not the daemon's, as for `postern doctor`: what depends on it is reported as not checked.
    /// - Returns: the exit status: 78 if the configuration is refused, 1 if it is accepted but something that it names cannot be used.
    public static func checkConfiguration(_ options: DaemonOptions, isElsewhere: Bool = false) -> Int32 {
        let judge = Judge(environment: options.environment, isElsewhere: isElsewhere)
        do throws(StartError) {
            let path = try options.configurationPath()
            let configuration: Configuration
            let isMissing = ConfigurationError.isMissing(path)
            // A file that is named explicitly must exist.
            if isMissing, options.configurationFile != nil { throw .configuration(.missing(path)) }
            do throws(ConfigurationError) {
                configuration = try ConfigurationLoader.load(path: path, environment: options.environment)
            } catch {
                complain(of: ConfigurationLoader.mistakes(path: path, environment: options.environment) + [error])
                return StartError.configuration(error).exitStatus
            }
            if isMissing { note("\(path) does not exist; using defaults") }
            for fault in configuration.leftOut { complain("left out: \(fault)") }
            let mentioned = configuration.providers.filter { $0.isMentioned && !$0.isBlocked }
            var problems = certificateProblems(of: configuration.callback)
            for configured in mentioned {
                if let problem = configured.provider.problem { complain("\(configured.provider.id): \(problem)") }
                problems += authorityProblems(of: configured) + judge.problems(of: configured)
            }
            problems += judge.problems(of: configuration.secondFactors)
            problems += judge.problems(of: configuration.accounts)
            problems += browserProblems(of: configuration, judge)
            for problem in problems { complain(problem) }
            guard problems.isEmpty else { return 1 }
            let ready = mentioned.filter { $0.provider.problem == nil }.map(\.provider.id)
            print("the configuration is valid; \(ready.isEmpty ? "no provider is set up yet" : "ready: \(ready.joined(separator: ", "))")")
            return 0
        } catch {
            complain(error.description)
            return error.exitStatus
        }
    }

    /// Checks only the files for all users, before they ship or where they are. Files that they name, such as certificates and secrets, are
    /// another user's, or not here yet.
    ///
    /// - Returns: the exit status: 78 if there is any mistake, or no file below the given root; 64 if that is no root.
    public static func checkSharedConfiguration(_ options: DaemonOptions) -> Int32 {
        let root = options.environment["POSTERN_SYSTEM_ROOT"]
        if let root, !root.begins(with: "/") {
            complain("POSTERN_SYSTEM_ROOT is '\(root)', which is not an absolute path; nothing was checked")
            return 64
        }
        if let path = options.configurationFile, ConfigurationError.isMissing(path) {
            let error = StartError.configuration(.missing(path))
            complain(error.description)
            return error.exitStatus
        }
        let (mistakes, files) = ConfigurationLoader.sharedMistakes(path: options.configurationFile, environment: options.environment)
        complain(of: mistakes)
        if let mistake = mistakes.first { return StartError.configuration(mistake).exitStatus }
        if let root, files.isEmpty {
            complain("there is no configuration for all users below \(root): it is in etc/postern and usr/share/postern/providers.d")
            return 78
        }
        print("the configuration for all users is valid; read: \(files.isEmpty ? "no file" : files.joined(separator: ", "))")
        return 0
    }

    /// From the top of each file to its end, the order in which they are fixed.
    private static func complain(of mistakes: [ConfigurationError]) {
        let sorted = Set(mistakes).sorted { ($0.file, $0.line ?? 0, $0.message) < ($1.file, $1.line ?? 0, $1.message) }
        for mistake in sorted { complain(StartError.configuration(mistake).description) }
    }

    private static func certificateProblems(of callback: Configuration.Callback) -> [String] {
        guard let certificate = callback.certificate, let key = callback.key else { return [] }
        do throws(TLSError) {
            let context = try TLSContext.server(certificateFile: certificate, keyFile: key)
            if let warning = CallbackEncryption.warning(of: context, callback) { warn(warning) }
            if let doubt = CallbackEncryption.doubt(about: context, callback) { warn(doubt) }
            return CallbackEncryption.problems(of: context, callback)
        } catch {
            return ["the callback listener cannot serve https: \(error)"]
        }
    }

    /// Something that may not work, or not for long.
    private static func warn(_ sentence: String) { complain("warning: \(sentence)") }

    /// Something worth knowing that is not a mistake.
    private static func note(_ sentence: String) { complain("note: \(sentence)") }

    /// Only the daemon can tell whether this is a mistake.
    private static func leaveUnchecked(_ sentence: String) { complain("unchecked: \(sentence)") }

    private static func browserProblems(of configuration: Configuration, _ judge: Judge) -> [String] {
        configuration.browserProblems(environment: judge.environment).compactMap { problem in
            guard problem.dependsOnPath, judge.isElsewhere else { return problem.description }
            leaveUnchecked("\(problem)")
            return nil
        }
    }

    private static func authorityProblems(of configured: ConfiguredProvider) -> [String] {
        guard let file = configured.provider.caFile else { return [] }
        do throws(TLSError) { _ = try TLSContext.client(extraAuthorities: file) } catch {
            return ["\(configured.provider.id): its ca-file cannot be used: \(error)"]
        }
        return []
    }

    /// Obtains secrets as the daemon would.
    private struct Judge {
        var environment: [String: String]
        var isElsewhere: Bool

        func problems(of configured: ConfiguredProvider) -> [String] {
            configured.secrets.flatMap { secret in
                problem(of: secret.source, extent: secret.extent, called: "its \(secret.name)", of: configured.provider.id)
            }
        }

        func problems(of section: Configuration.SecondFactors) -> [String] {
            guard case .gateway(_, .some(let source), _)? = section.phone else { return [] }
            return problem(of: source, called: "the gateway-token of [second-factor.phone]", of: nil)
        }

        func problems(of section: Configuration.Accounts) -> [String] {
            // It is among what is left out.
            guard section.doubt == nil else { return [] }
            return section.firebase.map { problem(of: $0.apiKey, called: "its api-key", of: "accounts") } ?? []
        }

        private func problem(
            of source: SecretSource, extent: SecretExtent = .firstLine, called name: String, of place: String?
        ) -> [String] {
            let place = place.map { "\($0): " } ?? ""
            if isElsewhere, source.dependsOnEnvironment {
                leaveUnchecked("\(place)\(name) depends on the daemon's environment")
                return []
            }
            if case .credential(let credential) = source, environment["CREDENTIALS_DIRECTORY"] == nil {
                note("\(place)the credential \(credential) was not checked: only the service gets it")
                return []
            }
            do throws(SecretError) { _ = try SecretResolver(environment: environment).resolve(source, extent: extent) } catch {
                return ["\(place)\(name) cannot be read: \(error)"]
            }
            return []
        }
    }
}

import Glibc
import PosternConfiguration
import PosternCrypto

extension Daemon {
    /// Reads the configuration, its certificates and its secrets as the daemon would, and reports what is wrong with them.
    ///
    /// A systemd credential exists only for the service; anywhere else it is reported as not checked. Providers that no file mentions are
    /// left out.
    ///
    /// - Returns: the exit status: 78 if the configuration is refused, 1 if it is accepted but something that it names cannot be used.
    public static func checkConfiguration(_ options: DaemonOptions) -> Int32 {
        do throws(StartError) {
            let path = try options.configurationPath()
            let configuration: Configuration
            let isMissing = ConfigurationError.isMissing(path)
            // A file that is named explicitly must exist.
            if isMissing, options.configurationFile != nil { throw .configuration(.missing(path)) }
            do throws(ConfigurationError) {
                configuration = try ConfigurationLoader.load(path: path, environment: options.environment)
            } catch {
                let mistakes = ConfigurationLoader.mistakes(path: path, environment: options.environment) + [error]
                // From the top of each file to its end, the order in which they are fixed.
                let sorted = Set(mistakes).sorted { ($0.file, $0.line ?? 0, $0.message) < ($1.file, $1.line ?? 0, $1.message) }
                for mistake in sorted { complain(StartError.configuration(mistake).description) }
                return StartError.configuration(error).exitStatus
            }
            if isMissing { note("\(path) does not exist; using defaults") }
            for fault in configuration.leftOut { complain("\(fault)") }
            let mentioned = configuration.providers.filter(\.isMentioned)
            var problems = certificateProblems(of: configuration.callback)
            for configured in mentioned {
                if let problem = configured.provider.problem { complain("\(configured.provider.id): \(problem)") }
                problems += authorityProblems(of: configured) + secretProblems(of: configured, options.environment)
            }
            problems += gatewayProblems(of: configuration.secondFactors, options.environment)
            problems += projectProblems(of: configuration.accounts, options.environment)
            problems += browserProblems(of: configuration, options.environment)
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

    private static func certificateProblems(of callback: Configuration.Callback) -> [String] {
        guard let certificate = callback.certificate, let key = callback.key else { return [] }
        do throws(TLSError) { _ = try TLSContext.server(certificateFile: certificate, keyFile: key) } catch {
            return ["the callback listener cannot speak https: \(error)"]
        }
        return []
    }

    /// Something worth knowing that is not a mistake.
    private static func note(_ sentence: String) { complain("note: \(sentence)") }

    /// The default needs no program: without one the URL is printed.
    private static func browserProblems(of configuration: Configuration, _ environment: [String: String]) -> [String] {
        var commands = [("browser in [sign-in]", configuration.signIn.browser)]
        for configured in configuration.providers {
            let place = "[provider.\(configured.provider.id)]"
            if let browser = configured.browser.ofProvider { commands.append(("browser in \(place)", browser)) }
            for (account, browser) in configured.browser.ofAccount.sorted(by: { $0.key < $1.key }) {
                commands.append(("browser-of \(account) in \(place)", browser))
            }
        }
        return commands.compactMap { place, browser in
            guard case .command(let words) = browser, browser != Configuration().signIn.browser, let program = words.first else {
                return nil
            }
            let isThere =
                program.unicodeScalars.contains("/")
                ? access(program, X_OK) == 0
                : (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").parts(separator: ":").contains {
                    access("\($0)/\(program)", X_OK) == 0
                }
            return isThere ? nil : "\(place): there is no program \(program); pages cannot be opened with it"
        }
    }

    private static func authorityProblems(of configured: ConfiguredProvider) -> [String] {
        guard let file = configured.provider.caFile else { return [] }
        do throws(TLSError) { _ = try TLSContext.client(extraAuthorities: file) } catch {
            return ["\(configured.provider.id): its ca-file cannot be used: \(error)"]
        }
        return []
    }

    private static func secretProblems(of configured: ConfiguredProvider, _ environment: [String: String]) -> [String] {
        configured.secrets.compactMap { secret in
            problem(of: secret.source, extent: secret.extent, called: secret.name, of: configured.provider.id, environment)
        }
    }

    private static func gatewayProblems(of section: Configuration.SecondFactors, _ environment: [String: String]) -> [String] {
        guard case .gateway(_, .some(let source), _)? = section.phone else { return [] }
        return [problem(of: source, called: "gateway-token", of: "second-factor", environment)].compactMap { $0 }
    }

    private static func projectProblems(of section: Configuration.Accounts, _ environment: [String: String]) -> [String] {
        guard let project = section.firebase else { return [] }
        return [problem(of: project.apiKey, called: "api-key", of: "accounts", environment)].compactMap { $0 }
    }

    /// Obtains a secret as the daemon would.
    ///
    /// - Returns: what is wrong with it. A systemd credential exists only for the service; elsewhere it is reported as not checked.
    private static func problem(
        of source: SecretSource, extent: SecretExtent = .firstLine, called name: String, of place: String, _ environment: [String: String]
    ) -> String? {
        if case .credential(let name) = source, environment["CREDENTIALS_DIRECTORY"] == nil {
            note("\(place): the credential \(name) was not checked: only the service gets it")
            return nil
        }
        do throws(SecretError) { _ = try SecretResolver(environment: environment).resolve(source, extent: extent) } catch {
            return "\(place): its \(name) cannot be read: \(error)"
        }
        return nil
    }
}

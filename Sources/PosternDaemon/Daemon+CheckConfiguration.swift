import Glibc
import PosternConfiguration
import PosternCrypto

extension Daemon {
    /// Reads the configuration, its certificates and its secrets as the daemon would, and says what is wrong with them.
    ///
    /// A systemd credential is there for the service alone; anywhere else it is named as not checked. Providers that no file
    /// mentions are not spoken of.
    ///
    /// - Returns: the status to end with: 78 where the configuration is not taken, 1 where it is but something that it names
    ///   cannot be used.
    public static func checkConfiguration(_ options: DaemonOptions) -> Int32 {
        do throws(StartError) {
            let path = try options.configurationPath()
            let configuration: Configuration
            do throws(ConfigurationError) {
                configuration = try ConfigurationLoader.load(path: path, environment: options.environment)
            } catch {
                throw .configuration(error)
            }
            if access(path, F_OK) != 0 { complain("\(path) does not exist; all that it could say has its default") }
            let mentioned = configuration.providers.filter(\.isMentioned)
            var problems = certificateProblems(of: configuration.callback)
            for configured in mentioned {
                if let problem = configured.provider.problem { complain("\(configured.provider.id): \(problem)") }
                problems += authorityProblems(of: configured) + secretProblems(of: configured, options.environment)
            }
            for problem in problems { complain(problem) }
            guard problems.isEmpty else { return 1 }
            let ready = mentioned.filter { $0.provider.problem == nil }.map(\.provider.id)
            print("the configuration is taken; set up are: \(ready.isEmpty ? "no providers" : ready.joined(separator: ", "))")
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

    private static func authorityProblems(of configured: ConfiguredProvider) -> [String] {
        guard let file = configured.provider.caFile else { return [] }
        do throws(TLSError) { _ = try TLSContext.client(extraAuthorities: file) } catch {
            return ["\(configured.provider.id): its ca-file cannot be used: \(error)"]
        }
        return []
    }

    private static func secretProblems(of configured: ConfiguredProvider, _ environment: [String: String]) -> [String] {
        let id = configured.provider.id
        let resolver = SecretResolver(environment: environment)
        var problems: [String] = []
        for secret in configured.secrets {
            if case .credential(let name) = secret.source, environment["CREDENTIALS_DIRECTORY"] == nil {
                complain("\(id): the credential \(name) was not checked: only the service is given it")
                continue
            }
            do throws(SecretError) { _ = try resolver.resolve(secret.source, extent: secret.extent) } catch {
                problems.append("\(id): its \(secret.name) cannot be had: \(error)")
            }
        }
        return problems
    }
}

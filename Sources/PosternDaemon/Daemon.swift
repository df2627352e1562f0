import CProcess
import Glibc
import PosternConfiguration
import PosternCrypto

/// The daemon as a program: `posternd` is this and its command line.
public enum Daemon {
    /// Runs until a signal, or idleness, ends it; ends the process.
    public static func run(_ options: DaemonOptions) -> Never {
        tuneMemory()
        // Threads inherit the mask, so that the signals come to the one call of sigwait below and nowhere else.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is an error to tell, not an end.
        signal(SIGXFSZ, SIG_IGN)

        DaemonActor.start {
            let lifecycle = Lifecycle(options: options)
            running = lifecycle
            do throws(StartError) { try await lifecycle.start() } catch {
                complain(error.description)
                exit(error.exitStatus)
            }
        }
        while true {
            var received: Int32 = 0
            guard sigwait(&signals, &received) == 0 else { continue }
            let signal = received
            DaemonActor.start {
                if signal == SIGHUP {
                    await running?.reload()
                } else if let running {
                    running.stop(reason: signal == SIGINT ? "interrupted" : "asked to")
                } else {
                    exit(0)
                }
            }
        }
    }

    /// Reads the configuration and fetches the secrets as the daemon would, and says what is wrong with them.
    ///
    /// A systemd credential is there for the service alone; anywhere else it is named as not checked.
    ///
    /// - Returns: the status to end with: 78 where the configuration is not taken, 1 where it is but a secret cannot be had.
    public static func checkConfiguration(_ options: DaemonOptions) -> Int32 {
        do throws(StartError) {
            let path = try options.configurationPath()
            let configuration: Configuration
            do throws(ConfigurationError) {
                configuration = try ConfigurationLoader.load(path: path, environment: options.environment)
            } catch {
                throw .configuration(error)
            }
            let resolver = SecretResolver(environment: options.environment)
            var hasAllSecrets = true
            for configured in configuration.providers {
                let id = configured.provider.id
                if let problem = configured.provider.problem { complain("\(id): \(problem)") }
                for secret in configured.secrets {
                    if case .credential(let name) = secret.source, options.environment["CREDENTIALS_DIRECTORY"] == nil {
                        complain("\(id): the credential \(name) was not checked: only the service is given it")
                        continue
                    }
                    do throws(SecretError) { _ = try resolver.resolve(secret.source, extent: secret.extent) } catch {
                        complain("\(id): its \(secret.name) cannot be had: \(error)")
                        hasAllSecrets = false
                    }
                }
            }
            if case .gateway(_, .some(let source), _)? = configuration.secondFactors.phone {
                if case .credential(let name) = source, options.environment["CREDENTIALS_DIRECTORY"] == nil {
                    complain("second-factor: the credential \(name) was not checked: only the service is given it")
                } else {
                    do throws(SecretError) { _ = try resolver.resolve(source) } catch {
                        complain("second-factor: the gateway-token cannot be had: \(error)")
                        hasAllSecrets = false
                    }
                }
            }
            return hasAllSecrets ? 0 : 1
        } catch {
            complain(error.description)
            return error.exitStatus
        }
    }

    /// Makes what the callback listener needs for https. What it does is said by the command that runs this.
    ///
    /// - Parameter replacing: over files that are there.
    /// - Returns: the status to end with.
    public static func makeCertificate(in directory: String, replacing: Bool) -> Int32 {
        do throws(CertificateFileError) {
            try CertificateFiles(directory: directory).write(LoopbackCertificate.make(now: WallClock.now), replacing: replacing)
            return 0
        } catch {
            complain(error.description)
            return 1
        }
    }

    @DaemonActor private static var running: Lifecycle?

    /// One arena: with one for each thread an idle daemon holds on to megabytes that nobody uses.
    private static func tuneMemory() {
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_TRIM_THRESHOLD, 128 * 1024)
        // No core file, and no other program of the same user, gets at the tokens in memory.
        _ = postern_forbid_dumps()
    }

    private static func complain(_ sentence: String) {
        let line = Array("posternd: \(sentence)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

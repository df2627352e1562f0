import PosternApplication
import PosternConfiguration
import PosternCore
import PosternCrypto

/// scrypt from libcrypto, on a separate thread.
@DaemonActor
final class ScryptThreads: PasswordDerivation {
    func derive(
        _ password: Secret, salt: [UInt8], parameters: PasswordHash.Parameters, byteCount: Int
    ) async throws(PasswordDerivationFailure) -> Secret {
        try await BlockingWork.run(orThrow: { PasswordDerivationFailure("\($0)") }) { () throws(PasswordDerivationFailure) in
            do throws(CryptoError) {
                return try Scrypt.derive(
                    password: password, salt: salt, cost: parameters.cost, blockSize: parameters.blockSize,
                    parallelization: parameters.parallelization, byteCount: byteCount)
            } catch {
                throw PasswordDerivationFailure("\(error)")
            }
        }
    }
}

/// Runs the configuration's programs, and waits for each on a separate thread.
@DaemonActor
final class CommandThreads: CommandRunning {
    private let environment: [String: String]

    init(environment: [String: String]) { self.environment = environment }

    func run(_ command: ConfiguredCommand, input: [UInt8]?, variables: [String: String]) async -> String? {
        let environment = environment.merging(variables) { $1 }
        do throws(NoThread) {
            return try await BlockingWork.run { command.run(in: environment, input: input) }
        } catch {
            return "was not run: \(error)"
        }
    }
}

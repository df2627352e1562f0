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

/// Runs the program that sends codes to phones, and waits for it on a separate thread.
@DaemonActor
final class CodeProgram: CodeCommand {
    func send(_ message: [UInt8], by command: ConfiguredCommand) async -> String? {
        do throws(NoThread) {
            return try await BlockingWork.run { command.run(input: message).map { "the program \(command.name) \($0)" } }
        } catch {
            return error.description
        }
    }
}

import PosternCore

/// Makes and compares password hashes, on threads of its own.
@DaemonActor
final class PasswordHashing {
    /// 32 MiB and some tenths of a second for each attempt. docs/inside/decisions/passwords.md gives the reasons.
    nonisolated static let parameters = PasswordHash.Parameters(cost: 1 << 15, blockSize: 8, parallelization: 3)
    private nonisolated static let hashLength = 32
    private nonisolated static let saltLength = 16
    /// Each needs this memory, and a user's machine has other work too.
    private static let atOnce = 2
    private static let waitingLimit = 32
    /// How many of those may be new passwords. Their number is not limited otherwise, and they would leave no room for attempts.
    private static let makingLimit = 16

    private var running = 0
    private var waiting = 0
    private let room = WaitingRoom<Void>()

    private let derivation: any PasswordDerivation
    private let platform: Platform

    init(derivation: any PasswordDerivation, platform: Platform) {
        self.derivation = derivation
        self.platform = platform
    }

    /// Hashes a new password, with a new salt.
    func hash(_ password: Secret, now: Timestamp) async throws(AccountFailure) -> PasswordHash {
        let salt = try platform.accountBytes(Self.saltLength)
        let hash = try await derive(
            password, salt: salt, parameters: Self.parameters, length: Self.hashLength, waitingLimit: Self.makingLimit)
        return PasswordHash(parameters: Self.parameters, salt: salt, hash: hash, changedAt: now)
    }

    /// - Parameter kept: nil if there is nothing to compare with: the result is then false, after as much work.
    func matches(_ password: Secret, _ kept: PasswordHash?) async throws(AccountFailure) -> Bool {
        let salt = if let kept { kept.salt } else { [UInt8](repeating: 0, count: Self.saltLength) }
        let hash = try await derive(
            password, salt: salt, parameters: kept?.parameters ?? Self.parameters, length: kept?.hash.count ?? Self.hashLength,
            waitingLimit: Self.waitingLimit)
        return kept.map { $0.hash == hash } ?? false
    }

    private func derive(
        _ password: Secret, salt: [UInt8], parameters: PasswordHash.Parameters, length: Int, waitingLimit: Int
    ) async throws(AccountFailure) -> Secret {
        try await begin(waitingLimit: waitingLimit)
        defer { end() }
        do throws(PasswordDerivationFailure) {
            return try await platform.work.count(.toBeKept) { () async throws(PasswordDerivationFailure) in
                try await derivation.derive(password, salt: salt, parameters: parameters, byteCount: length)
            }
        } catch {
            throw .passwordDerivation(error)
        }
    }

    /// Waits for a turn, which lasts until ``end()``.
    private func begin(waitingLimit: Int) async throws(AccountFailure) {
        while running >= Self.atOnce {
            guard waiting < waitingLimit else { throw .password(.tooManyAttempts(retryAfterSeconds: 5)) }
            waiting += 1
            let isHandedOver = await room.wait(while: { running >= Self.atOnce }) != nil
            waiting -= 1
            if isHandedOver { return }
        }
        running += 1
    }

    private func end() {
        if room.isEmpty { running -= 1 } else { room.releaseFirst(with: ()) }
    }
}

/// scrypt (RFC 7914), away from the daemon's executor: it is slow by design.
@DaemonActor
public protocol PasswordDerivation: AnyObject {
    func derive(
        _ password: Secret, salt: [UInt8], parameters: PasswordHash.Parameters, byteCount: Int
    ) async throws(PasswordDerivationFailure) -> Secret
}

import Foundation
import PosternCore
import PosternStore

/// A Secret Service in memory; locked where it has no answer.
final class MemoryKeyring: Keyring {
    private struct State {
        var items: [String: Secret] = [:]
        var isLocked: Bool
        var saves = 0
        /// What it keeps in place of what it was given; nil if it keeps that.
        var keeps: (@Sendable (Secret) -> Secret?)?
    }
    /// Guards `state`: the store asks from the thread that opens it.
    private let mutex = NSLock()
    private nonisolated(unsafe) var state: State  // Only touched under `mutex`.

    /// - Parameter keeps: what a keyring that loses or changes what it is given keeps.
    init(isLocked: Bool = false, keeps: (@Sendable (Secret) -> Secret?)? = nil) { state = State(isLocked: isLocked, keeps: keeps) }

    var isLocked: Bool {
        get { mutex.withLock { state.isLocked } }
        set { mutex.withLock { state.isLocked = newValue } }
    }

    /// By name.
    var items: [String: Secret] {
        get { mutex.withLock { state.items } }
        set { mutex.withLock { state.items = newValue } }
    }

    var saves: Int { mutex.withLock { state.saves } }

    func find(_ item: KeyringItem) throws(KeyringUnavailable) -> [Secret] {
        guard !isLocked else { throw KeyringUnavailable(reason: "the login keyring is locked") }
        return items[item.name].map { [$0] } ?? []
    }

    func save(_ key: Secret, as item: KeyringItem) throws(KeyringUnavailable) {
        guard !isLocked else { throw KeyringUnavailable(reason: "the login keyring is locked") }
        mutex.withLock {
            state.saves += 1
            state.items[item.name] = state.keeps.map { $0(key) } ?? key
        }
    }
}

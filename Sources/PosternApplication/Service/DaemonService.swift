import PosternConfiguration
import PosternCore
import PosternInterface

/// The methods about the service itself.
@DaemonActor
final class DaemonService: ServiceMethods {
    let status: ServiceStatus
    let storeLock: StoreLock
    let configuration: ConfigurationReloader
    private let events: EventLog

    init(status: ServiceStatus, storeLock: StoreLock, configuration: ConfigurationReloader, events: EventLog) {
        self.status = status
        self.storeLock = storeLock
        self.configuration = configuration
        self.events = events
    }

    func getStatus(_ call: Interface.GetStatus) async throws(InterfaceError) -> Interface.GetStatus.Reply {
        await status.reply()
    }

    func reload(_ call: Interface.Reload) async throws(InterfaceError) -> Interface.Reload.Reply {
        let isInForce: Bool
        do throws(ConfigurationError) { isInForce = try await configuration.reload() } catch {
            throw .configurationInvalid(
                message: "the configuration was rejected, and the old one stays in force: \(error)", file: error.file, line: error.line)
        }
        guard isInForce else { throw .ending }
        return Interface.Reload.Reply()
    }

    func lock(_ call: Interface.Lock) async throws(InterfaceError) -> Interface.Lock.Reply {
        await storeLock.lock()
        return Interface.Lock.Reply()
    }

    func unlock(_ call: Interface.Unlock) async throws(InterfaceError) -> Interface.Unlock.Reply {
        guard call.passphrase.map({ $0.count <= PasswordRules.longestPassphrase }) ?? true else { throw .invalidParameter("passphrase") }
        do throws(UnlockFailure) { try await storeLock.unlock(passphrase: call.passphrase) } catch { throw InterfaceError(error) }
        return Interface.Unlock.Reply()
    }

    func monitor(_ call: Interface.Monitor, reply: any InterfaceReply) async throws(InterfaceError) -> Interface.Monitor.Reply? {
        try await events.follow(reply)
        return nil
    }
}

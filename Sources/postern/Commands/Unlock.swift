import ArgumentParser
import PosternClient
import PosternInterface

struct Unlock: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open the store again.",
        discussion: """
            Asks for the passphrase where store.key is "passphrase", and nowhere else: on the terminal, without
            showing it, or as one line on standard input. The first one makes the store.

            EXAMPLES
              postern unlock
              secret-tool lookup postern store | postern unlock
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        switch try attempt(passphrase: nil) {
        case .done: break
        case .needsPassphrase:
            let passphrase = try PassphraseInput.read(prompt: "Passphrase: ")
            guard try attempt(passphrase: passphrase) == .done else { throw Self.noPassphrase }
        case .needsNewPassphrase:
            let passphrase = try PassphraseInput.readNew()
            guard try attempt(passphrase: passphrase) == .done else { throw Self.noPassphrase }
        }
        if !common.json { StandardError.write(line: "unlocked") }
    }

    private enum Answer {
        case done, needsPassphrase, needsNewPassphrase
    }

    /// The daemon knows where the store's key is: asked without a passphrase, it says which kind it misses.
    private func attempt(passphrase: String?) throws -> Answer {
        do throws(PosternError) {
            let connection = try PosternConnection(socketPath: common.socketPath)
            defer { connection.close() }
            let reply = try connection.call(UnlockParameters.method.name, UnlockParameters(passphrase: passphrase).object)
            if common.json { do { try StandardOutput.write(document: reply) } catch { throw .connectionLost(reason: "\(error)") } }
            return .done
        } catch {
            switch error {
            case .notUnderstood("org.varlink.service.InvalidParameter", _) where passphrase == nil: return .needsPassphrase
            case .refused(.weakPassword) where passphrase == nil: return .needsNewPassphrase
            default: throw error
            }
        }
    }

    private static let noPassphrase = CommandFailure("the daemon asked for a passphrase, and did not take one; try again")
}

import Glibc
import PosternClient
import ProgramOptions

struct Unlock: OptionlessCommand {
    static let name = "unlock"
    static let abstract = "Open the store again."
    static let discussion = """
        Asks for the passphrase only if store.key is "passphrase": on the terminal, without showing it, or as one line on standard input. The first one creates the store.

        EXAMPLES
          postern unlock
          secret-tool lookup postern store | postern unlock
        """

    let common: CommonOptions

    func perform() throws {
        switch try attempt(passphrase: nil) {
        case .done: break
        case .needs(let kind):
            guard try attempt(passphrase: passphrase(kind)) == .done else {
                throw CommandFailure("the daemon asked for a passphrase but did not accept one; try again")
            }
        }
        if !common.json { StandardError.note("unlocked") }
    }

    private enum Kind {
        case known, new
    }

    private enum Answer: Equatable {
        case done
        case needs(Kind)
    }

    /// The daemon knows where the store's key is: without a passphrase, its error says what kind of key it needs.
    private func attempt(passphrase: String?) throws -> Answer {
        do {
            let reply = try connect().call(Interface.Unlock.method.name, Interface.Unlock(passphrase: passphrase.map { Secret($0) }).object)
            if common.json { try StandardOutput.write(document: reply) }
            return .done
        } catch PosternError.notUnderstood("org.varlink.service.InvalidParameter", _) where passphrase == nil {
            return .needs(.known)
        } catch PosternError.refused(.weakPassword) where passphrase == nil {
            return .needs(.new)
        }
    }

    private func passphrase(_ kind: Kind) throws -> String {
        ProcessMemory.hide()
        let interrupts = try Interrupts()
        guard let prompt = Prompt(interrupts: interrupts) else {
            guard let line = try InputLine.read(from: STDIN_FILENO, interrupts: interrupts), !line.isEmpty else {
                throw CommandFailure(
                    "a passphrase is needed, but none was given", status: .wrongUsage, advice: "give it as one line of standard input")
            }
            return line
        }
        guard kind == .new else { return try prompt.secret("Passphrase:") }
        prompt.say("A new store will be created, which only this passphrase opens. It cannot be recovered.")
        let chosen = try prompt.secret("New passphrase:")
        guard try prompt.secret("Repeat the passphrase:") == chosen else {
            throw CommandFailure("the passphrases do not match; no store was created", advice: "try again: postern unlock")
        }
        return chosen
    }
}

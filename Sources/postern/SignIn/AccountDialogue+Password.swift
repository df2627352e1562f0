import Glibc
import PosternClient

/// Passwords are typed hidden, or read as one line of standard input; never from the command line, which others can see.
extension AccountDialogue {
    /// How many wrong passwords are allowed before the command has to be run again. The daemon has its own count.
    private static let tries = 3

    func password(email: String?, _ intent: Intent) throws -> Proved {
        let address = try email ?? knownAddress(intent) ?? askedAddress()
        guard intent != .link else {
            return try withNewPassword(for: address) { password in
                try settle(CredentialInput(email: address, password: password), intent, wayName: "a password")
            }
        }
        for _ in 1..<Self.tries {
            let password = try oldPassword(of: address)
            do {
                return try settle(CredentialInput(email: address, password: password), intent, wayName: "a password")
            } catch PosternError.refused(.wrongPassword(let message)) {
                guard let prompt else { throw PosternError.refused(.wrongPassword(message: message)) }
                prompt.say("Wrong password: \(message.plain)")
            }
        }
        return try settle(CredentialInput(email: address, password: try oldPassword(of: address)), intent, wayName: "a password")
    }

    /// Submits a password that the user chooses, and asks for another one if it is too weak.
    func withNewPassword<Value>(for address: String, _ give: (Secret) throws -> Value) throws -> Value {
        while true {
            let password = try newPassword(for: address)
            do { return try give(password) } catch PosternError.refused(.weakPassword(let message, let reason)) {
                guard let prompt else { throw PosternError.refused(.weakPassword(message: message, reason: reason)) }
                prompt.say("That password is too weak: \(message.plain)")
            }
        }
    }

    private func knownAddress(_ intent: Intent) throws -> String? { intent == .signIn ? nil : try currentUser()?.email }

    private func askedAddress() throws -> String {
        guard let prompt else { throw CommandFailure("an email address is needed", status: .wrongUsage, advice: "give it with --email") }
        let address = try prompt.line("Address:")
        guard !address.isEmpty else { throw CommandFailure("no address was given", status: .declined) }
        return address
    }

    private func oldPassword(of address: String) throws -> Secret {
        guard let prompt else { return try pipedPassword() }
        return Secret(try prompt.secret("Password of \(address.plain):"))
    }

    private func newPassword(for address: String) throws -> Secret {
        guard let prompt else { return try pipedPassword() }
        while true {
            let password = try prompt.secret("New password for \(address.plain):")
            guard !password.isEmpty else { throw CommandFailure("no password was given", status: .declined) }
            if try prompt.secret("Repeat the password:") == password { return Secret(password) }
            prompt.say("They do not match. Try again.")
        }
    }

    private func pipedPassword() throws -> Secret {
        guard isatty(STDIN_FILENO) == 0 else {
            throw CommandFailure(
                "the password is asked for on a terminal, without --json, or is one line of standard input", status: .wrongUsage)
        }
        guard let line = try InputLine.read(from: STDIN_FILENO, interrupts: interrupts), !line.isEmpty else {
            throw CommandFailure("there is no password on standard input", status: .wrongUsage)
        }
        return Secret(line)
    }
}

import PosternClient

extension HelperAnswer {
    /// What an error means that came when a token was asked for.
    ///
    /// - Parameter name: what `postern sign-in` takes: a provider, or a named account.
    init(_ error: PosternError, name: String) {
        switch error {
        case .refused(let refusal): self.init(refusal, name: name)
        case .notUnderstood("org.varlink.service.InvalidParameter", _): self = .unavailable(error.description.plain)
        case .connectionLost, .daemonUnresponsive: self = .unavailable(error.description.plain)
        case .daemonUnreachable, .foreignDaemon, .notUnderstood, .malformedReply, .cancelled: self.init(unasked: error)
        }
    }

    /// What an error means that came before any account was known.
    init(unasked error: PosternError) {
        let failure = CommandFailure(error)
        self = .noDaemon(([failure.sentence] + [failure.advice].compactMap(\.self)).joined(separator: "; "))
    }

    private init(_ refusal: InterfaceError, name: String) {
        switch refusal {
        case .signInRequired(_, _, let reason):
            self = .needed(name, because: reason)
        case .scopeNotGranted(_, let missing):
            self = .needed(
                name, because: "not granted: \(missing.joined(separator: ", "))", options: missing.flatMap { ["--scope", $0] })
        case .noCurrentUser, .requiresRecentSignIn, .secondFactorRequired, .signInDenied, .signInTimedOut, .signInCancelled:
            self = .needed(name, because: refusal.message)
        case .providerNotFound, .providerNotConfigured, .noSuchProvider, .userNotFound, .originNotServed:
            self = .nothing(refusal.message.plain)
        case .ambiguousAccount(let message, let uids):
            let advice = AccountNaming.advice(of: name, uids: uids).map { "; \($0)" } ?? ""
            self = .unavailable((message + advice).plain)
        case .numbered(let other, code: _):
            self.init(other, name: name)
        default:
            // Offline, a provider that is down, a locked store, too much at once: it passes, or somebody has to look; no page helps.
            self = .unavailable(refusal.message.plain)
        }
    }

    static func needed(_ name: String, because reason: String, options: [String] = []) -> HelperAnswer {
        let command = (["postern sign-in"] + ([name] + options).map(shellWord)).joined(separator: " ")
        return .signInNeeded("\(name): \(reason); sign in with: \(command)".plain)
    }

    /// As it is typed into a shell: what a protocol brought is not to become its own command.
    private static func shellWord(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._:/@+=,".utf8.contains(byte)
                }
            }
        return isPlain ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
